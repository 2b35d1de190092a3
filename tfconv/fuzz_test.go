package tfconv_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/tfconv"
)

// fuzzTypes are types that cover all cases of the decoder.
var fuzzTypes = []cty.Type{
	cty.String, cty.Number, cty.Bool, cty.DynamicPseudoType,
	cty.List(cty.DynamicPseudoType), cty.Set(cty.Number), cty.Set(cty.DynamicPseudoType), cty.Map(cty.DynamicPseudoType),
	cty.Tuple([]cty.Type{cty.String, cty.DynamicPseudoType}),
	cty.Object(map[string]cty.Type{
		"a": cty.String, "l": cty.List(person), "s": cty.Set(person), "m": cty.Map(cty.String), "d": cty.DynamicPseudoType,
	}),
}

// FuzzDecode checks that decoding any bytes returns an error, or a value that conforms to the type
// and survives encoding and decoding.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		"\xc0", "\xd4\x00\x00", "\xa1x", "\x92\xa8\"string\"\xa1x", "\x92\x92\xa8\"string\"\xa1x\x92\xa6\"bool\"\xc3", "\xdd\xff\xff\xff\xff",
		"\xc7\x03\x0c\x81\x01\xc2", "\x85\xa1a\xc0\xa1l\x90\xa1s\xc0\xa1m\x81\xa1k\xa1x\xa1d\x92\xd9\x11[\"list\",\"string\"]\x91\xa1x",
		`{"a": "x", "l": [{"name": "x", "age": 8}], "m": {"k": null}, "d": {"type": "string", "value": "x"}}`,
		`[{"type": ["list", "dynamic"], "value": [{"type": "bool", "value": true}]}]`, `1e400`, `"1e600000000"`, `null`,
	} {
		for i := range fuzzTypes {
			f.Add([]byte(seed), uint8(i))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, which uint8) {
		ty := fuzzTypes[int(which)%len(fuzzTypes)]
		for _, in := range []*tfprotov6.DynamicValue{{MsgPack: data}, {JSON: data}} {
			v, err := tfconv.Decode6(in, ty)
			if err != nil {
				continue
			}
			if errs := v.Type().TestConformance(ty); len(errs) > 0 {
				t.Fatalf("%#v does not conform to %#v: %v", v, ty, errs)
			}
			checkTransport(t, v)
		}
	})
}

// checkTransport fails unless a decoded value can be encoded and decoded. The first encoding may
// shorten a prefix or a number. The second encoding must not change the value again.
func checkTransport(t *testing.T, v cty.Value) {
	first := sent(t, v)
	if again := sent(t, first); !again.RawEquals(first) {
		t.Fatalf("%#v was converted back to %#v", first, again)
	}
	tf, err := tfconv.ValueFromCty(first)
	if err != nil {
		t.Fatalf("%#v: %v", first, err)
	}
	if again, err := tfconv.ValueToCty(tf, first.Type()); err != nil || !again.Type().Equals(first.Type()) {
		t.Fatalf("%#v was converted back to %#v, %v", first, again, err)
	}
}

func sent(t *testing.T, v cty.Value) cty.Value {
	encoded, err := tfconv.Encode6(v, v.Type())
	if err != nil {
		t.Fatalf("%#v: %v", v, err)
	}
	got, err := tfconv.Decode6(encoded, v.Type())
	if err != nil {
		t.Fatalf("%#v: %v", v, err)
	}
	return got
}
