package audit

import (
	"fmt"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/document"
	"github.com/objchange/objchange/configschema"
)

// A resource is what there is to know of a resource's type.
type resource struct {
	mode     tfjson.ResourceMode
	provider string
	typeName string
}

// ephemeralMode is that of resources that only configurations have.
const ephemeralMode tfjson.ResourceMode = "ephemeral"

// schema returns the schema of a resource, or an error that says why it cannot
// be judged.
func (a *auditor) schema(r resource) (*judgedSchema, error) {
	provider, ok := a.schemas.Providers[r.provider]
	if !ok || provider == nil {
		return nil, fmt.Errorf("no schemas of provider %q", r.provider)
	}
	var kinds map[string]*configschema.Schema
	switch r.mode {
	case tfjson.ManagedResourceMode:
		kinds = provider.ResourceSchemas
	case tfjson.DataResourceMode:
		kinds = provider.DataSourceSchemas
	case ephemeralMode:
		kinds = provider.EphemeralResourceSchemas
	}
	schema, ok := kinds[r.typeName]
	if !ok || schema == nil {
		return nil, fmt.Errorf("provider %q has no schema of %s %q", r.provider, kindName(r.mode), r.typeName)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	known, ok := a.known[schema]
	if !ok {
		known = judge(schema, r.typeName)
		a.known[schema] = known
	}
	return known, known.err
}

// judgeable returns the schema of an object, or why that cannot judge it.
func (a *auditor) judgeable(o *instance, r resource) (schema *judgedSchema, reason string) {
	schema, err := a.schema(r)
	if err != nil {
		return nil, err.Error()
	}
	return schema, o.versionReasons(schema)
}

func kindName(mode tfjson.ResourceMode) string {
	switch mode {
	case tfjson.ManagedResourceMode:
		return "a resource"
	case tfjson.DataResourceMode:
		return "a data source"
	case ephemeralMode:
		return "an ephemeral resource"
	}
	return fmt.Sprintf("a %.60q", mode)
}

// A judgedSchema is one that values can be held against, or an error.
type judgedSchema struct {
	version  int64
	compiled *objchange.Schema
	err      error
}

func judge(schema *configschema.Schema, typeName string) *judgedSchema {
	compiled, err := document.Compile(schema.Block)
	if err != nil {
		return &judgedSchema{err: fmt.Errorf("the schema of %q is invalid: %w", typeName, err)}
	}
	return &judgedSchema{version: schema.Version, compiled: compiled}
}
