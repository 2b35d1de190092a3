package objchange

import (
	"fmt"

	"github.com/zclconf/go-cty/cty"
)

// maxTries is how many pairs of set elements that no index finds are tried.
const maxTries = 100_000

// setAttribute checks a nested attribute that is a set, n being known.
func (w *planCheck) setAttribute(nest nest, p prior, c, n cty.Value) {
	if lo, hi := lengths(c); !w.overlap(lo, hi, n) {
		w.violation(RulePlanCount, true, fmt.Sprintf("%d elements are planned, which is another number than configured", n.LengthInt()))
	}
	if c.IsKnown() {
		w.set(nest, p, c.AsValueSlice(), n.AsValueSlice())
	}
}

// overlap reports whether a set may come to have between lo and hi elements.
func (w *planCheck) overlap(lo, hi int, n cty.Value) bool {
	if size := n.LengthInt(); lo <= size && size <= hi {
		return true
	}
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
	if n > 1 && !set.IsWhollyKnown() {
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
			w.violation(RulePlanUnknownBlock, true, "the block is planned unknown as a whole")
			w.leave()
		}
	}
	w.set(nest, p, cs.elems, ns.elems)
}

// set holds the planned elements of a set against the configured ones by
// content (section 8).
func (w *planCheck) set(nest nest, p prior, cs, ns []cty.Value) {
	if w.refused {
		return
	}
	if len(ns) > len(cs) {
		w.setElement(nest, fmt.Sprintf("%d elements are planned and only %d are configured", len(ns), len(cs)))
	}
	if anyUnknown(cs) || anyUnknown(ns) {
		return
	}
	if w.asking {
		w.tries -= len(cs) + len(ns)
	} else {
		w.tries, w.exhausted = maxTries, false
	}
	pair := setPairing{w, nest, p.elements(nest), cs, ns}
	pair.check()
}

// setElement records a violation of section 8, which is never enforced. Asked
// for yes or no, inside an element, it counts nevertheless.
func (w *planCheck) setElement(nest nest, message string, elems ...cty.Value) {
	if w.asking {
		w.refused = true
		return
	}
	w.tellIf(RulePlanSetElement, false, nest.holdsSensitive(), message, message+renderSuffix(elems), elems...)
}

func renderSuffix(elems []cty.Value) string {
	if len(elems) == 0 {
		return ""
	}
	return ": %s"
}

func anyUnknown(elems []cty.Value) bool {
	for _, elem := range elems {
		if !elem.IsKnown() {
			return true
		}
	}
	return false
}

// A setPairing pairs the configured and the planned elements of a set.
type setPairing struct {
	w      *planCheck
	nest   nest
	p      prior
	cs, ns []cty.Value
}

func (s *setPairing) check() {
	m := newMatcher(s.nest.fields, planning, s.cs, s.ns)
	configured, planned := m.match(s.agree)
	for j, ok := range planned {
		if ok || s.find(len(s.cs), func(i int) bool { return s.try(i, j) }, configured) {
			continue
		}
		if !s.w.exhausted {
			s.w.setElement(s.nest, "an element is planned that comes from no configured one", s.ns[j])
		}
		return
	}
	for i, ok := range configured {
		if ok || s.find(len(s.ns), func(j int) bool { return s.try(i, j) }, nil) {
			continue
		}
		if !s.w.exhausted {
			s.w.setElement(s.nest, "a configured element is not planned", s.cs[i])
		}
		return
	}
}

// find reports whether any of n elements agrees, and notes which does.
func (s *setPairing) find(n int, agrees func(int) bool, found []bool) bool {
	for i := range n {
		if agrees(i) {
			if found != nil {
				found[i] = true
			}
			return true
		}
		if s.w.exhausted {
			return false
		}
	}
	return false
}

// try is agree, within bounds.
func (s *setPairing) try(i, j int) bool {
	if s.w.tries--; s.w.tries < 0 {
		s.w.exhausted = true
		return false
	}
	return s.agree(i, j)
}

// agree reports whether the planned element may have been made of the
// configured one: section 7 has nothing enforced against it.
func (s *setPairing) agree(i, j int) bool {
	w := s.w
	asking, refused := w.asking, w.refused
	w.asking, w.refused = true, false
	w.member(s.nest, s.p, s.cs[i], s.ns[j])
	ok := !w.refused
	w.asking, w.refused = asking, refused
	return ok
}
