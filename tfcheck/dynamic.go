package tfcheck

import (
	"encoding/json"
	"errors"
	"math/big"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/objchange/objchange"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/msgpack"
)

// dynamic makes a value of any type. What crosses the protocol says its type;
// data of Go has the type that comes naturally.
func (b *builder) dynamic(data any) cty.Value {
	b.free++
	defer func() { b.free-- }()
	switch data := data.(type) {
	case nil:
		return cty.NullVal(cty.DynamicPseudoType)
	case unknown:
		return b.unknown(cty.DynamicPseudoType, data)
	case tftypes.Value:
		return b.dynamicTF(data)
	}
	switch b.format {
	case fromMsgPack:
		if pair, ok := data.([]any); ok && len(pair) == 2 {
			text, _ := pair[0].(string)
			return b.typed([]byte(text), pair[1])
		}
		return b.fail("a dynamic value must be a pair of its type and its value")
	case fromJSON:
		pair, _ := data.(map[string]any)
		ty, hasType := pair["type"]
		inner, hasValue := pair["value"]
		if !hasType || !hasValue || len(pair) != 2 {
			return b.fail(`a dynamic value must be an object of "type" and "value"`)
		}
		text, err := json.Marshal(ty)
		if err != nil {
			return b.fail("the type of the dynamic value is none")
		}
		return b.typed(text, inner)
	}
	return b.natural(data)
}

// typed makes a value of the type whose JSON comes with it.
func (b *builder) typed(text []byte, data any) cty.Value {
	ty, ok := typeFromJSON(text)
	if !ok {
		return b.fail("the type of the dynamic value is none")
	}
	if ty != cty.DynamicPseudoType {
		return b.value(ty, data)
	}
	// A dynamic value in a dynamic value would let the data nest without a step.
	switch data := data.(type) {
	case nil:
		return cty.NullVal(ty)
	case unknown:
		return b.unknown(ty, data)
	}
	return b.fail("the type of the dynamic value is dynamic itself")
}

// typeFromJSON reads a type as the protocol writes it.
func typeFromJSON(text []byte) (cty.Type, bool) {
	if !json.Valid(text) {
		return cty.NilType, false // and so cannot break out of what it is put into
	}
	var attr objchange.Attribute
	err := attr.UnmarshalJSON(slices.Concat([]byte(`{"type":`), text, []byte(`}`)))
	if err != nil || attr.Type == cty.NilType {
		return cty.NilType, false
	}
	return attr.Type.WithoutOptionalAttributesDeep(), true
}

func (b *builder) dynamicTF(v tftypes.Value) cty.Value {
	ty, err := TypeToCty(v.Type())
	switch {
	case err != nil:
		return b.fail("%v", err)
	case ty != cty.DynamicPseudoType:
		return b.value(ty.WithoutOptionalAttributesDeep(), v)
	case v.IsNull():
		return cty.NullVal(ty)
	case !v.IsKnown():
		return cty.UnknownVal(ty)
	}
	return b.fail("a known value must be of a type of its own, not of the dynamic type")
}

// natural makes a value of the type that data has by itself: lists become
// tuples, and maps objects.
func (b *builder) natural(data any) cty.Value {
	if len(b.way.list) > maxDepth {
		return b.fail("%v", errDepth)
	}
	data, ok := b.open(cty.DynamicPseudoType, data)
	if !ok {
		return cty.NilVal
	}
	switch data := data.(type) {
	case nil, unknown, tftypes.Value:
		return b.dynamic(data)
	case cty.Value:
		return b.given(cty.DynamicPseudoType, data)
	case []any:
		if values, ok := b.elements(data, func(_ int, elem any) cty.Value { return b.natural(elem) }); ok {
			return cty.TupleVal(values)
		}
		return cty.NilVal
	case map[string]any:
		if values, ok := b.entries(freeStep, data, b.natural); ok {
			return cty.ObjectVal(values)
		}
		return cty.NilVal
	}
	v, err := plainValue(data)
	if err != nil {
		return b.fail("%v", err)
	}
	return v
}

// given takes a value that somebody made, which need not be complete.
func (b *builder) given(ty cty.Type, v cty.Value) cty.Value {
	if v == cty.NilVal {
		return b.fail("is the zero cty.Value")
	}
	if v.Type().TestConformance(ty) == nil {
		return v
	}
	switch {
	case v.IsNull():
		return cty.NullVal(ty).WithSameMarks(v)
	case v.Type() == cty.DynamicPseudoType:
		return cty.UnknownVal(ty).WithSameMarks(v)
	case v.IsMarked() || !v.IsKnown() || !v.CanIterateElements() || ty.IsPrimitiveType():
		if converted, err := convert.Convert(v, ty); err == nil {
			return converted
		}
		return b.fail("must be %s, not %s", article(ty), article(v.Type()))
	}
	return b.value(ty, partsOf(v))
}

// partsOf opens a known value that has parts.
func partsOf(v cty.Value) any {
	if ty := v.Type(); ty.IsObjectType() || ty.IsMapType() {
		entries := map[string]any{}
		for key, elem := range v.AsValueMap() {
			entries[key] = elem
		}
		return entries
	}
	elems := []any{}
	for _, elem := range v.AsValueSlice() {
		elems = append(elems, elem)
	}
	return elems
}

func article(ty cty.Type) string {
	if ty.IsObjectType() {
		return "an object"
	}
	return "a " + ty.FriendlyName()
}

// unknown makes an unknown value with the refinements that came with it. Some
// pin it down to a known one.
func (b *builder) unknown(ty cty.Type, data unknown) (v cty.Value) {
	if len(data.raw) == 0 {
		return cty.UnknownVal(ty)
	}
	defer func() {
		if recover() != nil { // cty does so where refinements contradict one another
			v = b.fail("the unknown value has refinements that cannot be")
		}
	}()
	v, err := msgpack.Unmarshal(data.raw, ty)
	if err != nil || v.Type().TestConformance(ty) != nil || farOutRange(v) {
		return b.fail("the unknown value has refinements that cannot be")
	}
	// One with nothing refined is another value to cty than one without
	// refinements, but has the same encoding.
	if again, err := msgpack.Marshal(v, ty); err == nil && len(again) == 3 && !v.IsKnown() {
		return cty.UnknownVal(ty)
	}
	return v
}

// fits reports whether the type of a value of tftypes is the one wanted, as far
// as what is in it does not tell.
func (b *builder) fits(ty cty.Type, v tftypes.Value) bool {
	same := true
	switch v.Type().(type) {
	case tftypes.List:
		same = ty.IsListType()
	case tftypes.Set:
		same = ty.IsSetType()
	case tftypes.Map:
		same = ty.IsMapType()
	case tftypes.Tuple:
		same = ty.IsTupleType()
	case tftypes.Object:
		same = ty.IsObjectType()
	}
	if same && (v.IsNull() || !v.IsKnown()) {
		own, err := TypeToCty(v.Type()) // of the zero value there is none, and open says so
		same = err != nil || own == cty.DynamicPseudoType || own.WithoutOptionalAttributesDeep().TestConformance(ty) == nil
	}
	if !same {
		b.fail("must be of type %s", ty.FriendlyName())
	}
	return same
}

// openTF returns what is in a value of tftypes.
func openTF(v tftypes.Value) (any, error) {
	switch {
	case v.Type() == nil:
		return nil, errors.New("is the zero tftypes.Value")
	case v.IsNull():
		return nil, nil
	case !v.IsKnown():
		return unknown{}, nil
	}
	var (
		text   string
		number big.Float
		truth  bool
		list   []tftypes.Value
		fields map[string]tftypes.Value
	)
	switch {
	case v.As(&text) == nil:
		return text, nil
	case v.As(&number) == nil:
		return carried(&number)
	case v.As(&truth) == nil:
		return truth, nil
	case v.As(&list) == nil:
		elems := make([]any, len(list))
		for i, elem := range list {
			elems[i] = elem
		}
		return elems, nil
	case v.As(&fields) == nil:
		entries := make(map[string]any, len(fields))
		for key, elem := range fields {
			entries[key] = elem
		}
		return entries, nil
	}
	return nil, errors.New("is a tftypes.Value of another kind")
}
