package objchange

import (
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/values"
	"github.com/zclconf/go-cty/cty"
)

// proposal is what a prior element has of the configured one that it could have
// come from: all that only the configuration decides.
var proposal = relation{
	attribute: func(a *configschema.Attribute, v cty.Value, first bool) treatment {
		switch {
		case a.NestedType != nil && !a.NestedType.Nesting.Coalesces():
			return inside
		case a.NestedType == nil && first && a.Computed && v.IsNull() && !v.Type().IsSetType():
			return anything
		}
		return same
	},
	block: func(nb *configschema.NestedBlock, _ cty.Value, _ bool) treatment {
		if nb.Nesting.Coalesces() {
			return same
		}
		return inside
	},
	null: nullOfProposal, nullAll: nullOfProposal,
	shared: true,
	more:   true,
}

// nullOfProposal: a prior null agrees with anything that is configured, and a
// configured null has nothing for a prior value to come from.
func nullOfProposal(first bool) treatment {
	if first {
		return nothing
	}
	return anything
}

// correlate returns, for each configured set element, the index of the prior one
// that it takes its computed values from, or -1
// (docs/semantics.md#set-elements). Both are in set order. Each prior element
// goes to the first configured one that it could have come from, which is found
// through a sketch of what must be equal.
func correlate(f fields, prior, config []cty.Value) []int {
	from := make([]int, len(config))
	taken := make([]bool, len(prior))
	m := newMatcher(f, proposal, config, prior)
	for i, c := range config {
		from[i] = -1
		for list := range m.candidates(i) {
			for _, j := range list {
				if from[i] >= 0 && j >= from[i] {
					break // a later one of the same list is no better
				}
				if !taken[j] && couldHaveComeFrom(f, prior[j], c) {
					from[i] = j
				}
			}
		}
		if from[i] >= 0 {
			taken[from[i]] = true
		}
	}
	return from
}

// couldHaveComeFrom reports whether the provider may have made p of c, for two
// objects with the fields: everything in p that only the configuration decides
// is in c. It walks p, so what is null or empty in p lets c hold anything.
func couldHaveComeFrom(f fields, p, c cty.Value) bool {
	if p.IsNull() || !p.IsKnown() {
		return true
	}
	if c.IsNull() {
		return len(f.attrs)+len(f.blocks) == 0
	}
	for name, a := range f.attrs {
		if !attributeCouldHaveComeFrom(a, p.GetAttr(name), c.GetAttr(name)) {
			return false
		}
	}
	for name, nb := range f.blocks {
		if !nestCouldHaveComeFrom(blockNest(nb), p.GetAttr(name), c.GetAttr(name)) {
			return false
		}
	}
	return true
}

func attributeCouldHaveComeFrom(a *configschema.Attribute, p, c cty.Value) bool {
	if a.NestedType != nil {
		return nestCouldHaveComeFrom(nestOf(a.NestedType), p, c)
	}
	if a.Computed && c.IsNull() && !c.Type().IsSetType() {
		return true
	}
	return values.Equal(p, c, values.Content)
}

func nestCouldHaveComeFrom(n nest, p, c cty.Value) bool {
	if n.mode.Coalesces() {
		return values.Equal(p, c, values.Content)
	}
	ps := n.openIf(p)
	ps.load()
	cs := n.openIf(c)
	for i := range ps.n {
		element, ok := unknownMember(c.Type(), i), true
		if cs.self || c.IsKnown() {
			element, ok = cs.like(&ps, i)
		}
		if !ok || !couldHaveComeFrom(n.fields, ps.elem(i), element) {
			return false
		}
	}
	return true
}
