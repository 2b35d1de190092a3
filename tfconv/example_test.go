package tfconv_test

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfconv"
	"github.com/zclconf/go-cty/cty"
)

// An SDK has the schema, the prior state and the configuration when it plans. ProposedNew carries
// over the values that the provider chose before.
func ExampleProposer() {
	server := &tfprotov6.Schema{Block: &tfprotov6.SchemaBlock{Attributes: []*tfprotov6.SchemaAttribute{
		{Name: "id", Type: tftypes.String, Computed: true},
		{Name: "name", Type: tftypes.String, Required: true},
	}}}
	proposer, err := tfconv.NewProposer6(server) // once for each resource type
	if err != nil {
		panic(err)
	}

	value := func(id, name any) tftypes.Value {
		return tftypes.NewValue(proposer.Type(), map[string]tftypes.Value{
			"id": tftypes.NewValue(tftypes.String, id), "name": tftypes.NewValue(tftypes.String, name),
		})
	}
	proposed, err := proposer.ProposedNew(value("i-1", "web"), value(nil, "www"))
	if err != nil {
		panic(err)
	}
	var attrs map[string]tftypes.Value
	if err := proposed.As(&attrs); err != nil {
		panic(err)
	}
	fmt.Println(attrs["id"], attrs["name"])
	// Output: tftypes.String<"i-1"> tftypes.String<"www">
}

// A test checks the plan of a provider from the encoded values of the protocol.
func ExampleDecode6() {
	server, err := tfconv.Block6(&tfprotov6.SchemaBlock{Attributes: []*tfprotov6.SchemaAttribute{
		{Name: "name", Type: tftypes.String, Required: true},
	}})
	if err != nil {
		panic(err)
	}
	ty := server.ImpliedType()
	config, err := tfconv.Decode6(&tfprotov6.DynamicValue{JSON: []byte(`{"name": "web"}`)}, ty)
	if err != nil {
		panic(err)
	}
	planned, err := tfconv.Decode6(&tfprotov6.DynamicValue{JSON: []byte(`{"name": "WEB"}`)}, ty)
	if err != nil {
		panic(err)
	}
	schema, err := objchange.Compile(server)
	if err != nil {
		panic(err)
	}
	fmt.Println(objchange.AssertPlanValid(schema, cty.NullVal(ty), config, planned).Rejected().Err())
	// Output: .name: planned "WEB", but the configuration has "web" [plan-not-config]
}

func ExampleValueToCty() {
	list := tftypes.NewValue(tftypes.List{ElementType: tftypes.String}, []tftypes.Value{tftypes.NewValue(tftypes.String, "a")})
	v, err := tfconv.ValueToCty(list, cty.NilType)
	fmt.Printf("%#v %v\n", v, err)
	_, err = tfconv.ValueToCty(list, cty.List(cty.Number))
	fmt.Println(err)
	// Output:
	// cty.ListVal([]cty.Value{cty.StringVal("a")}) <nil>
	// [0]: must be a number, not a string
}

// A bridge creates a schema and serves it to Terraform.
func ExampleSchemaTo6() {
	schema := &configschema.Schema{Version: 1, Block: &configschema.Block{Attributes: map[string]*configschema.Attribute{
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
