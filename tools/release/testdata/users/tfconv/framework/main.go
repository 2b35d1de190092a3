// Command user converts a resource with tfconv/framework as released.
package main

import (
	"context"
	"log"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/objchange/objchange/tfconv/framework"
)

func main() {
	server, err := framework.Resource(context.Background(), schema.Schema{Attributes: map[string]schema.Attribute{
		"name": schema.StringAttribute{Required: true},
	}})
	if err != nil {
		log.Fatal(err)
	}
	if !server.Block.Attributes["name"].Required {
		log.Fatal("the name is not required")
	}
}
