package tfconv

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/internal/values"
	"github.com/objchange/objchange/tfconv/internal/carry"
)

// valueToCty returns the value with the type, which must not have optional attributes. Package
// ctydata can convert each value and finds the error, but takes several times as long as toCty.
func valueToCty(v tftypes.Value, ty cty.Type) (to cty.Value, err error) {
	defer values.Rescue(&to, &err)
	if v.Type() == nil {
		return cty.NilVal, errors.New("the value is the zero tftypes.Value")
	}
	if to, ok := toCty(v, ty, 0); ok {
		return to, nil
	}
	return ctydata.Format{Open: openValue, Strict: true, Wire: true}.ValueOfType(ty, v)
}

// toCty converts a value that conforms to the type. It returns false for other values, and for
// values that need more than a conversion of each part.
func toCty(v tftypes.Value, ty cty.Type, depth int) (cty.Value, bool) {
	switch {
	case depth > carry.MaxDepth || v.Type() == nil:
		return cty.NilVal, false
	case ty == cty.DynamicPseudoType:
		own, err := TypeToCty(v.Type())
		if err != nil || own == ty {
			return cty.NilVal, false
		}
		return toCty(v, own.WithoutOptionalAttributesDeep(), depth)
	case v.IsNull():
		return cty.NullVal(ty), conforms(v.Type(), ty)
	case !v.IsKnown():
		return cty.UnknownVal(ty), conforms(v.Type(), ty)
	case ty == cty.String:
		var text string
		err := v.As(&text)
		return cty.StringVal(text), err == nil
	case ty == cty.Number:
		var number big.Float
		if v.As(&number) != nil {
			return cty.NilVal, false
		}
		carried, err := carriedNumber(&number)
		return cty.NumberVal(carried), err == nil
	case ty == cty.Bool:
		var truth bool
		err := v.As(&truth)
		return cty.BoolVal(truth), err == nil
	}
	return partsToCty(v, ty, depth+1)
}

// partsToCty converts a known value that has parts.
func partsToCty(v tftypes.Value, ty cty.Type, depth int) (cty.Value, bool) {
	if !sameKind(v.Type(), ty) {
		return cty.NilVal, false
	}
	if ty.IsObjectType() || ty.IsMapType() {
		return namedToCty(v, ty, depth)
	}
	var parts []tftypes.Value
	if v.As(&parts) != nil || ty.IsTupleType() && len(parts) != ty.Length() {
		return cty.NilVal, false
	}
	elems := make([]cty.Value, len(parts))
	for i, part := range parts {
		var ok bool
		if elems[i], ok = toCty(part, elementType(ty, i), depth); !ok {
			return cty.NilVal, false
		}
	}
	if ty.IsSetType() && values.TooManyUnknown(elems) {
		return cty.NilVal, false
	}
	return values.OfElements(ty, elems, ty.HasDynamicTypes())
}

func elementType(ty cty.Type, i int) cty.Type {
	if ty.IsTupleType() {
		return ty.TupleElementType(i)
	}
	return ty.ElementType()
}

// namedToCty converts an object or a map.
func namedToCty(v tftypes.Value, ty cty.Type, depth int) (cty.Value, bool) {
	var parts map[string]tftypes.Value
	var attrs map[string]cty.Type
	if ty.IsObjectType() {
		attrs = ty.AttributeTypes()
	}
	if v.As(&parts) != nil || ty.IsObjectType() && len(parts) != len(attrs) {
		return cty.NilVal, false
	}
	named := make(map[string]cty.Value, len(parts))
	for name, part := range parts {
		partType, ok := attrs[name]
		if ty.IsMapType() {
			partType, ok = ty.ElementType(), cty.NormalizeString(name) == name
		}
		if ok {
			named[name], ok = toCty(part, partType, depth)
		}
		if !ok {
			return cty.NilVal, false
		}
	}
	return values.OfNames(ty, named, ty.HasDynamicTypes())
}

// openValue returns one level of a value as package ctydata accepts it. Missing data is nil.
func openValue(ty cty.Type, data any) (any, error) {
	v, ok := data.(tftypes.Value)
	if !ok {
		return data, nil
	}
	if v.Type() == nil {
		return nil, errors.New("is the zero tftypes.Value")
	}
	own, err := TypeToCty(v.Type())
	known := v.IsKnown() && !v.IsNull()
	switch {
	case err != nil:
		return nil, err
	case own == cty.DynamicPseudoType && known:
		return nil, errors.New("a known value must have a concrete type, not the dynamic type")
	case ty == cty.DynamicPseudoType && own != ty:
		return ctydata.TypedData{Type: own, Data: v}, nil
	case own != cty.DynamicPseudoType && !known && !conforms(v.Type(), ty):
		return nil, notConforming(v, own, ty)
	case v.IsNull():
		return nil, nil
	case !known:
		return cty.UnknownVal(ty), nil
	case !sameKind(v.Type(), ty):
		return nil, errors.New("must be " + values.Noun(ty) + ", not " + values.Noun(own))
	}
	return openKnown(v, ty)
}

// openKnown returns one level of a known value whose type is of the same kind as ty.
func openKnown(v tftypes.Value, ty cty.Type) (any, error) {
	switch {
	case ty == cty.String:
		return as[string](v)
	case ty == cty.Bool:
		return as[bool](v)
	case ty == cty.Number:
		number, err := as[big.Float](v)
		if err != nil {
			return nil, err
		}
		return carriedNumber(&number)
	case ty.IsObjectType() || ty.IsMapType():
		parts, err := as[map[string]tftypes.Value](v)
		named := make(map[string]any, len(parts))
		for name, part := range parts {
			named[name] = part
		}
		return named, err
	}
	parts, err := as[[]tftypes.Value](v)
	elems := make([]any, len(parts))
	for i, part := range parts {
		elems[i] = part
	}
	return elems, err
}

// as returns the content of a known value.
func as[T any](v tftypes.Value) (content T, err error) {
	if v.As(&content) != nil { // its error may contain the value
		err = errors.New("cannot be read")
	}
	return content, err
}

// notConforming returns the reason why a null or unknown value does not conform to a type.
func notConforming(v tftypes.Value, own, ty cty.Type) error {
	is := "null"
	if !v.IsNull() {
		is = "unknown"
	}
	name, other := own.FriendlyName(), ""
	if name == ty.FriendlyName() {
		other = "another "
	}
	return fmt.Errorf("must be of type %s, but is %s of %stype %s", ty.FriendlyName(), is, other, name)
}

// conforms reports whether the type of a null or unknown value conforms to the type that a schema
// implies. The dynamic type conforms to all types.
func conforms(from tftypes.Type, ty cty.Type) bool {
	own, err := TypeToCty(from)
	return err == nil && (own == cty.DynamicPseudoType || values.TypeConforms(own.WithoutOptionalAttributesDeep(), ty))
}

// sameKind reports whether both types are of the same kind, such as a list.
func sameKind(from tftypes.Type, ty cty.Type) bool {
	switch from.(type) {
	case tftypes.List:
		return ty.IsListType()
	case tftypes.Set:
		return ty.IsSetType()
	case tftypes.Map:
		return ty.IsMapType()
	case tftypes.Tuple:
		return ty.IsTupleType()
	case tftypes.Object:
		return ty.IsObjectType()
	}
	own, _ := TypeToCty(from)
	return own == ty
}
