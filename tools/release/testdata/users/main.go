// A user of the library: what is proposed to a provider?
package main

import (
	"log"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/ctydata"
	"github.com/zclconf/go-cty/cty"
)

func main() {
	server := &configschema.Block{Attributes: map[string]*configschema.Attribute{
		"id":   {Type: cty.String, Computed: true},
		"name": {Type: cty.String, Required: true},
	}}
	prior, err := ctydata.ValueOf(server, map[string]any{"id": "i-1", "name": "web"})
	if err != nil {
		log.Fatal(err)
	}
	config, err := ctydata.ValueOf(server, map[string]any{"name": "www"})
	if err != nil {
		log.Fatal(err)
	}
	schema, err := objchange.Compile(server)
	if err != nil {
		log.Fatal(err)
	}
	proposed, err := objchange.ProposedNew(schema, prior, config)
	if err != nil {
		log.Fatal(err)
	}
	if id := proposed.GetAttr("id"); !id.RawEquals(cty.StringVal("i-1")) {
		log.Fatalf("the id is not carried over: %#v", id)
	}
}
