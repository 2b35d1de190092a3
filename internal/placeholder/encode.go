package placeholder

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
)

// Encode returns the exact JSON of a value that conforms to the schema. It hides nothing, and
// writes the values of dynamic attributes and dynamic blocks with their types. It returns an error
// for a marked value.
func Encode(schema *configschema.Block, v cty.Value) (json.RawMessage, error) {
	if v.ContainsMarked() {
		return nil, errors.New("the value is marked")
	}
	return marshal(encoder{exact: true}.object(schema.Attributes, schema.BlockTypes, v))
}

// Shown returns the data of a value for display. A value that is sensitive or write-only in the
// schema becomes {"$sensitive": {"$unknown": true}} unless it is null. All other data decodes to the
// same value.
func Shown(schema *configschema.Block, v cty.Value) any {
	return encoder{hides: true}.object(schema.Attributes, schema.BlockTypes, v)
}

// An encoder converts values to plain data.
type encoder struct {
	exact bool // write dynamic blocks with their type
	hides bool // hide sensitive values, and types that JSON shows anyway
}

// marshal is like json.Marshal, but does not escape <, > and &.
func marshal(data any) (json.RawMessage, error) {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(data); err != nil {
		return nil, fmt.Errorf("cannot encode the value as JSON: %w", err)
	}
	return bytes.TrimSpace(text.Bytes()), nil
}

type (
	attributes = map[string]*configschema.Attribute
	blockTypes = map[string]*configschema.NestedBlock
)

// object returns the data of an object with a schema.
func (e encoder) object(attrs attributes, blocks blockTypes, v cty.Value) any {
	if data, ok := e.whole(v.Type(), v); ok {
		return data
	}
	fields := map[string]any{}
	for name, a := range attrs {
		switch nested := a.NestedType; {
		case e.hides && (a.Sensitive || a.WriteOnly):
			fields[name] = secret(v.GetAttr(name))
		case nested != nil:
			fields[name] = e.nested(nested.Nesting, a.ImpliedType(), nested.Attributes, nil, v.GetAttr(name))
		default:
			fields[name] = e.plain(a.Type, v.GetAttr(name))
		}
	}
	for name, nb := range blocks {
		fields[name] = e.nested(nb.Nesting, nb.ImpliedType(), nb.Attributes, nb.BlockTypes, v.GetAttr(name))
	}
	return fields
}

// nested returns the data of a nested attribute or block type.
func (e encoder) nested(
	mode configschema.NestingMode, ty cty.Type, attrs attributes, blocks blockTypes, v cty.Value,
) any {
	data, ok := e.whole(ty, v)
	if ok {
		return data
	}
	switch {
	case e.exact && ty == cty.DynamicPseudoType:
		return e.plain(ty, v)
	case mode.Single():
		return e.object(attrs, blocks, v)
	}
	return elements(v, func(_, v cty.Value) any { return e.object(attrs, blocks, v) })
}

// whole returns the data of a value that is null or unknown. ty is the type that the schema
// allows at its place.
func (e encoder) whole(ty cty.Type, v cty.Value) (data any, ok bool) {
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

// secret returns the data of a value that must be hidden. It shows only whether the value is null or
// unknown.
func secret(v cty.Value) any {
	switch {
	case !v.IsKnown():
		return map[string]any{KeyUnknown: true} // a refinement could reveal a part of the value
	case v.IsNull():
		return nil
	}
	return map[string]any{KeySensitive: map[string]any{KeyUnknown: true}}
}

// Plain returns the JSON of a value without a schema.
func Plain(v cty.Value) (json.RawMessage, error) { return marshal(encoder{}.plain(v.Type(), v)) }

// plain returns the data of a value without a schema of its own. ty is the type that the schema
// allows at its place.
func (e encoder) plain(ty cty.Type, v cty.Value) any {
	if data, ok := e.whole(ty, v); ok {
		return data
	}
	switch of := v.Type(); {
	case ty == cty.DynamicPseudoType && (!e.hides || of.IsCollectionType()):
		return WithType(of, e.plain(of, v))
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
			return e.plain(ty.AttributeType(key.AsString()), part)
		case ty.IsTupleType():
			i, _ := key.AsBigFloat().Int64()
			return e.plain(ty.TupleElementType(int(i)), part)
		case ty.IsCollectionType():
			return e.plain(ty.ElementType(), part)
		}
		return e.plain(cty.DynamicPseudoType, part)
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

// Open is the Open function of a [ctydata.Format]. It replaces a placeholder by data that ctydata
// accepts.
func Open(ty cty.Type, data any) (any, error) {
	object, ok := data.(map[string]any)
	if !ok {
		if data == nil {
			return Null{}, nil
		}
		return data, nil
	}
	switch key, err := Form(object); key {
	case "":
		if err != nil {
			return nil, err
		}
		return DecodeKeys(object)
	case KeyUnknown:
		return Unknown{Refinements: object[key]}, err
	case KeyBytes:
		s, err := BytesOf(object[key])
		return cty.StringVal(s), err
	case KeyLiteral:
		if literal, ok := object[key].(map[string]any); ok {
			return literal, nil
		}
		return nil, fmt.Errorf("%s must be an object", key)
	}
	if ty != cty.DynamicPseudoType {
		return nil, fmt.Errorf("%s is allowed only where the type is dynamic", KeyTyped)
	}
	return Typed(object[KeyTyped]), nil
}
