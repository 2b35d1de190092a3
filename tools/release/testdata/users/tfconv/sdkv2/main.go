// Command user converts a resource with tfconv/sdkv2 as released.
package main

import (
	"log"

	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/objchange/objchange/tfconv/sdkv2"
)

func main() {
	server, err := sdkv2.Resource(&schema.Resource{Schema: map[string]*schema.Schema{
		"name": {Type: schema.TypeString, Required: true},
	}})
	if err != nil {
		log.Fatal(err)
	}
	if !server.Block.Attributes["id"].Computed {
		log.Fatal("the id is not computed")
	}
}
