package tfconv

import (
	"errors"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/objchange/objchange/internal/values"
	"github.com/zclconf/go-cty/cty"
)

// valueFromCty returns the value, as the protocol carries it, with a type to which it conforms.
func valueFromCty(v cty.Value, ty tftypes.Type) (to tftypes.Value, err error) {
	defer values.Rescue(&to, &err)
	if to, ok := fromCty(v, ty); ok {
		return to, nil
	}
	if err := encodable(v); err != nil {
		return tftypes.Value{}, err
	}
	return tftypes.Value{}, errors.New("the value has parts of several types")
}

// fromCty is like valueFromCty, but returns false instead of an error. encodable finds the error, in
// a traversal that would take longer than the conversion.
func fromCty(v cty.Value, tf tftypes.Type) (tftypes.Value, bool) {
	if v.IsMarked() {
		return tftypes.Value{}, false
	}
	if own := v.Type(); own != cty.DynamicPseudoType && tf.Is(tftypes.DynamicPseudoType) {
		var err error
		if tf, err = TypeFromCty(own); err != nil {
			return tftypes.Value{}, false
		}
	}
	switch {
	case v.IsNull():
		return tftypes.NewValue(tf, nil), true
	case !v.IsKnown():
		return tftypes.NewValue(tf, tftypes.UnknownValue), !farOutRange(v)
	}
	switch v.Type() {
	case cty.String:
		return tftypes.NewValue(tf, v.AsString()), true
	case cty.Number:
		carried, err := carriedNumber(v.AsBigFloat())
		if err != nil {
			return tftypes.Value{}, false
		}
		return tftypes.NewValue(tf, carried), true
	case cty.Bool:
		return tftypes.NewValue(tf, v == cty.True), true
	}
	return partsFromCty(v, tf)
}

func partsFromCty(v cty.Value, tf tftypes.Type) (tftypes.Value, bool) {
	switch tf := tf.(type) {
	case tftypes.Object:
		parts := make(map[string]tftypes.Value, len(tf.AttributeTypes))
		for name, attr := range tf.AttributeTypes {
			var ok bool
			if parts[name], ok = fromCty(v.GetAttr(name), attr); !ok {
				return tftypes.Value{}, false
			}
		}
		return newValue(tf, parts)
	case tftypes.Map:
		parts := make(map[string]tftypes.Value, v.LengthInt())
		for key, elem := range v.Elements() {
			var ok bool
			if parts[key.AsString()], ok = fromCty(elem, tf.ElementType); !ok {
				return tftypes.Value{}, false
			}
		}
		return newValue(tf, parts)
	case tftypes.Tuple:
		return elementsFromCty(v, func(i int) tftypes.Type { return tf.ElementTypes[i] }, tf)
	case tftypes.List:
		return elementsFromCty(v, func(int) tftypes.Type { return tf.ElementType }, tf)
	}
	elem := tf.(tftypes.Set).ElementType
	return elementsFromCty(v, func(int) tftypes.Type { return elem }, tf)
}

// elementsFromCty returns a list, a set or a tuple.
func elementsFromCty(v cty.Value, elem func(i int) tftypes.Type, tf tftypes.Type) (tftypes.Value, bool) {
	parts := make([]tftypes.Value, v.LengthInt())
	for i, e := range v.AsValueSlice() {
		var ok bool
		if parts[i], ok = fromCty(e, elem(i)); !ok {
			return tftypes.Value{}, false
		}
	}
	return newValue(tf, parts)
}

// newValue is like tftypes.NewValue, but returns false for parts that have several types because
// they are dynamic. tftypes.NewValue panics.
func newValue(ty tftypes.Type, parts any) (v tftypes.Value, ok bool) {
	defer func() { // validating first would double the cost
		if recover() != nil {
			v, ok = tftypes.Value{}, false
		}
	}()
	return tftypes.NewValue(ty, parts), true
}
