package frameworkprovider

import (
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
)

// A ring is replaced when a member of its set changes: the framework says so by a path
// through an element of the set, which the protocol does not have.
type ring struct{ thing }

func ringSchema() schema.Schema {
	return schema.Schema{Attributes: map[string]schema.Attribute{
		"id":    idAttribute(),
		"title": schema.StringAttribute{Required: true},
		"members": schema.SetNestedAttribute{Optional: true, NestedObject: schema.NestedAttributeObject{
			Attributes: map[string]schema.Attribute{
				"name": schema.StringAttribute{Required: true, PlanModifiers: []planmodifier.String{stringplanmodifier.RequiresReplace()}},
				"rank": schema.StringAttribute{Computed: true},
			},
		}},
	}}
}
