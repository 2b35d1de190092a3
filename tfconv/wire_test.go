package tfconv_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/json"
	"github.com/zclconf/go-cty/cty/msgpack"
	"pgregory.net/rapid"

	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/tfconv"
)

// TestCodecRoundTrip checks that an encoded value decodes to the same value, including refinements,
// and that cty's codec reads and writes the same bytes.
func TestCodecRoundTrip(t *testing.T) {
	check := func(t interface{ Fatalf(string, ...any) }, v cty.Value, ty cty.Type, want cty.Value) {
		six, five := must(tfconv.Encode6(v, ty)), must(tfconv.Encode5(v, ty))
		if !bytes.Equal(five.MsgPack, six.MsgPack) {
			t.Fatalf("protocol 5: %x, protocol 6: %x", five.MsgPack, six.MsgPack)
		}
		for name, got := range map[string]cty.Value{
			"protocol 6": must(tfconv.Decode6(six, ty)), "protocol 5": must(tfconv.Decode5(five, ty)), "cty": must(msgpack.Unmarshal(six.MsgPack, ty)),
		} {
			if !got.RawEquals(want) {
				t.Fatalf("%s: %#v became %#v", name, v, got)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		v := drawValue(t)
		check(t, v, v.Type(), v)
		check(t, v, cty.DynamicPseudoType, v)
	})
	for _, v := range scalars() {
		check(t, v, v.Type(), v)
	}
	check(t, cty.NullVal(cty.DynamicPseudoType), person, cty.NullVal(person))
	check(t, cty.DynamicVal, person, cty.UnknownVal(person))
}

// TestDecodeJSONRoundTrip checks that JSON decodes as cty decodes it.
func TestDecodeJSONRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := cty.UnknownAsNull(drawValue(t))
		for _, ty := range []cty.Type{v.Type(), cty.DynamicPseudoType} {
			text := must(json.Marshal(v, ty))
			want := must(json.Unmarshal(text, ty))
			if got, err := tfconv.Decode6(&tfprotov6.DynamicValue{JSON: text}, ty); err != nil || !got.RawEquals(want) {
				t.Fatalf("%s became %#v, %v; want %#v", text, got, err, want)
			}
		}
	})
}

var person = cty.Object(map[string]cty.Type{"name": cty.String, "age": cty.Number})

func TestDecode(t *testing.T) {
	tests := map[string]struct {
		in   *tfprotov6.DynamicValue
		ty   cty.Type
		want cty.Value
	}{
		"nil":                     {nil, person, cty.NullVal(person)},
		"empty":                   {&tfprotov6.DynamicValue{MsgPack: []byte{}}, person, cty.NullVal(person)},
		"nil, dynamic":            {nil, cty.DynamicPseudoType, cty.NullVal(cty.DynamicPseudoType)},
		"MessagePack":             {packed("\xa1x"), cty.String, cty.StringVal("x")},
		"MessagePack before JSON": {&tfprotov6.DynamicValue{MsgPack: []byte("\xa1x"), JSON: []byte(`"y"`)}, cty.String, cty.StringVal("x")},
		"binary string":           {packed("\xc4\x01x"), cty.String, cty.StringVal("x")},
		"number as string":        {packed("\xa3" + "0.1"), cty.Number, cty.MustParseNumberVal("0.1")},
		"any extension":           {packed("\xd4\x55\x00"), cty.String, cty.UnknownVal(cty.String)},
		"refined":                 {packed("\xc7\x03\x0c\x81\x01\xc2"), cty.String, cty.UnknownVal(cty.String).RefineNotNull()},
		"nothing refined":         {packed("\xc7\x02\x0c\x80\x00"), cty.String, cty.UnknownVal(cty.String)},
		"refined to null":         {packed("\xc7\x03\x0c\x81\x01\xc3"), cty.String, cty.NullVal(cty.String)},
		"typed null":              {packed("\x92\xa8\"string\"\xc0"), cty.DynamicPseudoType, cty.NullVal(cty.String)},
		"set coalesces":           {packed("\x92\xa1x\xa1x"), cty.Set(cty.String), cty.SetVal([]cty.Value{cty.StringVal("x")})},
		"dynamic elements": {
			packed("\x92\x92\xa8\"string\"\xa1x\x92\xa8\"string\"\xc0"), cty.List(cty.DynamicPseudoType),
			cty.ListVal([]cty.Value{cty.StringVal("x"), cty.NullVal(cty.String)}),
		},
		"JSON":         {jsonValue(`{"name": "x", "age": 8}`), person, cty.ObjectVal(map[string]cty.Value{"name": cty.StringVal("x"), "age": cty.NumberIntVal(8)})},
		"JSON lacking": {jsonValue(`{"age": "8"}`), person, cty.ObjectVal(map[string]cty.Value{"name": cty.NullVal(cty.String), "age": cty.NumberIntVal(8)})},
		"JSON number":  {jsonValue(`1.50`), cty.String, cty.StringVal("1.50")},
		"JSON bytes":   {jsonValue("\"caf\xe9\""), cty.String, cty.StringVal("caf\ufffd")}, // as Core reads them
		"JSON bool":    {jsonValue(`"true"`), cty.Bool, cty.True},
		"JSON dynamic": {jsonValue(`{"type": ["list", "string"], "value": ["x"]}`), cty.DynamicPseudoType, cty.ListVal([]cty.Value{cty.StringVal("x")})},
		"optional attributes": {
			packed("\x81\xa1a\xc0"), cty.ObjectWithOptionalAttrs(map[string]cty.Type{"a": cty.String}, []string{"a"}),
			cty.ObjectVal(map[string]cty.Value{"a": cty.NullVal(cty.String)}),
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := tfconv.Decode6(test.in, test.ty)
			if err != nil || !got.RawEquals(test.want) {
				t.Errorf("got %#v, %v; want %#v", got, err, test.want)
			}
			got, err = tfconv.Decode5((*tfprotov5.DynamicValue)(test.in), test.ty)
			if err != nil || !got.RawEquals(test.want) {
				t.Errorf("protocol 5: got %#v, %v; want %#v", got, err, test.want)
			}
		})
	}
}

func packed(s string) *tfprotov6.DynamicValue { return &tfprotov6.DynamicValue{MsgPack: []byte(s)} }

func jsonValue(s string) *tfprotov6.DynamicValue { return &tfprotov6.DynamicValue{JSON: []byte(s)} }

func TestDecodeErrors(t *testing.T) {
	people := cty.Object(map[string]cty.Type{"people": cty.List(person), "by": cty.Map(cty.Number)})
	tests := map[string]struct {
		in   *tfprotov6.DynamicValue
		ty   cty.Type
		want string
	}{
		"zero type":     {packed("\xc0"), cty.NilType, "the type is the zero cty.Type"},
		"truncated":     {packed("\xa9hunter2"), cty.String, "invalid MessagePack of a value, at byte 8: it ends too early"},
		"huge length":   {packed("\xdd\xff\xff\xff\xff\xc0"), cty.List(cty.String), "invalid MessagePack of a value, at byte 5: it ends too early"},
		"huge map":      {packed("\xdf\xff\xff\xff\xff\xa1a\xc0"), cty.Map(cty.String), "invalid MessagePack of a value, at byte 5: it ends too early"},
		"huge string":   {packed("\xdb\xff\xff\xff\xff" + canary), cty.String, "invalid MessagePack of a value, at byte 12: it ends too early"},
		"huge unknown":  {packed("\xc9\xff\xff\xff\xff\x0c"), cty.String, "invalid MessagePack of a value, at byte 6: it ends too early"},
		"trailing data": {packed("\xa1x\xa7hunter2"), cty.String, "invalid MessagePack of a value: more data follows the value, from byte 2"},
		"unknown code":  {packed("\xc1"), cty.String, "invalid MessagePack of a value, at byte 0: unknown code 0xc1"},
		"key no string": {packed("\x81\x01\xc0"), cty.Map(cty.String), "invalid MessagePack of a value, at byte 1: a key is not a string"},
		"key twice":     {packed("\x82\xa1a\xc0\xa1a\xc0"), cty.Map(cty.String), "invalid MessagePack of a value, at byte 7: duplicate key"},
		"NaN":           {packed("\xcb\x7f\xf8\x00\x00\x00\x00\x00\x01"), cty.Number, "invalid MessagePack of a value, at byte 9: NaN is not supported"},
		"too deep":      {packed(strings.Repeat("\x91", 2000) + "\xc0"), cty.DynamicPseudoType, "invalid MessagePack of a value, at byte 1001: nested deeper than 500 levels"},
		"maps too deep": {packed(strings.Repeat("\x81\xa1a", 2000) + "\xc0"), cty.DynamicPseudoType,
			"invalid MessagePack of a value, at byte 3003: nested deeper than 500 levels"},
		"wrong type":    {packed("\xa7hunter2"), cty.Number, "the value: must be a number, or a string that contains a number"},
		"wrong kind":    {packed("\xa7hunter2"), cty.List(cty.String), "the value: must be a list of strings, not a string"},
		"no conversion": {packed("\x01"), cty.String, "the value: must be a string, not a number"},
		"in a list": {
			packed("\x82\xa2by\xc0\xa6people\x91\x82\xa4name\xc0\xa3age\xc3"), people, "people[0].age: must be a number, not a bool",
		},
		"in a map":          {packed("\x82\xa2by\x81\xa7hunter2\xc3\xa6people\xc0"), people, ".by[(sensitive)]: must be a number, not a bool"},
		"missing attribute": {packed("\x81\xa3age\xc0"), person, "name: is missing"},
		"empty object":      {packed("\x80"), person, "age: is missing"},
		"unknown name":      {packed("\x83\xa3age\xc0\xa4name\xc0\xa7hunter2\xc0"), person, "the value: has a name that is not an attribute or block"},
		"empty tuple":       {packed("\x90"), cty.Tuple([]cty.Type{cty.String}), "the value: must have the length 1, not 0"},
		"huge number":       {packed("\x91\xab1e600000000"), cty.Set(cty.Number), "[0]: a number beyond 2^4096"},
		"tiny number":       {packed("\x91\xac1e-600000000"), cty.Set(cty.Number), "[0]: a number beyond 2^4096"},
		"many digits":       {packed("\xda\x40\x00" + strings.Repeat("9", 0x4000)), cty.Number, "the value: a number of more than 8192 digits"},
		"several types": {
			packed("\x92\x92\xa8\"string\"\xa1x\x92\xa6\"bool\"\xc3"), cty.List(cty.DynamicPseudoType), "the value: the elements are of several types",
		},
		"several types in a set": {
			packed("\x92\x92\xa8\"string\"\xa1x\x92\xa6\"bool\"\xc3"), cty.Set(cty.DynamicPseudoType), "the value: the elements are of several types",
		},
		"several types in a map": {
			packed("\x82\xa1a\x92\xa8\"string\"\xa1x\xa1b\x92\xa6\"bool\"\xc3"), cty.Map(cty.DynamicPseudoType), "the value: the elements are of several types",
		},
		"no pair":           {packed("\xa7hunter2"), cty.DynamicPseudoType, "the value: a dynamic value must be a pair of its type and its value"},
		"no type":           {packed("\x92\xa7hunter2\xc0"), cty.DynamicPseudoType, "the value: the type of the dynamic value is invalid"},
		"half a type":       {packed("\x92\xaa[\"list\",1]\xc0"), cty.DynamicPseudoType, "the value: the type of the dynamic value is invalid"},
		"type breaks out":   {packed("\x92\xb7\"bool\",\"sensitive\":true\xc0"), cty.DynamicPseudoType, "the value: the type of the dynamic value is invalid"},
		"dynamic type":      {packed("\x92\xa9\"dynamic\"\x92\xa6\"bool\"\xc3"), cty.DynamicPseudoType, "the value: the type of a dynamic value must not be dynamic"},
		"no refinements":    {packed("\xc7\x03\x0c\xa2no"), cty.String, "the value: the refinements of the unknown value are invalid"},
		"other extension":   {packed("\xc7\x03\x01\x81\x01\xc2"), cty.String, "the value: the refinements of the unknown value are invalid"},
		"contradictory":     {packed("\xc7\x05\x0c\x82\x05\x03\x06\x01"), cty.List(cty.String), "the value: the refinements of the unknown value are invalid"},
		"huge known list":   {packed("\xc7\x0f\x0c\x83\x01\xc2\x05\xce\x00\xff\xff\xff\x06\xce\x00\xff\xff\xff"), cty.List(cty.Bool), "the value: the refinements of the unknown value are invalid"},
		"null and not null": {packed("\xc7\x05\x0c\x82\x01\xc3\x01\xc2"), cty.String, "the value: the refinements of the unknown value are invalid"},
		"huge bound":        {packed("\xc7\x10\x0c\x81\x03\x92\xab1e600000000\xc3"), cty.Number, "the value: the refinements of the unknown value are invalid"},
		"JSON":              {jsonValue(`{"name": "hunter2"`), person, "invalid JSON of a value: malformed after byte 0"},
		"JSON trailing":     {jsonValue(`"x" hunter2`), cty.String, "invalid JSON of a value: more data follows the value, from byte 4"},
		"JSON deep":         {jsonValue(strings.Repeat("[", 502) + strings.Repeat("]", 502)), deepList(502), "nested deeper than 500 levels"},
		"JSON very deep":    {jsonValue(strings.Repeat("[", 20000) + strings.Repeat("]", 20000)), cty.String, ": malformed after byte 0"},
		"JSON huge number":  {jsonValue(`1e600000000`), cty.String, "the value: a number beyond 2^4096"},
		"JSON more":         {jsonValue(`{"hunter2": null}`), person, "the value: has a name that is not an attribute or block"},
		"JSON no number":    {jsonValue(`"hunter2"`), cty.Number, "the value: must be a number, or a string that contains a number"},
		"JSON no bool":      {jsonValue(`"hunter2"`), cty.Bool, "the value: must be a bool, not a string"},
		"JSON no dynamic":   {jsonValue(`{"type": "hunter2"}`), cty.DynamicPseudoType, `the value: a dynamic value must be an object with "type" and "value"`},
		"JSON no type":      {jsonValue(`{"type": "hunter2", "value": 1}`), cty.DynamicPseudoType, "the value: the type of the dynamic value is invalid"},
		"capsule":           {packed("\xa1x"), capsule, "the value: cannot make a thing from data"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := tfconv.Decode6(test.in, test.ty)
			if err == nil {
				t.Fatalf("got %#v, want an error", got)
			}
			if !strings.HasSuffix(err.Error(), test.want) || strings.Contains(err.Error(), canary) {
				t.Errorf("got error %q, want %q", err, test.want)
			}
			malformed := strings.HasPrefix(err.Error(), "invalid MessagePack of a value") || strings.HasPrefix(err.Error(), "invalid JSON of a value")
			if errors.Is(err, tfconv.ErrMalformed) != malformed {
				t.Errorf("%q matches ErrMalformed: %t", err, !malformed)
			}
		})
	}
}

func deepList(depth int) cty.Type { return deepType(depth, cty.List) }

func deepType(depth int, of func(cty.Type) cty.Type) cty.Type {
	ty := cty.String
	for range depth {
		ty = of(ty)
	}
	return ty
}

func TestEncodeErrors(t *testing.T) {
	secret := cty.StringVal(canary)
	bounded := cty.UnknownVal(cty.Number).Refine().NumberRangeLowerBound(cty.MustParseNumberVal("1e600000000"), true).NewValue()
	for name, test := range map[string]struct {
		v    cty.Value
		ty   cty.Type
		want string
	}{
		"zero value": {cty.NilVal, cty.String, "the value is the zero cty.Value"},
		"zero type":  {secret, cty.NilType, "the type is the zero cty.Type"},
		"wrong type": {secret, cty.Number, "the value: number required, but received string"},
		"wrong type inside": {
			cty.ObjectVal(map[string]cty.Value{"name": secret, "age": secret}), person, ".age: number required, but received string",
		},
		"marked":      {secret.Mark("m"), cty.String, "the value: is marked, and the protocol does not support marks"},
		"capsule":     {cty.NullVal(capsule), capsule, "the value: is a thing, which the protocol does not support"},
		"huge number": {cty.MustParseNumberVal("1e600000000"), cty.Number, "the value: is a number beyond 2^4096"},
		"huge bound":  {bounded, cty.Number, "the value: is bounded by a number beyond 2^4096"},
		"zero inside": {cty.TupleVal([]cty.Value{cty.NilVal}), cty.DynamicPseudoType, "the value is invalid: an operation on it panics"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := tfconv.Encode6(test.v, test.ty)
			if err == nil || err.Error() != test.want {
				t.Errorf("got error %v, want %q", err, test.want)
			}
			if _, five := tfconv.Encode5(test.v, test.ty); five == nil || five.Error() != test.want {
				t.Errorf("protocol 5: got error %v, want %q", five, test.want)
			}
		})
	}
}

// TestValueErrorOfCodecs checks that the codecs report the same place.
func TestValueErrorOfCodecs(t *testing.T) {
	ty := cty.Object(map[string]cty.Type{"port": cty.Number})
	_, decoding := tfconv.Decode6(&tfprotov6.DynamicValue{JSON: []byte(`{"port": true}`)}, ty)
	_, encoding := tfconv.Encode6(cty.ObjectVal(map[string]cty.Value{"port": cty.Zero.Mark(1)}), ty)
	_, conforming := tfconv.Encode6(cty.ObjectVal(map[string]cty.Value{"port": cty.True}), ty)
	for name, err := range map[string]error{"decode": decoding, "encode": encoding, "conform": conforming} {
		at := new(ctydata.ValueError)
		if !errors.As(err, &at) || !at.Path.Equals(cty.GetAttrPath("port")) || !strings.HasPrefix(err.Error(), ".port: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
