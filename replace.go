package objchange

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/values"
)

// RequiredReplace returns the paths in the provider's requires_replace that require replacement
// (docs/specification.md#132-required-replacement). These are the paths at which the prior and the
// planned value differ, and the paths of write-only attributes, whose changes are not visible
// in the values. An unknown value differs from every value, and a present value differs from an
// absent value. The paths are in the given order, each once. If the prior value is null or the
// zero cty.Value, no path requires replacement.
//
// A path that leads to nothing in both values, or into a set by a string, is a violation of
// [RuleReplacePath]. Other violations are of [RuleInvalidInput] and [RuleTypeMismatch].
//
// Both values must conform to the schema, and the prior value must not be unknown as a whole.
// Marks are ignored. As in Terraform, a path may use an attribute step for a map key, an index
// step for an object attribute, and a string for a list position.
func RequiredReplace(
	schema *Schema, prior, planned cty.Value, replace []cty.Path,
) (required []cty.Path, found Violations) {
	defer rescue(&found)
	var r review
	p := argument{name: "prior", value: prior, mustKnow: true, nilIsNull: true}
	n := argument{name: "planned", value: planned}
	if !r.admit(schema, &p, &n) {
		return nil, r.violations()
	}
	if p.value.IsNull() {
		return nil, nil
	}
	inPrior, inPlanned, named := paths.Follow(p.value), paths.Follow(n.value), paths.Set{}
	for _, path := range replace {
		steps := paths.Steps(path)
		before, after := inPrior.Along(steps), inPlanned.Along(steps)
		attr := schema.block.AttributeByPath(path)
		switch {
		case before == nil && after == nil:
			r.faults = append(r.faults, fault{rule: RuleReplacePath, path: path})
			continue
		case attr != nil && attr.WriteOnly:
		case before != nil && after != nil && sameForReplace(before.Value, after.Value):
			continue
		}
		if named.Add(path) {
			required = append(required, path)
		}
	}
	return required, r.violations()
}

// sameForReplace reports whether two values do not require replacement: nulls of any type, or
// equal values that are wholly known.
func sameForReplace(before, after cty.Value) bool {
	return before.IsNull() && after.IsNull() || after.IsWhollyKnown() && values.Equal(before, after, values.Content)
}

// Action is the action of a plan for a resource.
type Action string

// The actions have the same names as in Terraform's plans, apart from replace.
const (
	ActionNoOp    Action = "no-op"
	ActionCreate  Action = "create"
	ActionUpdate  Action = "update"
	ActionReplace Action = "replace"
	ActionDelete  Action = "delete"
)

// PlanAction returns the action of a plan that changes prior to planned
// (docs/specification.md#131-action). From null to null it is a no-op, from null to an object a
// create, and from an object to null a delete. Otherwise it is a replace if replace is set, a no-op
// if the values are equal and wholly known, and else an update.
//
// The values may be of any type, null, unknown or marked. Marks are ignored. The zero cty.Value
// counts as null. If the comparison of a capsule type panics, the values count as different.
func PlanAction(prior, planned cty.Value, replace bool) (action Action) {
	defer func() {
		if recover() != nil {
			action = ActionUpdate
		}
	}()
	before, after := prior != cty.NilVal && !prior.IsNull(), planned != cty.NilVal && !planned.IsNull()
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
