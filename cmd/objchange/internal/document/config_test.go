package document_test

import (
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/cmd/objchange/internal/document"
	"github.com/objchange/objchange/configschema"
)

// A schema that is too large is blamed on the schema, and not on the configuration.
func TestConfigOfLargeSchema(t *testing.T) {
	if testing.Short() {
		t.Skip("large")
	}
	schema := &configschema.Block{Attributes: map[string]*configschema.Attribute{
		strings.Repeat("a", document.MaxConfig): {Type: cty.String, Optional: true},
	}}
	_, err := document.ReadConfig("config.json", []byte(`{}`), schema)
	if want := "the provider's schema of the type is larger than 63 MB"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
