package document

import (
	_ "embed"
	"errors"
	"fmt"
	"reflect"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/objchange/objchange/internal/jsonpos"
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
	wrong := new(json.SemanticError)
	switch {
	case errors.As(err, &wrong) && errors.Is(wrong.Err, json.ErrUnknownName):
		const unknown = `unknown field %.60q; "objchange help schema document" has all fields of a document`
		return f, string(wrong.JSONPointer.Parent()), fmt.Sprintf(unknown, wrong.JSONPointer.LastToken())
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
