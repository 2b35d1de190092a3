package tfconv

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
)

// A reader makes values of cty of those of tftypes.
type reader struct{}

// convert makes a value of the type, which has no optional attributes.
func (r reader) convert(v tftypes.Value, ty cty.Type) (to cty.Value, err error) {
	defer rescue(&to, &err)
	if v.Type() == nil {
		return cty.NilVal, errors.New("the value is the zero tftypes.Value")
	}
	if to, err = r.value(v, ty, 0); err != nil {
		return cty.NilVal, told(err)
	}
	return to, nil
}

func (r reader) value(v tftypes.Value, ty cty.Type, depth int) (cty.Value, error) {
	switch {
	case depth > maxDepth:
		return cty.NilVal, wrong(errDepth.Error())
	case v.Type() == nil:
		return cty.NilVal, wrong("is the zero tftypes.Value")
	case ty == cty.DynamicPseudoType:
		return r.dynamic(v, depth)
	case v.IsNull():
		return cty.NullVal(ty), r.fits("null", v.Type(), ty)
	case !v.IsKnown():
		return cty.UnknownVal(ty), r.fits("unknown", v.Type(), ty)
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
	return r.parts(v, ty, depth+1)
}

// parts makes a known value that has parts.
func (r reader) parts(v tftypes.Value, ty cty.Type, depth int) (cty.Value, error) {
	switch v.Type().(type) {
	case tftypes.Object, tftypes.Map:
		var parts map[string]tftypes.Value
		if err := v.As(&parts); err != nil {
			return cty.NilVal, mismatch(v, ty)
		}
		if _, isObject := v.Type().(tftypes.Object); isObject && ty.IsObjectType() {
			return r.object(parts, ty.AttributeTypes(), depth)
		} else if !isObject && ty.IsMapType() {
			return r.mapping(parts, ty.ElementType(), depth)
		}
	case tftypes.List, tftypes.Set, tftypes.Tuple:
		var elems []tftypes.Value
		if err := v.As(&elems); err != nil || !r.sameKind(v.Type(), ty) {
			return cty.NilVal, mismatch(v, ty)
		}
		if ty.IsTupleType() {
			return r.tuple(elems, ty.TupleElementTypes(), depth)
		}
		return r.elements(elems, ty, depth)
	}
	return cty.NilVal, mismatch(v, ty)
}

// object makes an object with attributes of the types.
func (r reader) object(parts map[string]tftypes.Value, types map[string]cty.Type, depth int) (cty.Value, error) {
	parts, err := normal(parts)
	if err != nil {
		return cty.NilVal, err
	}
	if err := missing(parts, types); err != nil {
		return cty.NilVal, err
	}
	attrs := make(map[string]cty.Value, len(types))
	first := "" // of several errors
	for name, ty := range types {
		v, wrongAttr := r.value(parts[name], ty, depth)
		if wrongAttr != nil && (err == nil || name < first) {
			first, err = name, wrongAttr
		}
		attrs[name] = v
	}
	if err != nil {
		return cty.NilVal, atAttr(first, err)
	}
	if len(parts) > len(types) {
		return cty.NilVal, wrong("has something that is no attribute")
	}
	return cty.ObjectVal(attrs), nil
}

// missing names all attributes that are not there.
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

// maxNamed is how many missing attributes an error names.
const maxNamed = 20

func (r reader) mapping(parts map[string]tftypes.Value, ty cty.Type, depth int) (cty.Value, error) {
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
		v, wrongElem := r.value(part, ty, depth)
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

func (r reader) tuple(parts []tftypes.Value, types []cty.Type, depth int) (cty.Value, error) {
	if len(parts) != len(types) {
		return cty.NilVal, wrong(fmt.Sprintf("must have %d elements, not %d", len(types), len(parts)))
	}
	elems := make([]cty.Value, len(parts))
	for i, part := range parts {
		var err error
		if elems[i], err = r.value(part, types[i], depth); err != nil {
			return cty.NilVal, atIndex(i, err)
		}
	}
	return cty.TupleVal(elems), nil
}

// elements makes a list or set.
func (r reader) elements(parts []tftypes.Value, collection cty.Type, depth int) (cty.Value, error) {
	ty := collection.ElementType()
	elems := make([]cty.Value, len(parts))
	for i, part := range parts {
		var err error
		if elems[i], err = r.value(part, ty, depth); err != nil {
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
	case collection.IsSetType():
		return cty.SetVal(elems), nil
	}
	return cty.ListVal(elems), nil
}

// dynamic makes a value of the type that comes with it.
func (r reader) dynamic(v tftypes.Value, depth int) (cty.Value, error) {
	ty, err := TypeToCty(v.Type())
	switch {
	case err != nil:
		return cty.NilVal, wrong(err.Error())
	case ty != cty.DynamicPseudoType:
		to, err := r.value(v, ty.WithoutOptionalAttributesDeep(), depth)
		return to, free(err)
	case v.IsNull():
		return cty.NullVal(ty), nil
	case !v.IsKnown():
		return cty.UnknownVal(ty), nil
	}
	return cty.NilVal, wrong("a known value must be of a type of its own, not of the dynamic type")
}

// normal returns the parts under names that cty can have.
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

// fits says why a null or unknown value of one type is none of another. One of
// the dynamic type is one of all.
func (r reader) fits(what string, from tftypes.Type, ty cty.Type) error {
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

// conforming reports whether a type conforms to that of a schema.
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

// sameKind reports whether both types are lists, sets or tuples.
func (r reader) sameKind(from tftypes.Type, ty cty.Type) bool {
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

// mismatch says what kind of value there must be, and what there is.
func mismatch(v tftypes.Value, ty cty.Type) error {
	own, err := TypeToCty(v.Type())
	if err != nil {
		return wrong(err.Error())
	}
	if own == cty.DynamicPseudoType {
		return wrong("a known value must be of a type of its own, not of the dynamic type")
	}
	return wrong("must be " + article(ty) + ", not " + article(own))
}

func article(ty cty.Type) string {
	if ty.IsObjectType() {
		return "an object"
	}
	return "a " + ty.FriendlyName()
}
