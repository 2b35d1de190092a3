// Package values contains functions on values, paths and violations for packages tfcheck and
// driver.
package values

import (
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	ctyvalues "github.com/objchange/objchange/internal/values"
	"github.com/objchange/objchange/tfconv"
)

// Differences returns one violation for each path that changed.
func Differences(
	changes []objchange.Change, rule objchange.Rule, severity objchange.Severity, message func(objchange.Change) string,
) (found objchange.Violations) {
	for i, c := range changes {
		if i > 0 && c.PathString() == changes[i-1].PathString() {
			continue // elements added to and removed from the same set
		}
		found = append(found, c.Violation(rule, message(c), severity))
	}
	return found
}

// ActionChange returns a violation of the rule if the action of the final plan is not the action of
// the initial plan. Core accepts that an update becomes a no-op.
func ActionChange(rule objchange.Rule, initial, final objchange.Action) objchange.Violations {
	if initial == final || initial == objchange.ActionUpdate && final == objchange.ActionNoOp {
		return nil
	}
	return objchange.Violations{{Rule: rule, Severity: objchange.Rejected, Message: fmt.Sprintf(
		"the action was %s at plan, but is %s at apply, when the configuration is wholly known", initial, final)}}
}

// Stop reports whether Terraform fails because of the violations. It does not fail because of a
// perpetual diff, which only acceptance tests reject.
func Stop(vs objchange.Violations) bool {
	return len(Without(vs.Rejected(), objchange.RulePerpetualDiff)) > 0
}

// Without returns the violations of all other rules.
func Without(vs objchange.Violations, rule objchange.Rule) objchange.Violations {
	return slices.DeleteFunc(slices.Clone(vs), func(v *objchange.Violation) bool { return v.Rule == rule })
}

// Only returns the violations of the rule.
func Only(vs objchange.Violations, rule objchange.Rule) objchange.Violations {
	return slices.DeleteFunc(slices.Clone(vs), func(v *objchange.Violation) bool { return v.Rule != rule })
}

// PathOnWire returns the part of the path that the protocol can express. The protocol has no
// steps into sets, so the path ends before such a step.
func PathOnWire(path *tftypes.AttributePath) (cty.Path, error) {
	steps := path.Steps()
	for i, step := range steps {
		if _, intoSet := step.(tftypes.ElementKeyValue); intoSet {
			steps = steps[:i]
			break
		}
	}
	return tfconv.PathToCty(tftypes.NewAttributePathWithSteps(steps))
}

// HasInfinity reports whether the value contains an infinite number.
func HasInfinity(v cty.Value) (found bool) {
	_ = cty.Walk(v, func(_ cty.Path, part cty.Value) (bool, error) { // returns no error
		part, _ = part.Unmark()
		if part.Type() == cty.Number && part.IsKnown() && !part.IsNull() && part != ctyvalues.NoNumber {
			found = found || part.AsBigFloat().IsInf()
		}
		return true, nil
	})
	return found
}
