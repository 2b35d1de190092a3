// Package schemas checks texts by JSON Schemas in tests. Starting a program with its library takes
// long, so it is not part of package testkit, with which tests build programs.
package schemas

import (
	"bytes"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Check returns a function that checks a JSON text by the schema in the file.
func Check(t testing.TB, file string) func(text []byte) error {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	c.AssertContent()
	schema, err := c.Compile(file)
	if err != nil {
		t.Fatal(err)
	}
	return func(text []byte) error {
		data, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			return err
		}
		return schema.Validate(data)
	}
}
