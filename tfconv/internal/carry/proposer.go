package carry

import (
	"errors"
	"fmt"

	"github.com/objchange/objchange"
	"github.com/zclconf/go-cty/cty"
)

// A Proposer proposes values of a type other than cty.Value. It converts the arguments to cty,
// proposes a value, and converts the result back.
type Proposer[V any] struct {
	Schema      *objchange.Schema
	ToCty       func(V) (cty.Value, error) // a null may become a null of any type
	ProposedNew func(schema *objchange.Schema, prior, config cty.Value) (cty.Value, error)
	FromCty     func(cty.Value) (V, error)
}

// Propose returns the proposed value for a prior value, or the planned value of a data source if
// prior is nil.
func (p Proposer[V]) Propose(prior *V, config V) (proposed V, err error) {
	configured, err := p.argument("configuration", config)
	if err != nil {
		return proposed, err
	}
	before := cty.DynamicVal // the proposed value for an unknown prior value is the planned value of a data source
	if prior != nil {
		if before, err = p.argument("prior state", *prior); err != nil {
			return proposed, err
		}
	}
	v, err := p.ProposedNew(p.Schema, before, configured)
	if err != nil {
		return proposed, err
	}
	return p.FromCty(v)
}

// argument converts an argument. A null of another type becomes a null of the schema's type.
func (p Proposer[V]) argument(name string, v V) (cty.Value, error) {
	if p.Schema == nil {
		return cty.NilVal, errors.New("the Proposer has no schema: create it with NewProposer")
	}
	converted, err := p.ToCty(v)
	if err != nil {
		return cty.NilVal, fmt.Errorf("the %s: %w", name, err)
	}
	if converted.IsNull() {
		return cty.NullVal(p.Schema.ImpliedType()), nil
	}
	return converted, nil
}
