package configschema_test

import (
	"fmt"

	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/objchange/objchange/configschema"
)

// server is the schema of a server with disks.
var server = &configschema.Block{
	Attributes: map[string]*configschema.Attribute{
		"id":    {Type: cty.String, Computed: true},
		"name":  {Type: cty.String, Required: true},
		"token": {Type: cty.String, Optional: true, Sensitive: true},
	},
	BlockTypes: map[string]*configschema.NestedBlock{
		"disk": {Nesting: configschema.NestingSet, Block: configschema.Block{Attributes: map[string]*configschema.Attribute{
			"size": {Type: cty.Number, Required: true},
		}}},
	},
}

// ImpliedType returns the type of all values of the block.
func ExampleBlock_ImpliedType() {
	fmt.Println(server.ImpliedType().AttributeType("disk").FriendlyName())
	// Output: set of object
}

// EmptyValue returns null attributes and empty collections of blocks.
func ExampleBlock_EmptyValue() {
	empty, _ := ctyjson.Marshal(server.EmptyValue(), server.ImpliedType())
	fmt.Println(string(empty))
	// Output: {"disk":[],"id":null,"name":null,"token":null}
}

// Validate reports each problem with its path.
func ExampleBlock_Validate() {
	schema := &configschema.Block{Attributes: map[string]*configschema.Attribute{
		"id":   {Type: cty.String},
		"name": {Type: cty.String, Required: true, Optional: true},
	}}
	fmt.Println(schema.Validate())
	// Output:
	// .id: none of Required, Optional and Computed is set
	// .name: Required is set together with Optional or Computed
}

// AttributeByPath finds the attribute at the path of a violation.
func ExampleBlock_AttributeByPath() {
	path := cty.GetAttrPath("token")
	fmt.Println(server.AttributeByPath(path).Sensitive)
	// Output: true
}
