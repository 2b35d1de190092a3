package sdkv2_test

import (
	"fmt"
	"testing"

	hcty "github.com/hashicorp/go-cty/cty"
	hmsgpack "github.com/hashicorp/go-cty/cty/msgpack"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/msgpack"

	"github.com/objchange/objchange/tfconv/sdkv2"
)

// The benchmarks compare the conversions with a conversion through MessagePack.

func server0(i int) cty.Value {
	return cty.ObjectVal(map[string]cty.Value{
		"id":      cty.StringVal(fmt.Sprintf("i-%d", i)),
		"name":    cty.StringVal("web"),
		"image":   cty.UnknownVal(cty.String),
		"size":    cty.NumberIntVal(int64(i)),
		"price":   cty.MustParseNumberVal("0.1"),
		"running": cty.True,
		"notes":   cty.NullVal(cty.String),
		"tags":    cty.MapVal(map[string]cty.Value{"env": cty.StringVal("test"), "team": cty.StringVal("a")}),
		"ports":   cty.ListVal([]cty.Value{cty.NumberIntVal(80), cty.NumberIntVal(443)}),
	})
}

func benchValues() map[string]cty.Value {
	var many []cty.Value
	for i := range 300 {
		many = append(many, server0(i))
	}
	return map[string]cty.Value{"object": server0(0), "list": cty.ListVal(many), "set": cty.SetVal(many)}
}

func BenchmarkValueFromCty(b *testing.B) {
	for name, v := range benchValues() {
		b.Run(name+"/direct", func(b *testing.B) {
			for b.Loop() {
				must(sdkv2.ValueFromCty(v))
			}
		})
		b.Run(name+"/msgpack", func(b *testing.B) {
			for b.Loop() {
				ty := must(sdkv2.TypeFromCty(v.Type()))
				must(hmsgpack.Unmarshal(must(msgpack.Marshal(v, v.Type())), ty))
			}
		})
	}
}

func BenchmarkValueToCty(b *testing.B) {
	for name, v := range benchValues() {
		from := must(sdkv2.ValueFromCty(v))
		b.Run(name+"/direct", func(b *testing.B) {
			for b.Loop() {
				must(sdkv2.ValueToCty(from))
			}
		})
		b.Run(name+"/msgpack", func(b *testing.B) {
			for b.Loop() {
				ty := must(sdkv2.TypeToCty(from.Type()))
				must(msgpack.Unmarshal(must(hmsgpack.Marshal(from, from.Type())), ty))
			}
		})
		b.Run(name+"/cty itself", func(b *testing.B) { // reads the value once and builds it again
			for b.Loop() {
				remake(from)
			}
		})
	}
}

func remake(v hcty.Value) hcty.Value {
	switch ty := v.Type(); {
	case v.IsNull() || !v.IsKnown() || ty.IsPrimitiveType():
		return v
	case ty.IsObjectType():
		return hcty.ObjectVal(v.AsValueMap())
	case ty.IsMapType():
		return hcty.MapVal(v.AsValueMap())
	}
	var elems []hcty.Value
	for it := v.ElementIterator(); it.Next(); {
		_, elem := it.Element()
		elems = append(elems, remake(elem))
	}
	if v.Type().IsSetType() {
		return hcty.SetVal(elems)
	}
	return hcty.ListVal(elems)
}
