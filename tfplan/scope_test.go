package tfplan

import (
	"encoding/json"
	"reflect"
	"testing"
)

func TestTokens(t *testing.T) {
	for text, want := range map[string][]token{
		"var.a": {{"var", nil, "var"}, {"a", nil, "a"}},
		`module.m["a.b]"].t.x[0].l[1]["k"].c`: {
			{"module", nil, "module"}, {"m", []any{"a.b]"}, `m["a.b]"]`}, {"t", nil, "t"}, {"x", []any{json.Number("0")}, "x[0]"},
			{"l", []any{json.Number("1"), "k"}, `l[1]["k"]`}, {"c", nil, "c"},
		},
		"": nil, ".": nil, "a.": nil, ".a": nil, "a..b": nil, "a[": nil, "a[]": nil, "a[x]": nil, "a[-1]": nil, `a["b]`: nil, `a["b"`: nil,
		"a[0]b": nil, "[0]": nil,
	} {
		if got := tokens(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

// TestOneReference checks that an expression counts as a reference if it contains exactly one,
// which is listed with its prefixes.
func TestOneReference(t *testing.T) {
	s := scope{key: "k", variable: func(_ []token, name string) (resolved, bool) {
		return resolved{data: map[string]any{"a": []any{"value", map[string]any{}}}}, name == "v"
	}}
	for text, want := range map[string]any{
		`["var.v.a[0]", "var.v.a", "var.v"]`:           "value",
		`["var.v[\"a\"][0]", "var.v[\"a\"]", "var.v"]`: "value",
		`["each.key"]`:                         "k",
		`["var.v.a[0]", "var.v.a", "var.w"]`:   nil,
		`["var.v.a[0]", "var.v", "var.v"]`:     nil, // two references
		`["var.v.a[0]", "var.v.a", "var.v.a"]`: nil,
		`["var.v.a[2]"]`:                       nil,
		`["var.v.a[\"0\"]"]`:                   nil,
		`["var.v.b"]`:                          nil,
		`["var.v.a[0].c"]`:                     nil,
		`["var.w"]`:                            nil,
		`["each.value"]`:                       nil,
		`["count.index"]`:                      nil,
		`["local.x"]`:                          nil,
		`[5, null]`:                            nil,
	} {
		var references []any
		if err := json.Unmarshal([]byte(text), &references); err != nil {
			t.Fatal(err)
		}
		if got, ok := s.references(references); ok != (want != nil) || ok && got.data != want {
			t.Errorf("%s: %v, %v", text, got.data, ok)
		}
	}
}
