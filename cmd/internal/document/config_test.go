package document_test

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/cmd/internal/document"
	"github.com/objchange/objchange/configschema"
)

// TestReadConfig checks that a file with a configuration must contain one value without $sensitive.
func TestReadConfig(t *testing.T) {
	schema := &configschema.Block{Attributes: map[string]*configschema.Attribute{"id": {Type: cty.String, Optional: true}}}
	for text, want := range map[string]string{
		`{"id": "a"}`:                 "",
		"":                            "c.json:1: the JSON ends too early",
		"{} {}":                       "c.json: the file contains more than one configuration",
		"{} }":                        "c.json:1: not JSON: invalid character '}' at start of value",
		"\n" + `{"idd": "a"}`:         `c.json:2: .idd: no such attribute or block; did you mean "id"?`,
		`{"id": {"$sensitive": "a"}}`: "c.json: $sensitive is not supported here, because the provider may derive other values from it: only values that the schema marks as sensitive are hidden",
	} {
		_, err := document.ReadConfig("c.json", []byte(text), schema)
		if got := err; got == nil && want != "" || got != nil && got.Error() != want {
			t.Errorf("%q: %v, want %s", text, got, want)
		}
	}
}
