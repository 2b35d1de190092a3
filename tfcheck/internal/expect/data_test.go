package expect_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck/internal/expect"
)

type (
	schemaAttrs  = map[string]*configschema.Attribute
	schemaBlocks = map[string]*configschema.NestedBlock
	data         = map[string]any
)

func attrOf(ty cty.Type) *configschema.Attribute {
	return &configschema.Attribute{Type: ty, Optional: true}
}

// ofType returns a schema with one attribute, a.
func ofType(ty cty.Type) *configschema.Block {
	return &configschema.Block{Attributes: schemaAttrs{"a": attrOf(ty)}}
}

func str(s string) cty.Value { return cty.StringVal(s) }

func tfString(s string) tftypes.Value { return tftypes.NewValue(tftypes.String, s) }

func tfList(elems ...tftypes.Value) tftypes.Value {
	return tftypes.NewValue(tftypes.List{ElementType: elems[0].Type()}, elems)
}

var person = cty.Object(map[string]cty.Type{"age": cty.Number, "name": cty.String})

// A frameworkValue implements a value of terraform-plugin-framework.
type frameworkValue struct{ v tftypes.Value }

func (f frameworkValue) ToTerraformValue(context.Context) (tftypes.Value, error) {
	if f.v.Type() == nil {
		return tftypes.Value{}, errors.New("cannot make " + canary)
	}
	return f.v, nil
}

type (
	secret []byte
	level  uint8
)

func TestValueOfAttribute(t *testing.T) {
	one := cty.NumberIntVal(1)
	dynamic := cty.DynamicPseudoType
	var nilPointer *int
	tests := map[string]struct {
		ty   cty.Type
		data any
		want cty.Value
	}{
		"named string": {cty.String, time.Month(1).String(), str("January")},
		"big.Int":      {cty.Number, big.NewInt(1), one},
		"float32":      {cty.Number, float32(0.1), cty.MustParseNumberVal("0.1")},
		"float64":      {cty.Number, 0.1, cty.MustParseNumberVal("0.1")},
		"uint8":        {cty.Number, level(1), one},
		"duration":     {cty.Number, time.Duration(1), one},
		"text":         {cty.String, time.Unix(0, 0).UTC(), str("1970-01-01T00:00:00Z")},
		"bytes":        {cty.String, []byte("x"), str("eA==")},
		"named bytes":  {dynamic, secret("x"), str("eA==")},
		"text bytes":   {dynamic, net.IPv4(127, 0, 0, 1), str("127.0.0.1")},
		"uint8 kind":   {cty.List(cty.Number), []level{1}, cty.ListVal([]cty.Value{one})},
		"raw JSON":     {cty.List(cty.Number), json.RawMessage("[1]"), cty.ListVal([]cty.Value{one})},
		"nil pointer":  {cty.Number, nilPointer, cty.NullVal(cty.Number)},
		"nil slice":    {cty.List(cty.String), []string(nil), cty.NullVal(cty.List(cty.String))},
		"pointer":      {cty.Number, new(int), cty.Zero},
		"list":         {cty.List(cty.Number), []int{1, 1}, cty.ListVal([]cty.Value{one, one})},
		"array":        {cty.List(cty.Number), [1]int{1}, cty.ListVal([]cty.Value{one})},
		"set":          {cty.Set(cty.Number), []int{1, 1}, cty.SetVal([]cty.Value{one})},
		"int keys":     {cty.Map(cty.Number), map[int]int{7: 1}, cty.MapVal(map[string]cty.Value{"7": one})},
		"text keys":    {cty.Map(cty.Number), map[time.Time]int{time.Unix(0, 0).UTC(): 1}, cty.MapVal(map[string]cty.Value{"1970-01-01T00:00:00Z": one})},
		"tftypes":      {cty.Number, tfString("1"), one},
		"tftypes list": {cty.Set(cty.String), tfList(tfString("x")), cty.SetVal([]cty.Value{str("x")})},
		"tf unknown":   {cty.Number, tftypes.NewValue(tftypes.Number, tftypes.UnknownValue), cty.UnknownVal(cty.Number)},
		"framework":    {cty.Number, frameworkValue{tftypes.NewValue(tftypes.Number, 1)}, one},
		"struct": {person, struct {
			Name string `json:"name"`
			Age  *int   `json:"age,omitempty"`
			No   int    `json:"-"`
			no   int
		}{Name: "x"}, cty.ObjectVal(map[string]cty.Value{"name": str("x"), "age": cty.NullVal(cty.Number)})},
		"dynamic struct":  {dynamic, struct{ A []int }{[]int{1}}, cty.ObjectVal(map[string]cty.Value{"A": cty.TupleVal([]cty.Value{one})})},
		"dynamic tftypes": {dynamic, tfList(tfString("x")), cty.ListVal([]cty.Value{str("x")})},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := expect.ValueOf(ofType(test.ty), data{"a": test.data})
			if want := cty.ObjectVal(map[string]cty.Value{"a": test.want}); err != nil || !got.RawEquals(want) {
				t.Errorf("got %#v, %v; want %#v", got, err, want)
			}
		})
	}
}

// TestValueOfNullBlocksAndEmptyStructs checks that null blocks of tftypes become null, and that a
// struct without fields becomes an empty object.
func TestValueOfNullBlocksAndEmptyStructs(t *testing.T) {
	rules := &configschema.Block{BlockTypes: schemaBlocks{"a": {Nesting: configschema.NestingList, Block: *ofType(cty.String)}}}
	null, err := expect.ValueOf(rules, data{"a": tftypes.NewValue(tftypes.DynamicPseudoType, nil)})
	if err != nil || !null.GetAttr("a").IsNull() {
		t.Errorf("%#v, %v", null, err)
	}
	some, err := expect.ValueOf(rules, data{"a": []data{{"a": "x"}}})
	if err != nil || some.GetAttr("a").LengthInt() != 1 {
		t.Errorf("%#v, %v", some, err)
	}
	for name, empty := range map[string]any{
		"struct":  struct{}{},
		"tftypes": tftypes.NewValue(tftypes.Object{AttributeTypes: map[string]tftypes.Type{}}, map[string]tftypes.Value{}),
	} {
		if got, err := expect.ValueOf(rules, empty); err != nil || !got.RawEquals(rules.EmptyValue()) {
			t.Errorf("%s: %#v, %v", name, got, err)
		}
	}
}

// TestValueOfConvertsModels checks that ValueOf converts the model of a resource to a configuration.
func TestValueOfConvertsModels(t *testing.T) {
	type common struct {
		Name frameworkValue `tfsdk:"name"`
	}
	type rule struct {
		Port int64 `tfsdk:"port"`
	}
	model := struct {
		common
		Size  *int64 `tfsdk:"size"`
		Rules []rule `tfsdk:"rule"`
		Cache string `tfsdk:"-"`
		more  int
	}{common: common{frameworkValue{tfString("web")}}, Rules: []rule{{80}}, Cache: "x"}
	number := &configschema.Attribute{Type: cty.Number, Optional: true}
	thing := &configschema.Block{
		Attributes: schemaAttrs{"name": attrOf(cty.String), "size": number},
		BlockTypes: schemaBlocks{"rule": {Nesting: configschema.NestingList, Block: configschema.Block{Attributes: schemaAttrs{"port": number}}}},
	}
	want := must(expect.ValueOf(thing, obj{"name": "web", "rule": []any{obj{"port": 80}}}))
	if got, err := expect.ValueOf(thing, &model); err != nil || !got.RawEquals(want) {
		t.Errorf("got %#v, %v; want %#v", got, err, want)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

type obj = map[string]any

// is implements a check of package knownvalue.
type is struct{ text string }

func (c is) String() string { return c.text }
func (c is) CheckValue(value any) error {
	if got := fmt.Sprint(value); got != c.text {
		return fmt.Errorf("is %s, not %s", got, c.text)
	}
	return nil
}
