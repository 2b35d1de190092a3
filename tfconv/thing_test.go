package tfconv_test

import (
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// thing is a schema with examples of most features.
var thing = &tfprotov6.Schema{Version: 2, Block: &tfprotov6.SchemaBlock{
	Attributes: []*tfprotov6.SchemaAttribute{
		{Name: "id", Type: tftypes.String, Computed: true},
		{Name: "name", Type: tftypes.String, Required: true},
		{Name: "size", Type: tftypes.Number, Optional: true},
		{Name: "token", Type: tftypes.String, Optional: true, Sensitive: true},
		{Name: "password", Type: tftypes.String, Optional: true, WriteOnly: true},
	},
	BlockTypes: []*tfprotov6.SchemaNestedBlock{{
		TypeName: "rule", Nesting: tfprotov6.SchemaNestedBlockNestingModeList,
		Block: &tfprotov6.SchemaBlock{Attributes: []*tfprotov6.SchemaAttribute{
			{Name: "port", Type: tftypes.Number, Required: true},
		}},
	}},
}}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
