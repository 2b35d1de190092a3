package tfconv

import (
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/zclconf/go-cty/cty"
)

// A Proposer proposes values of one schema: what ProposedNew6 does, with the
// schema converted once. It may be used by several goroutines at once.
type Proposer struct {
	schema *objchange.Schema
	tf     tftypes.Type
}

// NewProposer prepares a schema, which must not change after that. It costs about
// as much as a proposal.
//
// The error is that of [objchange.Compile], and says of a capsule type that tftypes has
// none.
func NewProposer(schema *configschema.Block) (*Proposer, error) {
	compiled, err := objchange.Compile(schema)
	if err != nil {
		return nil, err
	}
	tf, err := TypeFromCty(compiled.ImpliedType())
	return &Proposer{compiled, tf}, err
}

// Schema returns the schema as package objchange has it.
func (p *Proposer) Schema() *objchange.Schema {
	if p == nil {
		return nil
	}
	return p.schema
}

// Type returns the type of the values, as the schema implies it. A list or map of
// blocks with anything dynamic in them is of the dynamic type.
func (p *Proposer) Type() tftypes.Type {
	if p == nil {
		return nil
	}
	return p.tf
}

// ProposedNew returns the proposed new state, as objchange.ProposedNew does and as
// Terraform Core sends it to PlanResourceChange. The prior value is null for a
// resource to be created, the configuration for one to be deleted. Such a null may
// be of any type, but not the zero tftypes.Value. Where the proposal has a
// configured or a prior value as it is, that very value is in it; in sets that is so
// of elements at the same position, and of whole sets. Set elements come in the order
// that cty gives them. What else there is
// is of the type that the schema implies, as if it had come through the protocol.
//
// A list or map of blocks with anything dynamic in them is a tuple or an object
// in the dynamic type, though the ValueType of the schema says otherwise: that is
// how Core sends it.
//
// The errors are those of [ValueToCty] and objchange.ProposedNew.
//
// Without sets it costs less than half of what carrying the three values over the
// protocol does; sets are sorted.
func (p *Proposer) ProposedNew(prior, config tftypes.Value) (tftypes.Value, error) {
	return p.propose(func(schema *objchange.Schema, values []cty.Value) (cty.Value, error) {
		return objchange.ProposedNew(schema, values[1], values[0])
	}, named{"configuration", config}, named{"prior state", prior})
}

// PlannedDataResource returns the planned value of a data source or ephemeral
// resource that cannot be read before apply, as objchange.PlannedDataResource does.
// The configuration's own values are in it as for ProposedNew, and the errors are
// of the same kind.
func (p *Proposer) PlannedDataResource(config tftypes.Value) (tftypes.Value, error) {
	return p.propose(func(schema *objchange.Schema, values []cty.Value) (cty.Value, error) {
		return objchange.PlannedDataResource(schema, values[0])
	}, named{"configuration", config})
}

type named struct {
	name  string
	value tftypes.Value
}

// propose makes a value of others.
func (p *Proposer) propose(make func(*objchange.Schema, []cty.Value) (cty.Value, error), from ...named) (tftypes.Value, error) {
	if p.Schema() == nil {
		return tftypes.Value{}, errors.New("the Proposer has no schema: NewProposer makes one that has")
	}
	ours := true
	for i, arg := range from {
		if arg.value.Type() != nil && arg.value.IsNull() { // a null of any type is none of the object
			from[i].value = tftypes.NewValue(p.tf, nil)
		} else if !p.fits(arg.value) { // and it remains to be seen whether it conforms
			ours = false
		}
	}
	values := []cty.Value{}
	for _, arg := range from {
		v, err := reader{}.convert(arg.value, p.schema.ImpliedType())
		if err != nil {
			return tftypes.Value{}, fmt.Errorf("the %s: %w", arg.name, err)
		}
		values = append(values, v)
	}
	made, err := make(p.schema, values)
	if err != nil {
		return tftypes.Value{}, err
	}
	if !ours {
		return valueFromCty(made, p.schema.ImpliedType())
	}
	return giveBack(made, p.tf, from)
}

// fits reports whether a value has the very type of the schema, or is unknown without one.
func (p *Proposer) fits(v tftypes.Value) (fits bool) {
	defer func() {
		if recover() != nil { // of a type that holds no type
			fits = false
		}
	}()
	return v.Type() != nil && (v.Type().Equal(p.tf) || v.Type().Is(tftypes.DynamicPseudoType) && !v.IsKnown())
}
