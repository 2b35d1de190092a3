package sdkv2_test

import (
	"fmt"

	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"
)

// drawType returns a type. Collections contain no dynamic types, because all elements would need
// the same type.
func drawType(t *rapid.T, depth int, dynamic bool) cty.Type {
	plain := []cty.Type{cty.String, cty.Number, cty.Bool}
	if dynamic {
		plain = append(plain, cty.DynamicPseudoType)
	}
	kind := 0
	if depth > 0 {
		kind = rapid.IntRange(0, 5).Draw(t, "kind")
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
		for i := range rapid.IntRange(0, 3).Draw(t, "length") {
			types[fmt.Sprintf("é%d", i)] = drawType(t, depth-1, dynamic)
		}
		return cty.Object(types)
	}
	return rapid.SampledFrom(plain).Draw(t, "plain")
}

// drawValue returns a value of the type. A part of the dynamic type can get a value of any type.
func drawValue(t *rapid.T, ty cty.Type) cty.Value {
	if ty == cty.DynamicPseudoType && rapid.Bool().Draw(t, "typed") {
		ty = drawType(t, 2, false)
	}
	state := rapid.IntRange(0, 9).Draw(t, "state")
	switch {
	case state == 9 || ty == cty.DynamicPseudoType && state < 5:
		return cty.NullVal(ty)
	case state == 8 || ty == cty.DynamicPseudoType:
		return cty.UnknownVal(ty)
	case ty == cty.String:
		return cty.StringVal(rapid.SampledFrom([]string{"", "a", "é", "8", "caf\xe9"}).Draw(t, "string"))
	case ty == cty.Bool:
		return cty.BoolVal(rapid.Bool().Draw(t, "bool"))
	case ty == cty.Number:
		some := rapid.StringMatching(`-?[1-9][0-9]{0,24}(\.[0-9]{1,60})?(e-?[0-9]{1,2})?`)
		return cty.MustParseNumberVal(rapid.OneOf(rapid.SampledFrom(numbers), some).Draw(t, "number"))
	case ty.IsTupleType():
		elems := make([]cty.Value, ty.Length())
		for i := range elems {
			elems[i] = drawValue(t, ty.TupleElementType(i))
		}
		return cty.TupleVal(elems)
	case ty.IsObjectType():
		attrs := map[string]cty.Value{}
		for i := range len(ty.AttributeTypes()) {
			name := fmt.Sprintf("é%d", i)
			attrs[name] = drawValue(t, ty.AttributeType(name))
		}
		return cty.ObjectVal(attrs)
	}
	return drawCollection(t, ty)
}

var numbers = []string{
	"0", "1", "-129", "9223372036854775807", "18446744073709551616", "0.5", "0.1", "-2.75", "1e30",
	"3.14159265358979323846264338327950288419716939937510", "1e400", "1e-400",
}

func drawCollection(t *rapid.T, ty cty.Type) cty.Value {
	elems := make([]cty.Value, rapid.IntRange(0, 3).Draw(t, "length"))
	keyed := map[string]cty.Value{}
	for i := range elems {
		elems[i] = drawValue(t, ty.ElementType())
		keyed[fmt.Sprintf("key %d", i)] = elems[i]
	}
	switch {
	case ty.IsMapType() && len(elems) == 0:
		return cty.MapValEmpty(ty.ElementType())
	case ty.IsMapType():
		return cty.MapVal(keyed)
	case ty.IsSetType() && len(elems) == 0:
		return cty.SetValEmpty(ty.ElementType())
	case ty.IsSetType():
		return cty.SetVal(elems)
	case len(elems) == 0:
		return cty.ListValEmpty(ty.ElementType())
	}
	return cty.ListVal(elems)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
