package tfplan

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/ctydata"
)

// configured is a resource in the configuration. The type of terraform-json loses blocks with the
// nesting modes single and map.
type configured struct {
	Mode              tfjson.ResourceMode `json:"mode"`
	Type              string              `json:"type"`
	ProviderConfigKey string              `json:"provider_config_key"`
	Expressions       map[string]any      `json:"expressions"`
}

// A lastRead is the last resource that was read from the configuration. Instances of one resource
// follow each other, so it is often needed again.
type lastRead struct {
	at *place
	*configured
}

// configured reads a resource from the configuration. The result is shared and must not be changed.
func (chk *checker) configured(at *place) (*configured, error) {
	if last := chk.last.Load(); last != nil && last.at == at {
		return last.configured, nil
	}
	r, err := load[configured](at)
	if err == nil {
		chk.last.Store(&lastRead{at, r})
	}
	return r, err
}

// check reports attributes that the configuration of a resource must not set.
func (r *configured) check(schema *configschema.Block) []Finding {
	c := configChecker{}
	c.block(schema, r.Expressions, nil)
	return c.found
}

// withoutKeys returns the address of a module without its instance keys.
func withoutKeys(address string) string {
	var b strings.Builder
	quoted, depth := false, 0
	for i := 0; i < len(address); i++ {
		switch ch := address[i]; {
		case quoted && ch == '\\':
			i++
		case depth > 0 && ch == '"':
			quoted = !quoted
		case quoted:
		case ch == '[':
			depth++
		case ch == ']':
			depth--
		case depth == 0:
			b.WriteByte(ch)
		}
	}
	return b.String()
}

// A configChecker collects findings about a configuration.
type configChecker struct{ found []Finding }

func (c *configChecker) block(schema *configschema.Block, expressions map[string]any, path cty.Path) {
	for _, name := range slices.Sorted(maps.Keys(expressions)) {
		at := path.GetAttr(name)
		if attr := schema.Attributes[name]; attr != nil {
			c.attribute(attr, expressions[name], at)
		} else if nested := schema.BlockTypes[name]; nested != nil {
			c.blocks(nested, expressions[name], at)
		}
	}
}

// blocks checks the blocks of one type. They are an array, an object with the keys of the blocks,
// or a single block.
func (c *configChecker) blocks(nested *configschema.NestedBlock, written any, path cty.Path) {
	switch written := written.(type) {
	case []any:
		for i, block := range written {
			if block, ok := block.(map[string]any); ok {
				c.block(&nested.Block, block, path.Index(cty.NumberIntVal(int64(i))))
			}
		}
	case map[string]any:
		if !nested.Nesting.Keyed() {
			c.block(&nested.Block, written, path)
			return
		}
		for _, name := range slices.Sorted(maps.Keys(written)) {
			if block, ok := written[name].(map[string]any); ok {
				c.block(&nested.Block, block, path.Index(cty.StringVal(name)))
			}
		}
	}
}

// attribute checks an attribute that is set. An expression without a constant and references may be
// null.
func (c *configChecker) attribute(attr *configschema.Attribute, written any, path cty.Path) {
	expression, _ := written.(map[string]any)
	references, _ := expression["references"].([]any)
	constant := expression["constant_value"]
	switch {
	case len(references) > 0 && attr.Computed && !attr.Optional:
		c.computedOnly(path)
	case constant != nil:
		c.constant(attr, constant, path)
	}
}

// constant checks a constant and its parts.
func (c *configChecker) constant(attr *configschema.Attribute, constant any, path cty.Path) {
	block := &configschema.Block{Attributes: map[string]*configschema.Attribute{"v": attr}}
	v, err := ctydata.ValueOf(block, map[string]any{"v": constant})
	if err != nil {
		return // Core rejects such a configuration
	}
	alone, err := objchange.Compile(block)
	if err != nil {
		return // the attribute cannot be compiled without the rest of the schema
	}
	for _, found := range objchange.AssertConfigValid(alone, v) {
		if found.Rule == objchange.RuleConfigComputedOnly {
			c.computedOnly(append(path.Copy(), found.Path[1:]...))
		}
	}
	for _, found := range objchange.AssertStateValid(alone, v) {
		if found.Rule == objchange.RuleWriteOnlyNotNull {
			c.find(objchange.RuleWriteOnlyConstant, append(path.Copy(), found.Path[1:]...),
				"is write-only, but a constant in the configuration, so every plan contains the value")
		}
	}
}

func (c *configChecker) computedOnly(path cty.Path) {
	c.find(objchange.RuleConfigComputedOnly, path, "is configured, but only the provider may set it")
}

// find adds a finding. It hides all keys in the path, because any of them may be sensitive.
func (c *configChecker) find(rule objchange.Rule, path cty.Path, message string) {
	c.found = append(c.found, Finding{Rule: rule, Path: hideKeys(path), Message: message, Phase: objchange.PhaseConfig, Severity: rule.Info().Severity})
}

// keyOf returns the key for a step of a path.
func keyOf(step any) (cty.Value, bool) {
	switch step := step.(type) {
	case string:
		return cty.StringVal(step), true
	case json.Number:
		i, err := step.Int64()
		return cty.NumberIntVal(i), err == nil
	}
	return cty.NilVal, false
}
