package document

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/words"
	"github.com/zclconf/go-cty/cty"
)

// Encode returns the JSON of a value as documents have it, with two blanks for
// each level. What is sensitive or write-only in the schema, or sensitive by a
// mark, is {"$sensitive": {"$unknown": true}} unless it is null. Everything else reads
// back as the same value.
func Encode(schema *objchange.Block, v cty.Value) ([]byte, error) {
	text, err := words.JSON(objectData(schema.Attributes, schema.BlockTypes, v), "  ")
	if err != nil {
		return nil, fmt.Errorf("the value has no JSON: %w", err)
	}
	return text, nil
}

// hidden stands for what is not shown.
var hidden = map[string]any{keySensitive: map[string]any{keyUnknown: true}}

// wholeData returns the data of what has no parts to go into.
func wholeData(v cty.Value) (data any, ok bool) {
	switch {
	case v.IsMarked() && v.IsNull():
		return map[string]any{keySensitive: nil}, true
	case v.IsMarked():
		return hidden, true
	case !v.IsKnown():
		return map[string]any{keyUnknown: promised(v)}, true
	case v.IsNull():
		return nil, true
	}
	return nil, false
}

// secretData returns the data of what must not be shown, which tells whether it
// is null and whether it is known.
func secretData(v cty.Value) any {
	data, whole := wholeData(v)
	switch {
	case !v.IsMarked() && !v.IsKnown():
		return map[string]any{keyUnknown: true} // what is promised of it may tell
	case whole:
		return data
	}
	return hidden
}

// objectData returns the data of an object with a schema.
func objectData(attrs map[string]*objchange.Attribute, blocks map[string]*objchange.NestedBlock, v cty.Value) any {
	if data, ok := wholeData(v); ok {
		return data
	}
	parts := map[string]any{}
	for name, attr := range attrs {
		parts[name] = attributeData(attr, v.GetAttr(name))
	}
	for name, nb := range blocks {
		parts[name] = nestedData(nb.Nesting, nb.Attributes, nb.BlockTypes, v.GetAttr(name))
	}
	return parts
}

func attributeData(attr *objchange.Attribute, v cty.Value) any {
	data, whole := wholeData(v)
	switch {
	case attr.Sensitive || attr.WriteOnly:
		return secretData(v)
	case whole:
		return data
	case attr.NestedType != nil:
		return nestedData(attr.NestedType.Nesting, attr.NestedType.Attributes, nil, v)
	}
	return plainData(v)
}

// nestedData returns the data of a block type or nested attribute.
func nestedData(mode objchange.NestingMode, attrs map[string]*objchange.Attribute, blocks map[string]*objchange.NestedBlock, v cty.Value) any {
	object := func(v cty.Value) any { return objectData(attrs, blocks, v) }
	if mode.Single() {
		return object(v)
	}
	return elementsData(v, object)
}

// plainData returns the data of a value without a schema of its own.
func plainData(v cty.Value) any {
	if data, ok := wholeData(v); ok {
		return data
	}
	switch v.Type() {
	case cty.String:
		return stringData(v.AsString())
	case cty.Number:
		return json.Number(v.AsBigFloat().Text('f', -1))
	case cty.Bool:
		return v.True()
	}
	return elementsData(v, plainData)
}

// elementsData returns the data of a collection, an object or a tuple.
func elementsData(v cty.Value, elem func(cty.Value) any) any {
	if data, ok := wholeData(v); ok {
		return data
	}
	ty := v.Type()
	if !ty.IsMapType() && !ty.IsObjectType() {
		list := []any{}
		for _, part := range v.AsValueSlice() {
			list = append(list, elem(part))
		}
		return list
	}
	parts := map[string]any{}
	for key, part := range v.AsValueMap() {
		parts[key] = elem(part)
	}
	return encodeKeys(parts)
}

// promised returns what $unknown says of an unknown value.
func promised(v cty.Value) any {
	if v.Type() == cty.DynamicPseudoType {
		return true
	}
	r := v.Range()
	p := promises{NotNull: r.DefinitelyNotNull()}
	if v.Type() == cty.String && r.StringPrefix() != "" {
		prefix := byteString(r.StringPrefix())
		p.Prefix = &prefix
	}
	if v.Type().IsCollectionType() {
		low, high := r.LengthLowerBound(), r.LengthUpperBound()
		if low > 0 {
			p.MinLength = &low
		}
		if high < math.MaxInt {
			p.MaxLength = &high
		}
	}
	if p == (promises{}) {
		return true
	}
	return p
}
