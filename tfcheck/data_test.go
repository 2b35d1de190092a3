package tfcheck_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	"pgregory.net/rapid"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
)

type (
	schemaAttrs  = map[string]*objchange.Attribute
	schemaBlocks = map[string]*objchange.NestedBlock
	data         = map[string]any
)

func attrOf(ty cty.Type) *objchange.Attribute { return &objchange.Attribute{Type: ty, Optional: true} }

// ofType is a schema with one attribute, a.
func ofType(ty cty.Type) *objchange.Block {
	return &objchange.Block{Attributes: schemaAttrs{"a": attrOf(ty)}}
}

func nestedIn(mode objchange.NestingMode) *objchange.Block {
	return &objchange.Block{Attributes: schemaAttrs{"a": {Optional: true, NestedType: &objchange.Object{
		Attributes: schemaAttrs{"x": attrOf(cty.String), "y": attrOf(cty.Number)}, Nesting: mode,
	}}}}
}

func blockIn(mode objchange.NestingMode, ty cty.Type) *objchange.Block {
	return &objchange.Block{BlockTypes: schemaBlocks{"a": {Nesting: mode, Block: objchange.Block{
		Attributes: schemaAttrs{"x": attrOf(ty), "y": attrOf(cty.Number)},
	}}}}
}

// xy is an object as nestedIn and blockIn have it.
func xy(x cty.Value) cty.Value {
	return cty.ObjectVal(map[string]cty.Value{"x": x, "y": cty.NullVal(cty.Number)})
}

func str(s string) cty.Value { return cty.StringVal(s) }

// A secretValuer makes its own value, or fails with a secret.
type secretValuer struct{ v cty.Value }

// A frameworkValue is one of terraform-plugin-framework.
type frameworkValue struct{ v tftypes.Value }

func (f frameworkValue) ToTerraformValue(context.Context) (tftypes.Value, error) {
	if f.v.Type() == nil {
		return tftypes.Value{}, errors.New("cannot make " + canary)
	}
	return f.v, nil
}

func (s secretValuer) CtyValue(ty cty.Type) (cty.Value, error) {
	if s.v == cty.NilVal {
		return cty.NilVal, errors.New("cannot make " + canary + " a " + ty.FriendlyName())
	}
	return s.v, nil
}

type panicking struct{}

func (panicking) CtyValue(cty.Type) (cty.Value, error) { panic(canary) }

func TestValueOfAttribute(t *testing.T) {
	one := cty.NumberIntVal(1)
	dynamic := cty.DynamicPseudoType
	var nilPointer *int
	tests := map[string]struct {
		ty   cty.Type
		data any
		want cty.Value
	}{
		"string":        {cty.String, "x", str("x")},
		"named string":  {cty.String, time.Month(1).String(), str("January")},
		"bool":          {cty.Bool, true, cty.True},
		"int":           {cty.Number, 1, one},
		"int8":          {cty.Number, int8(1), one},
		"uint64":        {cty.Number, uint64(math.MaxUint64), cty.NumberUIntVal(math.MaxUint64)},
		"float64":       {cty.Number, 0.1, cty.MustParseNumberVal("0.1")},
		"float32":       {cty.Number, float32(0.1), cty.MustParseNumberVal("0.1")},
		"infinity":      {cty.Number, math.Inf(1), cty.PositiveInfinity},
		"json.Number":   {cty.Number, json.Number("0.1"), cty.MustParseNumberVal("0.1")},
		"big.Float":     {cty.Number, big.NewFloat(1), one},
		"big.Int":       {cty.Number, big.NewInt(1), one},
		"duration":      {cty.Number, time.Duration(1), one},
		"8 as a number": {cty.Number, "1", one},
		"1 as a string": {cty.String, 1, str("1")},
		"true":          {cty.Bool, "true", cty.True},
		"text":          {cty.String, time.Unix(0, 0).UTC(), str("1970-01-01T00:00:00Z")},
		"bytes":         {cty.String, []byte("x"), str("eA==")},
		"raw JSON":      {cty.List(cty.Number), json.RawMessage("[1]"), cty.ListVal([]cty.Value{one})},
		"nil":           {cty.String, nil, cty.NullVal(cty.String)},
		"nil pointer":   {cty.Number, nilPointer, cty.NullVal(cty.Number)},
		"nil slice":     {cty.List(cty.String), []string(nil), cty.NullVal(cty.List(cty.String))},
		"pointer":       {cty.Number, new(int), cty.Zero},
		"list":          {cty.List(cty.Number), []any{1, "1"}, cty.ListVal([]cty.Value{one, one})},
		"empty list":    {cty.List(cty.String), []string{}, cty.ListValEmpty(cty.String)},
		"array":         {cty.List(cty.Number), [1]int{1}, cty.ListVal([]cty.Value{one})},
		"set":           {cty.Set(cty.Number), []int{1, 1}, cty.SetVal([]cty.Value{one})},
		"empty set":     {cty.Set(cty.Number), []int{}, cty.SetValEmpty(cty.Number)},
		"map":           {cty.Map(cty.Number), map[string]int{"k": 1}, cty.MapVal(map[string]cty.Value{"k": one})},
		"empty map":     {cty.Map(cty.Number), map[string]int{}, cty.MapValEmpty(cty.Number)},
		"int keys":      {cty.Map(cty.Number), map[int]int{7: 1}, cty.MapVal(map[string]cty.Value{"7": one})},
		"text keys":     {cty.Map(cty.Number), map[time.Time]int{time.Unix(0, 0).UTC(): 1}, cty.MapVal(map[string]cty.Value{"1970-01-01T00:00:00Z": one})},
		"tuple":         {cty.Tuple([]cty.Type{cty.Number, cty.String}), []any{1, "x"}, cty.TupleVal([]cty.Value{one, str("x")})},
		"object":        {person, data{"age": 1}, cty.ObjectVal(map[string]cty.Value{"age": one, "name": cty.NullVal(cty.String)})},
		"cty":           {cty.Number, one, one},
		"cty converted": {cty.Number, str("1"), one},
		"unknown":       {cty.Number, cty.DynamicVal, cty.UnknownVal(cty.Number)},
		"typed unknown": {cty.Number, cty.UnknownVal(cty.Number).RefineNotNull(), cty.UnknownVal(cty.Number).RefineNotNull()},
		"cty null":      {cty.Number, cty.NullVal(dynamic), cty.NullVal(cty.Number)},
		"marked":        {cty.Number, str("1").Mark("m"), one.Mark("m")},
		"cty inside":    {cty.List(cty.Number), []any{1, cty.DynamicVal}, cty.ListVal([]cty.Value{one, cty.UnknownVal(cty.Number)})},
		"cty in part":   {person, cty.ObjectVal(map[string]cty.Value{"age": str("1")}), cty.ObjectVal(map[string]cty.Value{"age": one, "name": cty.NullVal(cty.String)})},
		"cty tuple":     {cty.Set(cty.Number), cty.TupleVal([]cty.Value{one, str("1")}), cty.SetVal([]cty.Value{one})},
		"tftypes":       {cty.Number, tfString("1"), one},
		"tftypes list":  {cty.Set(cty.String), tfList(tfString("x")), cty.SetVal([]cty.Value{str("x")})},
		"tf unknown":    {cty.Number, tftypes.NewValue(tftypes.Number, tftypes.UnknownValue), cty.UnknownVal(cty.Number)},
		"valuer":        {cty.Number, secretValuer{str("1")}, one},
		"framework":     {cty.Number, frameworkValue{tftypes.NewValue(tftypes.Number, 1)}, one},
		"struct": {person, struct {
			Name string `json:"name"`
			Age  *int   `json:"age,omitempty"`
			No   int    `json:"-"`
			no   int
		}{Name: "x"}, cty.ObjectVal(map[string]cty.Value{"name": str("x"), "age": cty.NullVal(cty.Number)})},

		"dynamic string":  {dynamic, "x", str("x")},
		"dynamic number":  {dynamic, 1, one},
		"dynamic nil":     {dynamic, nil, cty.NullVal(dynamic)},
		"dynamic list":    {dynamic, []any{1, "x", nil}, cty.TupleVal([]cty.Value{one, str("x"), cty.NullVal(dynamic)})},
		"dynamic map":     {dynamic, map[string]int{"k": 1}, cty.ObjectVal(map[string]cty.Value{"k": one})},
		"dynamic struct":  {dynamic, struct{ A []int }{[]int{1}}, cty.ObjectVal(map[string]cty.Value{"A": cty.TupleVal([]cty.Value{one})})},
		"dynamic tftypes": {dynamic, tfList(tfString("x")), cty.ListVal([]cty.Value{str("x")})},
		"dynamic cty":     {dynamic, []any{cty.ListValEmpty(cty.Bool)}, cty.TupleVal([]cty.Value{cty.ListValEmpty(cty.Bool)})},
		"list of dynamic": {cty.List(dynamic), []any{"x", 1}, cty.ListVal([]cty.Value{str("x"), str("1")})},
		"map of dynamic":  {cty.Map(dynamic), data{"k": "x", "l": 1}, cty.MapVal(map[string]cty.Value{"k": str("x"), "l": str("1")})},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := tfcheck.ValueOf(ofType(test.ty), data{"a": test.data})
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
		schema *objchange.Block
		data   any // of a; of nothing if it is missing
		want   cty.Value
	}{
		"single attribute":         {nestedIn(objchange.NestingSingle), x, xy(str("x"))},
		"list attribute":           {nestedIn(objchange.NestingList), []any{x, nil}, cty.ListVal([]cty.Value{xy(str("x")), cty.NullVal(object)})},
		"set attribute":            {nestedIn(objchange.NestingSet), []any{x, x}, cty.SetVal([]cty.Value{xy(str("x"))})},
		"map attribute":            {nestedIn(objchange.NestingMap), data{"k": x}, cty.MapVal(map[string]cty.Value{"k": xy(str("x"))})},
		"missing attribute":        {nestedIn(objchange.NestingList), missing, cty.NullVal(cty.List(object))},
		"nil attribute":            {nestedIn(objchange.NestingSingle), nil, cty.NullVal(object)},
		"unknown attribute":        {nestedIn(objchange.NestingMap), cty.DynamicVal, cty.UnknownVal(cty.Map(object))},
		"attribute of values":      {nestedIn(objchange.NestingList), []any{cty.ObjectVal(map[string]cty.Value{"x": str("x")})}, cty.ListVal([]cty.Value{xy(str("x"))})},
		"single block":             {blockIn(objchange.NestingSingle, cty.String), x, xy(str("x"))},
		"no single block":          {blockIn(objchange.NestingSingle, cty.String), missing, cty.NullVal(object)},
		"group block":              {blockIn(objchange.NestingGroup, cty.String), x, xy(str("x"))},
		"no group block":           {blockIn(objchange.NestingGroup, cty.String), missing, xy(cty.NullVal(cty.String))},
		"list blocks":              {blockIn(objchange.NestingList, cty.String), []data{x}, cty.ListVal([]cty.Value{xy(str("x"))})},
		"no list blocks":           {blockIn(objchange.NestingList, cty.String), nil, cty.ListValEmpty(object)},
		"set blocks":               {blockIn(objchange.NestingSet, cty.String), []data{x}, cty.SetVal([]cty.Value{xy(str("x"))})},
		"no set blocks":            {blockIn(objchange.NestingSet, cty.String), missing, cty.SetValEmpty(object)},
		"map blocks":               {blockIn(objchange.NestingMap, cty.String), map[string]data{"k": x}, cty.MapVal(map[string]cty.Value{"k": xy(str("x"))})},
		"no map blocks":            {blockIn(objchange.NestingMap, cty.String), missing, cty.MapValEmpty(object)},
		"null blocks":              {blockIn(objchange.NestingList, cty.String), cty.NullVal(dynamic), cty.NullVal(cty.List(object))},
		"tftypes null blocks":      {blockIn(objchange.NestingList, cty.String), tftypes.NewValue(tftypes.DynamicPseudoType, nil), cty.NullVal(cty.List(object))},
		"unknown blocks":           {blockIn(objchange.NestingSet, cty.String), cty.DynamicVal, cty.UnknownVal(cty.Set(object))},
		"unknown block":            {blockIn(objchange.NestingList, cty.String), []any{cty.DynamicVal}, cty.ListVal([]cty.Value{cty.UnknownVal(object)})},
		"dynamic list blocks":      {blockIn(objchange.NestingList, dynamic), []any{x, data{"x": true}}, cty.TupleVal([]cty.Value{xy(str("x")), xy(cty.True)})},
		"no dynamic list blocks":   {blockIn(objchange.NestingList, dynamic), missing, cty.EmptyTupleVal},
		"dynamic blocks of values": {blockIn(objchange.NestingList, dynamic), cty.TupleVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{"x": cty.True})}), cty.TupleVal([]cty.Value{xy(cty.True)})},
		"dynamic map blocks":       {blockIn(objchange.NestingMap, dynamic), data{"k": x}, cty.ObjectVal(map[string]cty.Value{"k": xy(str("x"))})},
		"no dynamic map blocks":    {blockIn(objchange.NestingMap, dynamic), missing, cty.EmptyObjectVal},
		"unknown dynamic blocks":   {blockIn(objchange.NestingMap, dynamic), cty.DynamicVal, cty.DynamicVal},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			all := data{"a": test.data}
			if test.data == missing {
				all = data{}
			}
			got, err := tfcheck.ValueOf(test.schema, all)
			if want := cty.ObjectVal(map[string]cty.Value{"a": test.want}); err != nil || !got.RawEquals(want) {
				t.Errorf("got %#v, %v; want %#v", got, err, want)
			}
		})
	}
}

// missing is where data has nothing at all.
var missing any = "nothing at all"

func TestValueOfRoot(t *testing.T) {
	schema := ofType(cty.String)
	ty := schema.ImpliedType()
	whole := cty.ObjectVal(map[string]cty.Value{"a": str("x")})
	for name, test := range map[string]struct {
		data any
		want cty.Value
	}{
		"nil":     {nil, cty.NullVal(ty)},
		"unknown": {cty.DynamicVal, cty.UnknownVal(ty)},
		"null":    {cty.NullVal(ty), cty.NullVal(ty)},
		"value":   {whole, whole},
		"marked":  {whole.Mark("m"), whole.Mark("m")},
		"tftypes": {tftypes.NewValue(tftypes.Object{AttributeTypes: map[string]tftypes.Type{}}, map[string]tftypes.Value{}), schema.EmptyValue()},
		"empty":   {struct{}{}, schema.EmptyValue()},
		"valuer":  {secretValuer{whole}, whole},
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := tfcheck.ValueOf(schema, test.data); err != nil || !got.RawEquals(test.want) {
				t.Errorf("got %#v, %v; want %#v", got, err, test.want)
			}
		})
	}
}

type embedded struct {
	A string `json:"a"`
	B string
	C string `json:"c"`
}

type named struct{ D string }

// Structs are what encoding/json makes of them.
func TestValueOfStructs(t *testing.T) {
	for name, from := range map[string]any{
		"embedded":    struct{ embedded }{embedded{A: "x", B: "y"}},
		"pointer":     struct{ *embedded }{&embedded{A: "x"}},
		"nil pointer": struct{ *embedded }{},
		"shadowed": struct {
			embedded
			A int `json:"a"`
		}{A: 1},
		"clash": struct {
			embedded
			Other struct {
				A string `json:"a"`
			}
		}{},
		"clashing": struct {
			embedded
			*clashing
		}{embedded{A: "x"}, &clashing{A: "y"}},
		"name of an embedded one": struct {
			named `json:"n"`
		}{named{"x"}},
		"exported": struct{ Named }{Named{"x"}},
		"named": struct {
			Named `json:"n"`
		}{Named{"x"}},
		"omitted": struct {
			Empty []int     `json:"e,omitempty"`
			Zero  time.Time `json:"z,omitzero"`
			Kept  []int
			Quote int `json:",string"`
		}{Kept: []int{}, Quote: 7},
		"keys": map[string]struct{ A *int }{"k": {new(int)}},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := json.Marshal(from)
			if err != nil {
				t.Fatal(err)
			}
			var plain any
			if err := json.Unmarshal(text, &plain); err != nil {
				t.Fatal(err)
			}
			schema := ofType(cty.DynamicPseudoType)
			want, err := tfcheck.ValueOf(schema, data{"a": plain})
			if err != nil {
				t.Fatal(err)
			}
			if got, err := tfcheck.ValueOf(schema, data{"a": from}); err != nil || !got.RawEquals(want) {
				t.Errorf("got %#v, %v; want %#v, as of %s", got, err, want, text)
			}
		})
	}
}

type clashing struct {
	A string `json:"a"`
}

type Named struct{ D string }

// A value of the type is what it is, and so is the data that encoding it in
// JSON gives.
func TestValueOfValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ty := drawType(t, 3, false)
		schema := ofType(ty)
		v := cty.ObjectVal(map[string]cty.Value{"a": drawValue(t, ty, true)})
		if got, err := tfcheck.ValueOf(schema, v); err != nil || !got.RawEquals(v) {
			t.Fatalf("%#v became %#v, %v", v, got, err)
		}
		v = cty.UnknownAsNull(v)
		text, err := ctyjson.Marshal(v, v.Type())
		if err != nil {
			t.Fatal(err)
		}
		decoder := json.NewDecoder(strings.NewReader(string(text)))
		decoder.UseNumber()
		var plain any
		if err := decoder.Decode(&plain); err != nil {
			t.Fatal(err)
		}
		if got, err := tfcheck.ValueOf(schema, plain); err != nil || !got.RawEquals(v) {
			t.Fatalf("%s became %#v, %v; want %#v", text, got, err, v)
		}
	})
}
