package document

import (
	"bytes"
	"fmt"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/jsonpos"
	"github.com/objchange/objchange/internal/sensitive"
)

// ReadConfig returns the configuration in a file. The file contains one value in the format of
// documents. The error names the file, and the place if possible. It is an error if the file has
// several values, or if a value is marked with $sensitive.
func ReadConfig(file string, data []byte, schema *configschema.Block) (cty.Value, error) {
	compiled, err := Compile(schema)
	if err != nil {
		return cty.NilVal, err
	}
	place := report.Place{File: file}
	value, at, unusable := single(place, jsonpos.PlainText(bytes.NewReader(data)), "the file contains more than one configuration")
	if unusable != nil {
		return cty.NilVal, unusable
	}
	place.Line = at.Line
	l := loader{Document: &Document{Place: place, marks: &sensitive.Places{}}, fields: map[string]any{"config": jsonpos.Data(value)}}
	l.Lifecycle.Schema = compiled
	v := l.value("config", "")
	switch {
	case l.problems != nil:
		return cty.NilVal, &Error{Place: place, Reason: summary(l.problems)}
	case l.marks.Any():
		return cty.NilVal, fmt.Errorf("%s: $sensitive is not supported here, because the provider may derive other values from it: only values that the schema marks as sensitive are hidden", file)
	}
	return v, nil
}
