// A user of tfconv: an SDK that wants to know what it is to plan.
package main

import (
	"log"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/objchange/objchange/tfconv"
)

func main() {
	proposer, err := tfconv.NewProposer6(&tfprotov6.Schema{Block: &tfprotov6.SchemaBlock{Attributes: []*tfprotov6.SchemaAttribute{
		{Name: "id", Type: tftypes.String, Computed: true},
		{Name: "name", Type: tftypes.String, Required: true},
	}}})
	if err != nil {
		log.Fatal(err)
	}
	value := func(id, name any) tftypes.Value {
		return tftypes.NewValue(proposer.Type(), map[string]tftypes.Value{
			"id": tftypes.NewValue(tftypes.String, id), "name": tftypes.NewValue(tftypes.String, name),
		})
	}
	proposed, err := proposer.ProposedNew(value("i-1", "web"), value(nil, "www"))
	if err != nil {
		log.Fatal(err)
	}
	if !proposed.Equal(value("i-1", "www")) {
		log.Fatalf("the id is not carried over: %v", proposed)
	}
}
