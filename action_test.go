package objchange_test

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
)

// semantics.md#action: what a plan does to a resource.
func TestPlanAction(t *testing.T) {
	a, b, open := item(str("1"), str("a")), item(str("1"), str("b")), item(unknownStr, str("a"))
	tests := []struct {
		name           string
		prior, planned cty.Value
		plain, replace objchange.Action // without and with replace asked for
	}{
		{"both null", noItem, noItem, objchange.ActionNoOp, objchange.ActionNoOp},
		{"both null, of different types", noItem, noDynamic, objchange.ActionNoOp, objchange.ActionNoOp},
		{"both the zero value", cty.NilVal, cty.NilVal, objchange.ActionNoOp, objchange.ActionNoOp},
		{"prior null", noItem, a, objchange.ActionCreate, objchange.ActionCreate},
		{"prior null, planned unknown", noDynamic, unknownItem, objchange.ActionCreate, objchange.ActionCreate},
		{"prior the zero value", cty.NilVal, a, objchange.ActionCreate, objchange.ActionCreate},
		{"planned null", a, noItem, objchange.ActionDelete, objchange.ActionDelete},
		{"planned the zero value", a, cty.NilVal, objchange.ActionDelete, objchange.ActionDelete},
		{"equal and wholly known", a, a, objchange.ActionNoOp, objchange.ActionReplace},
		{"equal but for marks", a.Mark("m"), item(str("1").Mark("m"), str("a")), objchange.ActionNoOp, objchange.ActionReplace},
		{"different", a, b, objchange.ActionUpdate, objchange.ActionReplace},
		{"unknown inside", a, open, objchange.ActionUpdate, objchange.ActionReplace},
		{"equal, but unknown inside", open, open, objchange.ActionUpdate, objchange.ActionReplace},
		{"unknown as a whole", a, unknownItem, objchange.ActionUpdate, objchange.ActionReplace},
		{"null inside, of different types", item(noStr, noDynamic), item(noStr, noStr), objchange.ActionUpdate, objchange.ActionReplace},
		{"of another type", a, str("a"), objchange.ActionUpdate, objchange.ActionReplace},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := objchange.PlanAction(test.prior, test.planned, false); got != test.plain {
				t.Errorf("got %s, want %s", got, test.plain)
			}
			if got := objchange.PlanAction(test.prior, test.planned, true); got != test.replace {
				t.Errorf("with replace: got %s, want %s", got, test.replace)
			}
		})
	}
}
