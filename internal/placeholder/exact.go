package placeholder

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/ctydata"
)

// Encode returns the exact JSON of a value that conforms: nothing is hidden, and the value
// of a dynamic attribute comes with its type. It returns an error for a marked value. It
// writes dynamic blocks with their type only where JSON without it would be read as another
// value; to find that out, it reads a value with dynamic blocks again.
func Encode(schema *configschema.Block, v cty.Value) (json.RawMessage, error) {
	if v.ContainsMarked() {
		return nil, errors.New("the value is marked")
	}
	text, err := encoder{}.text(schema, v)
	if err != nil || !hasDynamicBlocks(schema) {
		return text, err
	}
	var data any
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&data); err != nil {
		return nil, err
	}
	again, err := ctydata.Format{Open: Open, Strict: true}.ValueOf(schema, data)
	if err == nil && again.RawEquals(v) {
		return text, nil
	}
	return encoder{typed: true}.text(schema, v)
}

// hasDynamicBlocks reports whether there are blocks of the dynamic type, at any depth.
func hasDynamicBlocks(schema *configschema.Block) bool {
	for _, nb := range schema.BlockTypes {
		if nb.ImpliedType() == cty.DynamicPseudoType || hasDynamicBlocks(&nb.Block) {
			return true
		}
	}
	return false
}

// An encoder makes plain data of values.
type encoder struct {
	typed bool // dynamic blocks come with their type
}

func (e encoder) text(schema *configschema.Block, v cty.Value) (json.RawMessage, error) {
	return marshal(e.object(schema.Attributes, schema.BlockTypes, v))
}

// marshal returns JSON as json.Marshal does, with <, > and & as they are.
func marshal(data any) (json.RawMessage, error) {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(data); err != nil {
		return nil, fmt.Errorf("the value has no JSON: %w", err)
	}
	return bytes.TrimSpace(text.Bytes()), nil
}

// object returns the data of an object with a schema.
func (e encoder) object(attrs map[string]*configschema.Attribute, blocks map[string]*configschema.NestedBlock, v cty.Value) any {
	if data, ok := whole(v.Type(), v); ok {
		return data
	}
	fields := map[string]any{}
	for name, a := range attrs {
		if nested := a.NestedType; nested != nil {
			fields[name] = e.nested(nested.Nesting, a.ImpliedType(), nested.Attributes, nil, v.GetAttr(name))
		} else {
			fields[name] = plain(a.Type, v.GetAttr(name))
		}
	}
	for name, nb := range blocks {
		fields[name] = e.nested(nb.Nesting, nb.ImpliedType(), nb.Attributes, nb.BlockTypes, v.GetAttr(name))
	}
	return fields
}

// nested returns the data of a nested attribute or block type.
func (e encoder) nested(mode configschema.NestingMode, ty cty.Type, attrs map[string]*configschema.Attribute, blocks map[string]*configschema.NestedBlock, v cty.Value) any {
	data, ok := whole(ty, v)
	switch {
	case ok:
		return data
	case e.typed && ty == cty.DynamicPseudoType:
		return plain(ty, v)
	case mode.Single():
		return e.object(attrs, blocks, v)
	}
	return elements(v, func(_, v cty.Value) any { return e.object(attrs, blocks, v) })
}

// whole returns the data of a value that is null or unknown, at a place of the type.
func whole(ty cty.Type, v cty.Value) (data any, ok bool) {
	switch {
	case !v.IsKnown():
		data = map[string]any{KeyUnknown: UnknownData(v)}
	case !v.IsNull():
		return nil, false
	}
	if ty == cty.DynamicPseudoType && v.Type() != ty {
		data = WithType(v.Type(), data)
	}
	return data, true
}

// Plain returns the JSON of a value without a schema.
func Plain(v cty.Value) (json.RawMessage, error) { return marshal(plain(v.Type(), v)) }

// plain returns the data of a value without a schema of its own, at a place of the type.
func plain(ty cty.Type, v cty.Value) any {
	data, ok := whole(ty, v)
	switch of := v.Type(); {
	case ok:
		return data
	case ty == cty.DynamicPseudoType:
		return WithType(of, plain(of, v))
	case of == cty.String:
		return StringData(v.AsString())
	case of == cty.Number:
		return NumberText(v.AsBigFloat())
	case of == cty.Bool:
		return v.True()
	}
	return elements(v, func(key, part cty.Value) any {
		switch {
		case ty.IsObjectType():
			return plain(ty.AttributeType(key.AsString()), part)
		case ty.IsTupleType():
			i, _ := key.AsBigFloat().Int64()
			return plain(ty.TupleElementType(int(i)), part)
		}
		return plain(ty.ElementType(), part)
	})
}

// elements returns the data of a collection, an object or a tuple.
func elements(v cty.Value, elem func(key, part cty.Value) any) any {
	list, entries := []any{}, map[string]any{}
	named := v.Type().IsMapType() || v.Type().IsObjectType()
	for key, part := range v.Elements() {
		if named {
			entries[key.AsString()] = elem(key, part)
		} else {
			list = append(list, elem(key, part))
		}
	}
	if named {
		return EncodeKeys(entries)
	}
	return list
}

// longest is how many digits a number may have. No value has as many, and to compare
// numbers takes time that grows with the square.
const longest = 30_000

// Open is the Open of a [ctydata.Format]: it replaces a placeholder with what ctydata takes
// for it. There is no $sensitive.
func Open(ty cty.Type, data any) (any, error) {
	switch data := data.(type) {
	case nil:
		return Null{}, nil
	case json.Number:
		if len(data) > longest {
			return nil, errors.New("the number has too many digits")
		}
	case map[string]any:
		return openObject(ty, data)
	}
	return data, nil
}

func openObject(ty cty.Type, data map[string]any) (any, error) {
	key, err := Form(data)
	if err != nil {
		return nil, err
	}
	switch key {
	case "":
		return DecodeKeys(data)
	case KeyUnknown:
		return Unknown{Promises: data[key]}, nil
	case KeyBytes:
		s, err := BytesOf(data[key])
		return cty.StringVal(s), err
	case KeyLiteral:
		if literal, ok := data[key].(map[string]any); ok {
			return literal, nil
		}
		return nil, fmt.Errorf("%s must be an object", key)
	case KeyTyped:
		if ty != cty.DynamicPseudoType {
			return nil, fmt.Errorf("%s is for places of any type, and this one has a type", key)
		}
		return Typed(data[key], func(inner any) any { return inner }), nil
	}
	return nil, fmt.Errorf("there is no %s here", key)
}
