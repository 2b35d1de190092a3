package tfconv

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/setorder"
	"github.com/objchange/objchange/tfconv/internal/carry"
	"github.com/zclconf/go-cty/cty"
)

// A Proposer returns proposed values for one schema, as ProposedNew6 does, but compiles the schema
// only once. It is safe for concurrent use.
type Proposer struct {
	carried carry.Proposer[tftypes.Value]
	ty      tftypes.Type
}

// NewProposer returns a [Proposer] for a schema. The schema must not change afterwards. The cost is
// proportional to the size of the schema.
//
// It returns the error of [objchange.Compile], or an error if a type of the schema has no
// counterpart in tftypes, such as a capsule type.
func NewProposer(schema *configschema.Block) (*Proposer, error) {
	compiled, err := objchange.Compile(schema)
	if err != nil {
		return nil, err
	}
	ty, err := TypeFromCty(compiled.ImpliedType())
	if err != nil {
		return nil, err
	}
	return &Proposer{ty: ty, carried: carry.Proposer[tftypes.Value]{
		Schema: compiled,
		ToCty: func(v tftypes.Value) (cty.Value, error) {
			if v.IsNull() { // of any type, also the zero Value
				return cty.NullVal(compiled.ImpliedType()), nil
			}
			return valueToCty(v, compiled.ImpliedType())
		},
		ProposedNew: func(schema *objchange.Schema, prior, config cty.Value) (cty.Value, error) {
			return setorder.ProposedNew(schema, prior, config)
		},
		FromCty: func(v cty.Value) (tftypes.Value, error) { return valueFromCty(v, ty) },
	}}, nil
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

// Schema returns the compiled schema, for use with other functions of package objchange. It returns
// nil for a nil Proposer.
func (p *Proposer) Schema() *objchange.Schema {
	return p.proposer().Schema
}

// Type returns the type that the schema implies. A list or map of blocks that contain an attribute
// of a dynamic type has the dynamic type. Type returns nil for a nil Proposer.
func (p *Proposer) Type() tftypes.Type {
	if p == nil {
		return nil
	}
	return p.ty
}

// ProposedNew returns the proposed new state that Terraform Core sends in PlanResourceChange: the
// result of objchange.ProposedNew, converted to tftypes. Numbers and the order of set elements are
// the same as after a transfer over the protocol.
//
// The prior value is null if the resource is to be created. The configuration is null if the
// resource is to be deleted. A null may have any type, and the zero tftypes.Value is a null.
//
// If blocks in a list or map contain an attribute of the dynamic type, all of them together are a
// tuple or an object in the result. Core sends such blocks in the same form. This differs from the
// ValueType of the schema.
//
// It returns the errors of [ValueToCty] and objchange.ProposedNew.
//
// For values without sets, the cost is less than half of the cost of a transfer of prior value,
// configuration and proposed value over the protocol. For values with sets, it can be several times
// the cost of the transfer, because cty sorts the prior and the configured set.
func (p *Proposer) ProposedNew(prior, config tftypes.Value) (tftypes.Value, error) {
	return p.proposer().Propose(&prior, config)
}

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

// PlannedDataResource returns the planned value of a data source or ephemeral resource that cannot
// be read before apply: the result of objchange.PlannedDataResource, converted to tftypes as for
// ProposedNew. It returns the errors of [ValueToCty] and objchange.PlannedDataResource.
func (p *Proposer) PlannedDataResource(config tftypes.Value) (tftypes.Value, error) {
	return p.proposer().Propose(nil, config)
}

// proposer returns the fields of a Proposer. A nil Proposer has no schema.
func (p *Proposer) proposer() carry.Proposer[tftypes.Value] {
	if p == nil {
		return carry.Proposer[tftypes.Value]{}
	}
	return p.carried
}
