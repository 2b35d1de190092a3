package jsonpos

import (
	stdjson "encoding/json"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Lenient accepts the same input as encoding/json: strings with any bytes, and duplicate names.
var Lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// ExactNumbers decodes numbers as encoding/json.Number, which keeps their text.
var ExactNumbers = json.WithUnmarshalers(json.UnmarshalFromFunc(func(dec *jsontext.Decoder, data *any) (err error) {
	*data, err = decode(dec)
	return err
}))

// decode reads a value of any kind.
func decode(dec *jsontext.Decoder) (any, error) {
	token, err := dec.ReadToken()
	if err != nil {
		return nil, err
	}
	switch token.Kind() {
	case '{':
		return decodeObject(dec)
	case '[':
		list := []any{}
		for dec.PeekKind() != ']' {
			element, err := decode(dec)
			if err != nil {
				return nil, err
			}
			list = append(list, element)
		}
		_, err = dec.ReadToken()
		return list, err
	case '"':
		return token.String(), nil
	case 't', 'f':
		return token.Bool(), nil
	case 'n':
		return nil, nil
	}
	if text := token.String(); len(text) <= len(longNumber) {
		return stdjson.Number(text), nil
	}
	return longNumber, nil
}

func decodeObject(dec *jsontext.Decoder) (any, error) {
	object := map[string]any{}
	for dec.PeekKind() != '}' {
		token, err := dec.ReadToken()
		if err != nil {
			return nil, err
		}
		name := token.String()
		if object[name], err = decode(dec); err != nil {
			return nil, err
		}
	}
	_, err := dec.ReadToken()
	return object, err
}

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
