package expect_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck/internal/expect"
)

// TestExpectInDynamicPlaces checks that expected data for a dynamic type is converted to the type
// of the actual value if possible, and that the rest of the value is not changed.
func TestExpectInDynamicPlaces(t *testing.T) {
	text, number := cty.StringVal, cty.NumberIntVal
	list := cty.ListVal([]cty.Value{text("x"), text("y")})
	mixed := cty.ObjectVal(parts{
		"l": list, "m": cty.MapVal(parts{"k": number(1)}), "s": cty.SetVal([]cty.Value{text("x")}),
		"null": cty.NullVal(cty.Bool), "any": cty.NullVal(cty.DynamicPseudoType),
	})
	for name, test := range map[string]struct {
		value cty.Value
		path  string
		want  any
		told  string
	}{
		"list":             {list, "a[0]", "x", ""},
		"list, as a whole": {list, "a", []string{"x", "y"}, ""},
		"list, otherwise":  {list, "a[1]", "z", `~ .a[1]: "y" -> "z"`},
		"tuple":            {cty.TupleVal([]cty.Value{text("x"), number(1)}), "a[1]", 1, ""},
		"map":              {cty.MapVal(parts{"k": number(1)}), "a.k", 1, ""},
		"map, as a whole":  {cty.MapVal(parts{"k": number(1)}), "a", obj{"k": 1}, ""},
		"map, otherwise":   {cty.MapVal(parts{"k": number(1)}), "a.k", 2, `~ .a["k"]: 1 -> 2`},
		"list of objects":  {cty.ListVal([]cty.Value{cty.ObjectVal(parts{"k": list})}), "a[0].k[1]", "y", ""},
		"list inside":      {mixed, "a.l[0]", "x", ""},
		"map inside":       {mixed, "a.m.k", 1, ""},
		"set inside":       {mixed, "a.s", []any{"x"}, ""},
		"null inside":      {mixed, "a.null", nil, ""},
		"any null inside":  {mixed, "a.any", nil, ""},
		"not null inside":  {mixed, "a.null", true, "+ .a.null = true"},
		"null":             {cty.NullVal(cty.String), "a", nil, ""},
		"null number":      {cty.NullVal(cty.Number), "a", cty.NullVal(cty.DynamicPseudoType), ""},
		"unknown":          {cty.UnknownVal(cty.String), "a", cty.DynamicVal, ""},
		"any unknown":      {cty.DynamicVal, "a", cty.DynamicVal, ""},
		"below nothing":    {cty.NullVal(cty.String), "a.x", 1, `.a is null and has no "x"`},
		"below unknown":    {cty.DynamicVal, "a.x", 1, `.a is unknown and has no "x"`},
		"check":            {list, "a[0]", is{"x"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			for _, in := range openPlaces {
				told := strings.Join(expect.Unmet(must(objchange.Compile(in.schema)), in.holding(test.value), obj{in.path + test.path: test.want}), "\n")
				want := strings.ReplaceAll(test.told, ".a", "."+in.path+"a")
				if diff := cmp.Diff(want, told); diff != "" {
					t.Errorf("told of %sa (-want +got):\n%s", in.path, diff)
				}
			}
		})
	}
}

// TestExpectAnotherTypeInside checks that expected data that cannot be converted to the type of
// the actual value keeps its own type.
func TestExpectAnotherTypeInside(t *testing.T) {
	list := beside(cty.ListVal([]cty.Value{cty.StringVal("x"), cty.StringVal("y")}))
	schema := must(objchange.Compile(open))
	told := append(expect.Unmet(schema, list, obj{"a": "x"}), expect.Unmet(schema, list, obj{"a[0]": obj{"k": 1}})...)
	want := []string{`~ .a: ["x", "y"] -> "x"`, `~ .a: at [0], "x" -> {k = 1}`}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
}

// openPlaces lists paths of an attribute a with a dynamic type.
var openPlaces = []struct {
	path    string
	schema  *configschema.Block
	holding func(a cty.Value) cty.Value
}{
	{"", open, beside},
	{"n[0].", &configschema.Block{Attributes: attributes{"n": {Optional: true, NestedType: &configschema.Object{Nesting: configschema.NestingList, Attributes: open.Attributes}}}},
		func(a cty.Value) cty.Value {
			return cty.ObjectVal(parts{"n": cty.ListVal([]cty.Value{beside(a)})})
		}},
	{"r[0].", &configschema.Block{BlockTypes: map[string]*configschema.NestedBlock{"r": {Nesting: configschema.NestingList, Block: *open}}},
		func(a cty.Value) cty.Value { return cty.ObjectVal(parts{"r": cty.TupleVal([]cty.Value{beside(a)})}) }},
	{"o.", &configschema.Block{Attributes: attributes{"o": {Type: open.ImpliedType(), Optional: true}}},
		func(a cty.Value) cty.Value { return cty.ObjectVal(parts{"o": beside(a)}) }},
}

var open = &configschema.Block{Attributes: attributes{
	"a": {Type: cty.DynamicPseudoType, Optional: true},
	"b": {Type: cty.String, Required: true},
}}

func beside(a cty.Value) cty.Value { return cty.ObjectVal(parts{"a": a, "b": cty.StringVal("b")}) }

type (
	parts      = map[string]cty.Value
	attributes = map[string]*configschema.Attribute
)
