package sdkv2_test

import (
	"errors"
	"math/big"
	"reflect"
	"strings"
	"testing"

	hcty "github.com/hashicorp/go-cty/cty"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/tfconv/sdkv2"
)

var (
	capsule  = cty.Capsule("thing", reflect.TypeFor[int]())
	hcapsule = hcty.Capsule("thing", reflect.TypeFor[int]())
)

func TestValuesConvertBothWays(t *testing.T) {
	for name, test := range map[string]struct {
		one   cty.Value
		other hcty.Value
	}{
		"string":          {cty.StringVal("é"), hcty.StringVal("é")},
		"any bytes":       {cty.StringVal("caf\xe9"), hcty.StringVal("caf\xe9")},
		"integer":         {cty.NumberIntVal(-3), hcty.NumberIntVal(-3)},
		"decimal":         {cty.MustParseNumberVal("0.1"), hcty.MustParseNumberVal("0.1")},
		"infinity":        {cty.PositiveInfinity, hcty.PositiveInfinity},
		"bool":            {cty.True, hcty.True},
		"null":            {cty.NullVal(cty.Set(cty.Bool)), hcty.NullVal(hcty.Set(hcty.Bool))},
		"unknown":         {cty.UnknownVal(cty.Map(cty.Bool)), hcty.UnknownVal(hcty.Map(hcty.Bool))},
		"untyped":         {cty.DynamicVal, hcty.DynamicVal},
		"untyped null":    {cty.NullVal(cty.DynamicPseudoType), hcty.NullVal(hcty.DynamicPseudoType)},
		"float":           {cty.NumberFloatVal(0.5), hcty.NumberFloatVal(0.5)},
		"large integer":   {cty.MustParseNumberVal("18446744073709551616"), hcty.MustParseNumberVal("18446744073709551616")},
		"empty list":      {cty.ListValEmpty(cty.String), hcty.ListValEmpty(hcty.String)},
		"empty set":       {cty.SetValEmpty(cty.EmptyTuple), hcty.SetValEmpty(hcty.EmptyTuple)},
		"empty map":       {cty.MapValEmpty(cty.EmptyObject), hcty.MapValEmpty(hcty.EmptyObject)},
		"list of dynamic": {cty.ListVal([]cty.Value{cty.DynamicVal}), hcty.ListVal([]hcty.Value{hcty.DynamicVal})},
		"set with an unknown": {
			cty.SetVal([]cty.Value{cty.True, cty.UnknownVal(cty.Bool)}),
			hcty.SetVal([]hcty.Value{hcty.True, hcty.UnknownVal(hcty.Bool)}),
		},
		"object": {
			cty.ObjectVal(map[string]cty.Value{"a": cty.TupleVal([]cty.Value{cty.True, cty.StringVal("x")}), "b": cty.DynamicVal}),
			hcty.ObjectVal(map[string]hcty.Value{"a": hcty.TupleVal([]hcty.Value{hcty.True, hcty.StringVal("x")}), "b": hcty.DynamicVal}),
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := sdkv2.ValueFromCty(test.one); err != nil || !got.RawEquals(test.other) {
				t.Errorf("from cty: got %#v, %v, want %#v", got, err, test.other)
			}
			if got, err := sdkv2.ValueToCty(test.other); err != nil || !got.RawEquals(test.one) {
				t.Errorf("to cty: got %#v, %v, want %#v", got, err, test.one)
			}
		})
	}
}

// TestNumbersComeAsTheProtocolCarriesThem checks the precision of numbers, because the SDK's cty
// compares sets by it.
func TestNumbersComeAsTheProtocolCarriesThem(t *testing.T) {
	third := new(big.Float).SetPrec(100).Quo(big.NewFloat(1), big.NewFloat(3))
	want := hcty.SetVal([]hcty.Value{hcty.MustParseNumberVal(third.Text('f', -1)), hcty.NumberIntVal(1)})
	got, err := sdkv2.ValueFromCty(cty.SetVal([]cty.Value{cty.NumberVal(third), cty.MustParseNumberVal("1")}))
	if err != nil || !got.RawEquals(want) {
		t.Errorf("got %#v, %v, want %#v", got, err, want)
	}
	refined := cty.UnknownVal(cty.String).Refine().NotNull().StringPrefix("i-").NewValue()
	if got := must(sdkv2.ValueFromCty(refined)); !got.RawEquals(hcty.UnknownVal(hcty.String)) {
		t.Errorf("an unknown value with refinements became %#v", got)
	}
}

func TestValueFromCtyErrors(t *testing.T) {
	secret := cty.StringVal("secret").Mark("sensitive")
	for name, test := range map[string]struct {
		value cty.Value
		want  string
	}{
		"zero":   {cty.NilVal, "the value is the zero cty.Value"},
		"marked": {secret, "the value: is marked, and the protocol does not support marks"},
		"deep": {
			cty.ObjectVal(map[string]cty.Value{"rule": cty.ListVal([]cty.Value{cty.StringVal("a"), secret})}),
			".rule[1]: is marked, and the protocol does not support marks",
		},
		"key":   {cty.MapVal(map[string]cty.Value{"secret": secret}), "[(sensitive)]: is marked, and the protocol does not support marks"},
		"first": {cty.ObjectVal(map[string]cty.Value{"b": secret, "a": secret}), ".a: is marked, and the protocol does not support marks"},
		"capsule": {
			cty.ObjectVal(map[string]cty.Value{"a": cty.NullVal(cty.List(capsule))}),
			`the value: attribute "a": list element: the protocol does not support the type thing`,
		},
		"zero inside": {
			cty.TupleVal([]cty.Value{cty.NilVal}), "the value: tuple element 0: the type is the zero cty.Type",
		},
		"too large": {cty.ListVal([]cty.Value{cty.MustParseNumberVal("1e2000")}), "[0]: is a number beyond 2^4096"},
		"too small": {cty.TupleVal([]cty.Value{cty.MustParseNumberVal("1e-2000")}), "[0]: is a number beyond 2^4096"},
		"deep type": {
			cty.NullVal(deep(cty.String, func(ty cty.Type) cty.Type { return cty.List(ty) })), "nested deeper than 500 levels",
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := sdkv2.ValueFromCty(test.value)
			wantError(t, err, test.want)
		})
	}
}

// TestZeroValueBecomesNull checks that the zero Value, which the SDK uses for a missing state,
// becomes null.
func TestZeroValueBecomesNull(t *testing.T) {
	got, err := sdkv2.ValueToCty(hcty.NilVal)
	if err != nil || !got.RawEquals(cty.NullVal(cty.DynamicPseudoType)) {
		t.Fatalf("got %#v, %v", got, err)
	}
	if got, err := sdkv2.ValueToCty(hcty.UnknownVal(hcty.NilType)); err != nil || got != cty.DynamicVal {
		t.Errorf("unknown value without a type: got %#v, %v", got, err)
	}
}

func TestValueToCtyErrors(t *testing.T) {
	secret := hcty.StringVal("secret").Mark("sensitive")
	for name, test := range map[string]struct {
		value hcty.Value
		want  string
	}{
		"marked": {secret, "the value: is marked, and the protocol does not support marks"},
		"deep": {
			hcty.ObjectVal(map[string]hcty.Value{"rule": hcty.TupleVal([]hcty.Value{hcty.StringVal("a"), secret})}),
			".rule[1]: is marked, and the protocol does not support marks",
		},
		"key":       {hcty.MapVal(map[string]hcty.Value{"secret": secret}), "[(sensitive)]: is marked, and the protocol does not support marks"},
		"first":     {hcty.ObjectVal(map[string]hcty.Value{"b": secret, "a": secret}), ".a: is marked, and the protocol does not support marks"},
		"capsule":   {hcty.NullVal(hcty.Map(hcapsule)), `the value: map element: the protocol does not support the type thing`},
		"zero set":  {hcty.NullVal(hcty.Set(hcty.NilType)), `the value: set element: the type is the zero cty.Type`},
		"too large": {hcty.ListVal([]hcty.Value{hcty.MustParseNumberVal("1e2000")}), "[0]: is a number beyond 2^4096"},
		"in a set":  {hcty.SetVal([]hcty.Value{hcty.MustParseNumberVal("1e-2000")}), "the value: is a number beyond 2^4096"},
		"deep type": {
			hcty.NullVal(deep(hcty.String, func(ty hcty.Type) hcty.Type { return hcty.List(ty) })), "nested deeper than 500 levels",
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := sdkv2.ValueToCty(test.value)
			wantError(t, err, test.want)
		})
	}
}

func deep[T any](ty T, list func(T) T) T {
	for range 600 {
		ty = list(ty)
	}
	return ty
}

func wantError(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || err.Error() != want && !strings.HasSuffix(err.Error(), "list element: "+want) {
		t.Errorf("got error %v, want %s", err, want)
	}
	at := (*ctydata.ValueError)(nil)
	if strings.Contains(want, ": ") && !errors.As(err, &at) {
		t.Errorf("%v is not a ValueError", err)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
