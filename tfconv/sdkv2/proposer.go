package sdkv2

import (
	hcty "github.com/hashicorp/go-cty/cty"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfconv/internal/carry"
)

// A Proposer returns the proposed values of one resource or data source, as Terraform Core does. It
// compiles the schema only once, and is safe for concurrent use.
type Proposer struct {
	carried carry.Proposer[hcty.Value]
	ty      hcty.Type
}

// NewProposer returns a Proposer for a resource or a data source. Later changes to the resource do
// not change the Proposer.
//
// It returns the errors of [Resource]. It processes the schema several times, so keep the Proposer.
func NewProposer(r *schema.Resource) (*Proposer, error) {
	converted, err := Resource(r)
	if err != nil {
		return nil, err
	}
	compiled, err := objchange.Compile(converted.Block)
	if err != nil {
		return nil, err
	}
	ty, err := TypeFromCty(compiled.ImpliedType())
	if err != nil {
		return nil, err
	}
	return &Proposer{ty: ty, carried: carry.Proposer[hcty.Value]{
		Schema: compiled, ToCty: ValueToCty, ProposedNew: objchange.ProposedNew, FromCty: ValueFromCty,
	}}, nil
}

// Schema returns the compiled schema, for use with other functions of package objchange. It returns
// nil for a nil Proposer.
func (p *Proposer) Schema() *objchange.Schema {
	return p.proposer().Schema
}

// Type returns the type that the schema implies, with the attribute id and the block timeouts that
// the SDK adds. It returns the zero Type for a nil Proposer.
func (p *Proposer) Type() hcty.Type {
	if p == nil {
		return hcty.NilType
	}
	return p.ty
}

// ProposedNew returns the proposed new state that Terraform Core sends to PlanResourceChange. It is
// the value that objchange.ProposedNew returns.
//
// The prior value is null if the resource is to be created. The configuration is null if the
// resource is to be deleted. A null may have any type, and the zero Value is a null.
//
// It returns the errors of [ValueToCty] and objchange.ProposedNew. The cost is the sum of their
// costs and the cost of [ValueFromCty].
func (p *Proposer) ProposedNew(prior, config hcty.Value) (hcty.Value, error) {
	return p.proposer().Propose(&prior, config)
}

// PlannedDataResource returns the planned value of a data source that cannot be read before apply.
// It is the value that objchange.PlannedDataResource returns. It returns the errors of [ValueToCty]
// and objchange.PlannedDataResource.
func (p *Proposer) PlannedDataResource(config hcty.Value) (hcty.Value, error) {
	return p.proposer().Propose(nil, config)
}

// proposer returns the fields of a Proposer. A nil Proposer has no schema.
func (p *Proposer) proposer() carry.Proposer[hcty.Value] {
	if p == nil {
		return carry.Proposer[hcty.Value]{}
	}
	return p.carried
}
