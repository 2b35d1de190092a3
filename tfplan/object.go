package tfplan

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
	tfjson "github.com/hashicorp/terraform-json"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/jsonpos"
	"github.com/objchange/objchange/internal/pointer"
	"github.com/objchange/objchange/internal/sensitive"
)

// A resourceChange is a change in a plan. Its values are decoded only when they are needed.
type resourceChange struct {
	PreviousAddress string              `json:"previous_address"`
	Mode            tfjson.ResourceMode `json:"mode"`
	Type            string              `json:"type"`
	ProviderName    string              `json:"provider_name"`
	ActionReason    tfjson.ActionReason `json:"action_reason"`
	Change          *struct {
		Actions         tfjson.Actions `json:"actions"`
		Before          jsontext.Value `json:"before"`
		After           jsontext.Value `json:"after"`
		AfterUnknown    any            `json:"after_unknown"`
		BeforeSensitive jsontext.Value `json:"before_sensitive"`
		AfterSensitive  jsontext.Value `json:"after_sensitive"`
		Importing       *struct{}      `json:"importing"`
		ReplacePaths    []any          `json:"replace_paths"`
	} `json:"change"`
}

// A deferredChange is a change that the plan defers.
type deferredChange struct {
	ResourceChange *resourceChange `json:"resource_change"`
}

// An object contains all parts of the plan and the state that belong to one object, while it is
// checked.
type object struct {
	*parts
	change    *resourceChange
	values    [numParts]*values // in planned values, prior state and state, nil if absent
	sensitive *sensitive.Places // in any part
}

// values is an object in a state or in the planned values of a plan.
type values struct {
	Mode            tfjson.ResourceMode `json:"mode"`
	Type            string              `json:"type"`
	ProviderName    string              `json:"provider_name"`
	SchemaVersion   uint64              `json:"schema_version"`
	Values          jsontext.Value      `json:"values"`
	SensitiveValues jsontext.Value      `json:"sensitive_values"`
	Tainted         bool                `json:"tainted"`
	at              *place
}

// newObject reads an object.
func newObject(p *parts) (*object, error) {
	o := &object{parts: p, sensitive: &sensitive.Places{}}
	for _, at := range p.places {
		var rc *resourceChange
		var err error
		switch at.part {
		case changes:
			rc, err = load[resourceChange](at)
			o.change = rc
		case drift:
			rc, err = load[resourceChange](at)
		case deferred:
			var d *deferredChange
			if d, err = load[deferredChange](at); err == nil {
				rc = d.ResourceChange
			}
		default:
			var r *values
			if r, err = load[values](at); err == nil {
				r.at, o.values[at.part] = at, r
				o.sensitive.Add(jsonpos.Data(r.SensitiveValues))
			}
		}
		if err != nil {
			return nil, err
		}
		if rc != nil && rc.Change != nil {
			o.sensitive.Add(jsonpos.Data(rc.Change.BeforeSensitive))
			if !bytes.Equal(rc.Change.BeforeSensitive, rc.Change.AfterSensitive) {
				o.sensitive.Add(jsonpos.Data(rc.Change.AfterSensitive))
			}
		}
	}
	return o, nil
}

// value returns the value of an object in a part, with unknown values according to a mask. It
// returns null if the object is absent from the part. It returns findings instead if the value does
// not conform to the schema.
func (o *object) value(part part, schema *objchange.Schema, unknown any, phase objchange.Phase) (cty.Value, []Finding) {
	r := o.values[part]
	if r == nil {
		return cty.NullVal(schema.ImpliedType()), nil
	}
	data := jsonpos.Data(r.Values)
	if data == nil {
		data = map[string]any{}
	}
	v, wrong := objectData{data, unknown, o.sensitive}.value(schema)
	return v, wrong.findings(phase)
}

// inState returns the violations of the state after apply as findings with places in the state.
func (o *object) inState(schema *objchange.Schema, violations objchange.Violations) []Finding {
	if r := o.values[applied]; r != nil {
		return placed(objchange.PhaseApply, violations, schema, r.at, "/values")
	}
	return of(objchange.PhaseApply, violations)
}

// placed returns the violations of a value as findings with places. member is a JSON pointer to the
// value, relative to the place p.
func placed(phase objchange.Phase, violations objchange.Violations, schema *objchange.Schema, p *place, member string) []Finding {
	found := of(phase, violations)
	if len(found) == 0 {
		return nil
	}
	text := make([]byte, p.to-p.from)
	if _, err := p.text.ReadAt(text, p.from); err != nil {
		return found // without places, which is unlikely because the text was read before
	}
	var pointers []jsontext.Pointer
	for _, v := range violations {
		pointers = append(pointers, jsontext.Pointer(member+pointer.Of(schema.ImpliedType(), v)))
	}
	positions := p.Of(text, pointers)
	for i, inside := range pointers {
		at := positions[inside]
		found[i].Place = Place{Document: p.document, Line: at.Line, Column: at.Column, Pointer: p.pointer() + string(inside)}
	}
	return found
}

// unchecked gives findings the severity Unchecked, because Terraform does not apply the object and
// does not check it.
func unchecked(found []Finding) []Finding {
	for i := range found {
		found[i].Severity = objchange.Unchecked
	}
	return found
}

// A compiledSchema is a compiled schema or an error.
type compiledSchema struct {
	version  int64
	compiled *objchange.Schema
	err      error
}

// schema returns the schema of a resource type, or an error with the reason why it is missing.
func (chk *checker) schema(mode tfjson.ResourceMode, providerName, typeName string) (*compiledSchema, error) {
	provider, ok := chk.schemas.Providers[providerName]
	if !ok || provider == nil {
		return nil, fmt.Errorf("no schemas of provider %q", providerName)
	}
	kind, kinds := fmt.Sprintf("a %.60q", mode), map[string]*configschema.Schema(nil)
	switch mode {
	case tfjson.ManagedResourceMode:
		kind, kinds = "a resource", provider.ResourceSchemas
	case tfjson.DataResourceMode:
		kind, kinds = "a data source", provider.DataSourceSchemas
	}
	schema, ok := kinds[typeName]
	if !ok || schema == nil {
		return nil, fmt.Errorf("provider %q has no schema of %s %q", providerName, kind, typeName)
	}
	chk.mu.Lock()
	defer chk.mu.Unlock()
	known, ok := chk.known[schema]
	if !ok {
		known = &compiledSchema{version: schema.Version}
		if known.compiled, known.err = objchange.Compile(schema.Block); known.err != nil {
			known.err = fmt.Errorf("the schema of %q is invalid: %w", typeName, schema.Block.Validate()) // all problems
		}
		chk.known[schema] = known
	}
	return known, known.err
}

// schemaOf returns the schema of an object. It returns an error with the reason if the object
// cannot be checked, because there is no schema or the values have another schema version.
func (chk *checker) schemaOf(o *object, mode tfjson.ResourceMode, provider, typeName string) (*objchange.Schema, error) {
	schema, err := chk.schema(mode, provider, typeName)
	if err != nil {
		return nil, err
	}
	var reasons []string
	for _, part := range []struct {
		part part
		name string
	}{{planned, "planned_values"}, {prior, "prior_state"}, {applied, "the state"}} {
		if r := o.values[part.part]; r != nil && schema.version != int64(r.SchemaVersion) {
			reasons = append(reasons, fmt.Sprintf("%s has schema version %d, but the schema of %q has version %d",
				part.name, r.SchemaVersion, r.Type, schema.version))
		}
	}
	if reasons != nil {
		return nil, errors.New(join(reasons...))
	}
	return schema.compiled, nil
}
