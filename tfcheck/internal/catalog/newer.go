package catalog

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck/internal/wire"
	"github.com/objchange/objchange/tfconv"
)

// A NewerError says that a schema has a field that this package does not know, because the
// protocol of the provider is newer. Values of the type cannot be checked.
type NewerError struct{ TypeName, Field string }

// Error names the type and the field.
func (e *NewerError) Error() string {
	return fmt.Sprintf("the schema of %q has %s, which this version of objchange does not know", e.TypeName, e.Field)
}

// schema converts the schema with the name. newer is what the response had beyond tfprotov6.
func schema(name string, from *tfprotov6.Schema, newer *wire.Newer) (*configschema.Schema, error) {
	if field := newer.Unknown[from]; field != "" {
		return nil, &NewerError{name, field}
	}
	to, err := tfconv.Schema6(from)
	if err == nil && from.Block != nil {
		addComputed(to.Block, from.Block, newer)
	}
	return to, err
}

// identitySchema is like schema, for an identity.
func identitySchema(
	name string, from *tfprotov6.ResourceIdentitySchema, newer *wire.Newer,
) (*configschema.Schema, error) {
	if field := newer.Unknown[from]; field != "" {
		return nil, &NewerError{name, field}
	}
	return tfconv.IdentitySchema6(from)
}

// addComputed marks the computed blocks. to is the converted form of from.
func addComputed(to *configschema.Block, from *tfprotov6.SchemaBlock, newer *wire.Newer) {
	to.Computed = newer.Computed[from]
	for _, nested := range from.BlockTypes {
		if nested.Block != nil {
			addComputed(&to.BlockTypes[nested.TypeName].Block, nested.Block, newer)
		}
	}
}
