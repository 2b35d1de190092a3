package frameworkprovider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	dataschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	ephemeralschema "github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// A region is a data source that always finds something.
type region struct{}

func (region) Metadata(_ context.Context, _ datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = "fw_region"
}

func (region) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = dataschema.Schema{Attributes: map[string]dataschema.Attribute{
		"name":     dataschema.StringAttribute{Required: true},
		"location": dataschema.StringAttribute{Computed: true},
	}}
}

func (region) Read(ctx context.Context, _ datasource.ReadRequest, resp *datasource.ReadResponse) {
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("location"), "here")...)
}

// A nowhere is a region that is never found, and says so by returning nothing.
type nowhere struct{ region }

func (nowhere) Metadata(_ context.Context, _ datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = "fw_nowhere"
}

func (nowhere) Read(ctx context.Context, _ datasource.ReadRequest, resp *datasource.ReadResponse) {
	resp.State.RemoveResource(ctx)
}

// An undecided is a region whose location is unknown even when it is read.
type undecided struct{ region }

func (undecided) Metadata(_ context.Context, _ datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = "fw_undecided"
}

func (undecided) Read(_ context.Context, _ datasource.ReadRequest, resp *datasource.ReadResponse) {
	resp.State.Raw = in("location", unknown)(resp.State.Raw)
}

// A token is an ephemeral resource.
type token struct{}

func (token) Metadata(_ context.Context, _ ephemeral.MetadataRequest, resp *ephemeral.MetadataResponse) {
	resp.TypeName = "fw_token"
}

func (token) Schema(_ context.Context, _ ephemeral.SchemaRequest, resp *ephemeral.SchemaResponse) {
	resp.Schema = ephemeralschema.Schema{Attributes: map[string]ephemeralschema.Attribute{
		"user":  ephemeralschema.StringAttribute{Required: true},
		"value": ephemeralschema.StringAttribute{Computed: true, Sensitive: true},
	}}
}

func (token) Open(ctx context.Context, _ ephemeral.OpenRequest, resp *ephemeral.OpenResponse) {
	resp.Diagnostics.Append(resp.Result.SetAttribute(ctx, path.Root("value"), "opened")...)
}

// A spent is a token of which nothing is left.
type spent struct{ token }

func (spent) Metadata(_ context.Context, _ ephemeral.MetadataRequest, resp *ephemeral.MetadataResponse) {
	resp.TypeName = "fw_spent"
}

func (spent) Open(_ context.Context, _ ephemeral.OpenRequest, resp *ephemeral.OpenResponse) {
	resp.Result.Raw = tftypes.NewValue(resp.Result.Raw.Type(), nil)
}

// An impostor is a token of somebody else.
type impostor struct{ token }

func (impostor) Metadata(_ context.Context, _ ephemeral.MetadataRequest, resp *ephemeral.MetadataResponse) {
	resp.TypeName = "fw_impostor"
}

func (impostor) Open(ctx context.Context, _ ephemeral.OpenRequest, resp *ephemeral.OpenResponse) {
	resp.Diagnostics.Append(resp.Result.SetAttribute(ctx, path.Root("user"), "somebody else")...)
	resp.Diagnostics.Append(resp.Result.SetAttribute(ctx, path.Root("value"), "opened")...)
}

// A sealed is a token whose value is still unknown when it is opened.
type sealed struct{ token }

func (sealed) Metadata(_ context.Context, _ ephemeral.MetadataRequest, resp *ephemeral.MetadataResponse) {
	resp.TypeName = "fw_sealed"
}

func (sealed) Open(_ context.Context, _ ephemeral.OpenRequest, resp *ephemeral.OpenResponse) {
	resp.Result.Raw = in("value", unknown)(resp.Result.Raw)
}
