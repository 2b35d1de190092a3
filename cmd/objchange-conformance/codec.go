package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/conformance"
	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/internal/placeholder"
	"github.com/objchange/objchange/tfconv"
)

// jsonCodec is the conformance.Codec that encodes values as JSON with placeholders. It decodes both
// forms. The only conversion is from strings to numbers. It supports the same values as
// MessagePack.
type jsonCodec struct{}

// messagePack is the conformance.Codec that encodes values as MessagePack. It decodes both
// forms. It is safe for input with false lengths.
type messagePack struct{ jsonCodec }

var _, _ conformance.Codec = jsonCodec{}, messagePack{}

// Encode returns a JSON string with MessagePack in base64. It returns an error if the value
// does not conform or is marked.
func (messagePack) Encode(schema *configschema.Block, v cty.Value) (json.RawMessage, error) {
	return conformance.MessagePack{}.Encode(schema, v)
}

// Encode returns the JSON of a value that conforms. It returns an error if the value is marked.
func (jsonCodec) Encode(schema *configschema.Block, v cty.Value) (json.RawMessage, error) {
	return placeholder.Encode(schema, v)
}

// Decode returns the value of JSON, or of a JSON string with MessagePack in base64. In a
// dynamic part, JSON gives the same value as MessagePack, which does not keep all types.
func (jsonCodec) Decode(schema *configschema.Block, text json.RawMessage) (cty.Value, error) {
	text = bytes.TrimSpace(text)
	if bytes.HasPrefix(text, []byte{'"'}) {
		return unpacked(schema, text)
	}
	if !jsontext.Value(text).IsValid() {
		return cty.NilVal, errors.New("it has bytes that are not UTF-8, or a duplicate name in an object")
	}
	var data any
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&data); err != nil {
		return cty.NilVal, err
	}
	v, err := ctydata.Format{Open: placeholder.Open, Strict: true}.ValueOf(schema, data)
	if err == nil {
		err = conformance.Conform(schema, v)
	}
	if err != nil || !schema.ImpliedType().HasDynamicTypes() {
		return v, err
	}
	packed, err := conformance.MessagePack{}.Encode(schema, v)
	if err == nil {
		v, err = unpacked(schema, packed)
	}
	if err != nil {
		return cty.NilVal, fmt.Errorf("MessagePack cannot encode the value: %w", err)
	}
	return v, nil
}

// unpacked returns the value of a JSON string with MessagePack in base64.
func unpacked(schema *configschema.Block, text json.RawMessage) (cty.Value, error) {
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
