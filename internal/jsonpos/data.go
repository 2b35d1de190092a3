package jsonpos

import (
	stdjson "encoding/json"
	"errors"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Lenient accepts the same input as encoding/json: strings with any bytes, and duplicate names.
var Lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// ExactNumbers decodes numbers as encoding/json.Number, which keeps their text.
var ExactNumbers = json.WithUnmarshalers(json.UnmarshalFromFunc(func(dec *jsontext.Decoder, data *any) error {
	if dec.PeekKind() != '0' {
		*data = nil                  // not the value of the same name before
		return errors.ErrUnsupported // decodes it as usual
	}
	text, err := dec.ReadValue()
	*data = longNumber
	if len(text) <= len(longNumber) {
		*data = stdjson.Number(text)
	}
	return err
}))

// longNumber replaces all longer numbers. No value has as many digits, and the time to compare such
// numbers is quadratic.
var longNumber = stdjson.Number(strings.Repeat("9", 10_000))

// Data decodes a valid text. Numbers keep their exact text. Data returns nil for an empty text.
func Data(text jsontext.Value) (data any) {
	if len(text) > 0 {
		if err := json.Unmarshal(text, &data, Lenient, ExactNumbers); err != nil {
			panic(err) // the text was decoded before
		}
	}
	return data
}

// KindName returns the name of a kind of JSON value, with an article.
func KindName(kind jsontext.Kind) string { return kinds[kind] }
