package tfconv_test

import (
	"fmt"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfconv"
	"github.com/zclconf/go-cty/cty"
)

// A bridge makes a schema of its own and serves it to Terraform.
func ExampleSchemaTo6() {
	schema := &objchange.Schema{Version: 1, Block: &objchange.Block{Attributes: map[string]*objchange.Attribute{
		"name": {Type: cty.String, Required: true},
		"tags": {Type: cty.Map(cty.String), Optional: true},
		"id":   {Type: cty.String, Computed: true},
	}}}
	served, err := tfconv.SchemaTo6(schema)
	if err != nil {
		panic(err)
	}
	for _, attr := range served.Block.Attributes {
		fmt.Println(attr.Name, attr.Type)
	}
	// Output:
	// id tftypes.String
	// name tftypes.String
	// tags tftypes.Map[tftypes.String]
}

// Protocol 5 has no nested attributes.
func ExampleBlockTo5() {
	port := &objchange.Object{Nesting: objchange.NestingList, Attributes: map[string]*objchange.Attribute{
		"port": {Type: cty.Number, Required: true},
	}}
	_, err := tfconv.BlockTo5(&objchange.Block{Attributes: map[string]*objchange.Attribute{
		"rules": {NestedType: port, Optional: true},
	}})
	fmt.Println(err)
	// Output:
	// .rules: has nested attributes, which protocol 5 and identities do not have
}
