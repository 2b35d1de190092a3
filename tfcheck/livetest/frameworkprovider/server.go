package frameworkprovider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// A server has nested attributes of all four modes, defaults, plan modifiers,
// an identity, private state and import.
type server struct{ thing }

var (
	_ resource.ResourceWithIdentity    = server{}
	_ resource.ResourceWithImportState = server{}
)

func serverSchema() schema.Schema {
	return schema.Schema{Attributes: map[string]schema.Attribute{
		"id":       idAttribute(),
		"name":     schema.StringAttribute{Required: true},
		"region":   schema.StringAttribute{Required: true, PlanModifiers: []planmodifier.String{stringplanmodifier.RequiresReplace()}},
		"image":    schema.StringAttribute{Optional: true, Computed: true, Default: stringdefault.StaticString("base")},
		"password": schema.StringAttribute{Optional: true, Sensitive: true},
		"revision": schema.StringAttribute{Computed: true},
		"network": schema.SingleNestedAttribute{Optional: true, Attributes: map[string]schema.Attribute{
			"cidr":    schema.StringAttribute{Required: true},
			"public":  schema.BoolAttribute{Optional: true, Computed: true, Default: booldefault.StaticBool(false)},
			"gateway": keptAttribute(),
		}},
		"disks": schema.ListNestedAttribute{Optional: true, NestedObject: schema.NestedAttributeObject{
			Attributes: map[string]schema.Attribute{
				"size":   schema.Int64Attribute{Required: true},
				"device": keptAttribute(),
			},
		}},
		"mounts": schema.MapNestedAttribute{Optional: true, NestedObject: schema.NestedAttributeObject{
			Attributes: map[string]schema.Attribute{
				"path":     schema.StringAttribute{Required: true},
				"readonly": schema.BoolAttribute{Optional: true},
			},
		}},
		"ports": schema.SetNestedAttribute{Optional: true, NestedObject: schema.NestedAttributeObject{
			Attributes: map[string]schema.Attribute{
				"number":   schema.Int64Attribute{Required: true},
				"protocol": schema.StringAttribute{Optional: true},
				"rule_id":  schema.StringAttribute{Computed: true},
			},
		}},
	}}
}

func idAttribute() schema.Attribute {
	return schema.StringAttribute{Computed: true, PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()}}
}

// keptAttribute is a computed attribute of a nested object, kept as long as
// there was one before.
func keptAttribute() schema.Attribute {
	return schema.StringAttribute{Computed: true, PlanModifiers: []planmodifier.String{stringplanmodifier.UseNonNullStateForUnknown()}}
}

func (server) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identityschema.Schema{Attributes: map[string]identityschema.Attribute{
		"id": identityschema.StringAttribute{RequiredForImport: true},
	}}
}

func (s server) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	s.thing.Create(ctx, req, resp)
	resp.Diagnostics.Append(resp.Private.SetKey(ctx, "origin", []byte(`"created"`))...)
	identify(ctx, resp.State, resp.Identity)
}

func (s server) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	s.thing.Read(ctx, req, resp)
	if origin, _ := req.Private.GetKey(ctx, "origin"); origin == nil {
		resp.Diagnostics.Append(resp.Private.SetKey(ctx, "origin", []byte(`"imported"`))...)
	}
	if !resp.State.Raw.IsNull() {
		identify(ctx, resp.State, resp.Identity)
	}
}

func (s server) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	s.thing.Update(ctx, req, resp)
	if origin, _ := req.Private.GetKey(ctx, "origin"); origin == nil {
		resp.Diagnostics.AddError("Private state is lost", "A server that was created or imported has an origin in its private state.")
	}
	identify(ctx, resp.State, resp.Identity)
}

func (server) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	resource.ImportStatePassthroughWithIdentity(ctx, path.Root("id"), path.Root("id"), req, resp)
}

func identify(ctx context.Context, state tfsdk.State, identity *tfsdk.ResourceIdentity) {
	identity.SetAttribute(ctx, path.Root("id"), types.StringValue(text(state.Raw, "id")))
}
