package explore

import (
	"io"

	"github.com/objchange/objchange/tfcheck/explore/internal/hints"
)

// Hints contain facts about a provider that are not in its schema and messages. ReadHints reads
// them. Nil Hints are empty. The method Env returns the environment variables for the provider.
type Hints = hints.Hints

// HintsSchema is the JSON Schema of hints files.
var HintsSchema = hints.Schema

// ReadHints reads a hints file in YAML. [HintsSchema] describes the format. The error lists the
// problems, each with the name and line: unknown keys, values of the wrong type, and missing
// reasons. The error contains no values. ReadHints does not know the provider. Explore returns an
// error for types and attributes that the provider does not have.
func ReadHints(name string, r io.Reader) (*Hints, error) { return hints.Read(name, r) }
