package tfplan

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/ctydata"
	ctyvalues "github.com/objchange/objchange/internal/values"
)

// configOf returns the configuration of a resource instance as a value of the schema's type, and
// how much of it is known. Parts that the plan does not determine are unknown: expressions that are
// not constants, and dynamic blocks, which a plan does not show. configOf uses the planned value to
// find out whether there may be more blocks than the plan shows.
func configOf(schema *objchange.Schema, expressions map[string]any, planned cty.Value) (cty.Value, Coverage) {
	c := configBuilder{}
	return c.block(schema.Block(), schema.ImpliedType(), expressions, planned), c.coverage
}

// A configBuilder builds the value of a configuration.
type configBuilder struct{ coverage Coverage }

// count counts an attribute, or the blocks of a type, and returns the value.
func (c *configBuilder) count(v cty.Value) cty.Value {
	c.coverage.Configured++
	if v.IsWhollyKnown() {
		c.coverage.Constants++
	}
	return v
}

// block returns the value of a block. The planned value is cty.NilVal if the matching planned
// object is not known.
func (c *configBuilder) block(
	schema *configschema.Block, ty cty.Type, expressions map[string]any, planned cty.Value,
) cty.Value {
	parts := make(map[string]cty.Value, len(schema.Attributes)+len(schema.BlockTypes))
	for name, attr := range schema.Attributes {
		parts[name] = c.attribute(attr, ty.AttributeType(name), expressions[name], partOf(planned, cty.StringVal(name)))
	}
	for name, nested := range schema.BlockTypes {
		parts[name] = c.blocks(nested, ty.AttributeType(name), expressions[name], partOf(planned, cty.StringVal(name)))
	}
	return cty.ObjectVal(parts)
}

func (c *configBuilder) attribute(attr *configschema.Attribute, ty cty.Type, written any, planned cty.Value) cty.Value {
	expression, isWritten := written.(map[string]any)
	constant, isConstant := expression["constant_value"]
	v := cty.UnknownVal(ty)
	switch {
	case attr.Computed && !attr.Optional:
		return cty.NullVal(ty)
	case !isWritten && mayBeBlocks(attr) && (planned == cty.NilVal || !planned.IsNull()):
		return v // dynamic blocks, or set by the provider
	case !isWritten:
		return cty.NullVal(ty)
	case isConstant && !isTemplate(constant):
		if converted, err := valueOf(ty, constant); err == nil && isAll(attr, ty, converted, planned) {
			v = converted
		}
	}
	c.count(v)
	switch {
	case attr.WriteOnly && !v.IsKnown():
		return cty.NullVal(ty) // only constants are findings
	case attr.WriteOnly:
		return v.Mark(Sensitive)
	}
	return v
}

// blocks returns the value of all blocks of a type. It is unknown if the plan has more blocks than
// the configuration shows, because there may be dynamic blocks.
func (c *configBuilder) blocks(
	nested *configschema.NestedBlock, ty cty.Type, written any, planned cty.Value,
) cty.Value {
	bodies, _ := written.([]any)
	body, isWritten := written.(map[string]any)
	switch most := length(planned); {
	case nested.Nesting.Single() && isWritten:
		return c.block(&nested.Block, ty, body, planned)
	case nested.Nesting == configschema.NestingGroup, nested.Computed && written == nil:
		return cty.UnknownVal(ty) // the provider may set it
	case nested.Nesting.Single() && planned != cty.NilVal && planned.IsNull():
		return cty.NullVal(ty)
	case nested.Nesting.Single(), len(bodies)+len(body) < most:
		return c.count(cty.UnknownVal(ty))
	case nested.Nesting.Keyed():
		elems := make(map[string]cty.Value, len(body))
		for key, inside := range body {
			elems[key] = c.element(nested, ty, inside, partOf(planned, cty.StringVal(key)))
		}
		return collectionOf(ty, elems)
	default:
		elems := make([]cty.Value, len(bodies))
		for i, inside := range bodies {
			elems[i] = c.element(nested, ty, inside, plannedFor(planned, i, len(bodies)))
		}
		v := collectionOf(ty, elems)
		if ty.IsSetType() && (!v.IsWhollyKnown() || length(v) < most) {
			return cty.UnknownVal(ty)
		}
		return v
	}
}

// element returns one of several blocks.
func (c *configBuilder) element(
	nested *configschema.NestedBlock, ty cty.Type, written any, planned cty.Value,
) cty.Value {
	elem := nested.Block.ImpliedType
	if ty != cty.DynamicPseudoType {
		elem = ty.ElementType
	}
	body, _ := written.(map[string]any)
	return c.block(&nested.Block, elem(), body, planned)
}

// isTemplate reports whether a constant contains a template. For a configuration in JSON, the plan
// shows templates as strings.
func isTemplate(constant any) bool {
	switch constant := constant.(type) {
	case string:
		return strings.Contains(constant, "${") || strings.Contains(constant, "%{")
	case []any:
		return slices.ContainsFunc(constant, isTemplate)
	case map[string]any:
		for key, part := range constant {
			if isTemplate(key) || isTemplate(part) {
				return true
			}
		}
	}
	return false
}

// valueOf returns the value that Terraform makes of data for an attribute. Terraform converts the
// data to the type and ignores attributes of objects that the type does not have. Attributes that
// the data does not have are null.
func valueOf(ty cty.Type, data any) (cty.Value, error) {
	fit := func(ty cty.Type, data any) (any, error) {
		object, isObject := data.(map[string]any)
		if !isObject || !ty.IsObjectType() {
			return data, nil
		}
		parts := maps.Clone(object)
		maps.DeleteFunc(parts, func(name string, _ any) bool { return !ty.HasAttribute(cty.NormalizeString(name)) })
		return parts, nil
	}
	return ctydata.Format{Open: fit}.ValueOfType(ty, data)
}

// mayBeBlocks reports whether Terraform may accept blocks for an attribute, as it does for the
// legacy SDK.
func mayBeBlocks(attr *configschema.Attribute) bool {
	return attr.NestedType == nil && isBlocks(attr.Type)
}

func isBlocks(ty cty.Type) bool {
	return (ty.IsListType() || ty.IsSetType()) && ty.ElementType().IsObjectType()
}

// isAll reports whether the constant with the value v is the complete value of the attribute. It is
// not if there may be dynamic blocks, or if the plan does not show the type of a dynamic part.
func isAll(attr *configschema.Attribute, ty cty.Type, v, planned cty.Value) bool {
	exactly := ty != cty.DynamicPseudoType && ty.HasDynamicTypes()
	if mayBeBlocks(attr) && length(v) > 0 {
		for _, inside := range attr.Type.ElementType().AttributeTypes() {
			exactly = exactly || isBlocks(inside)
		}
		if length(v) < length(planned) {
			return false
		}
	}
	return !exactly || planned != cty.NilVal && ctyvalues.Equal(v, planned, ctyvalues.Content)
}

// length returns the number of elements of a value, or the largest int if it is not known.
func length(v cty.Value) int {
	switch v, _ := v.Unmark(); {
	case v == cty.NilVal || !v.IsKnown():
		return math.MaxInt
	case v.IsNull():
		return 0
	default:
		return v.LengthInt()
	}
}

// partOf returns the part of a value at the key, or cty.NilVal if it has no such part or is a set.
func partOf(v, key cty.Value) cty.Value {
	switch v, _ := v.Unmark(); {
	case v == cty.NilVal || v.IsNull() || !v.IsKnown() || v.Type().IsSetType():
	case v.Type().IsObjectType():
		if name := key.AsString(); v.Type().HasAttribute(name) {
			return v.GetAttr(name)
		}
	case v.HasIndex(key).True():
		return v.Index(key)
	}
	return cty.NilVal
}

// plannedFor returns the planned value of one of n blocks, or cty.NilVal if it is not certain.
func plannedFor(planned cty.Value, i, n int) cty.Value {
	switch planned, _ := planned.Unmark(); {
	case length(planned) != n:
		return cty.NilVal
	case !planned.Type().IsSetType():
		return planned.Index(cty.NumberIntVal(int64(i)))
	case n == 1:
		return planned.AsValueSlice()[0]
	}
	return cty.NilVal
}

// collectionOf returns a value of the type with the elements, which are a slice or a map of values.
// It is unknown if the elements have no common type.
func collectionOf(ty cty.Type, elems any) cty.Value {
	v, err := ctydata.Format{}.ValueOfType(ty, elems)
	if err != nil {
		return cty.UnknownVal(ty)
	}
	return v
}
