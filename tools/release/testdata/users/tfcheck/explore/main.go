// Command user calls tfcheck/explore as released, with a provider that has no types.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/objchange/objchange/tfcheck/explore"
)

type provider struct{ tfprotov6.ProviderServer }

func (provider) GetProviderSchema(context.Context, *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	return &tfprotov6.GetProviderSchemaResponse{}, nil
}

func main() {
	result, err := explore.Explore(context.Background(), explore.InProcess(func() (tfprotov6.ProviderServer, error) { return provider{}, nil }))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Reached())
}
