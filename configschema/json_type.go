package configschema

import (
	"maps"
	"slices"

	"github.com/objchange/objchange/internal/paths"
	"github.com/zclconf/go-cty/cty"
)

// ctyType is a field that is a type, absent where it is the zero cty.Type. The
// JSON is that of cty.Type, whose own methods panic on some input, take
// quadratic time for deep types and know no places.
func (c *codec) ctyType(name string, p *cty.Type) {
	if c.in[name] == nil && *p == cty.NilType {
		return
	}
	c.at(paths.Step{Name: name}, func() {
		if c.out == nil {
			*p = c.readType(c.in[name])
			return
		}
		c.writeName(name)
		c.writeType(*p)
	})
}

// readType returns the type that the JSON says, which is not to be used if
// there is an error.
func (c *codec) readType(v any) cty.Type {
	switch v := v.(type) {
	case string:
		return c.readPlainType(v)
	case []any:
		return c.readCompoundType(v)
	}
	c.failf("must be a type, not %s", jsonKind(v))
	return cty.NilType
}

func (c *codec) readPlainType(name string) cty.Type {
	switch name {
	case "bool":
		return cty.Bool
	case "number":
		return cty.Number
	case "string":
		return cty.String
	case "dynamic":
		return cty.DynamicPseudoType
	}
	c.failf("unknown type %.60q", name)
	return cty.NilType
}

// readCompoundType reads ["list", ELEMENT] and likewise "set" and "map", or
// ["tuple", [ELEMENT, ...]], or ["object", {NAME: ATTRIBUTE, ...}], to which
// the names of optional attributes may be added: [NAME, ...].
func (c *codec) readCompoundType(parts []any) (ty cty.Type) {
	var names []any
	if len(parts) == 3 && parts[0] == "object" {
		var ok bool
		if names, ok = parts[2].([]any); ok {
			parts = parts[:2]
		}
	}
	if len(parts) != 2 {
		c.failf("is no type: an array of %d values", len(parts))
		return cty.NilType
	}
	c.inside(paths.Step{Kind: paths.ByIndex, Pos: 1}, func() {
		switch parts[0] {
		case "list":
			ty = cty.List(c.readType(parts[1]))
		case "set":
			ty = cty.Set(c.readType(parts[1]))
		case "map":
			ty = cty.Map(c.readType(parts[1]))
		case "tuple":
			ty = c.readTupleType(parts[1])
		case "object":
			ty = c.readObjectType(parts[1], names)
		}
	})
	if ty == cty.NilType {
		c.failf(`is no type: must begin with "list", "set", "map", "tuple" or "object"`)
	}
	return ty
}

func (c *codec) readTupleType(v any) cty.Type {
	parts, ok := v.([]any)
	if !ok {
		c.failf("must be an array of types, not %s", jsonKind(v))
	}
	types := make([]cty.Type, len(parts))
	for i, part := range parts {
		c.inside(paths.Step{Kind: paths.ByIndex, Pos: i}, func() { types[i] = c.readType(part) })
	}
	return cty.Tuple(types)
}

func (c *codec) readObjectType(v any, optional []any) cty.Type {
	parts, ok := v.(map[string]any)
	if !ok {
		c.failf("must be an object of types, not %s", jsonKind(v))
	}
	types := make(map[string]cty.Type, len(parts))
	for _, key := range slices.Sorted(maps.Keys(parts)) {
		c.inside(paths.Step{Kind: paths.ByKey, Name: key}, func() {
			name := cty.NormalizeString(key) // as cty does, but without a word when two become one
			if _, twice := types[name]; twice {
				c.failf("is the same name as another in Unicode NFC")
			}
			types[name] = c.readType(parts[key])
		})
	}
	names := make([]string, len(optional))
	for i, part := range optional {
		name, isName := part.(string)
		names[i] = cty.NormalizeString(name)
		if _, ok := types[names[i]]; !ok || !isName {
			c.failf("optional name %d is no attribute", i)
			return cty.NilType
		}
	}
	return cty.ObjectWithOptionalAttrs(types, names)
}

func (c *codec) writeType(ty cty.Type) {
	switch {
	case ty == cty.NilType:
		c.failf("must not be the zero cty.Type")
	case ty == cty.DynamicPseudoType:
		c.writeJSON("dynamic")
	case ty.IsPrimitiveType():
		c.writeJSON(ty.FriendlyName())
	case ty.IsListType():
		c.writeCompoundType("list", func() { c.writeType(ty.ElementType()) })
	case ty.IsSetType():
		c.writeCompoundType("set", func() { c.writeType(ty.ElementType()) })
	case ty.IsMapType():
		c.writeCompoundType("map", func() { c.writeType(ty.ElementType()) })
	case ty.IsTupleType():
		c.writeCompoundType("tuple", func() { c.writeTupleType(ty) })
	case ty.IsObjectType():
		c.writeCompoundType("object", func() { c.writeObjectType(ty) })
	default:
		c.failf("a %s has no JSON", ty.FriendlyName())
	}
}

func (c *codec) writeCompoundType(kind string, part func()) {
	c.out.WriteString(`["` + kind + `",`)
	c.inside(paths.Step{Kind: paths.ByIndex, Pos: 1}, part)
	c.out.WriteByte(']')
}

func (c *codec) writeTupleType(ty cty.Type) {
	c.out.WriteByte('[')
	for i, part := range ty.TupleElementTypes() {
		c.writeComma('[')
		c.inside(paths.Step{Kind: paths.ByIndex, Pos: i}, func() { c.writeType(part) })
	}
	c.out.WriteByte(']')
}

func (c *codec) writeObjectType(ty cty.Type) {
	types := ty.AttributeTypes()
	c.out.WriteByte('{')
	for _, name := range slices.Sorted(maps.Keys(types)) {
		c.writeName(name)
		c.inside(paths.Step{Kind: paths.ByKey, Name: name}, func() { c.writeType(types[name]) })
	}
	c.out.WriteByte('}')
	if optional := ty.OptionalAttributes(); len(optional) > 0 {
		c.out.WriteByte(',')
		c.writeJSON(slices.Sorted(maps.Keys(optional)))
	}
}
