package objchange

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/values"
)

// RequiredReplace returns those of the provider's requires_replace paths that require
// replacement (docs/semantics.md#required-replacement): where prior and planned value
// differ, and those that name a write-only attribute, whose changes nobody sees. An
// unknown value differs from all others, and a present one from an absent one. The paths
// come in the given order, each once. A prior value that is null, or the zero cty.Value,
// requires nothing.
//
// Both values must conform to the schema, and the prior value must not be unknown as a
// whole. Marks are ignored. As in Terraform, a path may write the key of a map as an
// attribute, that of an object as an index, and a position as text. A path that leads to
// nothing in both values, or by a string into a set, breaks [RuleReplacePath]. Other
// violations are of [RuleInvalidInput] and [RuleTypeMismatch].
func RequiredReplace(schema *Schema, prior, planned cty.Value, replace []cty.Path) (required []cty.Path, found Violations) {
	defer rescue(&found)
	var r review
	p, n := argument{name: "prior", value: prior, mustKnow: true, nilIsNull: true}, argument{name: "planned", value: planned}
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

// sameForReplace reports whether two values require nothing: nulls of any type, and equal
// values that are wholly known.
func sameForReplace(before, after cty.Value) bool {
	return before.IsNull() && after.IsNull() || after.IsWhollyKnown() && values.Equal(before, after, values.Content)
}

// Action is what a plan does to a resource.
type Action string

// The actions have the names of Terraform's plans, except for replace.
const (
	ActionNoOp    Action = "no-op"
	ActionCreate  Action = "create"
	ActionUpdate  Action = "update"
	ActionReplace Action = "replace"
	ActionDelete  Action = "delete"
)

// PlanAction returns the action of a plan that has the planned value where the prior value
// was (docs/semantics.md#action). From null to null is a no-op, from null a create, and to
// null a delete. Of the rest, all is a replace if replace is set, equal and wholly known
// values are a no-op, and all else is an update.
//
// The values may be of any type, null, unknown or marked. Marks are ignored. The zero
// cty.Value counts as null. If the comparison of a capsule type panics, the values count
// as different.
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
