package document

import (
	"bytes"
	"cmp"
	_ "embed"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// Schema is the JSON Schema of a file of documents.
//
//go:embed run.schema.json
var Schema []byte

const schemaURL = "https://github.com/objchange/objchange/run.schema.json"

// runSchema is the schema of one document, except for the values in it. What
// makes values of them also finds what is wrong with them, and knows what may
// not be shown of it: the keys of a map may be sensitive.
var runSchema = sync.OnceValue(func() *jsonschema.Schema {
	return compile("#/$defs/run", func(defs map[string]any) { defs["value"] = true })
})

// compile returns a part of the schema, once its definitions are edited.
func compile(part string, edit func(defs map[string]any)) *jsonschema.Schema {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema))
	if err != nil {
		panic(err) // the file is part of the program
	}
	edit(doc.(map[string]any)["$defs"].(map[string]any))
	c := jsonschema.NewCompiler()
	if err := c.AddResource(schemaURL, doc); err != nil {
		panic(err)
	}
	return c.MustCompile(schemaURL + part)
}

// A problem is something wrong at a place in a document.
type problem struct{ pointer, reason string }

// malformed returns what the schema has against a document.
func malformed(data any) []problem {
	err := runSchema().Validate(data)
	if err == nil {
		return nil
	}
	invalid := new(jsonschema.ValidationError)
	if !errors.As(err, &invalid) {
		return []problem{{"", err.Error()}}
	}
	found := leaves(invalid)
	slices.SortFunc(found, func(a, b problem) int {
		return cmp.Or(strings.Compare(a.pointer, b.pointer), strings.Compare(a.reason, b.reason))
	})
	return found
}

// leaves returns the reasons at the ends of an error, which is a tree.
func leaves(e *jsonschema.ValidationError) (found []problem) {
	if len(e.Causes) == 0 {
		reason := e.ErrorKind.LocalizedString(message.NewPrinter(language.English))
		return []problem{{pointer(e.InstanceLocation...), reason}}
	}
	for _, cause := range e.Causes {
		found = append(found, leaves(cause)...)
	}
	return found
}

var escape = strings.NewReplacer("~", "~0", "/", "~1")

// pointer returns a JSON pointer.
func pointer(tokens ...string) string {
	var b strings.Builder
	for _, token := range tokens {
		b.WriteString("/" + escape.Replace(token))
	}
	return b.String()
}
