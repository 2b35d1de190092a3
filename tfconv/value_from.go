package tfconv

import (
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
)

// valueFromCty returns the value with the type of a schema, which has no optional
// attributes, as decoding what crosses the protocol does.
func valueFromCty(v cty.Value, ty cty.Type) (to tftypes.Value, err error) {
	defer rescue(&to, &err)
	if err := conforms(v, ty); err != nil {
		return tftypes.Value{}, err
	}
	tf, err := TypeFromCty(ty)
	if err != nil {
		return tftypes.Value{}, err
	}
	if to, err = fromCty(v, ty, tf); err != nil {
		return tftypes.Value{}, told(err)
	}
	return to, nil
}

// fromCty makes a value of a type, which comes as cty and as tftypes have it. The
// value conforms to it.
func fromCty(v cty.Value, ty cty.Type, tf tftypes.Type) (tftypes.Value, error) {
	if v.IsMarked() {
		return tftypes.Value{}, wrong("is marked, which the protocol has no way to say")
	}
	if own := v.Type(); ty == cty.DynamicPseudoType && own != ty {
		var err error
		if tf, err = TypeFromCty(own); err != nil {
			return tftypes.Value{}, wrong(err.Error())
		}
		ty = own
	}
	switch {
	case v.IsNull():
		return tftypes.NewValue(tf, nil), nil
	case !v.IsKnown() && farOutRange(v):
		return tftypes.Value{}, wrong("is bounded by " + errFarOut.Error())
	case !v.IsKnown():
		return tftypes.NewValue(tf, tftypes.UnknownValue), nil
	case ty == cty.String:
		return tftypes.NewValue(tf, v.AsString()), nil
	case ty == cty.Number:
		return numberFromCty(v, tf)
	case ty == cty.Bool:
		return tftypes.NewValue(tf, v == cty.True), nil
	}
	return partsFromCty(v, ty, tf)
}

func numberFromCty(v cty.Value, tf tftypes.Type) (tftypes.Value, error) {
	carried, err := carriedNumber(v.AsBigFloat())
	if err != nil {
		return tftypes.Value{}, wrong("is " + errFarOut.Error())
	}
	return tftypes.NewValue(tf, carried.AsBigFloat()), nil
}

func partsFromCty(v cty.Value, ty cty.Type, tf tftypes.Type) (tftypes.Value, error) {
	switch tf := tf.(type) {
	case tftypes.Object:
		parts := make(map[string]tftypes.Value, len(tf.AttributeTypes))
		for name, attr := range tf.AttributeTypes {
			part, err := fromCty(v.GetAttr(name), ty.AttributeType(name), attr)
			if err != nil {
				return part, atAttr(name, err)
			}
			parts[name] = part
		}
		return newValue(tf, parts)
	case tftypes.Tuple:
		parts := make([]tftypes.Value, len(tf.ElementTypes))
		for i, elem := range tf.ElementTypes {
			part, err := fromCty(v.Index(cty.NumberIntVal(int64(i))), ty.TupleElementType(i), elem)
			if err != nil {
				return part, atIndex(i, err)
			}
			parts[i] = part
		}
		return newValue(tf, parts)
	case tftypes.Map:
		parts := make(map[string]tftypes.Value, v.LengthInt())
		for it := v.ElementIterator(); it.Next(); {
			key, elem := it.Element()
			part, err := fromCty(elem, ty.ElementType(), tf.ElementType)
			if err != nil {
				return part, atKey(key.AsString(), err)
			}
			parts[key.AsString()] = part
		}
		return newValue(tf, parts)
	case tftypes.List:
		return elementsFromCty(v, ty.ElementType(), tf.ElementType, tf)
	case tftypes.Set:
		return elementsFromCty(v, ty.ElementType(), tf.ElementType, tf)
	}
	return tftypes.Value{}, wrong("is a " + ty.FriendlyName() + ", which exists in cty only")
}

func elementsFromCty(v cty.Value, ty cty.Type, elem, collection tftypes.Type) (tftypes.Value, error) {
	parts := make([]tftypes.Value, 0, v.LengthInt())
	for it := v.ElementIterator(); it.Next(); {
		key, e := it.Element()
		part, err := fromCty(e, ty, elem)
		if err != nil {
			return part, at(cty.IndexStep{Key: key}, err)
		}
		parts = append(parts, part)
	}
	return newValue(collection, parts)
}

// newValue is tftypes.NewValue, which panics where it would: elements that are
// of several types by being dynamic.
func newValue(ty tftypes.Type, parts any) (tftypes.Value, error) {
	if err := tftypes.ValidateValue(ty, parts); err != nil {
		return tftypes.Value{}, wrong("has parts of several types")
	}
	return tftypes.NewValue(ty, parts), nil
}

// conforms returns the first reason why a value does not conform to a type, if it
// does not. An untyped null or unknown value does.
func conforms(v cty.Value, ty cty.Type) error {
	switch {
	case v == cty.NilVal:
		return errZero
	case ty == cty.NilType:
		return errors.New("the type is the zero cty.Type")
	case v.Type() == cty.DynamicPseudoType:
		return nil
	}
	var first error
	for _, err := range v.Type().TestConformance(ty) { // in map order
		if at := (cty.PathError{}); errors.As(err, &at) {
			err = errorAt(at.Path, len(at.Path), err.Error())
		}
		if first == nil || err.Error() < first.Error() {
			first = fmt.Errorf("%w", err)
		}
	}
	return first
}
