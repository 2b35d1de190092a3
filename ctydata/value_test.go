package ctydata_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	"pgregory.net/rapid"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/internal/spectest/generate"
	. "github.com/objchange/objchange/internal/testcty"
)

type data = map[string]any

func attrOf(ty cty.Type) *configschema.Attribute {
	return &configschema.Attribute{Type: ty, Optional: true}
}

// ofType returns a schema with the attribute a of the type.
func ofType(ty cty.Type) *configschema.Block {
	return &configschema.Block{Attributes: Attrs{"a": attrOf(ty)}}
}

func nestedIn(mode configschema.NestingMode) *configschema.Block {
	return &configschema.Block{Attributes: Attrs{"a": {Optional: true, NestedType: &configschema.Object{
		Attributes: Attrs{"x": attrOf(cty.String), "y": attrOf(cty.Number)}, Nesting: mode,
	}}}}
}

func blockIn(mode configschema.NestingMode, ty cty.Type) *configschema.Block {
	return &configschema.Block{BlockTypes: Blocks{"a": {Nesting: mode, Block: configschema.Block{
		Attributes: Attrs{"x": attrOf(ty), "y": attrOf(cty.Number)},
	}}}}
}

// xy returns an object with the attributes of nestedIn and blockIn.
func xy(x cty.Value) cty.Value {
	return cty.ObjectVal(map[string]cty.Value{"x": x, "y": cty.NullVal(cty.Number)})
}

// A secretValuer makes its own value, or returns an error that shows a secret.
type secretValuer struct{ v cty.Value }

func (s secretValuer) CtyValue(ty cty.Type) (cty.Value, error) {
	if s.v == cty.NilVal {
		return cty.NilVal, errors.New("cannot make " + canary + " a " + ty.FriendlyName())
	}
	return s.v, nil
}

type panicker struct{}

func (panicker) CtyValue(cty.Type) (cty.Value, error) { panic(canary) }

var person = cty.Object(map[string]cty.Type{"name": cty.String, "age": cty.Number})

func TestValueOfAttribute(t *testing.T) {
	one := cty.NumberIntVal(1)
	dynamic := cty.DynamicPseudoType
	tests := map[string]struct {
		ty   cty.Type
		data any
		want cty.Value
	}{
		"string":          {cty.String, "x", Str("x")},
		"int":             {cty.Number, 1, one},
		"uint64":          {cty.Number, uint64(math.MaxUint64), cty.NumberUIntVal(math.MaxUint64)},
		"float64":         {cty.Number, 0.1, cty.MustParseNumberVal("0.1")},
		"float32":         {cty.Number, float32(0.1), cty.MustParseNumberVal("0.1")},
		"infinity":        {cty.Number, math.Inf(1), cty.PositiveInfinity},
		"json.Number":     {cty.Number, json.Number("0.1"), cty.MustParseNumberVal("0.1")},
		"8 as a number":   {cty.Number, "1", one},
		"1 as a string":   {cty.String, 1, Str("1")},
		"true":            {cty.Bool, "true", cty.True},
		"nil":             {cty.String, nil, cty.NullVal(cty.String)},
		"nil *big.Float":  {cty.Number, (*big.Float)(nil), cty.NullVal(cty.Number)},
		"list":            {cty.List(cty.Number), []any{1, "1"}, cty.ListVal([]cty.Value{one, one})},
		"empty list":      {cty.List(cty.String), []any{}, cty.ListValEmpty(cty.String)},
		"map":             {cty.Map(cty.Number), data{"k": 1}, cty.MapVal(map[string]cty.Value{"k": one})},
		"empty map":       {cty.Map(cty.Number), data{}, cty.MapValEmpty(cty.Number)},
		"object":          {person, data{"age": 1}, cty.ObjectVal(map[string]cty.Value{"age": one, "name": cty.NullVal(cty.String)})},
		"cty converted":   {cty.Number, Str("1"), one},
		"typed unknown":   {cty.Number, cty.UnknownVal(cty.Number).RefineNotNull(), cty.UnknownVal(cty.Number).RefineNotNull()},
		"marked":          {cty.Number, Str("1").Mark("m"), one.Mark("m")},
		"cty inside":      {cty.List(cty.Number), []any{1, cty.DynamicVal}, cty.ListVal([]cty.Value{one, cty.UnknownVal(cty.Number)})},
		"cty in part":     {person, cty.ObjectVal(map[string]cty.Value{"age": Str("1")}), cty.ObjectVal(map[string]cty.Value{"age": one, "name": cty.NullVal(cty.String)})},
		"cty tuple":       {cty.Set(cty.Number), cty.TupleVal([]cty.Value{one, Str("1")}), cty.SetVal([]cty.Value{one})},
		"valuer":          {cty.Number, secretValuer{Str("1")}, one},
		"dynamic nil":     {dynamic, nil, cty.NullVal(dynamic)},
		"dynamic list":    {dynamic, []any{1, "x", nil}, cty.TupleVal([]cty.Value{one, Str("x"), cty.NullVal(dynamic)})},
		"dynamic map":     {dynamic, data{"k": 1}, cty.ObjectVal(map[string]cty.Value{"k": one})},
		"list of dynamic": {cty.List(dynamic), []any{"x", 1}, cty.ListVal([]cty.Value{Str("x"), Str("1")})},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := ctydata.ValueOf(ofType(test.ty), data{"a": test.data})
			if want := cty.ObjectVal(map[string]cty.Value{"a": test.want}); err != nil || !got.RawEquals(want) {
				t.Errorf("got %#v, %v; want %#v", got, err, want)
			}
		})
	}
}

func TestValueOfNesting(t *testing.T) {
	dynamic := cty.DynamicPseudoType
	object := cty.Object(map[string]cty.Type{"x": cty.String, "y": cty.Number})
	x := data{"x": "x"}
	tests := map[string]struct {
		schema *configschema.Block
		data   any // the value of a in the data, or missing
		want   cty.Value
	}{
		"single attribute":         {nestedIn(configschema.NestingSingle), x, xy(Str("x"))},
		"list attribute":           {nestedIn(configschema.NestingList), []any{x, nil}, cty.ListVal([]cty.Value{xy(Str("x")), cty.NullVal(object)})},
		"set attribute":            {nestedIn(configschema.NestingSet), []any{x, x}, cty.SetVal([]cty.Value{xy(Str("x"))})},
		"missing attribute":        {nestedIn(configschema.NestingList), missing, cty.NullVal(cty.List(object))},
		"attribute of values":      {nestedIn(configschema.NestingList), []any{cty.ObjectVal(map[string]cty.Value{"x": Str("x")})}, cty.ListVal([]cty.Value{xy(Str("x"))})},
		"single block":             {blockIn(configschema.NestingSingle, cty.String), x, xy(Str("x"))},
		"group block":              {blockIn(configschema.NestingGroup, cty.String), x, xy(Str("x"))},
		"no group block":           {blockIn(configschema.NestingGroup, cty.String), missing, xy(cty.NullVal(cty.String))},
		"list blocks":              {blockIn(configschema.NestingList, cty.String), []any{x}, cty.ListVal([]cty.Value{xy(Str("x"))})},
		"no list blocks":           {blockIn(configschema.NestingList, cty.String), nil, cty.ListValEmpty(object)},
		"null blocks":              {blockIn(configschema.NestingList, cty.String), cty.NullVal(dynamic), cty.NullVal(cty.List(object))},
		"unknown blocks":           {blockIn(configschema.NestingSet, cty.String), cty.DynamicVal, cty.UnknownVal(cty.Set(object))},
		"unknown block":            {blockIn(configschema.NestingList, cty.String), []any{cty.DynamicVal}, cty.ListVal([]cty.Value{cty.UnknownVal(object)})},
		"dynamic list blocks":      {blockIn(configschema.NestingList, dynamic), []any{x, data{"x": true}}, cty.TupleVal([]cty.Value{xy(Str("x")), xy(cty.True)})},
		"no dynamic list blocks":   {blockIn(configschema.NestingList, dynamic), missing, cty.EmptyTupleVal},
		"dynamic blocks of values": {blockIn(configschema.NestingList, dynamic), cty.TupleVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{"x": cty.True})}), cty.TupleVal([]cty.Value{xy(cty.True)})},
		"no dynamic map blocks":    {blockIn(configschema.NestingMap, dynamic), missing, cty.EmptyObjectVal},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			all := data{"a": test.data}
			if test.data == missing {
				all = data{}
			}
			got, err := ctydata.ValueOf(test.schema, all)
			if want := cty.ObjectVal(map[string]cty.Value{"a": test.want}); err != nil || !got.RawEquals(want) {
				t.Errorf("got %#v, %v; want %#v", got, err, want)
			}
		})
	}
}

// missing means that the data does not have the attribute.
var missing any = "nothing at all"

func TestValueOfRoot(t *testing.T) {
	schema := ofType(cty.String)
	ty := schema.ImpliedType()
	whole := cty.ObjectVal(map[string]cty.Value{"a": Str("x")})
	for name, test := range map[string]struct {
		data any
		want cty.Value
	}{
		"nil":     {nil, cty.NullVal(ty)},
		"unknown": {cty.DynamicVal, cty.UnknownVal(ty)},
		"null":    {cty.NullVal(ty), cty.NullVal(ty)},
		"value":   {whole, whole},
		"marked":  {whole.Mark("m"), whole.Mark("m")},
		"empty":   {data{}, schema.EmptyValue()},
		"valuer":  {secretValuer{whole}, whole},
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := ctydata.ValueOf(schema, test.data); err != nil || !got.RawEquals(test.want) {
				t.Errorf("got %#v, %v; want %#v", got, err, test.want)
			}
		})
	}
}

// TestValuesOfTheTypeDoNotChange checks that a cty.Value of the implied type does not change, and that
// decoding the JSON of a value returns the value.
func TestValuesOfTheTypeDoNotChange(t *testing.T) {
	worlds := rapid.Custom(func(t *rapid.T) generate.Resource {
		d := generate.Decider(func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "roll") })
		return d.Correct(d.AnySchema())
	})
	rapid.Check(t, func(t *rapid.T) {
		r := worlds.Draw(t, "world")
		for _, v := range []cty.Value{r.Prior, r.Config, r.Planned} {
			got, err := ctydata.ValueOf(r.Schema, v)
			if err != nil {
				t.Fatalf("%#v: %v", v, err)
			}
			if !got.RawEquals(v) {
				t.Fatalf("value of a value: got %#v, want %#v", got, v)
			}
			if v = cty.UnknownAsNull(v); v.Type().HasDynamicTypes() {
				continue
			}
			text, err := ctyjson.Marshal(v, v.Type())
			if err != nil {
				t.Fatal(err)
			}
			if got, err = (ctydata.Format{}).ValueOfType(v.Type(), plainJSON(text)); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			if !got.RawEquals(v) {
				t.Fatalf("value of JSON: got %#v, want %#v", got, v)
			}
		}
	})
}

// plainJSON decodes JSON as a Go program does.
func plainJSON(text []byte) (plain any) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&plain); err != nil {
		panic(err)
	}
	return plain
}

// TestValueOfJSON checks values and errors for JSON documents.
func TestValueOfJSON(t *testing.T) {
	schema := blockIn(configschema.NestingList, cty.String)
	got, err := ctydata.ValueOfJSON(schema, []byte(`{"a": [{"x": "x", "y": 0.1}]}`))
	want := cty.ObjectVal(map[string]cty.Value{"a": cty.ListVal([]cty.Value{
		cty.ObjectVal(map[string]cty.Value{"x": Str("x"), "y": cty.MustParseNumberVal("0.1")}),
	})})
	if err != nil || !got.RawEquals(want) {
		t.Errorf("got %#v, %v", got, err)
	}
	for text, want := range map[string]string{
		`{"a": [{"xx": 1}]}`: ".a[0].xx: no such attribute or block; did you mean \"x\"?",
		`{"a": `:             "invalid JSON: the document ends too early",
		`{} {}`:              "invalid JSON: more data after the document, which ends at byte 2",
	} {
		if _, err := ctydata.ValueOfJSON(schema, []byte(text)); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestNumbersBeyondTheLimitsAreErrors checks that a number that is too large or too small is an error, and is
// not rounded to infinity or zero.
func TestNumbersBeyondTheLimitsAreErrors(t *testing.T) {
	for text, want := range map[string]string{
		`1e999999999`:             "a number beyond 2^4096",
		`-1e999999999`:            "a number beyond 2^4096",
		`1e-999999999`:            "a number beyond 2^4096",
		`1e2147483648`:            "a number beyond 2^4096",
		`"1e999999999"`:           "a number beyond 2^4096",
		`"Inf"`:                   "must be a number, or a string that contains a number",
		strings.Repeat("9", 8193): "a number of more than 8192 digits",
		`0e99`:                    "",
		`-0.0e-5`:                 "",
	} {
		_, err := ctydata.ValueOfJSON(ofType(cty.Number), []byte(`{"a": `+text+`}`))
		if want == "" && err != nil || want != "" && (err == nil || err.Error() != ".a: "+want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	if _, err := ctydata.ValueOfJSON(ofType(cty.String), []byte(`{"a": 1e999999999}`)); err == nil {
		t.Error("infinity is written as a string")
	}
}

// TestFormatOpensOnce checks that Open is called once for each piece of data, and that it may
// return a TypedData, also for blocks.
func TestFormatOpensOnce(t *testing.T) {
	type raw struct{ data any }
	opens := map[string]int{}
	format := ctydata.Format{Open: func(_ cty.Type, data any) (any, error) {
		opened, ok := data.(raw)
		switch data.(type) {
		case cty.Value, nil: // a part of a value, or missing data
			return data, nil
		}
		if !ok {
			return nil, fmt.Errorf("%v is unwrapped twice", data)
		}
		opens[fmt.Sprint(opened.data)]++
		return opened.data, nil
	}}
	for _, mode := range BlockModes {
		var blocks any = []any{raw{data{"x": raw{"x"}, "y": raw{1}}}}
		switch mode {
		case configschema.NestingMap:
			blocks = data{"k": raw{data{"x": raw{"x"}, "y": raw{1}}}}
		case configschema.NestingSingle, configschema.NestingGroup:
			blocks = data{"x": raw{"x"}, "y": raw{1}}
		}
		for _, schema := range []*configschema.Block{blockIn(mode, cty.String), nestedIn(mode)} {
			if _, err := format.ValueOf(schema, raw{data{"a": raw{blocks}}}); err != nil {
				t.Errorf("%s: %v", mode, err)
			}
		}
	}
	typed := ctydata.TypedData{
		Type: cty.Tuple([]cty.Type{cty.Object(map[string]cty.Type{"x": cty.Bool, "y": cty.Number})}),
		Data: raw{[]any{raw{data{"x": raw{true}, "y": raw{nil}}}}},
	}
	got, err := format.ValueOf(blockIn(configschema.NestingList, cty.DynamicPseudoType), raw{data{"a": raw{typed}}})
	if err != nil || !got.GetAttr("a").RawEquals(Tuple(xy(cty.True))) {
		t.Errorf("got %#v, %v", got, err)
	}
}

// TestFormatDecidesWhatMayBeMissing checks a format for structs, which decides which attributes may be missing.
func TestFormatDecidesWhatMayBeMissing(t *testing.T) {
	type pair struct{ x, y any }
	opened := ctydata.Format{Open: func(_ cty.Type, data any) (any, error) {
		switch data := data.(type) {
		case pair:
			return map[string]any{"x": data.x, "y": data.y}, nil
		case chan int:
			return ctydata.TypedData{Type: cty.List(cty.Bool), Data: []any{true}}, nil
		case error:
			return nil, data
		}
		return data, nil
	}}
	ty := cty.Object(map[string]cty.Type{"x": cty.DynamicPseudoType, "y": cty.Number})
	got, err := opened.ValueOfType(ty, pair{make(chan int), "1"})
	want := cty.ObjectVal(map[string]cty.Value{"x": cty.ListVal([]cty.Value{cty.True}), "y": cty.NumberIntVal(1)})
	if err != nil || !got.RawEquals(want) {
		t.Errorf("got %#v, %v", got, err)
	}
	strict, wire := opened, opened
	strict.Strict, wire.Wire = true, true
	for name, test := range map[string]struct {
		format ctydata.Format
		data   any
		want   string
	}{
		"its error":        {opened, pair{errors.New("no"), true}, ".x: no\n.y: must be a number, not a bool"},
		"the first":        {wire, pair{errors.New("no"), true}, ".x: no"},
		"missing":          {strict, data{"x": nil}, ".y: is missing"},
		"no conversion":    {strict, pair{"x", true}, ".y: must be a number, not a bool"},
		"a surplus name":   {opened, data{"xx": 1}, `.xx: no such attribute or block; did you mean "x"?`},
		"a hidden surplus": {wire, data{"z": 1}, "the value: has a name that is not an attribute or block"},
		"no type":          {opened, pair{ctydata.TypedData{}, 1}, ".x: the type of the data is invalid"},
		"dynamic itself": {
			opened, pair{ctydata.TypedData{Type: cty.DynamicPseudoType, Data: 1}, 1},
			".x: the type of a dynamic value must not be dynamic",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := test.format.ValueOfType(ty, test.data); err == nil || err.Error() != test.want {
				t.Errorf("%v, want %s", err, test.want)
			}
		})
	}
	if _, err := opened.ValueOfType(cty.NilType, nil); fmt.Sprint(err) != "the type has a part that is the zero cty.Type" {
		t.Errorf("zero type: %v", err)
	}
	schema := &configschema.Block{Attributes: Attrs{"a": Attr(cty.Bool, "optional sensitive"), "b": attrOf(ty)}}
	_, err = ctydata.Format{Wire: true}.ValueOf(schema, data{"a": true, "b": data{canary: true}})
	if err == nil || strings.Contains(err.Error(), canary) {
		t.Errorf("the name after a sensitive attribute is not hidden: %v", err)
	}
}
