package tfplan

import (
	"maps"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
)

// A resourceConfig is a resource in the configuration. The type of terraform-json loses blocks with
// the nesting modes single and map.
type resourceConfig struct {
	Expressions map[string]any `json:"expressions"`
}

// check reports attributes that the configuration of a resource must not set.
func (r *resourceConfig) check(schema *configschema.Block) []Finding {
	c := configChecker{}
	c.block(schema, r.Expressions, nil)
	return c.found
}

// A configChecker collects findings about a configuration.
type configChecker struct{ found []Finding }

func (c *configChecker) block(schema *configschema.Block, expressions map[string]any, path cty.Path) {
	for _, name := range slices.Sorted(maps.Keys(expressions)) {
		at := path.GetAttr(name)
		if attr := schema.Attributes[name]; attr != nil {
			c.attribute(attr, expressions[name], at)
		} else if nested := schema.BlockTypes[name]; nested != nil {
			eachObject(nested.Nesting, expressions[name], at, func(body map[string]any, at cty.Path) {
				c.block(&nested.Block, body, at)
			})
		}
	}
}

// eachObject visits the blocks of one type, or the objects of a nested attribute. They are an
// array, an object with their keys, or a single object.
func eachObject(nesting configschema.NestingMode, written any, path cty.Path, visit func(map[string]any, cty.Path)) {
	switch written := written.(type) {
	case []any:
		for i, part := range written {
			if body, ok := part.(map[string]any); ok {
				visit(body, path.IndexInt(i))
			}
		}
	case map[string]any:
		if !nesting.Keyed() {
			visit(written, path)
			return
		}
		for _, key := range slices.Sorted(maps.Keys(written)) {
			if body, ok := written[key].(map[string]any); ok {
				visit(body, path.IndexString(key))
			}
		}
	}
}

// attribute checks an attribute that is set. An expression without a constant and references may be
// null.
func (c *configChecker) attribute(attr *configschema.Attribute, written any, path cty.Path) {
	expression, _ := written.(map[string]any)
	references, _ := expression["references"].([]any)
	c.value(attr, expression["constant_value"], len(references) > 0, path)
}

// value checks a constant, which is nil if the value is null or not constant, and its parts.
func (c *configChecker) value(attr *configschema.Attribute, constant any, hasReferences bool, path cty.Path) {
	switch {
	case constant == nil && !hasReferences:
	case attr.Computed && !attr.Optional:
		c.find(objchange.RuleConfigComputedOnly, path, "is configured, but only the provider may set it")
	case constant == nil:
	case attr.WriteOnly:
		c.find(objchange.RuleWriteOnlyConstant, path,
			"is write-only, but a constant in the configuration, so every plan contains the value")
	case attr.NestedType != nil:
		eachObject(attr.NestedType.Nesting, constant, path, func(object map[string]any, at cty.Path) {
			for _, name := range slices.Sorted(maps.Keys(object)) {
				if inner := attr.NestedType.Attributes[name]; inner != nil {
					c.value(inner, object[name], false, at.GetAttr(name))
				}
			}
		})
	}
}

// find adds a finding. It hides all keys in the path, because any of them may be sensitive.
func (c *configChecker) find(rule objchange.Rule, path cty.Path, message string) {
	c.found = append(c.found, finding(rule, objchange.PhaseConfig, hideKeys(path), "%s", message))
}
