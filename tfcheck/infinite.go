package tfcheck

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck/internal/values"
)

const infiniteMessage = "the number is infinite, which Terraform cannot write as JSON"

// infinite checks that no number in the response is infinite. Such a number conforms to its
// type, but plans and states are JSON, which cannot hold it.
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
		return nil // it does not conform, which is found elsewhere
	}
	return values.Differences(changes, objchange.RuleTypeMismatch, true, func(objchange.Change) string {
		return infiniteMessage
	})
}
