package document

import (
	"bytes"
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/objchange/objchange/internal/jsonpos"
	"github.com/objchange/objchange/internal/pointer"
	"github.com/objchange/objchange/internal/spelling"
)

// Schema is the JSON Schema of a file of documents.
//
//go:embed run.schema.json
var Schema []byte

const schemaURL = "https://github.com/objchange/objchange/run.schema.json"

// runSchema returns the JSON Schema of a document without the part for values. The code that makes
// the values checks them, because only it knows which keys of maps are sensitive.
var runSchema = sync.OnceValue(func() *jsonschema.Schema {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema))
	if err != nil {
		panic(err) // the file is part of the program
	}
	doc.(map[string]any)["$defs"].(map[string]any)["value"] = true
	c := jsonschema.NewCompiler()
	if err := c.AddResource(schemaURL, doc); err != nil {
		panic(err)
	}
	return c.MustCompile(schemaURL + "#/$defs/run")
})

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

// malformed returns the violations of the JSON Schema by a document.
func malformed(data any) []Problem {
	fields, _ := data.(map[string]any)
	kind := jsonpos.KindOf(func(name string) bool { _, ok := fields[name]; return ok })
	if other := advice[kind]; other != "" {
		return []Problem{{Reason: "this is " + other}}
	}
	err := runSchema().Validate(data)
	if err == nil {
		return nil
	}
	invalid := new(jsonschema.ValidationError)
	if !errors.As(err, &invalid) {
		return []Problem{{Reason: err.Error()}}
	}
	found := leaves(invalid)
	slices.SortFunc(found, func(a, b Problem) int {
		return cmp.Or(strings.Compare(a.Pointer, b.Pointer), strings.Compare(a.Reason, b.Reason))
	})
	return found
}

// leaves returns the reasons at the leaves of an error, which is a tree.
func leaves(e *jsonschema.ValidationError) (found []Problem) {
	if surplus, ok := e.ErrorKind.(*kind.AdditionalProperties); ok {
		slices.Sort(surplus.Properties)
		for _, name := range surplus.Properties {
			found = append(found, Problem{
				Pointer: pointer.New(e.InstanceLocation...), Reason: unknownField(name, len(e.InstanceLocation) == 0),
			})
		}
		return found
	}
	if len(e.Causes) == 0 {
		reason := e.ErrorKind.LocalizedString(message.NewPrinter(language.English))
		return []Problem{{Pointer: pointer.New(e.InstanceLocation...), Reason: reason}}
	}
	for _, cause := range e.Causes {
		found = append(found, leaves(cause)...)
	}
	return found
}

// unknownField returns a message for an unknown field. In a document it suggests a field.
func unknownField(name string, ofDocument bool) string {
	reason := fmt.Sprintf("unknown field %.60q", name)
	if !ofDocument {
		return reason
	}
	if near := spelling.Nearest(name, slices.Sorted(maps.Keys(runSchema().Properties))); near != "" {
		return fmt.Sprintf("%s; did you mean %q?", reason, near)
	}
	return reason + `; "objchange help schema document" has all fields`
}

// advice names the right command for files of other kinds.
var advice = map[jsonpos.Kind]string{
	jsonpos.Plan:      `a plan: use objchange audit`,
	jsonpos.Schemas:   `the schemas of providers: refer to them in a document with {"schema": {"file": FILE, "type": TYPE}}`,
	jsonpos.Report:    `a report of objchange, not a document`,
	jsonpos.State:     `a state: pass it to objchange audit together with its plan`,
	jsonpos.StateFile: `a state file: convert it with terraform show -json, and pass it to objchange audit together with its plan`,
}
