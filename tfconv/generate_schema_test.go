package tfconv_test

import (
	"fmt"

	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"

	"github.com/objchange/objchange/configschema"
)

// drawBlock returns a schema. If nested is true, it can contain nested attributes.
func drawBlock(t *rapid.T, depth int, nested, inSet bool) *configschema.Block {
	block := &configschema.Block{
		Attributes: drawAttributes(t, depth, nested, inSet), BlockTypes: map[string]*configschema.NestedBlock{},
		Description: rapid.SampledFrom([]string{"", "what it *is*"}).Draw(t, "description"),
		Deprecated:  rapid.Bool().Draw(t, "deprecated"),
	}
	if block.Deprecated {
		block.DeprecationMessage = "use another"
	}
	if depth == 0 {
		return block
	}
	for i := range rapid.IntRange(0, 2).Draw(t, "blocks") {
		mode := configschema.NestingMode(rapid.IntRange(1, 5).Draw(t, "nesting"))
		block.BlockTypes[fmt.Sprintf("block%d", i)] = &configschema.NestedBlock{
			Block:    *drawBlock(t, depth-1, nested, inSet || mode == configschema.NestingSet),
			Nesting:  mode,
			MinItems: rapid.IntRange(0, 1).Draw(t, "min"), MaxItems: rapid.IntRange(0, 3).Draw(t, "max"),
		}
	}
	return block
}

func drawAttributes(t *rapid.T, depth int, nested, inSet bool) map[string]*configschema.Attribute {
	attrs := map[string]*configschema.Attribute{}
	for _, name := range drawNames(t) {
		attr := &configschema.Attribute{
			Required: rapid.Bool().Draw(t, "required"), Optional: rapid.Bool().Draw(t, "optional"),
			Computed: rapid.Bool().Draw(t, "computed"), Sensitive: rapid.Bool().Draw(t, "sensitive"),
			WriteOnly: rapid.Bool().Draw(t, "write-only"), Deprecated: rapid.Bool().Draw(t, "deprecated"),
			DescriptionKind: configschema.StringKind(rapid.IntRange(0, 1).Draw(t, "kind of description")),
		}
		if nested && depth > 0 && rapid.Bool().Draw(t, "nested") {
			modes := []configschema.NestingMode{configschema.NestingSingle, configschema.NestingList, configschema.NestingSet, configschema.NestingMap}
			mode := rapid.SampledFrom(modes).Draw(t, "nesting")
			attr.NestedType = &configschema.Object{
				Attributes: drawAttributes(t, depth-1, nested, inSet || mode == configschema.NestingSet), Nesting: mode,
			}
		} else if attr.Type = drawType(t, 2, !inSet); rapid.Bool().Draw(t, "optional attributes") {
			attr.Type = cty.ObjectWithOptionalAttrs(map[string]cty.Type{"a": attr.Type, "b": cty.Bool}, []string{"b"})
		}
		attrs[name] = attr
	}
	return attrs
}
