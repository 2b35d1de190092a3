package tfconv

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/objchange/objchange"
)

// ProposedNew6 returns the proposed new state, as objchange.ProposedNew does and
// as Terraform Core sends it to PlanResourceChange, for a schema and values of
// protocol 6. The prior value is null for a resource to be created, the
// configuration for one to be deleted; either may be of the dynamic type then.
// The result is of the type that the schema implies, as if it had come through
// the protocol: what it promised of unknown values is lost.
//
// A list or map of blocks with anything dynamic in them is a tuple or an object
// in the dynamic type, though the ValueType of the schema says otherwise: that is
// how Core sends it.
//
// The errors are those of [Schema6], [ValueToCty] and objchange.ProposedNew.
func ProposedNew6(schema *tfprotov6.Schema, prior, config tftypes.Value) (tftypes.Value, error) {
	converted, err := Schema6(schema)
	if err != nil {
		return tftypes.Value{}, fmt.Errorf("the schema: %w", err)
	}
	ty := converted.Block.ImpliedType()
	from, err := ValueToCty(prior, ty)
	if err != nil {
		return tftypes.Value{}, fmt.Errorf("the prior state: %w", err)
	}
	with, err := ValueToCty(config, ty)
	if err != nil {
		return tftypes.Value{}, fmt.Errorf("the configuration: %w", err)
	}
	proposed, err := objchange.ProposedNew(converted.Block, from, with)
	if err != nil {
		return tftypes.Value{}, err
	}
	return valueFromCty(proposed, ty)
}
