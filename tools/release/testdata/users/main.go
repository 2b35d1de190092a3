// Command user calls the library as released.
package main

import (
	"log"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/zclconf/go-cty/cty"
)

func main() {
	schema, err := objchange.Compile(&configschema.Block{Attributes: map[string]*configschema.Attribute{
		"id": {Type: cty.String, Computed: true},
	}})
	if err != nil {
		log.Fatal(err)
	}
	prior := cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal("i-1")})
	config := cty.ObjectVal(map[string]cty.Value{"id": cty.NullVal(cty.String)})
	if proposed, err := objchange.ProposedNew(schema, prior, config); err != nil || !proposed.RawEquals(prior) {
		log.Fatalf("the id is not carried over: %#v, %v", proposed, err)
	}
}
