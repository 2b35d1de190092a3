// A user of tfconv/sdkv2: what does a resource look like to Terraform?
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
