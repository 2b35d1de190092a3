// Command user calls tfcheck as released, like the acceptance tests of a provider.
package main

import (
	"log"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/objchange/objchange/tfcheck"
)

type provider struct{ tfprotov6.ProviderServer }

func main() {
	factories := tfcheck.Factories6(map[string]func() (tfprotov6.ProviderServer, error){
		"cloud": func() (tfprotov6.ProviderServer, error) { return provider{}, nil },
	}, tfcheck.Reject)
	if _, err := factories["cloud"](); err != nil {
		log.Fatal(err)
	}
}
