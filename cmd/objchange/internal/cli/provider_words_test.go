package cli

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
)

// TestSecrets: what is sensitive is hidden wherever it is, and nothing else.
func TestSecrets(t *testing.T) {
	schema := &objchange.Block{
		Attributes: map[string]*objchange.Attribute{
			"name":   {Type: cty.String, Required: true},
			"once":   {Type: cty.String, Optional: true, WriteOnly: true},
			"short":  {Type: cty.String, Optional: true, Sensitive: true},
			"tokens": {Type: cty.Map(cty.String), Optional: true, Sensitive: true},
		},
		BlockTypes: map[string]*objchange.NestedBlock{"user": {Nesting: objchange.NestingSet, Block: objchange.Block{
			Attributes: map[string]*objchange.Attribute{"password": {Type: cty.String, Optional: true, Sensitive: true}},
		}}},
	}
	s := secrets{}
	s.add(schema, cty.NilVal, cty.NullVal(schema.ImpliedType()), cty.ObjectVal(map[string]cty.Value{
		"name":   cty.StringVal("visible"),
		"once":   cty.StringVal("two\nlines"),
		"short":  cty.StringVal("abc"),
		"tokens": cty.MapVal(map[string]cty.Value{"main key": cty.StringVal("hush"), "other": cty.StringVal("hush hush")}),
		"user": cty.SetVal([]cty.Value{
			cty.ObjectVal(map[string]cty.Value{"password": cty.StringVal("pass word")}),
			cty.ObjectVal(map[string]cty.Value{"password": cty.NullVal(cty.String)}),
		}),
	}))
	for text, want := range map[string]string{
		"visible abc":                 "visible abc",
		"hush hush, hush":             "(sensitive), (sensitive)",
		"of main key":                 "of (sensitive)",
		"two\nlines, \"two\\nlines\"": "(sensitive), \"(sensitive)\"",
		"<pass word>":                 "<(sensitive)>",
	} {
		if got := s.said(text); got != want {
			t.Errorf("%q is told as %q, want %q", text, got, want)
		}
	}
}
