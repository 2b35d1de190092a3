package tfconv

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// ProposedNew6 returns the proposed new state of a resource, as [Proposer.ProposedNew] does, for a
// schema of protocol 6. It compiles the schema on each call. To propose more than once, create a
// [Proposer].
//
// It returns the errors of [NewProposer6] and [Proposer.ProposedNew].
func ProposedNew6(schema *tfprotov6.Schema, prior, config tftypes.Value) (tftypes.Value, error) {
	p, err := NewProposer6(schema)
	if err != nil {
		return tftypes.Value{}, err
	}
	return p.ProposedNew(prior, config)
}

// PlannedDataResource6 returns the planned value of a data source or ephemeral resource that cannot
// be read yet, as [Proposer.PlannedDataResource] does, for a schema of protocol 6.
//
// It returns the errors of [NewProposer6] and [Proposer.PlannedDataResource].
func PlannedDataResource6(schema *tfprotov6.Schema, config tftypes.Value) (tftypes.Value, error) {
	p, err := NewProposer6(schema)
	if err != nil {
		return tftypes.Value{}, err
	}
	return p.PlannedDataResource(config)
}

// NewProposer6 returns a [Proposer] for a schema of protocol 6. It returns the errors of [Schema6]
// and [NewProposer].
func NewProposer6(schema *tfprotov6.Schema) (*Proposer, error) {
	converted, err := Schema6(schema)
	if err != nil {
		return nil, fmt.Errorf("the schema: %w", err)
	}
	return NewProposer(converted.Block)
}
