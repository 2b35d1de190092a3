package frameworkprovider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

type (
	attributes = map[string]schema.Attribute
	blocks     = map[string]schema.Block
)

// thingSchema has attributes and blocks of all kinds that the framework supports.
func thingSchema() schema.Schema {
	text := schema.StringAttribute{Required: true}
	optional := schema.StringAttribute{Optional: true}
	computed := schema.StringAttribute{Computed: true}
	either := schema.StringAttribute{Optional: true, Computed: true}
	base := stringdefault.StaticString("base")
	number := schema.Int64Attribute{Required: true}
	return schema.Schema{
		Version: 1,
		Attributes: attributes{
			"id":       idAttribute(),
			"name":     text,
			"region":   schema.StringAttribute{Optional: true, PlanModifiers: replacing},
			"image":    schema.StringAttribute{Optional: true, Computed: true, Default: base},
			"size":     schema.Int64Attribute{Optional: true},
			"tags":     schema.MapAttribute{Optional: true, ElementType: types.StringType},
			"zones":    schema.SetAttribute{Optional: true, ElementType: types.StringType},
			"secret":   schema.StringAttribute{Optional: true, Sensitive: true},
			"key_wo":   schema.StringAttribute{Optional: true, WriteOnly: true},
			"anything": schema.DynamicAttribute{Optional: true},
			"stamp":    computed,
			"load":     schema.NumberAttribute{Computed: true},
			"network": schema.SingleNestedAttribute{Optional: true, Attributes: attributes{
				"cidr":    text,
				"public":  schema.BoolAttribute{Optional: true, Computed: true, Default: booldefault.StaticBool(false)},
				"gateway": keptAttribute(),
			}},
			"disks": schema.ListNestedAttribute{Optional: true, NestedObject: schema.NestedAttributeObject{
				Attributes: attributes{"size": number, "device": keptAttribute()},
			}},
			"mounts": schema.MapNestedAttribute{Optional: true, NestedObject: schema.NestedAttributeObject{
				Attributes: attributes{"path": text, "readonly": schema.BoolAttribute{Optional: true}},
			}},
			"ports": schema.SetNestedAttribute{Optional: true, NestedObject: schema.NestedAttributeObject{
				Attributes: attributes{"number": number, "protocol": optional, "rule_id": computed},
			}},
		},
		Blocks: blocks{
			"step": schema.ListNestedBlock{NestedObject: schema.NestedBlockObject{
				Attributes: attributes{"title": text, "note": either},
				Blocks: blocks{"match": schema.SetNestedBlock{NestedObject: schema.NestedBlockObject{
					Attributes: attributes{"cidr": text},
				}}},
			}},
			"rule": schema.SetNestedBlock{NestedObject: schema.NestedBlockObject{
				Attributes: attributes{
					"port": number, "source": optional, "hits": schema.Int64Attribute{Computed: true},
				},
			}},
			"log": schema.SingleNestedBlock{Attributes: attributes{"target": optional, "stream": either}},
		},
	}
}

// ThingType returns the type of the objects of most resources.
func ThingType() tftypes.Type { return thingSchema().Type().TerraformType(context.Background()) }

// linkSchema has a set in which a changed element requires replacement. The framework returns the
// path of the element, which the protocol cannot express.
func linkSchema() schema.Schema {
	return schema.Schema{Attributes: attributes{
		"id":     idAttribute(),
		"target": schema.StringAttribute{Required: true},
		"kind":   schema.StringAttribute{Optional: true, Computed: true},
		"members": schema.SetNestedAttribute{Optional: true, NestedObject: schema.NestedAttributeObject{
			Attributes: attributes{
				"name": schema.StringAttribute{Required: true, PlanModifiers: replacing},
				"rank": schema.StringAttribute{Computed: true},
			},
		}},
	}}
}

// idAttribute returns a computed attribute that keeps its value.
func idAttribute() schema.Attribute {
	keep := []planmodifier.String{stringplanmodifier.UseStateForUnknown()}
	return schema.StringAttribute{Computed: true, PlanModifiers: keep}
}

// keptAttribute returns a computed attribute of a nested object that keeps its value.
func keptAttribute() schema.Attribute {
	keep := []planmodifier.String{stringplanmodifier.UseNonNullStateForUnknown()}
	return schema.StringAttribute{Computed: true, PlanModifiers: keep}
}

// replacing are the modifiers of an attribute whose change requires replacement.
var replacing = []planmodifier.String{stringplanmodifier.RequiresReplace()}
