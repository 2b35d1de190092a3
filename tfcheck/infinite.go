package tfcheck

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck/internal/values"
)

const infiniteMessage = "the number is infinite, and Terraform cannot write it as JSON"

// infinite reports infinite numbers in the response. They conform to their type, but Terraform
// stores plans and states as JSON, which cannot represent them.
func (x Exchange) infinite() objchange.Violations {
	if !values.HasInfinity(x.Response) {
		return nil
	}
	finite, err := cty.Transform(x.Response, func(_ cty.Path, v cty.Value) (cty.Value, error) {
		if v.Type() == cty.Number && values.HasInfinity(v) {
			return cty.NullVal(cty.Number), nil
		}
		return v, nil
	})
	if err != nil {
		return violationsOf(err)
	}
	changes, err := objchange.Diff(x.Schema, finite, x.Response)
	if err != nil {
		return nil // another check reports that the value does not conform
	}
	return values.Differences(changes, objchange.RuleTypeMismatch, objchange.Rejected, func(objchange.Change) string {
		return infiniteMessage
	})
}
