package objchange

import (
	"github.com/objchange/objchange/internal/values"
	"github.com/zclconf/go-cty/cty"
)

// Action is what a plan does to a resource.
type Action string

// The actions, named as Terraform's plans name them but for replace.
const (
	ActionNoOp    Action = "no-op"
	ActionCreate  Action = "create"
	ActionUpdate  Action = "update"
	ActionReplace Action = "replace"
	ActionDelete  Action = "delete"
)

// PlanAction returns what it means to plan the one value where the other was
// before (docs/semantics.md#action). Nothing to nothing is a no-op, from nothing
// a create, to nothing a delete; with replace asked for, the rest is a replace;
// equal and wholly known values are a no-op, and all else is an update.
//
// The values may be of any type, null, unknown or marked; marks do not count.
// The zero cty.Value counts as null.
//
// Where a capsule type's own comparison panics, the values count as different.
func PlanAction(prior, planned cty.Value, replace bool) (action Action) {
	defer func() {
		if recover() != nil {
			action = ActionUpdate
		}
	}()
	before, after := isSomething(prior), isSomething(planned)
	switch {
	case !before && !after:
		return ActionNoOp
	case !before:
		return ActionCreate
	case !after:
		return ActionDelete
	case replace:
		return ActionReplace
	case planned.IsWhollyKnown() && values.Equal(prior, planned, values.Content):
		return ActionNoOp
	}
	return ActionUpdate
}

func isSomething(v cty.Value) bool { return v != cty.NilVal && !v.IsNull() }
