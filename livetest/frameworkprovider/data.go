package frameworkprovider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	dataschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	ephemeralschema "github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// A region is a data source that edits its configuration.
type region struct {
	name string
	edit edit
}

var regions = []region{
	{"region", in("location", to("here"))},
	{"nowhere", null},
	{"undecided", in("location", unknown)},
}

func (r region) Metadata(_ context.Context, _ datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = "fw_" + r.name
}

func (region) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = dataschema.Schema{Attributes: map[string]dataschema.Attribute{
		"name":     dataschema.StringAttribute{Required: true},
		"location": dataschema.StringAttribute{Computed: true},
	}}
}

func (r region) Read(_ context.Context, _ datasource.ReadRequest, resp *datasource.ReadResponse) {
	resp.State.Raw = r.edit(resp.State.Raw)
}

// A token is an ephemeral resource that edits its configuration.
type token region

var tokens = []token{
	{"token", in("value", to("opened"))},
	{"spent", null},
	{"impostor", func(v tftypes.Value) tftypes.Value {
		return in("user", to("somebody else"))(in("value", to("opened"))(v))
	}},
	{"sealed", in("value", unknown)},
}

func (t token) Metadata(_ context.Context, _ ephemeral.MetadataRequest, resp *ephemeral.MetadataResponse) {
	resp.TypeName = "fw_" + t.name
}

func (token) Schema(_ context.Context, _ ephemeral.SchemaRequest, resp *ephemeral.SchemaResponse) {
	resp.Schema = ephemeralschema.Schema{Attributes: map[string]ephemeralschema.Attribute{
		"user":  ephemeralschema.StringAttribute{Required: true},
		"value": ephemeralschema.StringAttribute{Computed: true, Sensitive: true},
	}}
}

func (t token) Open(_ context.Context, _ ephemeral.OpenRequest, resp *ephemeral.OpenResponse) {
	resp.Result.Raw = t.edit(resp.Result.Raw)
}
