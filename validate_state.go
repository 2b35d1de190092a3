package objchange

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/values"
)

// AssertStateValid checks a state (docs/specification.md#12-state). It reports unknown values and
// write-only attributes that are not null. It also reports null blocks that must be an empty
// collection, which is Unchecked. Use it for the upgraded, the imported, the refreshed and
// the new state.
//
// The value must conform to the schema. Null is valid, for an object that does not exist. Marks
// are ignored.
func AssertStateValid(schema *Schema, state cty.Value) (found Violations) {
	defer rescue(&found)
	r := reviewState(schema, state)
	return r.violations()
}

func reviewState(schema *Schema, state cty.Value) (r review) {
	s := argument{name: "state", value: state}
	if r.admit(schema, &s) {
		w := consistencyCheck{unknownRule: RuleStateUnknown}
		w.root(schema.root, unplanned, s.value)
		r.faults = w.faults
	}
	return r
}

// writeOnly reports the write-only attributes of an unmarked object that are not null, at every
// depth. An unknown element of a nested attribute has unknown attributes, which are not null.
func (w *walk) writeOnly(n *node, object cty.Value) {
	if object.IsNull() || !n.writeInside {
		return
	}
	for _, child := range n.children {
		switch {
		case child.writeOnly:
			if !object.GetAttr(child.name).IsNull() {
				w.reportAt(child.name, fault{rule: RuleWriteOnlyNotNull})
			}
		case child.writeInside:
			w.enterName(child.name)
			w.writeOnlyInside(child, values.Unmarked(object.GetAttr(child.name)))
			w.leave()
		}
	}
}

func (w *walk) writeOnlyInside(n *node, v cty.Value) {
	if v.IsNull() || !v.IsKnown() {
		return
	}
	ms := n.open(v)
	w.each(&ms, func(i int) {
		if elem := values.Unmarked(ms.elem(i)); elem.IsKnown() || !n.block {
			w.writeOnly(n, elem)
		}
	})
}
