package drive

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
)

// TestSecrets checks that sensitive texts are hidden wherever they occur, and that other texts are
// not.
func TestSecrets(t *testing.T) {
	schema := &configschema.Block{
		Attributes: map[string]*configschema.Attribute{
			"name":   {Type: cty.String, Required: true},
			"once":   {Type: cty.String, Optional: true, WriteOnly: true},
			"short":  {Type: cty.String, Optional: true, Sensitive: true},
			"pin":    {Type: cty.Number, Optional: true, Sensitive: true},
			"digits": {Type: cty.List(cty.Number), Optional: true, Sensitive: true},
			"tokens": {Type: cty.Map(cty.String), Optional: true, Sensitive: true},
		},
		BlockTypes: map[string]*configschema.NestedBlock{"user": {Nesting: configschema.NestingSet, Block: configschema.Block{
			Attributes: map[string]*configschema.Attribute{"password": {Type: cty.String, Optional: true, Sensitive: true}},
		}}},
	}
	s := secrets{}
	s.add(schema, cty.NilVal, cty.NullVal(schema.ImpliedType()), cty.ObjectVal(map[string]cty.Value{
		"name":   cty.StringVal("visible"),
		"pin":    cty.NumberIntVal(8675309),
		"digits": cty.ListVal([]cty.Value{cty.NumberIntVal(42), cty.NumberFloatVal(-2.5), cty.NumberIntVal(7)}),
		"once":   cty.StringVal("two\nlines"),
		"short":  cty.StringVal("abc"),
		"tokens": cty.MapVal(map[string]cty.Value{"main key": cty.StringVal("hush"), "other": cty.StringVal("hush hush"), "html": cty.StringVal("<key>"), "umlauts": cty.StringVal("äöüß")}),
		"user": cty.SetVal([]cty.Value{
			cty.ObjectVal(map[string]cty.Value{"password": cty.StringVal("pass word")}),
			cty.ObjectVal(map[string]cty.Value{"password": cty.NullVal(cty.String)}),
		}),
	}))
	for text, want := range map[string]string{
		"visible abc":                  "visible (sensitive)",
		"abcd, xabc, abc.":             "abcd, xabc, (sensitive).",
		"ABC: Abc":                     "(sensitive): (sensitive)",
		"HUSH; hUsh HuSH":              "(sensitive); (sensitive)",
		"pin 8675309, +8675309x":       "pin (sensitive), +(sensitive)x",
		"8.675309e+06":                 "(sensitive)",
		"42 of 420, 7 of -2.5":         "(sensitive) of 420, 7 of (sensitive)",
		"<PASSWORD>":                   "<PASSWORD>",
		`"<key>" is "\u003ckey\u003e"`: `"(sensitive)" is "(sensitive)"`,
		"ﬁ ÄÖÜß äöüß":                  "ﬁ (sensitive) (sensitive)",
		"hush hush, hush":              "(sensitive), (sensitive)",
		"of main key":                  "of (sensitive)",
		"two\nlines, \"two\\nlines\"":  "(sensitive), \"(sensitive)\"",
		"<pass word>":                  "<(sensitive)>",
	} {
		if got := s.redacted(text); got != want {
			t.Errorf("%q is printed as %q, want %q", text, got, want)
		}
	}
}
