package objchange

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/values"
)

// A rewriter returns a value with some attributes and blocks replaced. Values in which nothing
// is replaced are reused.
type rewriter struct {
	walk
	// skip, if set, reports the attributes and block types in which nothing is replaced.
	skip func(*node) bool
	// replace returns the replacement of an unmarked value of an attribute or block type. If it
	// returns false, the rewriter visits the parts of the value.
	replace func(*node, cty.Value) (cty.Value, bool)
	// unknown, if set, returns the replacement of an object that is unknown as a whole.
	unknown func(*node, cty.Value) (cty.Value, bool)
	// unknownRoot means that unknown is also called for the root.
	unknownRoot bool
}

func (w *rewriter) rewrite(schema *Schema, a argument) (cty.Value, error) {
	var r review
	v := a.value
	if !r.admit(schema, &a) {
		return cty.NilVal, r.err()
	}
	v = values.WithMarksOf(a.value, v)
	if !v.IsKnown() && !w.unknownRoot {
		return v, nil
	}
	v, _ = w.object(schema.root, v)
	r.faults = w.faults
	if len(r.faults) > 0 {
		return cty.NilVal, r.err()
	}
	return v, nil
}

// object rewrites one object and reports whether it changed.
func (w *rewriter) object(n *node, v cty.Value) (rewritten cty.Value, changed bool) {
	object := values.Unmarked(v)
	switch {
	case object.IsNull():
		return v, false
	case !object.IsKnown():
		if w.unknown == nil {
			return v, false
		}
		rewritten, changed = w.unknown(n, object)
		return values.WithMarksOf(rewritten, v), changed
	}
	var parts []cty.Value // nil until a part changes
	for i, child := range n.children {
		if w.skip != nil && w.skip(child) {
			continue
		}
		w.enterName(child.name)
		part, other := w.part(child, object.GetAttr(child.name))
		w.leave()
		if other && parts == nil {
			parts = n.partsOf(object)
		}
		if other {
			parts[i] = part
		}
	}
	if parts == nil {
		return v, false
	}
	return values.WithMarksOf(n.objectOf(parts), v), true
}

// part rewrites the value of an attribute or block type.
func (w *rewriter) part(n *node, v cty.Value) (rewritten cty.Value, changed bool) {
	bare := values.Unmarked(v)
	if replaced, ok := w.replace(n, bare); ok {
		return values.WithMarksOf(replaced, v), true
	}
	switch {
	case !n.nested() || !bare.IsKnown() || bare.IsNull():
		return v, false
	case n.single():
		return w.object(n, v)
	}
	ms := n.open(bare)
	elems := make([]cty.Value, ms.n)
	w.each(&ms, func(i int) {
		elem, other := w.object(n, ms.elem(i))
		elems[i], changed = elem, changed || other
	})
	if !changed {
		return v, false
	}
	rewritten, ok := ms.rebuild(elems, n.dynamic)
	if !ok {
		w.report(fault{rule: RuleTypeMismatch, input: &inputFault{problem: mixedElements}})
		return v, false
	}
	return values.WithMarksOf(rewritten, v), true
}
