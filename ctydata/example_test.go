package ctydata_test

import (
	"fmt"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/ctydata"
)

// server is the schema of a server with disks.
var server = &configschema.Block{
	Attributes: map[string]*configschema.Attribute{
		"id":    {Type: cty.String, Computed: true},
		"name":  {Type: cty.String, Required: true},
		"image": {Type: cty.String, Optional: true, Computed: true},
	},
	BlockTypes: map[string]*configschema.NestedBlock{
		"disk": {Nesting: configschema.NestingSet, Block: configschema.Block{Attributes: map[string]*configschema.Attribute{
			"size":   {Type: cty.Number, Required: true},
			"device": {Type: cty.String, Computed: true},
		}}},
	},
}

// ValueOf makes a value from plain data. Missing attributes are null. Missing blocks are an
// empty collection.
func ExampleValueOf() {
	v, err := ctydata.ValueOf(server, map[string]any{"name": "web", "id": cty.UnknownVal(cty.String)})
	fmt.Println(v.GetAttr("disk").LengthInt(), v.GetAttr("image").IsNull(), v.GetAttr("id").IsKnown(), err)

	_, err = ctydata.ValueOf(server, map[string]any{"nmae": "web", "disk": []any{map[string]any{"size": "big"}}})
	fmt.Println(err)
	// Output:
	// 0 true false <nil>
	// .disk[0].size: must be a number, or a string that contains a number
	// .nmae: no such attribute or block; did you mean "name"?
}

// ValueOfJSON makes the same value from a JSON document.
func ExampleValueOfJSON() {
	v, err := ctydata.ValueOfJSON(server, []byte(`{"name": "web", "disk": [{"size": 10}, {"size": 50}]}`))
	fmt.Println(v.GetAttr("disk").LengthInt(), err)
	// Output: 2 <nil>
}
