package document_test

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"

	"github.com/objchange/objchange/cmd/objchange/internal/document"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/conformance"
	"github.com/objchange/objchange/internal/lawtest/generate"
)

// same checks that a value is written and read again as itself, in either form.
func same(t rapid.TB, schema *configschema.Block, v cty.Value) {
	t.Helper()
	for name, codec := range map[string]conformance.Codec{"JSON": document.Codec{}, "MessagePack": conformance.MessagePack{}} {
		text, err := codec.Encode(schema, v)
		if err != nil {
			t.Fatal(err)
		}
		got, err := document.Codec{}.Decode(schema, text)
		if err != nil || !got.RawEquals(v) {
			t.Fatalf("%s: %v\n got %#v\nwant %#v\n%s", name, err, got, v, text)
		}
	}
}

// Every value of the corpus and of generated cases, in questions and in answers, is the same
// in JSON and in MessagePack. With -short, the test takes a tenth of the schemas.
func TestCodecCorpus(t *testing.T) {
	values, least := 0, 100_000
	if testing.Short() {
		least = 8_000
	}
	keep := func(id string) bool { return !testing.Short() || strings.Contains(id, "7/") }
	var schema *conformance.Schema
	var seen map[string]bool // values of the schema: a prior state is in many cases
	check := func(c *conformance.Case) {
		if c.Schema != schema {
			schema, seen = c.Schema, map[string]bool{}
		}
		for _, v := range valuesOf(c) {
			values++
			packed, err := conformance.MessagePack{}.Encode(c.Schema.Block, v)
			if err != nil {
				t.Fatal(err)
			}
			if !seen[string(packed)] {
				seen[string(packed)] = true
				same(t, c.Schema.Block, v)
			}
		}
	}
	recorded := func(id string, op conformance.Op) bool { return keep(id) && op != conformance.OpComputed } // whose values others have
	for c, err := range conformance.Select(recorded) {
		if err != nil {
			t.Fatal(err)
		}
		check(c)
	}
	for c := range conformance.Generate(7, 300) {
		if keep(c.ID) {
			check(c)
		}
	}
	if values < least {
		t.Errorf("only %d values", values)
	}
}

// valuesOf returns the values of a case that are exported.
func valuesOf(c *conformance.Case) []cty.Value {
	values := slices.Collect(maps.Values(c.In))
	for _, o := range c.Want {
		if o.Kind == conformance.KindValue {
			values = append(values, o.Value)
		}
	}
	if len(c.Want) > 0 || c.Op == conformance.OpComputed {
		return values
	}
	if right := c.Right(); right.Kind == conformance.KindValue {
		values = append(values, right.Value)
	}
	return values
}

// Both forms have the same values. JSON of a value that MessagePack cannot carry is not
// read, and what is read from JSON is written and read again as itself in either form.
func TestCodecFormsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := generate.Seeded(rapid.Uint64().Draw(t, "seed"), 0)
		schema := d.AnySchema()
		w := d.Wild(schema)
		for _, v := range []cty.Value{w.Prior, w.Config, w.Planned} {
			text, err := document.Codec{}.Encode(schema, v)
			if err != nil {
				t.Fatal(err)
			}
			got, err := document.Codec{}.Decode(schema, text)
			packed, wrong := conformance.MessagePack{}.Encode(schema, v)
			if wrong != nil {
				t.Fatal(wrong)
			}
			carried, wrong := document.Codec{}.Decode(schema, packed)
			switch {
			case (err == nil) != (wrong == nil):
				t.Fatalf("JSON: %v, MessagePack: %v\n%#v\n%s", err, wrong, v, text)
			case err == nil && !got.RawEquals(carried):
				t.Fatalf("%#v\nin JSON it is %#v\nin MessagePack %#v\n%s", v, got, carried, text)
			case err == nil:
				same(t, schema, got)
			}
		}
	})
}

// A null, an unknown value and an empty collection have no type of their own where a part of
// the type is dynamic. Beside elements that have another, they are no value in either form.
// Elements of several types are not converted.
func TestCodecSeveralTypes(t *testing.T) {
	list := func(ty cty.Type) *configschema.Block {
		return &configschema.Block{Attributes: map[string]*configschema.Attribute{"a": {Type: cty.List(ty), Optional: true}}}
	}
	any := list(cty.Object(map[string]cty.Type{"x": cty.DynamicPseudoType}))
	lists := list(cty.List(cty.DynamicPseudoType))
	for _, test := range []struct {
		schema *configschema.Block
		text   string
		right  bool
	}{
		{any, `{"a": [{"x": null}, {"x": "b"}]}`, false},
		{any, `{"a": [{"x": true}, {"x": "b"}]}`, false},
		{any, `{"a": [{"x": {"$typed": {"type": "string", "value": null}}}, {"x": "b"}]}`, true},
		{lists, `{"a": [["b"], []]}`, false},
		{lists, `{"a": [["b"], [true]]}`, false},
		{lists, `{"a": [["b"], {"$unknown": true}]}`, false},
		{lists, `{"a": [["b"], ["c", null]]}`, true},
		{lists, `{"a": [[], null]}`, true},
	} {
		v, err := document.Codec{}.Decode(test.schema, json.RawMessage(test.text))
		switch {
		case (err == nil) != test.right:
			t.Errorf("%s is %#v, %v", test.text, v, err)
		case err == nil:
			same(t, test.schema, v)
		case !strings.Contains(err.Error(), "the elements are of several types"):
			t.Errorf("%s: %v", test.text, err)
		}
	}
}

// TestCodecProperty: any value is the same in JSON, in a place of its type. In a place of any
// type, so is any value that MessagePack carries.
func TestCodecProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ty := someType(3).Draw(t, "type")
		v := cty.ObjectVal(map[string]cty.Value{"a": someValue(t, ty)})
		schema := &configschema.Block{Attributes: map[string]*configschema.Attribute{"a": {Type: ty, Optional: true, Sensitive: true}}}
		text, err := document.Codec{}.Encode(schema, v)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := (document.Codec{}).Decode(schema, text); err != nil || !got.RawEquals(v) {
			t.Fatalf("%v\n got %#v\nwant %#v\n%s", err, got, v, text)
		}
		schema.Attributes["a"].Type = cty.DynamicPseudoType
		packed, err := conformance.MessagePack{}.Encode(schema, v)
		if err != nil {
			t.Fatal(err)
		}
		if carried, err := (conformance.MessagePack{}).Decode(schema, packed); err == nil {
			same(t, schema, carried)
		}
	})
}

func someType(depth int) *rapid.Generator[cty.Type] {
	simple := rapid.SampledFrom([]cty.Type{cty.String, cty.Number, cty.Bool})
	if depth == 0 {
		return simple
	}
	return rapid.Custom(func(t *rapid.T) cty.Type {
		of := func() cty.Type { return someType(depth-1).Draw(t, "inner type") }
		switch rapid.IntRange(0, 6).Draw(t, "kind") {
		case 0:
			return cty.List(of())
		case 1:
			return cty.Set(of())
		case 2:
			return cty.Map(of())
		case 3:
			return cty.Tuple([]cty.Type{of(), of()})
		case 4:
			return cty.Object(map[string]cty.Type{"$a": of(), "b": of()})
		}
		return simple.Draw(t, "simple type")
	})
}

func someValue(t *rapid.T, ty cty.Type) cty.Value {
	switch rapid.IntRange(0, 9).Draw(t, "state") {
	case 0:
		return cty.NullVal(ty)
	case 1:
		return someUnknown(t, ty)
	}
	parts := func() (all []cty.Value) {
		for range rapid.IntRange(0, 3).Draw(t, "length") {
			all = append(all, someValue(t, ty.ElementType()))
		}
		return all
	}
	switch {
	case ty == cty.String:
		return cty.StringVal(someText(t))
	case ty == cty.Number:
		return cty.NumberVal(someNumber(t))
	case ty == cty.Bool:
		return cty.BoolVal(rapid.Bool().Draw(t, "bool"))
	case ty.IsTupleType():
		var all []cty.Value
		for _, of := range ty.TupleElementTypes() {
			all = append(all, someValue(t, of))
		}
		return cty.TupleVal(all)
	case ty.IsObjectType():
		return cty.ObjectVal(map[string]cty.Value{"$a": someValue(t, ty.AttributeType("$a")), "b": someValue(t, ty.AttributeType("b"))})
	case ty.IsMapType():
		entries := map[string]cty.Value{}
		for _, v := range parts() {
			entries[someText(t)] = v
		}
		if len(entries) == 0 {
			return cty.MapValEmpty(ty.ElementType())
		}
		return cty.MapVal(entries)
	}
	all := parts()
	switch {
	case ty.IsSetType() && len(all) == 0:
		return cty.SetValEmpty(ty.ElementType())
	case ty.IsSetType():
		return cty.SetVal(all)
	case len(all) == 0:
		return cty.ListValEmpty(ty.ElementType())
	}
	return cty.ListVal(all)
}

func someUnknown(t *rapid.T, ty cty.Type) cty.Value {
	b := cty.UnknownVal(ty).Refine()
	if ty != cty.Number || rapid.Bool().Draw(t, "not null") { // a refinement that says nothing equals none but itself
		b = b.NotNull()
	}
	switch {
	case ty == cty.String:
		b = b.StringPrefixFull(someText(t))
	case ty == cty.Number:
		low := someNumber(t) // and always with a maximum: cty holds no value with one bound equal to itself
		high := new(big.Float).SetPrec(512).Add(low, new(big.Float).Abs(low))
		high.Add(high, big.NewFloat(0.5))
		b = b.NumberRangeLowerBound(cty.NumberVal(low), rapid.Bool().Draw(t, "inclusive"))
		b = b.NumberRangeUpperBound(cty.NumberVal(high), rapid.Bool().Draw(t, "inclusive"))
	case ty.IsCollectionType():
		b = b.CollectionLengthLowerBound(rapid.IntRange(0, 2).Draw(t, "at least"))
		b = b.CollectionLengthUpperBound(rapid.IntRange(2, 4).Draw(t, "at most"))
	}
	return b.NewValue()
}

func someText(t *rapid.T) string {
	return rapid.SampledFrom([]string{"", "a", "$unknown", "$bytes:", "ü", "\xff", "\x00<&>\u2028", "$"}).Draw(t, "text")
}

// someNumber returns a number of as many bits as decimals and as floats have.
func someNumber(t *rapid.T) *big.Float {
	if rapid.Bool().Draw(t, "float") {
		f := rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64).Draw(t, "number")
		return big.NewFloat(f)
	}
	text := rapid.StringMatching(`-?[1-9][0-9]{0,160}(\.[0-9]{1,40})?`).Draw(t, "decimal")
	f, _, err := big.ParseFloat(text, 10, 512, big.ToNearestEven)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestNumbers: a number is written as the shortest decimal that is the same one, and
// else in full.
func TestNumbers(t *testing.T) {
	schema := &configschema.Block{Attributes: map[string]*configschema.Attribute{"a": {Type: cty.Number, Optional: true}}}
	large := new(big.Float).SetPrec(1000).SetInt(new(big.Int).Lsh(big.NewInt(1), 600))
	for _, test := range []struct {
		name string
		n    cty.Value
		want string
	}{
		{"a decimal", cty.MustParseNumberVal("0.1"), "0.1"},
		{"a float", cty.NumberFloatVal(0.1), "0.1"},
		{"a float that is an integer", cty.NumberFloatVal(1e23), "99999999999999991611392"},
		{"an integer", cty.NumberIntVal(math.MinInt64), "-9223372036854775808"},
		{"an exponent", cty.MustParseNumberVal("1e3"), "1000"},
		{"more bits than are read", cty.NumberVal(large.Add(large, big.NewFloat(0.25))), new(big.Int).Lsh(big.NewInt(1), 600).String() + ".25"},
	} {
		text, err := document.Codec{}.Encode(schema, cty.ObjectVal(map[string]cty.Value{"a": test.n}))
		if err != nil || string(text) != `{"a":`+test.want+`}` {
			t.Errorf("%s: %s, %v", test.name, text, err)
		}
	}
}

// TestCodecForms: values come in either form, exact, and what is none is told with its
// place.
func TestCodecForms(t *testing.T) {
	schema := new(configschema.Block)
	if err := json.Unmarshal([]byte(block), schema); err != nil {
		t.Fatal(err)
	}
	packed, err := conformance.MessagePack{}.Encode(schema, cty.NullVal(schema.ImpliedType()))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ text, want string }{
		{string(packed), ""},
		{"null", ""},
		{`{"$unknown": true}`, ""},
		{complete(`{"id": "a", "count": "0.10"}`), ""},
		{`"` + base64.StdEncoding.EncodeToString([]byte{0xc1}) + `"`, "there is no code 0xc1"},
		{`"?"`, "not the base64 of MessagePack"},
		{"12", "the value: must be an object, not a number"},
		{"{}", ".any: is missing"},
		{complete(`{"id": 12}`), ".id: must be a string, not a number"},
		{complete(`{"count": true}`), ".count: must be a number, not a bool"},
		{complete(`{"names": {}}`), ".names: must be a set of string, not an object or a map"},
		{complete(`{"more": 1}`), ".more: no such attribute or block"},
		{`{"id": 1, "id": 2}`, "a name twice in one object"},
		{complete(`{"id": {"$sensitive": "a"}}`), "there is no $sensitive here"},
	} {
		_, err := document.Codec{}.Decode(schema, json.RawMessage(test.text))
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.text, err, test.want)
		}
	}
	number := &configschema.Block{Attributes: map[string]*configschema.Attribute{"a": {Type: cty.Number, Optional: true}}}
	huge, err := conformance.MessagePack{}.Encode(number, cty.ObjectVal(map[string]cty.Value{"a": cty.MustParseNumberVal("1e2000")}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (document.Codec{}).Decode(number, huge); err == nil || !strings.Contains(err.Error(), "a number beyond 2^4096") {
		t.Errorf("of a number that is too large: %v", err)
	}
	marked := cty.NullVal(schema.ImpliedType()).Mark("secret")
	if text, err := (document.Codec{}).Encode(schema, marked); err == nil {
		t.Errorf("%s of what is marked", text)
	}
}
