// Package snippet declares what the Go in docs/adopting.md uses: types of the projects.
package snippet

import (
	"context"

	hcty "github.com/hashicorp/go-cty/cty"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	rschema "github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfconv"
	"github.com/objchange/objchange/tfconv/framework"
	"github.com/objchange/objchange/tfconv/sdkv2"
	"github.com/zclconf/go-cty/cty"
)

var (
	proposer               *tfconv.Proposer
	prior, config, planned cty.Value
)

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
