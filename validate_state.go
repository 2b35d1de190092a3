package objchange

import (
	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/values"
	"github.com/zclconf/go-cty/cty"
)

// AssertStateValid reports what no object that describes reality may hold
// (docs/semantics.md#state): unknown values, write-only attributes that are not
// null and, not enforced, null where blocks would be an empty collection. It is
// for the upgraded, the refreshed and the imported state as well as for the new
// one.
//
// The value must conform to the schema; null is fine, for an object that is
// gone. Marks are ignored.
func AssertStateValid(schema *Schema, state cty.Value) (found Violations) {
	defer rescue(&found)
	w := consistencyCheck{state: true}
	return w.runState(schema, state)
}

func (w *consistencyCheck) runState(schema *Schema, state cty.Value) Violations {
	args := [...]argument{{name: "state", value: state}}
	if f, ok := w.admit(schema, args[:]); ok {
		w.root(f, absent, args[0].value)
	}
	return w.found.sorted()
}

// unknownState reports an unknown value in a state, of which nothing else is said.
func (w *consistencyCheck) unknownState(now cty.Value) bool {
	if !w.state || now.IsKnown() {
		return false
	}
	if w.config {
		w.violation(RuleConfigUnknown, "the value is still unknown, but a configuration must be wholly known at apply")
	} else {
		w.violation(RuleStateUnknown, "the value is unknown, but a state must be wholly known")
	}
	return true
}

// stateOnly checks a value that is not, or no longer, held against a plan.
func (w *consistencyCheck) stateOnly(a scope, now cty.Value) {
	if !w.state {
		return
	}
	judging := w.judging
	w.judging = false
	w.value(a, absent, now)
	w.judging = judging
}

// writeOnly reports the write-only attributes of an object without marks that
// are not null, at every depth. An unknown element of a nested attribute has
// unknown attributes, which are not null.
func (w *walk) writeOnly(f fields, object cty.Value) {
	if object.IsNull() {
		return
	}
	for name, a := range f.attrs {
		w.enter(paths.Step{Name: name}, isSecret(a))
		if v := object.GetAttr(name); a.WriteOnly {
			if !v.IsNull() {
				w.violation(RuleWriteOnlyNotNull, "a write-only attribute must be null in plans and states")
			}
		} else if a.NestedType != nil {
			w.writeOnlyIn(nestOf(a.NestedType), v)
		}
		w.leave()
	}
	for name, nb := range f.blocks {
		w.enter(paths.Step{Name: name}, false)
		w.writeOnlyIn(blockNest(nb), object.GetAttr(name))
		w.leave()
	}
}

func (w *walk) writeOnlyIn(n nest, v cty.Value) {
	v = values.Unmarked(v)
	if v.IsNull() || !v.IsKnown() || !w.schema.holds(n.fields).writeOnly || !w.shaped(n, v) {
		return
	}
	ms := n.open(v)
	w.each(&ms, func(i int) {
		if elem := values.Unmarked(ms.elem(i)); elem.IsKnown() || !n.block {
			w.writeOnly(n.fields, elem)
		}
	})
}
