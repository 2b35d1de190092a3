package objchange

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/values"
)

// correlate returns, for each configured set element, the index of the prior element from which
// it takes its computed values, or -1 (docs/specification.md#4-set-elements). Both slices are in
// set order. Each prior element is used for the first configured element that it could have come
// from.
func correlate(n *node, prior, config []cty.Value) []int {
	from := make([]int, len(config))
	taken := make([]bool, len(prior))
	m := proposal.matcher(n, config, prior)
	for i, c := range config {
		from[i] = -1
		for list := range m.Candidates(i) {
			for _, j := range list {
				if from[i] >= 0 && j >= from[i] {
					break // later candidates of the same list have higher indexes
				}
				if !taken[j] && couldHaveComeFrom(n, prior[j], c) {
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

// proposal describes when a prior element could have come from a configured element: the values
// that only the configuration decides must be equal.
var proposal = relation{
	treat: func(n *node, v cty.Value, first bool) treatment {
		switch {
		case n.nested() && !n.set():
			return itsParts
		case !n.nested() && first && n.computed && v.IsNull() && !v.Type().IsSetType():
			return anyValue
		}
		return equalValue
	},
	null: nullOfProposal, nullAll: nullOfProposal,
}

// nullOfProposal treats null objects. A prior null may come from any configured value. No prior
// value comes from a configured null.
func nullOfProposal(first bool) treatment {
	if first {
		return notCompared
	}
	return anyValue
}

// couldHaveComeFrom reports whether a provider could have made the object p from the configured
// object c: all values in p that only the configuration decides are equal in c. It walks p. If
// a collection in p is null or empty, c may have anything there.
func couldHaveComeFrom(n *node, p, c cty.Value) bool {
	if p.IsNull() || !p.IsKnown() {
		return true
	}
	if c.IsNull() {
		return len(n.children) == 0
	}
	for _, child := range n.children {
		if !partCouldHaveComeFrom(child, p.GetAttr(child.name), c.GetAttr(child.name)) {
			return false
		}
	}
	return true
}

func partCouldHaveComeFrom(n *node, p, c cty.Value) bool {
	switch {
	case n.set():
		return values.Equal(p, c, values.Content)
	case !n.nested():
		return n.computed && c.IsNull() && !c.Type().IsSetType() || values.Equal(p, c, values.Content)
	}
	ps, cs := n.open(p), n.open(c)
	ps.load()
	for i := range ps.n {
		element, ok := unknownMember(c.Type(), i), true
		if cs.self || c.IsKnown() {
			element, ok = cs.like(&ps, i)
		}
		if !ok || !couldHaveComeFrom(n, ps.elem(i), element) {
			return false
		}
	}
	return true
}
