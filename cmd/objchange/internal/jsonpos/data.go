package jsonpos

import (
	stdjson "encoding/json"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Lenient reads what encoding/json reads: strings of any bytes, and names twice.
var Lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// ExactNumbers keeps numbers as they are written, as encoding/json's Number.
var ExactNumbers = json.WithUnmarshalers(json.UnmarshalFromFunc(func(dec *jsontext.Decoder, data *any) error {
	if dec.PeekKind() != '0' {
		return json.SkipFunc
	}
	token, err := dec.ReadToken()
	if *data = stdjson.Number(token.String()); len(token.String()) > len(longNumber) {
		*data = longNumber
	}
	return err
}))

// longNumber stands for all longer numbers. No value has as many digits, and to compare
// such numbers takes time that grows with the square.
var longNumber = stdjson.Number(strings.Repeat("9", 10_000))

// Data returns the data of a valid text, with numbers as they are written, and nil for no text.
func Data(text jsontext.Value) (data any) {
	if len(text) > 0 {
		if err := json.Unmarshal(text, &data, Lenient, ExactNumbers); err != nil {
			panic(err) // it was read before
		}
	}
	return data
}

// KindName returns what a kind of JSON is called, with its article.
func KindName(kind jsontext.Kind) string { return kinds[kind] }
