package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/words"
	"github.com/objchange/objchange/conformance"
	"github.com/objchange/objchange/tfconv"
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
		return unpacked(schema, text)
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
	if err == nil {
		err = conformance.Conform(schema, v)
	}
	return v, err
}

// unpacked returns the value of a string with MessagePack in base64, from whomever it is.
func unpacked(schema *objchange.Block, text json.RawMessage) (cty.Value, error) {
	var packed []byte
	if err := json.Unmarshal(text, &packed); err != nil || len(packed) == 0 {
		return cty.NilVal, errors.New("it is not the base64 of MessagePack")
	}
	v, err := tfconv.Decode6(&tfprotov6.DynamicValue{MsgPack: packed}, schema.ImpliedType())
	if err == nil {
		err = conformance.Conform(schema, v)
	}
	return v, err
}
