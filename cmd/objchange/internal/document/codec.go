package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/words"
	"github.com/objchange/objchange/conformance"
)

// Codec is the conformance.Codec of the JSON form of values, which reads the other form,
// too. It hides nothing and converts nothing: all attributes must be there, of their
// types, but for numbers in strings.
type Codec struct{}

var _ conformance.Codec = Codec{}

// Encode returns the JSON of a value, which must conform and not be marked.
func (Codec) Encode(schema *objchange.Block, v cty.Value) (json.RawMessage, error) {
	if v.ContainsMarked() {
		return nil, errors.New("the value is marked")
	}
	text, err := words.JSON(encoder{exact: true}.object(schema.Attributes, schema.BlockTypes, v), "")
	if err != nil {
		return nil, fmt.Errorf("the value has no JSON: %w", err)
	}
	return bytes.TrimSpace(text), nil
}

// Decode returns the value of JSON, or of a string with MessagePack in base64.
func (Codec) Decode(schema *objchange.Block, text json.RawMessage) (cty.Value, error) {
	text = bytes.TrimSpace(text)
	if bytes.HasPrefix(text, []byte{'"'}) {
		v, err := conformance.MessagePack{}.Decode(schema, text)
		if err == nil {
			err = cty.Walk(v, endless)
		}
		return v, err
	}
	if !jsontext.Value(text).IsValid() {
		return cty.NilVal, errors.New("it has bytes that are not UTF-8, or a name twice in one object")
	}
	p := plainer{marks: &marks{}}
	format := objchange.DataFormat{Open: p.open, Strict: true}
	v, err := format.ValueOf(schema, &raw{text: text})
	if err == nil && p.secrets {
		err = fmt.Errorf("there is no %s here", keySensitive)
	}
	return v, err
}

// endless fails for a number that takes long to write, which JSON may not have either.
func endless(_ cty.Path, v cty.Value) (bool, error) {
	const most = 4096
	if v.Type() != cty.Number || v.IsNull() || !v.IsKnown() {
		return true, nil
	}
	if exp := v.AsBigFloat().MantExp(nil); exp > most || exp < -most {
		return false, fmt.Errorf("it has a number beyond 2^%d", most)
	}
	return true, nil
}
