// Command user checks a state without resources with tfplan/plantest as released.
package main

import (
	"context"
	"log"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/objchange/objchange/tfplan/plantest"
)

func main() {
	var response statecheck.CheckStateResponse
	request := statecheck.CheckStateRequest{State: &tfjson.State{FormatVersion: "1.0"}}
	plantest.CheckState(new(plantest.Providers)).CheckState(context.Background(), request, &response)
	if response.Error != nil {
		log.Fatal(response.Error)
	}
}
