package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/cmd/objchange/internal/words"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/conformance"
	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/internal/placeholder"
	"github.com/objchange/objchange/tfconv"
)

// Codec is the conformance.Codec of the JSON form of values, which reads the other form,
// too. It hides nothing and converts nothing: all attributes must be there, of their
// types, but for numbers in strings. It has the values that MessagePack has, and no others.
type Codec struct{}

var _ conformance.Codec = Codec{}

// Encode returns the JSON of a value, which must conform and not be marked. Dynamic blocks
// are written with their type only where they would be read as another value without. To
// find that out, a value with dynamic blocks is read again.
func (Codec) Encode(schema *configschema.Block, v cty.Value) (json.RawMessage, error) {
	if v.ContainsMarked() {
		return nil, errors.New("the value is marked")
	}
	text, err := exactly(encoder{exact: true}, schema, v)
	if err != nil || !hasDynamicBlocks(schema) {
		return text, err
	}
	if again, err := (Codec{}).Decode(schema, text); err == nil && again.RawEquals(v) {
		return text, nil
	}
	return exactly(encoder{exact: true, typed: true}, schema, v)
}

func exactly(e encoder, schema *configschema.Block, v cty.Value) (json.RawMessage, error) {
	text, err := words.JSON(e.object(schema.Attributes, schema.BlockTypes, v), "")
	if err != nil {
		return nil, fmt.Errorf("the value has no JSON: %w", err)
	}
	return bytes.TrimSpace(text), nil
}

// hasDynamicBlocks reports whether there are blocks of the dynamic type, at any depth.
func hasDynamicBlocks(schema *configschema.Block) bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(schema.BlockTypes)), func(nb *configschema.NestedBlock) bool {
		return nb.ImpliedType() == cty.DynamicPseudoType || hasDynamicBlocks(&nb.Block)
	})
}

// Decode returns the value of JSON, or of a string with MessagePack in base64.
func (Codec) Decode(schema *configschema.Block, text json.RawMessage) (cty.Value, error) {
	text = bytes.TrimSpace(text)
	if bytes.HasPrefix(text, []byte{'"'}) {
		return unpacked(schema, text)
	}
	if !jsontext.Value(text).IsValid() {
		return cty.NilVal, errors.New("it has bytes that are not UTF-8, or a name twice in one object")
	}
	p := plainer{marks: &marks{}}
	format := ctydata.Format{Open: p.open, Strict: true}
	v, err := format.ValueOf(schema, &raw{text: text})
	if err == nil && p.secrets {
		err = fmt.Errorf("there is no %s here", placeholder.KeySensitive)
	}
	if err == nil {
		err = conformance.Conform(schema, v)
	}
	if err == nil && schema.ImpliedType().HasDynamicTypes() {
		v, err = carried(schema, v)
	}
	return v, err
}

// carried returns the value as MessagePack carries it, so that both forms have the same
// values. Where a part of the type is dynamic, MessagePack has no type for a value that is
// null, unknown or empty.
func carried(schema *configschema.Block, v cty.Value) (cty.Value, error) {
	text, err := conformance.MessagePack{}.Encode(schema, v)
	if err == nil {
		v, err = unpacked(schema, text)
	}
	if err != nil {
		return cty.NilVal, fmt.Errorf("MessagePack cannot carry the value: %w", err)
	}
	return v, nil
}

// unpacked returns the value of a string with MessagePack in base64, from whomever it is.
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
