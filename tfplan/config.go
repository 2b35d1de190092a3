package tfplan

import (
	"math"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/ctydata"
	ctyvalues "github.com/objchange/objchange/internal/values"
)

// configOf returns the configuration of a resource instance, as a value of the schema's type,
// and how much of it the plan says. It is unknown where the plan does not say the value for
// certain. A plan shows an expression as a constant, or by the objects that it refers to, or
// not at all if it calls functions only; and it does not show dynamic blocks.
//
// The planned value is what tells whether there may be more blocks than the plan shows, and,
// unless references are direct, whether an expression is no more than its reference. Where it
// is the prior value, ignore_changes may be the reason. Without a prior object, prior is
// cty.NilVal.
func configOf(schema *objchange.Schema, expressions map[string]any, prior, planned cty.Value, s scope, direct bool) (cty.Value, Coverage) {
	c := configuring{scope: s, direct: direct, prior: prior}
	return c.block(schema.Block(), schema.ImpliedType(), expressions, planned), c.Coverage
}

// A configuring makes the value of a configuration.
type configuring struct {
	scope  scope
	direct bool
	prior  cty.Value // of the root, until it is begun
	Coverage
}

// count counts an attribute or the blocks of a type, and returns the value.
func (c *configuring) count(v cty.Value, referring bool) cty.Value {
	switch {
	case !v.IsWhollyKnown():
		c.Unknown++
	case referring && !c.direct:
		c.Agreeing++
	default:
		c.Compared++
	}
	return v
}

// block returns the value of a block. The planned value is cty.NilVal if it is not known which
// of the planned objects is that of the block.
func (c *configuring) block(schema *configschema.Block, ty cty.Type, expressions map[string]any, planned cty.Value) cty.Value {
	parts, prior := make(map[string]cty.Value, len(schema.Attributes)+len(schema.BlockTypes)), c.prior
	c.prior = cty.NilVal
	for name, attr := range schema.Attributes {
		compared := c.Compared
		parts[name] = c.attribute(attr, ty.AttributeType(name), expressions[name], partOf(planned, cty.StringVal(name)))
		c.unchanged(compared, prior, planned, name)
	}
	for name, nested := range schema.BlockTypes {
		compared := c.Compared
		parts[name] = c.blocks(nested, ty.AttributeType(name), expressions[name], partOf(planned, cty.StringVal(name)))
		c.unchanged(compared, prior, planned, name)
	}
	return cty.ObjectVal(parts)
}

// unchanged counts what was compared in an attribute or a block as agreeing, if it does not
// change: another planned value would have been compared, but this one may be ignored.
func (c *configuring) unchanged(compared int, prior, planned cty.Value, name string) {
	before, now := partOf(prior, cty.StringVal(name)), partOf(planned, cty.StringVal(name))
	if before != cty.NilVal && now != cty.NilVal && c.Compared > compared && ctyvalues.Equal(before, now, ctyvalues.Content) {
		c.Agreeing += c.Compared - compared
		c.Compared = compared
	}
}

// attribute returns the value of an attribute.
func (c *configuring) attribute(attr *configschema.Attribute, ty cty.Type, written any, planned cty.Value) cty.Value {
	expression, isWritten := written.(map[string]any)
	references, _ := expression["references"].([]any)
	constant, isConstant := expression["constant_value"]
	v := cty.UnknownVal(ty)
	switch {
	case attr.Computed && !attr.Optional:
		return cty.NullVal(ty)
	case !isWritten && mayBeBlocks(attr) && (planned == cty.NilVal || !planned.IsNull()):
		return v // perhaps of dynamic blocks, perhaps of the provider
	case !isWritten:
		return cty.NullVal(ty)
	case len(references) > 0:
		if r, ok := c.scope.references(references); ok {
			v = c.reference(ty, r, planned)
		}
	case isConstant && !isTemplate(constant):
		if told, err := valueOf(ty, constant, nil); err == nil && isAll(attr, ty, told, planned) {
			v = told
		}
	}
	if attr.WriteOnly {
		v = v.Mark(Sensitive)
	}
	return c.count(v, len(references) > 0)
}

// reference returns the value that an attribute has if its expression is a reference.
func (c *configuring) reference(ty cty.Type, r resolved, planned cty.Value) cty.Value {
	v, err := valueOf(ty, r.data, cty.DynamicVal) // of an object, the variable may have defaults
	computes := planned != cty.NilVal && !ctyvalues.SameType(v.Type(), planned.Type())
	if err != nil || computes || !c.direct && (planned == cty.NilVal || !ctyvalues.Equal(v, planned, ctyvalues.Content)) {
		return cty.UnknownVal(ty)
	}
	if r.sensitive {
		v = v.Mark(Sensitive)
	}
	return v
}

// blocks returns the value of all blocks of a type. It is unknown if more are planned than
// are written: dynamic blocks may be the reason.
func (c *configuring) blocks(nested *configschema.NestedBlock, ty cty.Type, written any, planned cty.Value) cty.Value {
	bodies, _ := written.([]any)
	body, isWritten := written.(map[string]any)
	switch most := length(planned); {
	case nested.Nesting.Single() && isWritten:
		return c.block(&nested.Block, ty, body, planned)
	case nested.Nesting == configschema.NestingGroup, nested.Computed && written == nil:
		return cty.UnknownVal(ty) // the provider may plan it
	case nested.Nesting.Single() && planned != cty.NilVal && planned.IsNull():
		return cty.NullVal(ty)
	case nested.Nesting.Single(), len(bodies)+len(body) < most:
		return c.count(cty.UnknownVal(ty), false)
	case nested.Nesting.Keyed():
		elems := make(map[string]cty.Value, len(body))
		for key, inside := range body {
			elems[key] = c.element(nested, ty, inside, partOf(planned, cty.StringVal(key)))
		}
		return mapOf(ty, elems)
	default:
		elems := make([]cty.Value, len(bodies))
		for i, inside := range bodies {
			elems[i] = c.element(nested, ty, inside, plannedFor(planned, i, len(bodies)))
		}
		v := listOf(ty, elems)
		if ty.IsSetType() && (!v.IsWhollyKnown() || length(v) < most) {
			return cty.UnknownVal(ty)
		}
		return v
	}
}

// element returns one of several blocks.
func (c *configuring) element(nested *configschema.NestedBlock, ty cty.Type, written any, planned cty.Value) cty.Value {
	elem := nested.Block.ImpliedType
	if ty != cty.DynamicPseudoType {
		elem = ty.ElementType
	}
	body, _ := written.(map[string]any)
	return c.block(&nested.Block, elem(), body, planned)
}

// isTemplate reports whether there is a template in a constant. Of a configuration in JSON,
// the plan shows templates as they are written.
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

// valueOf returns the value that Terraform makes of data in an attribute: it converts what
// can be converted, and ignores the attributes of objects that the type does not have. For
// attributes that the data does not have, missing is taken.
func valueOf(ty cty.Type, data, missing any) (cty.Value, error) {
	fit := func(ty cty.Type, data any) (any, error) {
		object, isObject := data.(map[string]any)
		if !isObject || !ty.IsObjectType() {
			return data, nil
		}
		parts := make(map[string]any, len(object))
		for name := range ty.AttributeTypes() {
			parts[name] = missing
		}
		for name, part := range object {
			if name := cty.NormalizeString(name); ty.HasAttribute(name) {
				parts[name] = part
			}
		}
		return parts, nil
	}
	return ctydata.Format{Open: fit}.ValueOfType(ty, data)
}

// mayBeBlocks reports whether Terraform may take blocks for an attribute, as it does for the
// legacy SDK.
func mayBeBlocks(attr *configschema.Attribute) bool {
	return attr.NestedType == nil && isBlocks(attr.Type)
}

func isBlocks(ty cty.Type) bool {
	return (ty.IsListType() || ty.IsSetType()) && ty.ElementType().IsObjectType()
}

// isAll reports whether an attribute has nothing but the constant, which has the value v: no
// dynamic blocks, and no dynamic type in which the plan does not show what was converted.
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

// length returns how many elements a value has, or as many as there can be if that is not
// known.
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

// partOf returns the part of a value at the key, or cty.NilVal if there is none. Nothing leads
// into a set.
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

// plannedFor returns what is planned for one of n blocks, or cty.NilVal if that is not certain.
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

func mapOf(ty cty.Type, elems map[string]cty.Value) cty.Value {
	switch {
	case ty == cty.DynamicPseudoType:
		return cty.ObjectVal(elems)
	case len(elems) == 0:
		return cty.MapValEmpty(ty.ElementType())
	}
	return cty.MapVal(elems)
}

func listOf(ty cty.Type, elems []cty.Value) cty.Value {
	switch {
	case ty == cty.DynamicPseudoType:
		return cty.TupleVal(elems)
	case ty.IsSetType() && len(elems) == 0:
		return cty.SetValEmpty(ty.ElementType())
	case ty.IsSetType():
		return cty.SetVal(elems)
	case len(elems) == 0:
		return cty.ListValEmpty(ty.ElementType())
	}
	return cty.ListVal(elems)
}
