package objchange

import (
	"github.com/zclconf/go-cty/cty"
)

// AssertApplyConsistent holds the new state that a provider returned after apply
// against the final plan (docs/semantics.md#state): all that
// AssertPlanConsistent asks of the two, and all that AssertStateValid asks of
// the new state. Where the new state is unknown, only that is reported.
//
// Both values must conform to the schema; marks are ignored, but what is marked
// is not shown. It costs as much as AssertPlanConsistent.
func AssertApplyConsistent(schema *Schema, planned, applied cty.Value) (found Violations) {
	defer rescue(&found)
	w := consistencyCheck{judging: true, state: true}
	return w.run(schema, argument{name: "planned", value: planned}, argument{name: "applied", value: applied})
}
