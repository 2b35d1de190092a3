package ctydata

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/objchange/objchange/internal/values"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// maxDataDepth limits the nesting depth of data. Deeper data is hostile, or contains a cycle.
const maxDataDepth = 500

// value makes a value of the type. If it cannot, it records a problem and returns the zero
// cty.Value.
func (b *builder) value(ty cty.Type, data any) cty.Value {
	data, ok := b.open(ty, data)
	if !ok {
		return cty.NilVal
	}
	if ty == cty.DynamicPseudoType {
		return b.dynamic(data)
	}
	switch data := data.(type) {
	case nil:
		return cty.NullVal(ty)
	case cty.Value:
		return b.given(ty, data)
	}
	switch {
	case ty.IsPrimitiveType():
		return b.scalar(ty, data)
	case ty.IsObjectType():
		types := ty.AttributeTypes()
		return b.fields(slices.Sorted(maps.Keys(types)), data, func(name string, data any) cty.Value {
			return b.value(types[name], data)
		})
	case ty.IsTupleType():
		return b.tuple(ty.TupleElementTypes(), data)
	case ty.IsMapType():
		return b.mapping(ty, data, func(elem any) cty.Value { return b.value(ty.ElementType(), elem) })
	case ty.IsListType() || ty.IsSetType():
		return b.list(ty, data, func(elem any) cty.Value { return b.value(ty.ElementType(), elem) })
	}
	return b.fail("cannot make a %s from data", ty.FriendlyName())
}

// open converts one level of the data to nil, bool, string, *big.Float, json.Number, []any,
// map[string]any, cty.Value or TypedData. If it cannot, it records a problem and returns false.
func (b *builder) open(ty cty.Type, data any) (plain any, ok bool) {
	if len(b.path) > maxDataDepth {
		b.fail("nested deeper than %d levels", maxDataDepth)
		return nil, false
	}
	data, err := b.opened(ty, data)
	if err != nil {
		b.fail("%v", err)
		return nil, false
	}
	return data, true
}

// opened converts one level of the data with the Open function of the format and with plain. It
// turns a panic into an error without the panic value, which may show data.
func (b *builder) opened(ty cty.Type, data any) (plain any, err error) {
	defer func() {
		if recover() != nil {
			plain, err = nil, fmt.Errorf("the conversion of a %T to a value panics", data)
		}
	}()
	if b.Open != nil {
		if data, err = b.Open(ty, data); err != nil {
			return nil, err
		}
	}
	return b.plain(ty, data)
}

func (b *builder) plain(ty cty.Type, data any) (any, error) {
	switch data := data.(type) {
	case nil, bool, string, json.Number, []any, map[string]any, cty.Value, TypedData:
		return data, nil
	case *big.Float:
		if data == nil {
			return nil, nil
		}
		return new(big.Float).Copy(data), nil // a copy, because cty keeps the pointer
	case Valuer:
		v, err := data.CtyValue(ty)
		if err != nil && b.hidden() {
			err = errors.New("cannot be converted to a value") // the error of the Valuer may show a value
		}
		return v, err
	}
	if number, ok, err := plainNumber(data); ok {
		return number, err
	}
	return plainCollection(data)
}

// plainCollection converts slices, arrays and maps. It rejects bytes, because they may be text,
// an address or a key, but hardly ever a list of numbers.
func plainCollection(data any) (any, error) {
	v := reflect.ValueOf(data)
	switch kind := v.Kind(); {
	case kind == reflect.Slice && v.IsNil() || kind == reflect.Map && v.IsNil():
		return nil, nil
	case (kind == reflect.Slice || kind == reflect.Array) && v.Type().Elem() != reflect.TypeFor[byte]():
		elems := make([]any, v.Len())
		for i := range elems {
			elems[i] = v.Index(i).Interface()
		}
		return elems, nil
	case kind == reflect.Map && v.Type().Key().Kind() == reflect.String:
		entries := make(map[string]any, v.Len())
		for it := v.MapRange(); it.Next(); {
			entries[it.Key().String()] = it.Value().Interface()
		}
		return entries, nil
	}
	return nil, fmt.Errorf("a %T is not supported: "+
		"use a map with string keys, a slice of anything except bytes, or a plain value", data)
}

// plainNumber converts the number types of Go.
func plainNumber(data any) (number any, ok bool, err error) {
	switch n := data.(type) {
	case float32:
		number, err = plainFloat(float64(n), 32)
	case float64:
		number, err = plainFloat(n, 64)
	case int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, uintptr:
		number = json.Number(fmt.Sprint(n))
	default:
		return nil, false, nil
	}
	return number, true, err
}

// plainFloat converts a float to its shortest decimal, because 0.1 in data means the decimal
// and not the nearest float.
func plainFloat(f float64, bits int) (any, error) {
	switch {
	case math.IsNaN(f):
		return nil, errors.New("NaN is not supported")
	case math.IsInf(f, 0):
		return new(big.Float).SetFloat64(f), nil
	}
	return json.Number(strconv.FormatFloat(f, 'g', -1, bits)), nil
}

// mismatch records that the data is not of the wanted kind.
func (b *builder) mismatch(want string, data any) cty.Value {
	return b.fail("must be %s, not %s", want, dataName(data))
}

// dataName describes the data, without its content.
func dataName(data any) string {
	switch data := data.(type) {
	case nil:
		return "null"
	case bool:
		return "a bool"
	case string:
		return "a string"
	case *big.Float, json.Number:
		return "a number"
	case []any:
		return "a list"
	case map[string]any:
		return "an object or a map"
	case cty.Value:
		if !data.IsKnown() {
			return "unknown"
		}
	}
	return fmt.Sprintf("a %T", data)
}

// scalar makes a value of a primitive type.
func (b *builder) scalar(ty cty.Type, data any) cty.Value {
	v, err := plainValue(data)
	if text, isText := data.(string); isText && ty == cty.Number {
		v, err = numberValue(text)
	}
	switch {
	case err != nil:
		return b.fail("%v", err)
	case v != cty.NilVal && v.Type() == ty:
		return v
	case v != cty.NilVal && !b.Strict:
		if converted, err := convert.Convert(v, ty); err == nil {
			return converted
		}
	}
	return b.mismatch(values.Noun(ty), data)
}

// plainValue makes a value of the data's own type. It returns the zero cty.Value if the data is
// not a bool, a string or a number.
func plainValue(data any) (cty.Value, error) {
	switch data := data.(type) {
	case bool:
		return cty.BoolVal(data), nil
	case string:
		return cty.StringVal(data), nil
	case json.Number:
		v, err := numberValue(string(data))
		if err != nil && err != errTooLong && json.Valid([]byte(data)) {
			err = errFarOut
		}
		return v, err
	case *big.Float:
		if values.FarOut(data) {
			return cty.NilVal, errFarOut
		}
		return cty.NumberVal(data), nil
	}
	return cty.NilVal, nil
}

// maxDigits limits the length of the text of a number, because the time to read it grows with
// the square of the length.
const maxDigits = 8192

var errTooLong = fmt.Errorf("a number of more than %d digits", maxDigits)

var errFarOut = fmt.Errorf("a number beyond 2^%d", values.MaxExponent)

// numberValue reads a number from its text, without loss.
func numberValue(text string) (cty.Value, error) {
	if len(text) > maxDigits {
		return cty.NilVal, errTooLong
	}
	v, err := cty.ParseNumberVal(text)
	if err != nil || !strings.ContainsAny(text, "0123456789") {
		return cty.NilVal, errors.New("must be a number, or a string that contains a number")
	}
	digits, _, _ := strings.Cut(strings.ToLower(text), "e")
	vanished := v.AsBigFloat().Sign() == 0 && strings.ContainsAny(digits, "123456789")
	if f := v.AsBigFloat(); f.IsInf() || vanished || values.FarOut(f) {
		return cty.NilVal, errFarOut
	}
	return v, nil
}

// dynamic makes a value of any type: the type of a TypedData or a cty.Value, and otherwise the type
// that follows from the data, where slices become tuples and maps become objects.
func (b *builder) dynamic(data any) cty.Value {
	b.dynamicDepth++
	defer func() { b.dynamicDepth-- }()
	switch data := data.(type) {
	case nil:
		return cty.NullVal(cty.DynamicPseudoType)
	case TypedData:
		return b.typed(data)
	case cty.Value:
		return b.given(cty.DynamicPseudoType, data)
	case []any:
		return b.tupleOf(data, func(elem any) cty.Value { return b.value(cty.DynamicPseudoType, elem) })
	case map[string]any:
		return b.objectOf(data, func(elem any) cty.Value { return b.value(cty.DynamicPseudoType, elem) })
	}
	v, err := plainValue(data)
	if err != nil {
		return b.fail("%v", err)
	}
	return v
}

// typed makes a value of the type of a TypedData. It accepts the dynamic type only for null and
// unknown values, because otherwise data could nest without steps and so without limit.
func (b *builder) typed(data TypedData) cty.Value {
	if !values.TypeUsable(data.Type) {
		return b.fail("the type of the data is invalid")
	}
	if data.Type != cty.DynamicPseudoType {
		return b.value(data.Type.WithoutOptionalAttributesDeep(), data.Data)
	}
	inner, ok := b.open(data.Type, data.Data)
	v, isValue := inner.(cty.Value)
	switch {
	case !ok:
		return cty.NilVal
	case inner == nil:
		return cty.NullVal(data.Type)
	case isValue && (v == cty.NilVal || !v.IsKnown()):
		return b.given(data.Type, v)
	}
	return b.fail("the type of a dynamic value must not be dynamic")
}

// given converts a cty.Value from the data, which may be incomplete.
func (b *builder) given(ty cty.Type, v cty.Value) cty.Value {
	if v == cty.NilVal {
		return b.fail("is the zero cty.Value")
	}
	switch {
	case !values.TypeUsable(v.Type()):
		if !v.IsMarked() && v.IsKnown() && !v.IsNull() {
			return b.value(ty, partsOf(v)) // a part is the zero cty.Value
		}
		return b.fail("contains the zero cty.Type, or is nested too deep")
	case v.Type().TestConformance(ty) == nil:
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
		return b.fail("must be %s, not %s", values.Noun(ty), values.Noun(v.Type()))
	}
	return b.value(ty, partsOf(v))
}

// partsOf returns the parts of a known value as a map or a slice.
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
