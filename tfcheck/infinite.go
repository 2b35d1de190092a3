package tfcheck

import (
	"slices"

	"github.com/objchange/objchange"
	"github.com/zclconf/go-cty/cty"
)

// infinite judges whether a number in the response is infinite: it conforms to its
// type, and plans and states are JSON, which cannot hold it.
func (x Exchange) infinite() objchange.Violations {
	if !hasInfinity(x.Response) {
		return nil
	}
	finite, err := cty.Transform(x.Response, func(_ cty.Path, v cty.Value) (cty.Value, error) {
		if v.Type() == cty.Number && hasInfinity(v) {
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
	return differences(changes, objchange.RuleTypeMismatch, true, func(objchange.Change) string {
		return "the number is infinite, which Terraform cannot write as JSON"
	})
}

// noNumber is a number without a value, on which most of cty panics.
var noNumber = cty.NumberVal(nil)

// hasInfinity reports whether there is an infinite number in the value.
func hasInfinity(v cty.Value) bool {
	v, _ = v.Unmark()
	ty := v.Type()
	switch {
	case v.IsNull() || !v.IsKnown() || !mayHoldNumber(ty):
		return false
	case ty == cty.Number:
		return v != noNumber && v.AsBigFloat().IsInf()
	case ty.IsObjectType():
		for name := range ty.AttributeTypes() {
			if hasInfinity(v.GetAttr(name)) {
				return true
			}
		}
		return false
	case ty.IsMapType():
		for it := v.ElementIterator(); it.Next(); {
			if _, element := it.Element(); hasInfinity(element) {
				return true
			}
		}
		return false
	}
	return slices.ContainsFunc(v.AsValueSlice(), hasInfinity)
}

// mayHoldNumber reports whether values of the type may have a number in them.
func mayHoldNumber(ty cty.Type) bool {
	switch {
	case ty == cty.Number || ty == cty.DynamicPseudoType:
		return true
	case ty.IsCollectionType():
		return mayHoldNumber(ty.ElementType())
	case ty.IsObjectType():
		for _, attr := range ty.AttributeTypes() {
			if mayHoldNumber(attr) {
				return true
			}
		}
	case ty.IsTupleType():
		for _, element := range ty.TupleElementTypes() {
			if mayHoldNumber(element) {
				return true
			}
		}
	}
	return false
}
