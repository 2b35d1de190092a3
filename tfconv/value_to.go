package tfconv

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/values"
	"github.com/objchange/objchange/tfconv/internal/carry"
)

// valueToCty returns the value with the type, which must not have optional attributes.
func valueToCty(v tftypes.Value, ty cty.Type) (to cty.Value, err error) {
	defer carry.Rescue(&to, &err)
	if v.Type() == nil {
		return cty.NilVal, errors.New("the value is the zero tftypes.Value")
	}
	if to, err = toCty(v, ty, 0); err != nil {
		return cty.NilVal, located(err)
	}
	return to, nil
}

func toCty(v tftypes.Value, ty cty.Type, depth int) (cty.Value, error) {
	switch {
	case depth > carry.MaxDepth:
		return cty.NilVal, wrong(carry.ErrDepth.Error())
	case v.Type() == nil:
		return cty.NilVal, wrong("is the zero tftypes.Value")
	case ty == cty.DynamicPseudoType:
		return dynamicToCty(v, depth)
	case v.IsNull():
		return cty.NullVal(ty), conformError("null", v.Type(), ty)
	case !v.IsKnown():
		return cty.UnknownVal(ty), conformError("unknown", v.Type(), ty)
	case ty == cty.String:
		var text string
		if v.As(&text) != nil {
			return cty.NilVal, mismatch(v, ty)
		}
		return cty.StringVal(text), nil
	case ty == cty.Number:
		var number big.Float
		if v.As(&number) != nil {
			return cty.NilVal, mismatch(v, ty)
		}
		carried, err := carriedNumber(&number)
		if err != nil {
			return cty.NilVal, wrong(err.Error())
		}
		return cty.NumberVal(carried), nil
	case ty == cty.Bool:
		var truth bool
		if v.As(&truth) != nil {
			return cty.NilVal, mismatch(v, ty)
		}
		return cty.BoolVal(truth), nil
	}
	return partsToCty(v, ty, depth+1)
}

// partsToCty converts a known value that has parts.
func partsToCty(v tftypes.Value, ty cty.Type, depth int) (cty.Value, error) {
	switch v.Type().(type) {
	case tftypes.Object, tftypes.Map:
		var parts map[string]tftypes.Value
		if err := v.As(&parts); err != nil {
			return cty.NilVal, mismatch(v, ty)
		}
		if _, isObject := v.Type().(tftypes.Object); isObject && ty.IsObjectType() {
			return objectToCty(parts, ty.AttributeTypes(), depth)
		} else if !isObject && ty.IsMapType() {
			return mapToCty(parts, ty.ElementType(), depth)
		}
	case tftypes.List, tftypes.Set, tftypes.Tuple:
		var elems []tftypes.Value
		if err := v.As(&elems); err != nil || !sameKind(v.Type(), ty) {
			return cty.NilVal, mismatch(v, ty)
		}
		if ty.IsTupleType() {
			return tupleToCty(elems, ty.TupleElementTypes(), depth)
		}
		return elementsToCty(elems, ty, depth)
	}
	return cty.NilVal, mismatch(v, ty)
}

// objectToCty returns an object with attributes of the types.
func objectToCty(parts map[string]tftypes.Value, types map[string]cty.Type, depth int) (cty.Value, error) {
	parts, err := normal(parts)
	if err != nil {
		return cty.NilVal, err
	}
	if err := missing(parts, types); err != nil {
		return cty.NilVal, err
	}
	attrs := make(map[string]cty.Value, len(types))
	first := "" // the name in the reported error
	for name, ty := range types {
		v, wrongAttr := toCty(parts[name], ty, depth)
		if wrongAttr != nil && (err == nil || name < first) {
			first, err = name, wrongAttr
		}
		attrs[name] = v
	}
	if err != nil {
		return cty.NilVal, atAttr(first, err)
	}
	if len(parts) > len(types) {
		return cty.NilVal, wrong("has an attribute that the type does not have")
	}
	return cty.ObjectVal(attrs), nil
}

// missing returns an error that names the missing attributes, up to maxNamed.
func missing(parts map[string]tftypes.Value, types map[string]cty.Type) error {
	var names []string
	for name := range types {
		if _, ok := parts[name]; !ok {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	p := &placed{reason: "is missing"}
	if more := names[1:min(len(names), maxNamed)]; len(more) > 0 {
		p.names = ", and so are " + strings.Join(more, ", ")
	}
	if len(names) > maxNamed {
		p.names += fmt.Sprintf(" and %d more", len(names)-maxNamed)
	}
	return atAttr(names[0], p)
}

// maxNamed is the maximal number of missing attributes that an error names.
const maxNamed = 20

func mapToCty(parts map[string]tftypes.Value, ty cty.Type, depth int) (cty.Value, error) {
	parts, err := normal(parts)
	if err != nil {
		return cty.NilVal, err
	}
	if len(parts) == 0 {
		return cty.MapValEmpty(ty), nil
	}
	elems := make(map[string]cty.Value, len(parts))
	first := ""
	for key, part := range parts {
		v, wrongElem := toCty(part, ty, depth)
		if wrongElem != nil && (err == nil || key < first) {
			first, err = key, wrongElem
		}
		elems[key] = v
	}
	switch {
	case err != nil:
		return cty.NilVal, atKey(first, err)
	case ty.HasDynamicTypes() && !cty.CanMapVal(elems):
		return cty.NilVal, wrong("the elements are of several types")
	}
	return cty.MapVal(elems), nil
}

func tupleToCty(parts []tftypes.Value, types []cty.Type, depth int) (cty.Value, error) {
	if len(parts) != len(types) {
		return cty.NilVal, wrong(fmt.Sprintf("must have %d elements, not %d", len(types), len(parts)))
	}
	elems := make([]cty.Value, len(parts))
	for i, part := range parts {
		var err error
		if elems[i], err = toCty(part, types[i], depth); err != nil {
			return cty.NilVal, atIndex(i, err)
		}
	}
	return cty.TupleVal(elems), nil
}

// elementsToCty returns a list or set.
func elementsToCty(parts []tftypes.Value, collection cty.Type, depth int) (cty.Value, error) {
	ty := collection.ElementType()
	elems := make([]cty.Value, len(parts))
	for i, part := range parts {
		var err error
		if elems[i], err = toCty(part, ty, depth); err != nil {
			return cty.NilVal, atIndex(i, err)
		}
	}
	switch {
	case len(elems) == 0 && collection.IsSetType():
		return cty.SetValEmpty(ty), nil
	case len(elems) == 0:
		return cty.ListValEmpty(ty), nil
	case ty.HasDynamicTypes() && !cty.CanListVal(elems):
		return cty.NilVal, wrong("the elements are of several types")
	case collection.IsSetType() && values.TooManyUnknown(elems):
		const reason = "is a set of more than %d elements with unknown values"
		return cty.NilVal, wrong(fmt.Sprintf(reason, values.MaxUnknownElements))
	case collection.IsSetType():
		return cty.SetVal(elems), nil
	}
	return cty.ListVal(elems), nil
}

// dynamicToCty returns the value with its own type.
func dynamicToCty(v tftypes.Value, depth int) (cty.Value, error) {
	ty, err := TypeToCty(v.Type())
	switch {
	case err != nil:
		return cty.NilVal, wrong(err.Error())
	case ty != cty.DynamicPseudoType:
		to, err := toCty(v, ty.WithoutOptionalAttributesDeep(), depth)
		return to, inDynamic(err)
	case v.IsNull():
		return cty.NullVal(ty), nil
	case !v.IsKnown():
		return cty.UnknownVal(ty), nil
	}
	return cty.NilVal, wrong("a known value must have a concrete type, not the dynamic type")
}

// normal returns the parts with their names in Unicode NFC.
func normal(parts map[string]tftypes.Value) (map[string]tftypes.Value, error) {
	for name := range parts {
		if cty.NormalizeString(name) != name {
			return normalized(parts)
		}
	}
	return parts, nil
}

func normalized(parts map[string]tftypes.Value) (map[string]tftypes.Value, error) {
	named := make(map[string]tftypes.Value, len(parts))
	for key, part := range parts {
		name := cty.NormalizeString(key)
		if _, twice := named[name]; twice {
			return nil, wrong("two names or keys are the same in Unicode NFC")
		}
		named[name] = part
	}
	return named, nil
}

// conformError returns the reason why a null or unknown value does not conform to a type, or nil. A
// null or unknown value of the dynamic type conforms to all types.
func conformError(what string, from tftypes.Type, ty cty.Type) error {
	if from.Is(tftypes.DynamicPseudoType) || conforming(from, ty) {
		return nil
	}
	own, err := TypeToCty(from)
	if err != nil {
		return wrong(err.Error())
	}
	name, other := own.FriendlyName(), ""
	if name == ty.FriendlyName() {
		other = "another "
	}
	return wrong(fmt.Sprintf("must be of type %s, but is %s of %stype %s", ty.FriendlyName(), what, other, name))
}

// conforming reports whether a type conforms to the type that a schema implies.
func conforming(from tftypes.Type, ty cty.Type) bool {
	switch from := from.(type) {
	case tftypes.List:
		return ty == cty.DynamicPseudoType || ty.IsListType() && conforming(from.ElementType, ty.ElementType())
	case tftypes.Set:
		return ty == cty.DynamicPseudoType || ty.IsSetType() && conforming(from.ElementType, ty.ElementType())
	case tftypes.Map:
		return ty == cty.DynamicPseudoType || ty.IsMapType() && conforming(from.ElementType, ty.ElementType())
	case tftypes.Tuple, tftypes.Object:
		own, err := TypeToCty(from)
		return err == nil && own.WithoutOptionalAttributesDeep().TestConformance(ty) == nil
	case nil:
		return false
	}
	own, _ := TypeToCty(from)
	return ty == cty.DynamicPseudoType || own == ty
}

// sameKind reports whether both types are lists, both are sets, or both are tuples.
func sameKind(from tftypes.Type, ty cty.Type) bool {
	switch from.(type) {
	case tftypes.List:
		return ty.IsListType()
	case tftypes.Set:
		return ty.IsSetType()
	case tftypes.Tuple:
		return ty.IsTupleType()
	}
	return false
}

// mismatch returns an error that names the expected kind of value and the actual kind.
func mismatch(v tftypes.Value, ty cty.Type) error {
	own, err := TypeToCty(v.Type())
	if err != nil {
		return wrong(err.Error())
	}
	if own == cty.DynamicPseudoType {
		return wrong("a known value must have a concrete type, not the dynamic type")
	}
	return wrong("must be " + article(ty) + ", not " + article(own))
}

func article(ty cty.Type) string {
	if ty.IsObjectType() {
		return "an object"
	}
	return "a " + ty.FriendlyName()
}
