package frameworkprovider

import (
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

type (
	attributes = map[string]schema.Attribute
	blocks     = map[string]schema.Block
)

// thingSchema has attributes and blocks of all kinds that the framework supports.
func thingSchema() schema.Schema {
	text := schema.StringAttribute{Required: true}
	optional := schema.StringAttribute{Optional: true}
	either := schema.StringAttribute{Optional: true, Computed: true}
	number := schema.Int64Attribute{Required: true}
	return schema.Schema{
		Attributes: attributes{
			"id":       schema.StringAttribute{Computed: true, PlanModifiers: modifiers(stringplanmodifier.UseStateForUnknown())},
			"name":     text,
			"region":   schema.StringAttribute{Optional: true, PlanModifiers: modifiers(stringplanmodifier.RequiresReplace())},
			"image":    schema.StringAttribute{Optional: true, Computed: true, Default: stringdefault.StaticString("base")},
			"size":     schema.Int64Attribute{Optional: true},
			"tags":     schema.MapAttribute{Optional: true, ElementType: types.StringType},
			"zones":    schema.SetAttribute{Optional: true, ElementType: types.StringType},
			"secret":   schema.StringAttribute{Optional: true, Sensitive: true},
			"key_wo":   schema.StringAttribute{Optional: true, WriteOnly: true},
			"anything": schema.DynamicAttribute{Optional: true},
			"stamp":    schema.StringAttribute{Computed: true},
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
				Attributes: attributes{"number": number, "protocol": optional, "rule_id": schema.StringAttribute{Computed: true}},
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
				Attributes: attributes{"port": number, "source": optional, "hits": schema.Int64Attribute{Computed: true}},
			}},
			"log": schema.SingleNestedBlock{Attributes: attributes{"target": optional, "stream": either}},
		},
	}
}

// linkSchema has a set in which a changed element requires replacement. The framework returns the
// path of the element, which the protocol cannot express.
func linkSchema() schema.Schema {
	return schema.Schema{Attributes: attributes{
		"id":     thingSchema().Attributes["id"],
		"target": schema.StringAttribute{Required: true},
		"kind":   schema.StringAttribute{Optional: true, Computed: true},
		"members": schema.SetNestedAttribute{Optional: true, NestedObject: schema.NestedAttributeObject{Attributes: attributes{
			"name": schema.StringAttribute{Required: true, PlanModifiers: modifiers(stringplanmodifier.RequiresReplace())},
			"rank": schema.StringAttribute{Computed: true},
		}}},
	}}
}

// keptAttribute returns a computed attribute of a nested object that keeps its value.
func keptAttribute() schema.Attribute {
	return schema.StringAttribute{Computed: true, PlanModifiers: modifiers(stringplanmodifier.UseNonNullStateForUnknown())}
}

func modifiers(one planmodifier.String) []planmodifier.String { return []planmodifier.String{one} }
