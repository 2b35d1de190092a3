package objchange

import (
	"fmt"

	"github.com/objchange/objchange/configschema"
	"github.com/zclconf/go-cty/cty"
)

// planning is what a planned element has of the configured one that it comes from:
// all that the provider may not choose.
var planning = relation{
	attribute: func(a *configschema.Attribute, v cty.Value, first bool) treatment {
		switch {
		case isComputedOnly(a):
			return nothing
		case first && a.Computed && v.IsNull():
			return anything
		case a.NestedType == nil || v.IsNull():
			return same
		}
		return inside
	},
	block: func(nb *configschema.NestedBlock, v cty.Value, first bool) treatment {
		if first && nb.Computed && v.IsNull() {
			return anything
		}
		return inside
	},
	null:    func(bool) treatment { return same },
	nullAll: func(bool) treatment { return inside }, // blocks that are null count as none
}

// setAttribute checks a nested attribute that is a set, n being known.
func (w *planCheck) setAttribute(nest nest, p prior, c, n cty.Value) {
	if !mayBeAsLong(c, n) {
		w.violation(RulePlanCount, fmt.Sprintf("the plan has %s, which is another number than the configuration has", counted(n.LengthInt())))
	}
	if c.IsKnown() {
		w.set(nest, p, c.AsValueSlice(), n.AsValueSlice())
	}
}

// mayBeAsLong reports whether two sets may come to have the same number of
// elements. Sets of the same size need not be looked into.
func mayBeAsLong(c, n cty.Value) bool {
	if c.IsKnown() && c.LengthInt() == n.LengthInt() {
		return true
	}
	lo, hi := lengths(c)
	nlo, nhi := lengths(n)
	return nlo <= hi && lo <= nhi
}

// lengths returns how many elements a set, not null, may come to have: unknown
// elements may turn out equal to others.
func lengths(set cty.Value) (lo, hi int) {
	if !set.IsKnown() {
		r := set.Range()
		return r.LengthLowerBound(), r.LengthUpperBound()
	}
	n := set.LengthInt()
	if !set.IsWhollyKnown() {
		return 1, n
	}
	return n, n
}

// setBlocks checks set blocks, n being known and not null, and c known.
func (w *planCheck) setBlocks(nest nest, p prior, c, n cty.Value) {
	ns, cs := nest.open(n), nest.openIf(c)
	ns.load()
	cs.load()
	for i, elem := range ns.elems {
		if !elem.IsKnown() {
			w.enter(ns.step(i), false)
			w.violation(RulePlanUnknownBlock, "the block is planned unknown as a whole")
			w.leave()
		}
	}
	w.set(nest, p, cs.elems, ns.elems)
}

// set holds the planned elements of a set against the configured ones by
// content (docs/semantics.md#planned-set-elements).
func (w *planCheck) set(nest nest, p prior, cs, ns []cty.Value) {
	if w.refused {
		return
	}
	before := len(w.found)
	if !anyUnknown(cs) && !anyUnknown(ns) {
		if !w.asking {
			w.tries, w.exhausted = maxTries, false
		}
		pool := p.elements(nest)
		w.pair(nest, cs, ns, func(i, j int) bool { return w.agree(nest, pool, cs[i], ns[j]) })
	}
	if len(ns) > len(cs) && len(w.found) == before {
		w.refused = w.asking
		w.violation(RulePlanSetElement, fmt.Sprintf("the plan has %d elements where the configuration has only %d", len(ns), len(cs)))
	}
}

// setElement records a violation about set elements, which is never enforced. Asked
// for yes or no, inside an element, it counts nevertheless.
func (w *planCheck) setElement(nest nest, message string, elem cty.Value, others []cty.Value, nearest string) {
	if w.asking {
		w.refused = true
		return
	}
	w.tellElement(nest.fields, RulePlanSetElement, w.schema.holds(nest.fields).secret, message, message+": %s", elem, others, nearest)
}

func anyUnknown(elems []cty.Value) bool {
	for _, elem := range elems {
		if !elem.IsKnown() {
			return true
		}
	}
	return false
}

// pair looks for a configured element for each planned one, and the other way
// round, and records the first that has none.
func (w *planCheck) pair(nest nest, cs, ns []cty.Value, agree func(i, j int) bool) {
	configured, planned := newMatcher(nest.fields, planning, cs, ns).match(agree)
	for j, ok := range planned {
		if ok {
			continue
		}
		i := firstOf(len(cs), func(i int) bool { return agree(i, j) })
		if i < 0 {
			w.setElement(nest, "an element is planned that comes from no configured one", ns[j], remaining(cs, configured), "nearest configured one")
			return
		}
		configured[i] = true
	}
	for i, ok := range configured {
		if !ok && firstOf(len(ns), func(j int) bool { return agree(i, j) }) < 0 {
			w.setElement(nest, "a configured element is not planned", cs[i], remaining(ns, planned), "nearest planned one")
			return
		}
	}
}

// firstOf returns the first of n elements that agrees, or -1.
func firstOf(n int, agrees func(int) bool) int {
	for i := range n {
		if agrees(i) {
			return i
		}
	}
	return -1
}

// agree reports whether the planned element may have been made of the
// configured one: the rules of a plan have nothing enforced against it. When too many pairs
// have been tried, the plan has the benefit of the doubt.
func (w *planCheck) agree(nest nest, p prior, c, n cty.Value) bool {
	if w.exhausted {
		return true
	}
	asking := w.asking
	w.asking = true
	w.member(nest, p, c, n)
	ok := !w.refused
	w.asking, w.refused = asking, false
	if !ok && !w.asking {
		// What a pair costs must not depend on where it was found to differ.
		w.tries -= 1 + nest.inSets(c) + nest.inSets(n)
		w.exhausted = w.tries < 0
	}
	return ok || w.exhausted
}

// inSets returns how many elements an object's sets have, at every depth that
// can be told without looking into sets.
func (f fields) inSets(object cty.Value) (count int) {
	if object.IsNull() || !object.IsKnown() {
		return 0
	}
	for name, a := range f.attrs {
		if a.NestedType != nil {
			count += nestOf(a.NestedType).inSet(object.GetAttr(name))
		}
	}
	for name, nb := range f.blocks {
		count += blockNest(nb).inSet(object.GetAttr(name))
	}
	return count
}

func (n nest) inSet(v cty.Value) (count int) {
	ms := n.openIf(v)
	if n.mode.Coalesces() {
		return ms.n
	}
	ms.load()
	for i := range ms.n {
		count += n.fields.inSets(ms.elem(i))
	}
	return count
}
