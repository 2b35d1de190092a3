// Package snippet declares what the Go in the README files and the guides uses.
package snippet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	hcty "github.com/hashicorp/go-cty/cty"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	fwprovider "github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	rschema "github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/conformance"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/explore"
	"github.com/objchange/objchange/tfconv"
	"github.com/objchange/objchange/tfconv/framework"
	"github.com/objchange/objchange/tfconv/sdkv2"
	"github.com/objchange/objchange/tfplan"
	"github.com/zclconf/go-cty/cty"
)

type data = map[string]any

var (
	t                      *testing.T
	ctx                    context.Context
	block                  *configschema.Block
	prior, config, planned cty.Value
	schemas                *configschema.ProviderSchemas
	plan, state            io.Reader
	proposer               *tfconv.Proposer
	server                 tfprotov6.ProviderServer
	cloud                  *driver.Driver
	web                    *driver.Lifecycle

	factories map[string]func() (tfprotov6.ProviderServer, error)
)

// The package of the provider.
var provider struct {
	New func(version string) func() fwprovider.Provider
}

// An implementation that the conformance tests check.
func mine(*conformance.Case) conformance.Outcome { panic("not called") }

// A Schema is runtypes.Schema of the Pulumi bridge.
type Schema interface {
	ResourceProtoSchema(context.Context) (*tfprotov6.Schema, error)
}

// A Server is a server in terraform-plugin-framework.
type Server struct {
	FrameworkServer interface {
		ResourceSchema(ctx context.Context, typeName string) (any, diag.Diagnostics)
	}
}

var toproto6 struct {
	Schema func(ctx context.Context, schema any) (*tfprotov6.Schema, error)
}

func uncheckedProviderFactories() map[string]func() (tfprotov5.ProviderServer, error) {
	panic("not called")
}
