package document

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/objchange/objchange/cmd/objchange/internal/files"
	"github.com/objchange/objchange/configschema"
	"github.com/zclconf/go-cty/cty"
)

// MaxConfig is how large a configuration may be, and the schema of its type as well:
// together they are a document.
const MaxConfig = MaxSize/2 - 1<<20

// ReadConfig makes a configuration of a file that has nothing else in it, as
// documents have values. Nothing in it can be marked.
func ReadConfig(file string, data []byte, schema *configschema.Block) (cty.Value, error) {
	text, err := json.Marshal(schema)
	if err != nil {
		return cty.NilVal, err
	}
	if len(text) > MaxConfig {
		return cty.NilVal, files.TooLarge("the provider's schema of the type", MaxConfig)
	}
	// In front of the schema, so that lines are those of the file.
	whole := io.MultiReader(strings.NewReader(`{"config":`), bytes.NewReader(data),
		strings.NewReader(`,"schema":`), bytes.NewReader(text), strings.NewReader("}"))
	r := Reader{root: "/config"}
	for d, err := range r.Read(file, whole) {
		if err != nil {
			return cty.NilVal, err
		}
		if d.Lifecycle.Config.ContainsMarked() {
			return cty.NilVal, fmt.Errorf("%s: $sensitive cannot hide what the provider makes of a value: only what its schema says is sensitive is hidden", file)
		}
		return d.Lifecycle.Config, nil
	}
	return cty.NilVal, fmt.Errorf("%s: there is no configuration in it", file)
}
