// Package snippet declares what the code for terraform-plugin-framework in
// docs/rules uses: the servers of a cloud, and the client of its API.
package snippet

import (
	"context"
	"regexp"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/objectdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
)

type attributes = map[string]schema.Attribute

type (
	serverResource struct{ api *client }
	imageData      struct{ api *client }
)

// What the methods of a resource have: the fields of all requests, and of all responses.
var (
	ctx         context.Context
	r           serverResource
	plan, state serverModel

	req struct {
		Plan               tfsdk.Plan
		Config             tfsdk.Config
		ClientCapabilities resource.ModifyPlanClientCapabilities
	}
	resp struct {
		Diagnostics     diag.Diagnostics
		Plan            tfsdk.Plan
		State           tfsdk.State
		RequiresReplace path.Paths
		Deferred        *resource.Deferred
	}
)

type serverModel struct {
	ID, Name, Kind, Class, Region, Token, Revision types.String
	Setting                                        types.Dynamic
	Tags, TagsAll                                  types.Map
	Zones                                          types.Set
	Network                                        types.Object
	Disks, Steps, StepsAll                         types.List
	Log                                            *logModel
}

type (
	logModel   struct{ Target types.String }
	portModel  struct{ Protocol types.String }
	mountModel struct{}
	imageModel struct{ Name types.String }
)

// The types of objects, and a value of one.
var (
	networkType = map[string]attr.Type{"cidr": types.StringType, "gateway": types.StringType}
	stepType    = types.ObjectType{}
	defaultLog  = types.ObjectValueMust(map[string]attr.Type{"target": types.StringType},
		map[string]attr.Value{"target": types.StringValue("console")})
)

// The provider's own plan modifiers.
type (
	lowerCase     struct{}
	sameInAnyCase struct{}
	standardClass struct{ planmodifier.String }
)

func sameJSON(a, b string) bool { return a == b }

func unique(list types.List) types.List { return list }

// The API answers with what it made of its input.
type (
	client   struct{}
	apiStep  struct{}
	apiImage struct{ ID string }
)

type apiServer struct {
	ID, Name, Class, Token, Setting, Revision string
	Tags                                      map[string]string
	Zones                                     []string
	Steps                                     []apiStep
	Log                                       *logModel
}

func (*client) Create(context.Context, any) (apiServer, error)       { return apiServer{}, nil }
func (*client) Get(context.Context, string) (apiServer, error)       { return apiServer{}, nil }
func (*client) FindImage(context.Context, string) (*apiImage, error) { return nil, nil }

func withResult(step attr.Value) attr.Value { return step }
