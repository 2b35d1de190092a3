// Package schemas checks JSON in tests. It is apart from testkit because its library takes long to start.
package schemas

import (
	"bytes"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Validator returns a function that checks a JSON text by the schema in the file.
func Validator(t testing.TB, file string) func(text []byte) error {
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
