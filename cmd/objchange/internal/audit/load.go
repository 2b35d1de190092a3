package audit

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
	tfjson "github.com/hashicorp/terraform-json"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
)

// An instance is all that the documents have of one object, while it is judged.
type instance struct {
	key
	change                *resourceChange
	deferred              []*deferredChange
	planned, prior, state *object
	sensitive             any // mask of what any part of the documents has so
}

// A resourceChange is a change in a plan, with values as they are written.
type resourceChange struct {
	Address         string              `json:"address"`
	PreviousAddress string              `json:"previous_address"`
	Mode            tfjson.ResourceMode `json:"mode"`
	Type            string              `json:"type"`
	ProviderName    string              `json:"provider_name"`
	ActionReason    tfjson.ActionReason `json:"action_reason"`
	Change          *changed            `json:"change"`
	place           *place
}

type changed struct {
	Actions         tfjson.Actions `json:"actions"`
	Before          jsontext.Value `json:"before"`
	After           jsontext.Value `json:"after"`
	AfterUnknown    jsontext.Value `json:"after_unknown"`
	BeforeSensitive jsontext.Value `json:"before_sensitive"`
	AfterSensitive  jsontext.Value `json:"after_sensitive"`
	Importing       *struct{}      `json:"importing"`
	ReplacePaths    jsontext.Value `json:"replace_paths"`
}

type deferredChange struct {
	Reason         string          `json:"reason"`
	ResourceChange *resourceChange `json:"resource_change"`
	place          *place
}

// An object is one resource instance in a state, or in planned values.
type object struct {
	Mode            tfjson.ResourceMode `json:"mode"`
	Type            string              `json:"type"`
	ProviderName    string              `json:"provider_name"`
	SchemaVersion   uint64              `json:"schema_version"`
	Values          jsontext.Value      `json:"values"`
	SensitiveValues jsontext.Value      `json:"sensitive_values"`
	Tainted         bool                `json:"tainted"`
	place           *place
	sensitive       any
}

// load reads an object.
func (a *auditor) load(k key) (o *instance, err error) {
	at := a.objects[k]
	o = &instance{key: k}
	if at.change != nil {
		if o.change, err = loaded[resourceChange](at.change); err != nil {
			return nil, err
		}
		o.change.place = at.change
		o.hideChange(o.change)
	}
	for _, p := range at.deferred {
		d, err := loaded[deferredChange](p)
		if err != nil {
			return nil, err
		}
		d.place = p
		o.deferred = append(o.deferred, d)
		o.hideChange(d.ResourceChange)
	}
	for _, p := range at.drift {
		drift, err := loaded[resourceChange](p)
		if err != nil {
			return nil, err
		}
		o.hideChange(drift)
	}
	return o, o.loadObjects(at)
}

func (o *instance) loadObjects(at *parts) (err error) {
	parts := []struct {
		at *place
		to **object
	}{{at.planned, &o.planned}, {at.prior, &o.prior}, {at.state, &o.state}}
	for _, part := range parts {
		if part.at == nil {
			continue
		}
		if *part.to, err = loaded[object](part.at); err != nil {
			return err
		}
		(*part.to).place = part.at
		if kind := (*part.to).Values.Kind(); kind != '{' && kind != 'n' && kind != 0 {
			return part.at.at(part.at.to, jsontext.Pointer(part.at.pointer()+"/values"), fmt.Sprintf("must be an object, not %s", kindNames[kind]))
		}
		o.sensitive = unite(o.sensitive, tree((*part.to).SensitiveValues))
	}
	for _, part := range parts {
		if *part.to != nil {
			(*part.to).sensitive = o.sensitive
		}
	}
	return nil
}

// loaded reads what is at a place.
func loaded[T any](p *place) (*T, error) {
	value, offset, err := p.read(p.span)
	if err != nil {
		return nil, err
	}
	t := new(T)
	return t, p.decode(value, offset, jsontext.Pointer(p.pointer()), t)
}

// hideChange notes what is sensitive in a change.
func (o *instance) hideChange(rc *resourceChange) {
	if rc != nil && rc.Change != nil {
		before := tree(rc.Change.BeforeSensitive)
		if o.sensitive = unite(o.sensitive, before); !bytes.Equal(rc.Change.BeforeSensitive, rc.Change.AfterSensitive) {
			o.sensitive = unite(o.sensitive, tree(rc.Change.AfterSensitive))
		}
	}
}

// value returns the value of an object, with the unknown from the plan if there
// is one, none with findings if it does not conform to the schema.
func (o *object) value(schema *objchange.Schema, unknown any) (cty.Value, []report.Finding) {
	data := tree(o.Values)
	if data == nil {
		data = map[string]any{}
	}
	return told{data, unknown, o.sensitive}.value(schema)
}

// orNull returns the value of an object that is wholly known, null for no object.
func (o *object) orNull(schema *objchange.Schema) (cty.Value, []report.Finding) {
	if o == nil {
		return cty.NullVal(schema.ImpliedType()), nil
	}
	return o.value(schema, nil)
}

// noValues reports whether nothing is told of what the object holds.
func (o *object) noValues() bool { return len(o.Values) == 0 || o.Values.Kind() == 'n' }

// resource is the kind of the object.
func (o *object) resource() resource { return resource{o.Mode, o.ProviderName, o.Type} }

// resource is the kind of what changes.
func (rc *resourceChange) resource() resource { return resource{rc.Mode, rc.ProviderName, rc.Type} }

// versionReason says that values are of another version than the schema, which
// cannot judge them, or "".
func (o *object) versionReason(schema *judgedSchema, part string) string {
	if o == nil || schema.version == int64(o.SchemaVersion) {
		return ""
	}
	return fmt.Sprintf("%s is of schema version %d, the schema of %q is of version %d",
		part, o.SchemaVersion, o.Type, schema.version)
}

// versionReasons says which values of an object are of another version than the
// schema.
func (o *instance) versionReasons(schema *judgedSchema) string {
	return join(
		o.planned.versionReason(schema, "planned_values"),
		o.prior.versionReason(schema, "prior_state"),
		o.state.versionReason(schema, "the state"),
	)
}
