package document

import (
	"fmt"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/cmd/objchange/internal/words"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/placeholder"
)

// Encode returns the JSON of a value as documents have it, with two blanks for
// each level. What is sensitive or write-only in the schema, or sensitive by a
// mark, is {"$sensitive": {"$unknown": true}} unless it is null. Everything else reads
// back as the same value.
func Encode(schema *configschema.Block, v cty.Value) ([]byte, error) {
	text, err := words.JSON(encoder{marked: v.ContainsMarked()}.object(schema.Attributes, schema.BlockTypes, v), "  ")
	if err != nil {
		return nil, fmt.Errorf("the value has no JSON: %w", err)
	}
	return text, nil
}

// An encoder makes data for JSON of values.
type encoder struct {
	marked bool // marks may be somewhere inside
	// siblings: the elements around have one type, and one is marked. The names of
	// attributes in the types of others may be all that these show of it.
	siblings bool
}

// within returns the encoder for what is in a collection.
func (e encoder) within(collection cty.Value) encoder {
	e.siblings = e.siblings || e.marked && collection.Type().IsCollectionType() && collection.ContainsMarked()
	return e
}

// shows reports whether a type can be shown.
func (e encoder) shows(ty cty.Type) bool { return !e.siblings || !namesAttributes(ty) }

func namesAttributes(ty cty.Type) bool {
	switch {
	case ty.IsCollectionType():
		return namesAttributes(ty.ElementType())
	case ty.IsTupleType():
		return slices.ContainsFunc(ty.TupleElementTypes(), namesAttributes)
	}
	return ty.IsObjectType()
}

// hidden stands for what is not shown.
var hidden = map[string]any{placeholder.KeySensitive: map[string]any{placeholder.KeyUnknown: true}}

// whole returns the data of what has no parts to go into, at a place of the type.
func (e encoder) whole(ty cty.Type, v cty.Value) (data any, ok bool) {
	switch {
	case v.IsMarked() && v.IsNull():
		return map[string]any{placeholder.KeySensitive: nil}, true
	case v.IsMarked():
		return hidden, true
	case !v.IsKnown():
		data = map[string]any{placeholder.KeyUnknown: placeholder.UnknownData(v)}
	case !v.IsNull():
		return nil, false
	}
	if ty == cty.DynamicPseudoType && v.Type() != ty && e.shows(v.Type()) {
		data = placeholder.WithType(v.Type(), data)
	}
	return data, true
}

// secretData returns the data of what must not be shown, which tells whether it
// is null and whether it is known.
func secretData(v cty.Value) any {
	switch {
	case v.IsMarked() && v.IsNull():
		return map[string]any{placeholder.KeySensitive: nil}
	case v.IsMarked():
		return hidden
	case !v.IsKnown():
		return map[string]any{placeholder.KeyUnknown: true} // what is promised of it may tell
	case v.IsNull():
		return nil
	}
	return hidden
}

// object returns the data of an object with a schema.
func (e encoder) object(attrs map[string]*configschema.Attribute, blocks map[string]*configschema.NestedBlock, v cty.Value) any {
	if data, ok := e.whole(v.Type(), v); ok {
		return data
	}
	parts := map[string]any{}
	for name, attr := range attrs {
		parts[name] = e.attribute(attr, v.GetAttr(name))
	}
	for name, nb := range blocks {
		parts[name] = e.nested(nb.Nesting, nb.ImpliedType(), nb.Attributes, nb.BlockTypes, v.GetAttr(name))
	}
	return parts
}

func (e encoder) attribute(attr *configschema.Attribute, v cty.Value) any {
	switch {
	case attr.Sensitive || attr.WriteOnly:
		return secretData(v)
	case attr.NestedType != nil:
		return e.nested(attr.NestedType.Nesting, attr.ImpliedType(), attr.NestedType.Attributes, nil, v)
	}
	return e.plain(attr.Type, v)
}

// nested returns the data of a block type or nested attribute.
func (e encoder) nested(mode configschema.NestingMode, ty cty.Type, attrs map[string]*configschema.Attribute, blocks map[string]*configschema.NestedBlock, v cty.Value) any {
	if data, ok := e.whole(ty, v); ok {
		return data
	}
	e = e.within(v)
	object := func(v cty.Value) any { return e.object(attrs, blocks, v) }
	if mode.Single() {
		return object(v)
	}
	return elements(v, func(_, v cty.Value) any { return object(v) })
}

// plain returns the data of a value without a schema of its own, at a place of the
// type.
func (e encoder) plain(ty cty.Type, v cty.Value) any {
	if data, ok := e.whole(ty, v); ok {
		return data
	}
	of := v.Type()
	e = e.within(v)
	if ty == cty.DynamicPseudoType && e.shows(of) && of.IsCollectionType() {
		return placeholder.WithType(of, e.plain(of, v))
	}
	switch of {
	case cty.String:
		return placeholder.StringData(v.AsString())
	case cty.Number:
		return placeholder.NumberText(v.AsBigFloat())
	case cty.Bool:
		return v.True()
	}
	return elements(v, func(key, part cty.Value) any { return e.plain(inType(ty, key), part) })
}

// inType returns the type of a place in one of the type: what is in one of any type may
// have any, too.
func inType(ty cty.Type, key cty.Value) cty.Type {
	switch {
	case ty.IsCollectionType():
		return ty.ElementType()
	case ty.IsObjectType():
		return ty.AttributeType(key.AsString())
	case ty.IsTupleType():
		i, _ := key.AsBigFloat().Int64()
		return ty.TupleElementType(int(i))
	}
	return cty.DynamicPseudoType
}

// elements returns the data of a collection, an object or a tuple.
func elements(v cty.Value, elem func(key, part cty.Value) any) any {
	named := v.Type().IsMapType() || v.Type().IsObjectType()
	list, parts := []any{}, map[string]any{}
	for key, part := range v.Elements() {
		if named {
			parts[key.AsString()] = elem(key, part)
		} else {
			list = append(list, elem(key, part))
		}
	}
	if named {
		return placeholder.EncodeKeys(parts)
	}
	return list
}
