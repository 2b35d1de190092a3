package tfconv

import (
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/objchange/objchange/tfconv/internal/carry"
	"github.com/zclconf/go-cty/cty"
)

// valueFromCty returns the value, as the protocol carries it, with a type to which it conforms.
func valueFromCty(v cty.Value, ty tftypes.Type) (to tftypes.Value, err error) {
	defer carry.Rescue(&to, &err)
	to, err = fromCty(v, ty)
	return to, located(err)
}

// fromCty is like valueFromCty, but its errors are not located yet.
func fromCty(v cty.Value, tf tftypes.Type) (tftypes.Value, error) {
	if v.IsMarked() {
		return tftypes.Value{}, wrong(carry.Marked)
	}
	if own := v.Type(); own != cty.DynamicPseudoType && tf.Is(tftypes.DynamicPseudoType) {
		var err error
		if tf, err = TypeFromCty(own); err != nil {
			return tftypes.Value{}, wrong(err.Error())
		}
	}
	switch {
	case v.IsNull():
		return tftypes.NewValue(tf, nil), nil
	case !v.IsKnown() && farOutRange(v):
		return tftypes.Value{}, wrong("is bounded by " + carry.ErrFarOut.Error())
	case !v.IsKnown():
		return tftypes.NewValue(tf, tftypes.UnknownValue), nil
	}
	switch v.Type() {
	case cty.String:
		return tftypes.NewValue(tf, v.AsString()), nil
	case cty.Number:
		carried, err := carriedNumber(v.AsBigFloat())
		if err != nil {
			return tftypes.Value{}, wrong("is " + err.Error())
		}
		return tftypes.NewValue(tf, carried), nil
	case cty.Bool:
		return tftypes.NewValue(tf, v == cty.True), nil
	}
	return partsFromCty(v, tf)
}

func partsFromCty(v cty.Value, tf tftypes.Type) (tftypes.Value, error) {
	switch tf := tf.(type) {
	case tftypes.Object:
		return objectValueFromCty(v, tf)
	case tftypes.Tuple:
		parts := make([]tftypes.Value, len(tf.ElementTypes))
		for i, elem := range v.AsValueSlice() {
			part, err := fromCty(elem, tf.ElementTypes[i])
			if err != nil {
				return part, atIndex(i, err)
			}
			parts[i] = part
		}
		return newValue(tf, parts)
	case tftypes.Map:
		parts := make(map[string]tftypes.Value, v.LengthInt())
		for key, elem := range v.Elements() {
			part, err := fromCty(elem, tf.ElementType)
			if err != nil {
				return part, atKey(key.AsString(), err)
			}
			parts[key.AsString()] = part
		}
		return newValue(tf, parts)
	case tftypes.List:
		return elementsFromCty(v, tf.ElementType, tf)
	}
	return elementsFromCty(v, tf.(tftypes.Set).ElementType, tf)
}

func objectValueFromCty(v cty.Value, tf tftypes.Object) (tftypes.Value, error) {
	parts := make(map[string]tftypes.Value, len(tf.AttributeTypes))
	first, err := "", error(nil) // the name in the reported error
	for name, attr := range tf.AttributeTypes {
		part, wrongPart := fromCty(v.GetAttr(name), attr)
		if wrongPart != nil && (err == nil || name < first) {
			first, err = name, wrongPart
		}
		parts[name] = part
	}
	if err != nil {
		return tftypes.Value{}, atAttr(first, err)
	}
	return newValue(tf, parts)
}

func elementsFromCty(v cty.Value, elem, collection tftypes.Type) (tftypes.Value, error) {
	parts := make([]tftypes.Value, 0, v.LengthInt())
	for i, e := range v.AsValueSlice() {
		part, err := fromCty(e, elem)
		switch {
		case err != nil && v.Type().IsSetType():
			return part, at(cty.IndexStep{Key: e}, err)
		case err != nil:
			return part, atIndex(i, err)
		}
		parts = append(parts, part)
	}
	return newValue(collection, parts)
}

// newValue is like tftypes.NewValue, but returns an error for parts that have several types because
// they are dynamic. tftypes.NewValue panics.
func newValue(ty tftypes.Type, parts any) (v tftypes.Value, err error) {
	defer func() { // validating first would double the cost
		if recover() != nil {
			err = wrong("has parts of several types")
		}
	}()
	return tftypes.NewValue(ty, parts), nil
}
