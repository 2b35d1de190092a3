// Command user calls tfconv as released, like an SDK.
package main

import (
	"log"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/objchange/objchange/tfconv"
)

func main() {
	id := &tfprotov6.SchemaAttribute{Name: "id", Type: tftypes.String, Computed: true}
	proposer, err := tfconv.NewProposer6(&tfprotov6.Schema{Block: &tfprotov6.SchemaBlock{Attributes: []*tfprotov6.SchemaAttribute{id}}})
	if err != nil {
		log.Fatal(err)
	}
	value := func(id any) tftypes.Value {
		return tftypes.NewValue(proposer.Type(), map[string]tftypes.Value{"id": tftypes.NewValue(tftypes.String, id)})
	}
	if proposed, err := proposer.ProposedNew(value("i-1"), value(nil)); err != nil || !proposed.Equal(value("i-1")) {
		log.Fatalf("the id is not carried over: %v, %v", proposed, err)
	}
}
