package objchange

import "github.com/zclconf/go-cty/cty"

// writeOnly reports the write-only attributes of an object without marks that
// are not null, at every depth. An unknown element of a nested attribute has
// unknown attributes, which are not null.
func (w *walk) writeOnly(f fields, object cty.Value) {
	if object.IsNull() {
		return
	}
	for name, a := range f.attrs {
		w.enter(step{name: name}, a.secret())
		if v := object.GetAttr(name); a.WriteOnly {
			if !v.IsNull() {
				w.violation(RuleWriteOnlyNotNull, "a write-only attribute must be null in plans and states")
			}
		} else if a.NestedType != nil {
			w.writeOnlyIn(a.NestedType.nest(), v)
		}
		w.leave()
	}
	for name, nb := range f.blocks {
		w.enter(step{name: name}, false)
		w.writeOnlyIn(nb.nest(), object.GetAttr(name))
		w.leave()
	}
}

func (w *walk) writeOnlyIn(n nest, v cty.Value) {
	v = bareOnly(v)
	if v.IsNull() || !v.IsKnown() || !n.holdsWriteOnly() || !w.shaped(n, v) {
		return
	}
	ms := n.open(v)
	w.each(&ms, func(i int) {
		if elem := bareOnly(ms.at(i)); elem.IsKnown() || !n.block {
			w.writeOnly(n.fields, elem)
		}
	})
}

func (f fields) holdsWriteOnly() bool {
	for _, a := range f.attrs {
		if a.WriteOnly || a.NestedType != nil && a.NestedType.nest().holdsWriteOnly() {
			return true
		}
	}
	for _, nb := range f.blocks {
		if nb.fields().holdsWriteOnly() {
			return true
		}
	}
	return false
}
