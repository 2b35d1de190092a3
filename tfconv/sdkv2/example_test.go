package sdkv2_test

import (
	"fmt"

	hcty "github.com/hashicorp/go-cty/cty"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/objchange/objchange"
	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/tfconv/sdkv2"
)

var server = &schema.Resource{Schema: map[string]*schema.Schema{
	"name":  {Type: schema.TypeString, Required: true},
	"image": {Type: schema.TypeString, Optional: true, Computed: true},
}}

// Compute the value that Terraform proposes for a resource of the SDK.
func ExampleResource() {
	converted, err := sdkv2.Resource(server)
	if err != nil {
		panic(err)
	}
	prior := must(ctydata.ValueOf(converted.Block, map[string]any{"id": "i-1", "name": "web", "image": "debian"}))
	config := must(ctydata.ValueOf(converted.Block, map[string]any{"name": "www"}))
	proposed, err := objchange.ProposedNew(must(objchange.Compile(converted.Block)), prior, config)
	if err != nil {
		panic(err)
	}
	for name, v := range proposed.Elements() {
		fmt.Println(name.AsString(), v.AsString())
	}
	// Output:
	// id i-1
	// image debian
	// name www
}

// Findings about a value of the SDK use the names of the SDK's schema.
func ExampleValueToCty() {
	planned := hcty.ObjectVal(map[string]hcty.Value{
		"id": hcty.UnknownVal(hcty.String), "name": hcty.StringVal("web"), "image": hcty.StringVal("debian"),
	})
	v, err := sdkv2.ValueToCty(planned)
	if err != nil {
		panic(err)
	}
	schema := must(objchange.Compile(must(sdkv2.Resource(server)).Block))
	for _, found := range objchange.AssertStateValid(schema, v) {
		fmt.Println(found)
	}
	// Output:
	// .id: the value is unknown, but a state must be wholly known [state-unknown]
}

func ExampleValueFromCty() {
	config := must(ctydata.ValueOf(must(sdkv2.Resource(server)).Block, map[string]any{"name": "web"}))
	v, err := sdkv2.ValueFromCty(config)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%T %#v %v\n", v, v.GetAttr("name"), v.GetAttr("image").IsNull())
	// Output:
	// cty.Value cty.StringVal("web") true
}

// A bridge creates a Proposer for each resource type, and uses it for each plan.
func ExampleProposer() {
	proposer, err := sdkv2.NewProposer(server) // once for each resource type
	if err != nil {
		panic(err)
	}
	value := func(id, name, image hcty.Value) hcty.Value {
		return hcty.ObjectVal(map[string]hcty.Value{"id": id, "name": name, "image": image})
	}
	null := hcty.NullVal(hcty.String)
	prior := value(hcty.StringVal("i-1"), hcty.StringVal("web"), hcty.StringVal("debian"))
	proposed, err := proposer.ProposedNew(prior, value(null, hcty.StringVal("www"), null))
	if err != nil {
		panic(err)
	}
	fmt.Printf("%#v\n", proposed)
	// Output:
	// cty.ObjectVal(map[string]cty.Value{"id":cty.StringVal("i-1"), "image":cty.StringVal("debian"), "name":cty.StringVal("www")})
}
