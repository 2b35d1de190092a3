package audit

import (
	"encoding/json"
	"errors"
	"fmt"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/document"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/configschema"
)

// An object is all that plan and state have of one object, while it is judged.
type object struct {
	*parts
	change    *tfjson.ResourceChange
	values    [numParts]*values // in planned values, prior state and state, nil where it is not
	sensitive any               // the mask of what any part has as sensitive
}

// values are those of an object in a state, or in planned values.
type values struct {
	tfjson.StateResource
	at *place
}

// object reads an object.
func (a *auditor) object(p *parts) (*object, error) {
	o := &object{parts: p}
	for _, at := range p.places {
		var rc *tfjson.ResourceChange
		var err error
		switch at.part {
		case changes:
			rc, err = load[tfjson.ResourceChange](at)
			o.change = rc
		case drift:
			rc, err = load[tfjson.ResourceChange](at)
		case deferred:
			var d *tfjson.DeferredResourceChange
			if d, err = load[tfjson.DeferredResourceChange](at); err == nil {
				rc = d.ResourceChange
			}
		default:
			err = o.loadValues(at)
		}
		if err != nil {
			return nil, err
		}
		if rc != nil && rc.Change != nil {
			o.sensitive = unite(unite(o.sensitive, rc.Change.BeforeSensitive), rc.Change.AfterSensitive)
		}
	}
	return o, nil
}

func (o *object) loadValues(at *place) error {
	r, err := load[tfjson.StateResource](at)
	if err != nil {
		return err
	}
	o.values[at.part] = &values{*r, at}
	var mask any
	if len(r.SensitiveValues) > 0 {
		_ = json.Unmarshal(r.SensitiveValues, &mask) // it was read before
	}
	o.sensitive = unite(o.sensitive, mask)
	return nil
}

// value returns the value of an object in a part, null where it is not, with the unknown
// values of a mask. It returns findings instead if it does not conform to the schema.
func (o *object) value(part part, schema *objchange.Schema, unknown any) (cty.Value, []report.Finding) {
	r := o.values[part]
	if r == nil {
		return cty.NullVal(schema.ImpliedType()), nil
	}
	data := r.AttributeValues
	if data == nil {
		data = map[string]any{}
	}
	return told{data, unknown, o.sensitive}.value(schema)
}

// A compiledSchema is one that values are held against, or an error.
type compiledSchema struct {
	version  int64
	compiled *objchange.Schema
	err      error
}

// ephemeralMode is that of resources that only configurations have.
const ephemeralMode tfjson.ResourceMode = "ephemeral"

// schema returns the schema of a resource type, or an error that says why there is none.
func (a *auditor) schema(mode tfjson.ResourceMode, providerName, typeName string) (*compiledSchema, error) {
	provider, ok := a.schemas.Providers[providerName]
	if !ok || provider == nil {
		return nil, fmt.Errorf("no schemas of provider %q", providerName)
	}
	kind, kinds := fmt.Sprintf("a %.60q", mode), map[string]*configschema.Schema(nil)
	switch mode {
	case tfjson.ManagedResourceMode:
		kind, kinds = "a resource", provider.ResourceSchemas
	case tfjson.DataResourceMode:
		kind, kinds = "a data source", provider.DataSourceSchemas
	case ephemeralMode:
		kind, kinds = "an ephemeral resource", provider.EphemeralResourceSchemas
	}
	schema, ok := kinds[typeName]
	if !ok || schema == nil {
		return nil, fmt.Errorf("provider %q has no schema of %s %q", providerName, kind, typeName)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	known, ok := a.known[schema]
	if !ok {
		known = &compiledSchema{version: schema.Version}
		if known.compiled, known.err = document.Compile(schema.Block); known.err != nil {
			known.err = fmt.Errorf("the schema of %q is invalid: %w", typeName, known.err)
		}
		a.known[schema] = known
	}
	return known, known.err
}

// schemaOf returns the schema of an object, or an error that says why it cannot be
// judged: there is none, or the values are of another version.
func (a *auditor) schemaOf(o *object, mode tfjson.ResourceMode, provider, typeName string) (*objchange.Schema, error) {
	schema, err := a.schema(mode, provider, typeName)
	if err != nil {
		return nil, err
	}
	var reasons []string
	for _, part := range []struct {
		part part
		name string
	}{{planned, "planned_values"}, {prior, "prior_state"}, {applied, "the state"}} {
		if r := o.values[part.part]; r != nil && schema.version != int64(r.SchemaVersion) {
			reasons = append(reasons, fmt.Sprintf("%s is of schema version %d, the schema of %q is of version %d",
				part.name, r.SchemaVersion, r.Type, schema.version))
		}
	}
	if reasons != nil {
		return nil, errors.New(join(reasons...))
	}
	return schema.compiled, nil
}
