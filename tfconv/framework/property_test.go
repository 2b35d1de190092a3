package framework_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfconv"
	"github.com/objchange/objchange/tfconv/framework"
)

// TestAnySchema checks that any schema of the framework converts to the equivalent schema, and that
// it implies the type of the framework's values.
func TestAnySchema(t *testing.T) {
	ctx := t.Context()
	rapid.Check(t, func(t *rapid.T) {
		from, block := schema.Schema{Version: rapid.Int64().Draw(t, "version")}, configschema.Block{}
		from.Attributes, block.Attributes = drawAttributes(t, 2)
		from.Blocks, block.BlockTypes = drawBlocks(t, 2)
		got, err := framework.Resource(ctx, from)
		if d := diff(&configschema.Schema{Version: from.Version, Block: &block}, got); d != "" || err != nil {
			t.Fatalf("%v (-want +got):\n%s", err, d)
		}
		own, err := tfconv.TypeToCty(from.Type().TerraformType(ctx))
		if err != nil || !own.Equals(got.Block.ImpliedType()) {
			t.Fatalf("implies %#v, and the framework has %#v, %v", got.Block.ImpliedType(), own, err)
		}
	})
}

func drawAttributes(t *rapid.T, depth int) (map[string]schema.Attribute, map[string]*configschema.Attribute) {
	from, to := map[string]schema.Attribute{}, map[string]*configschema.Attribute{}
	for i := range rapid.IntRange(0, 3).Draw(t, "attributes") {
		name := fmt.Sprintf("attr%d", i)
		from[name], to[name] = drawAttribute(t, depth)
	}
	return from, to
}

func drawAttribute(t *rapid.T, depth int) (schema.Attribute, *configschema.Attribute) {
	sensitive, computed := rapid.Bool().Draw(t, "sensitive"), rapid.Bool().Draw(t, "computed")
	to := &configschema.Attribute{Optional: true, Computed: computed, Sensitive: sensitive}
	kind := 0
	if depth > 0 {
		kind = rapid.IntRange(0, 4).Draw(t, "kind")
	}
	if kind == 0 {
		var elem attr.Type
		elem, to.Type = drawType(t, 2)
		to.Type = cty.List(to.Type)
		return schema.ListAttribute{ElementType: elem, Optional: true, Computed: computed, Sensitive: sensitive}, to
	}
	attrs, wantAttrs := drawAttributes(t, depth-1)
	nested := schema.NestedAttributeObject{Attributes: attrs}
	to.NestedType = &configschema.Object{Attributes: wantAttrs}
	switch kind {
	case 1:
		to.NestedType.Nesting = configschema.NestingList
		return schema.ListNestedAttribute{NestedObject: nested, Optional: true, Computed: computed, Sensitive: sensitive}, to
	case 2:
		to.NestedType.Nesting = configschema.NestingSet
		return schema.SetNestedAttribute{NestedObject: nested, Optional: true, Computed: computed, Sensitive: sensitive}, to
	case 3:
		to.NestedType.Nesting = configschema.NestingMap
		return schema.MapNestedAttribute{NestedObject: nested, Optional: true, Computed: computed, Sensitive: sensitive}, to
	}
	to.NestedType.Nesting = configschema.NestingSingle
	return schema.SingleNestedAttribute{Attributes: attrs, Optional: true, Computed: computed, Sensitive: sensitive}, to
}

func drawBlocks(t *rapid.T, depth int) (map[string]schema.Block, map[string]*configschema.NestedBlock) {
	from, to := map[string]schema.Block{}, map[string]*configschema.NestedBlock{}
	if depth == 0 {
		return from, to
	}
	for i := range rapid.IntRange(0, 2).Draw(t, "blocks") {
		name, nested, want := fmt.Sprintf("block%d", i), schema.NestedBlockObject{}, &configschema.NestedBlock{}
		nested.Attributes, want.Attributes = drawAttributes(t, depth-1)
		nested.Blocks, want.BlockTypes = drawBlocks(t, depth-1)
		switch rapid.IntRange(0, 2).Draw(t, "nesting") {
		case 0:
			from[name], want.Nesting = schema.ListNestedBlock{NestedObject: nested}, configschema.NestingList
		case 1:
			from[name], want.Nesting = schema.SetNestedBlock{NestedObject: nested}, configschema.NestingSet
		case 2:
			from[name] = schema.SingleNestedBlock{Attributes: nested.Attributes, Blocks: nested.Blocks}
			want.Nesting = configschema.NestingSingle
		}
		to[name] = want
	}
	return from, to
}

func drawType(t *rapid.T, depth int) (attr.Type, cty.Type) {
	kind := rapid.IntRange(0, 2).Draw(t, "kind")
	if depth > 0 {
		kind = rapid.IntRange(0, 6).Draw(t, "kind of type")
	}
	switch kind {
	case 0:
		return types.StringType, cty.String
	case 1:
		return types.Int64Type, cty.Number
	case 2:
		return types.BoolType, cty.Bool
	}
	elem, want := drawType(t, depth-1)
	switch kind {
	case 3:
		return types.ListType{ElemType: elem}, cty.List(want)
	case 4:
		return types.SetType{ElemType: elem}, cty.Set(want)
	case 5:
		return types.MapType{ElemType: elem}, cty.Map(want)
	}
	return types.ObjectType{AttrTypes: map[string]attr.Type{"a": elem}}, cty.Object(map[string]cty.Type{"a": want})
}
