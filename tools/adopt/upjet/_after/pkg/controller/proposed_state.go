package controller

import (
	"context"

	rschema "github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/objchange/objchange/tfconv"
	"github.com/objchange/objchange/tfconv/framework"
)

// proposedState returns the proposed new state for a prior state and a configuration.
func proposedState(ctx context.Context, schema rschema.Schema, prior, config tftypes.Value) (tftypes.Value, error) {
	converted, err := framework.Resource(ctx, schema)
	if err != nil {
		return tftypes.Value{}, err
	}
	proposer, err := tfconv.NewProposer(converted.Block)
	if err != nil {
		return tftypes.Value{}, err
	}
	return proposer.ProposedNew(prior, config)
}
