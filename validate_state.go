package objchange

import (
	"github.com/zclconf/go-cty/cty"
)

// AssertStateValid checks a state (docs/specification.md#12-state). It reports unknown values and
// write-only attributes that are not null. It also reports null blocks that must be an empty
// collection, which is Unchecked. Use it for the upgraded, the imported, the refreshed and the new
// state.
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
