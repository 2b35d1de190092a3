// Command user calls tfcheck and its package explore as released, like the tests of a provider.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/explore"
)

// provider has no types.
type provider struct{ tfprotov6.ProviderServer }

func (provider) GetProviderSchema(context.Context, *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	return &tfprotov6.GetProviderSchemaResponse{}, nil
}

func main() {
	factories := tfcheck.Factories6(map[string]func() (tfprotov6.ProviderServer, error){
		"cloud": func() (tfprotov6.ProviderServer, error) { return provider{}, nil },
	}, tfcheck.Reject)
	result, err := explore.Explore(context.Background(), explore.InProcess(factories["cloud"]))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Reached())
}
