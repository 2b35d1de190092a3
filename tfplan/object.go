package tfplan

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	tfjson "github.com/hashicorp/terraform-json"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/jsonpos"
	"github.com/objchange/objchange/internal/pointer"
	"github.com/objchange/objchange/internal/sensitive"
)

// An entry is an object in a section of a plan or a state. Its values are decoded only when they are
// needed.
type entry struct {
	Mode         tfjson.ResourceMode `json:"mode"`
	Type         string              `json:"type"`
	ProviderName string              `json:"provider_name"`

	// In changes and drift.
	PreviousAddress string              `json:"previous_address"`
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
	ResourceChange *entry `json:"resource_change"` // in deferred changes

	// In planned values, prior state and state.
	SchemaVersion   uint64         `json:"schema_version"`
	Values          jsontext.Value `json:"values"`
	SensitiveValues jsontext.Value `json:"sensitive_values"`
	Tainted         bool           `json:"tainted"`

	at *place
}

// An object contains what all sections of the plan and the state have about one object, while it is
// checked.
type object struct {
	in        [numSections]*entry // nil if absent
	sensitive *sensitive.Places   // in any section
}

func newObject(p *objectPlaces) (*object, error) {
	o := &object{sensitive: &sensitive.Places{}}
	for _, at := range p.places {
		e := &entry{at: at}
		if err := at.load(e); err != nil {
			return nil, err
		}
		o.in[at.section] = e
		o.sensitive.Add(jsonpos.Data(e.SensitiveValues))
		if e.ResourceChange != nil {
			e = e.ResourceChange
		}
		if c := e.Change; c != nil {
			o.sensitive.Add(jsonpos.Data(c.BeforeSensitive))
			if !bytes.Equal(c.BeforeSensitive, c.AfterSensitive) {
				o.sensitive.Add(jsonpos.Data(c.AfterSensitive))
			}
		}
	}
	return o, nil
}

// value returns the value of an object in a section, with unknown values according to a mask. It
// returns null if the object is absent from the section. It returns findings instead if the value does
// not conform to the schema.
func (o *object) value(
	in section, schema *objchange.Schema, unknown any, phase objchange.Phase,
) (cty.Value, []Finding) {
	e := o.in[in]
	if e == nil {
		return cty.NullVal(schema.ImpliedType()), nil
	}
	data := jsonpos.Data(e.Values)
	if data == nil {
		data = map[string]any{}
	}
	return objectData{data, unknown, o.sensitive}.value(schema, phase)
}

// inState returns the violations of the state after apply as findings with places in the state.
func (o *object) inState(schema *objchange.Schema, violations objchange.Violations) []Finding {
	if e := o.in[applied]; e != nil {
		return placed(objchange.PhaseApply, violations, schema, e.at, "/values")
	}
	return findings(objchange.PhaseApply, violations)
}

// placed returns the violations of a value as findings with places. member is a JSON pointer to the
// value, relative to the place p.
func placed(
	phase objchange.Phase, violations objchange.Violations, schema *objchange.Schema, p *place, member string,
) []Finding {
	found := findings(phase, violations)
	if len(found) == 0 {
		return nil
	}
	text, err := p.text()
	if err != nil {
		return found // without places, which is unlikely because the text was read before
	}
	var pointers []jsontext.Pointer
	for _, v := range violations {
		pointers = append(pointers, jsontext.Pointer(member+pointer.Of(schema.ImpliedType(), v)))
	}
	positions := p.begin.Of(text, pointers)
	for i, inside := range pointers {
		at := p.where()
		at.Line, at.Column = positions[inside].Line, positions[inside].Column
		at.Pointer += string(inside)
		found[i].Place = at
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
	schema *objchange.Schema
	err    error
}

// declared returns the schema for an object. It returns an error with the reason if the schema is
// missing.
func (chk *inspection) declared(e *entry) (*configschema.Schema, error) {
	provider := chk.schemas.Providers[e.ProviderName]
	if provider == nil {
		return nil, fmt.Errorf("no schemas of provider %q", e.ProviderName)
	}
	kind, kinds := fmt.Sprintf("a %.60q", e.Mode), map[string]*configschema.Schema(nil)
	switch e.Mode {
	case tfjson.ManagedResourceMode:
		kind, kinds = "a resource", provider.ResourceSchemas
	case tfjson.DataResourceMode:
		kind, kinds = "a data source", provider.DataSourceSchemas
	}
	if kinds[e.Type] == nil {
		return nil, fmt.Errorf("provider %q has no schema of %s %q", e.ProviderName, kind, e.Type)
	}
	return kinds[e.Type], nil
}

// compile returns the compiled schema of a type.
func (chk *inspection) compile(schema *configschema.Schema, typeName string) (*objchange.Schema, error) {
	chk.mu.Lock()
	defer chk.mu.Unlock()
	known := chk.compiled[schema]
	if known == nil {
		known = &compiledSchema{}
		if known.schema, known.err = objchange.Compile(schema.Block); known.err != nil {
			known.err = fmt.Errorf("the schema of %q is invalid: %w", typeName, schema.Block.Validate()) // all problems
		}
		chk.compiled[schema] = known
	}
	return known.schema, known.err
}

// schemaOf returns the schema of an object, which is described by one of its entries. It returns an
// error with the reason if the object cannot be checked, because there is no schema or the values
// have another schema version.
func (chk *inspection) schemaOf(o *object, e *entry) (*objchange.Schema, error) {
	declared, err := chk.declared(e)
	if err != nil {
		return nil, err
	}
	schema, err := chk.compile(declared, e.Type)
	if err != nil {
		return nil, err
	}
	var reasons []string
	for _, at := range []struct {
		in   section
		name string
	}{{planned, "planned_values"}, {prior, "prior_state"}, {applied, "the state"}} {
		if e := o.in[at.in]; e != nil && declared.Version != int64(e.SchemaVersion) {
			reasons = append(reasons, fmt.Sprintf("%s has schema version %d, but the schema of %q has version %d",
				at.name, e.SchemaVersion, e.Type, declared.Version))
		}
	}
	if reasons != nil {
		return nil, errors.New(strings.Join(reasons, "; "))
	}
	return schema, nil
}
