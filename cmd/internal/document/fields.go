package document

import (
	_ "embed"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/objchange/objchange/internal/jsonpos"
	"github.com/objchange/objchange/internal/spelling"
)

// Schema is the JSON Schema of a file of documents, for editors.
//
//go:embed run.schema.json
var Schema []byte

// fields are the fields of a document in reading order. Absent values are nil.
type fields struct {
	JSONSchema       string         `json:"$schema,omitempty"`
	Name             string         `json:"name"`
	Schema           jsontext.Value `json:"schema"`
	LegacyTypeSystem bool           `json:"legacy_type_system,omitempty"`
	Upgraded         jsontext.Value `json:"upgraded,omitempty"`
	Imported         jsontext.Value `json:"imported,omitempty"`
	Prior            jsontext.Value `json:"prior,omitempty"`
	Config           jsontext.Value `json:"config,omitempty"`
	Proposed         jsontext.Value `json:"proposed,omitempty"`
	InitialPlanned   jsontext.Value `json:"initial_planned,omitempty"`
	RequiresReplace  [][]any        `json:"requires_replace,omitempty"` // steps, as pathOf reads them
	FinalConfig      jsontext.Value `json:"final_config,omitempty"`
	FinalPlanned     jsontext.Value `json:"final_planned,omitempty"`
	New              jsontext.Value `json:"new,omitempty"`
}

// A Problem is a problem at a place in a document.
type Problem struct {
	Pointer string // to the place, as precisely as known
	Reason  string // with the path, if it is inside a value

	text string // with the place of the value, limited in length
}

// Error returns the place and the reason.
func (p Problem) Error() string { return p.text }

func at(pointer, reason string) string {
	if pointer == "" {
		return reason
	}
	return pointer + ": " + reason
}

// decode decodes a document. If it does not have the form of a document, decode returns the place
// and the reason.
func decode(text jsontext.Value) (f fields, place, reason string) {
	err := json.Unmarshal(text, &f, json.RejectUnknownMembers(true), jsonpos.Lenient, jsonpos.ExactNumbers)
	if other := otherKind(text, f); other != "" {
		return f, "", other
	}
	wrong := new(json.SemanticError)
	switch {
	case errors.As(err, &wrong) && errors.Is(wrong.Err, json.ErrUnknownName):
		return f, string(wrong.JSONPointer.Parent()), unknownField(wrong.JSONPointer.LastToken())
	case errors.As(err, &wrong):
		reason = "must be " + wanted[wrong.GoType.Kind()] + ", not " + jsonpos.KindName(wrong.JSONKind)
		return f, string(wrong.JSONPointer), reason
	case err != nil:
		return f, "", err.Error()
	case f.Schema == nil:
		return f, "", "the field schema is missing"
	}
	return f, "", ""
}

// wanted are the names of the kinds of JSON values for types of fields.
var wanted = map[reflect.Kind]string{
	reflect.String: "a string", reflect.Bool: "a bool", reflect.Struct: "an object", reflect.Slice: "a list",
}

// unknownField returns a message for an unknown field. It suggests a field.
func unknownField(name string) string {
	var names []string
	for i := range reflect.TypeFor[fields]().NumField() {
		field, _, _ := strings.Cut(reflect.TypeFor[fields]().Field(i).Tag.Get("json"), ",")
		names = append(names, field)
	}
	reason := fmt.Sprintf("unknown field %.60q", name)
	if near := spelling.Nearest(name, names); near != "" {
		return fmt.Sprintf("%s; did you mean %q?", reason, near)
	}
	return reason + `; "objchange help schema document" has all fields`
}

// advice names the right command for files of other kinds.
var advice = map[jsonpos.Kind]string{
	jsonpos.Plan: `a plan: use objchange audit`,
	jsonpos.Schemas: `the schemas of providers: refer to them in a document with ` +
		`{"schema": {"file": FILE, "type": TYPE}}`,
	jsonpos.Report: `a report of objchange, not a document`,
	jsonpos.State:  `a state: pass it to objchange audit together with its plan`,
	jsonpos.StateFile: `a state file: convert it with terraform show -json, and pass it to objchange audit ` +
		`together with its plan`,
}

// otherKind returns what the text is if it is a file of another kind, and otherwise "".
func otherKind(text jsontext.Value, f fields) string {
	members, _ := jsonpos.Data(text).(map[string]any)
	if f.Schema != nil || members == nil {
		return ""
	}
	switch members["kind"] {
	case "recording", "provider", "rpc": // the kinds of lines in a recording
		return "this is a line of a recording, not a document: use objchange replay, or objchange replay --documents"
	}
	kind := jsonpos.KindOf(func(name string) bool { _, ok := members[name]; return ok })
	if other := advice[kind]; other != "" {
		return "this is " + other
	}
	return ""
}
