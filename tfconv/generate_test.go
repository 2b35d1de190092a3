package tfconv_test

import (
	"maps"
	"reflect"
	"slices"

	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"
)

// Generators of types and values.

// latin is not UTF-8. Core and cty accept any bytes in a string, and some real providers return
// such strings.
const latin = "caf\xe9"

// canary is a secret that must not occur in an error.
const canary = "hunter2"

var capsule = cty.Capsule("thing", reflect.TypeFor[int]())

// drawType returns a type. Collections contain no dynamic types, because all elements would need
// the same type.
func drawType(t *rapid.T, depth int, dynamic bool) cty.Type {
	plain := []cty.Type{cty.String, cty.Number, cty.Bool}
	if dynamic {
		plain = append(plain, cty.DynamicPseudoType)
	}
	kind := rapid.IntRange(0, 5).Draw(t, "kind")
	if depth == 0 {
		kind = 0
	}
	switch kind {
	case 1:
		return cty.List(drawType(t, depth-1, false))
	case 2:
		return cty.Set(drawType(t, depth-1, false))
	case 3:
		return cty.Map(drawType(t, depth-1, false))
	case 4:
		types := make([]cty.Type, rapid.IntRange(0, 3).Draw(t, "length"))
		for i := range types {
			types[i] = drawType(t, depth-1, dynamic)
		}
		return cty.Tuple(types)
	case 5:
		types := map[string]cty.Type{}
		for _, name := range drawNames(t) {
			types[name] = drawType(t, depth-1, dynamic)
		}
		return cty.Object(types)
	}
	return rapid.SampledFrom(plain).Draw(t, "plain")
}

func drawNames(t *rapid.T, more ...string) []string {
	names := rapid.SampledFrom(append([]string{"a", "b", "é", "some key", ""}, more...))
	return rapid.SliceOfNDistinct(names, 0, 3, rapid.ID).Draw(t, "names")
}

// drawValue returns a value of the type. A part of the dynamic type gets a value of any type. If
// refined is true, unknown values can have refinements.
func drawValue(t *rapid.T, ty cty.Type, refined bool) cty.Value {
	if ty == cty.DynamicPseudoType {
		if rapid.IntRange(0, 3).Draw(t, "dynamic") == 0 {
			return rapid.SampledFrom([]cty.Value{cty.NullVal(ty), cty.DynamicVal}).Draw(t, "untyped")
		}
		ty = drawType(t, 2, false)
	}
	switch rapid.IntRange(0, 9).Draw(t, "state") {
	case 9:
		return cty.NullVal(ty)
	case 8:
		return drawUnknown(t, ty, refined)
	}
	switch {
	case ty == cty.String:
		return cty.StringVal(rapid.SampledFrom([]string{"", "a", "é", "8", "true", latin}).Draw(t, "string"))
	case ty == cty.Bool:
		return cty.BoolVal(rapid.Bool().Draw(t, "bool"))
	case ty == cty.Number:
		return cty.MustParseNumberVal(rapid.SampledFrom(numbers).Draw(t, "number"))
	case ty.IsTupleType():
		elems := make([]cty.Value, ty.Length())
		for i, elem := range ty.TupleElementTypes() {
			elems[i] = drawValue(t, elem, refined)
		}
		return cty.TupleVal(elems)
	case ty.IsObjectType():
		attrs := map[string]cty.Value{}
		for name, attr := range ty.AttributeTypes() {
			attrs[name] = cty.NullVal(attr)
		}
		for _, name := range sortedNames(attrs) {
			attrs[name] = drawValue(t, ty.AttributeType(name), refined)
		}
		return cty.ObjectVal(attrs)
	}
	return drawCollection(t, ty, refined)
}

var numbers = []string{
	"0", "1", "-1", "127", "-129", "65536", "9223372036854775807", "-9223372036854775808", "18446744073709551615",
	"18446744073709551616", "0.5", "0.1", "-2.75", "1e30", "3.14159265358979323846264338327950288419716939937510",
	"1e400", "1e-400",
}

func drawCollection(t *rapid.T, ty cty.Type, refined bool) cty.Value {
	elems := map[string]cty.Value{}
	for _, name := range drawNames(t, latin) {
		elems[name] = drawValue(t, ty.ElementType(), refined)
	}
	var list []cty.Value
	for _, name := range sortedNames(elems) {
		list = append(list, elems[name])
	}
	switch {
	case ty.IsMapType() && len(elems) == 0:
		return cty.MapValEmpty(ty.ElementType())
	case ty.IsMapType():
		return cty.MapVal(elems)
	case ty.IsSetType() && len(list) == 0:
		return cty.SetValEmpty(ty.ElementType())
	case ty.IsSetType():
		return cty.SetVal(list)
	case len(list) == 0:
		return cty.ListValEmpty(ty.ElementType())
	}
	return cty.ListVal(list)
}

func drawUnknown(t *rapid.T, ty cty.Type, refined bool) cty.Value {
	v := cty.UnknownVal(ty)
	if !refined || rapid.Bool().Draw(t, "unrefined") {
		return v
	}
	if rapid.Bool().Draw(t, "only not null") || ty.IsTupleType() || ty.IsObjectType() || ty == cty.Bool {
		return v.RefineNotNull()
	}
	b := v.Refine()
	switch {
	case ty == cty.String:
		b = b.StringPrefixFull("ab")
	case ty == cty.Number:
		b = b.NumberRangeInclusive(cty.MustParseNumberVal("-1e30"), cty.MustParseNumberVal("0.1"))
	case ty.IsCollectionType():
		b = b.CollectionLengthLowerBound(1).CollectionLengthUpperBound(3)
	}
	return b.NewValue()
}

func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
