package spectest

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
)

// TestBehaviorOfReleases checks the examples of docs/releases.md. Each subtest names the first
// release of Terraform with the behavior of the library. The document also describes the recorded
// behavior of earlier releases.
func TestBehaviorOfReleases(t *testing.T) {
	x := func(flags string) attrs { return attrs{"x": attr(cty.String, flags)} }
	xOf := func(v cty.Value) cty.Value { return object(obj{"x": v}) }
	xType := cty.Object(map[string]cty.Type{"x": cty.String})
	plan := func(schema *configschema.Block, config, planned cty.Value) objchange.Violations {
		return objchange.AssertPlanValid(compiled(schema), cty.NullVal(schema.ImpliedType()), objectOf(config), objectOf(planned))
	}

	t.Run("1.16: null where blocks should be", func(t *testing.T) {
		group := schemaOfBlock(block(configschema.NestingGroup, x("optional")))
		expect(t, plan(group, xOf(str("a")), cty.NullVal(xType)), ".v plan-null-blocks")
		for _, mode := range []configschema.NestingMode{configschema.NestingList, configschema.NestingSet, configschema.NestingMap, configschema.NestingGroup} {
			ty := wrapTypeIn(mode, xType)
			expect(t, plan(schemaOfBlock(block(mode, x("optional"))), cty.UnknownVal(ty), cty.NullVal(ty)), ".v plan-null-blocks")
		}
	})
	t.Run("1.12: maps", func(t *testing.T) {
		maps := schemaOf(nested(configschema.NestingMap, "optional", x("optional computed")))
		config, want := objectOf(mapOf(obj{"k": cty.UnknownVal(xType)})), objectOf(mapOf(obj{"k": xOf(unknownStr)}))
		got, err := objchange.ProposedNew(compiled(maps), noDynamic, config)
		expectValue(t, got, err, want)
		expect(t, objchange.AssertPlanValid(compiled(maps), noDynamic, config, want))
		expect(t, objchange.AssertPlanValid(compiled(maps), noDynamic, config, config))

		in := attrs{"x": attr(cty.String, "computed"), "y": attr(cty.String, "optional")}
		both := func(x cty.Value) cty.Value { return objectOf(mapOf(obj{"k": object(obj{"x": x, "y": str("a")})})) }
		for _, schema := range []*configschema.Block{schemaOf(nested(configschema.NestingMap, "optional", in)), schemaOfBlock(block(configschema.NestingMap, in))} {
			got, err := objchange.PlannedDataResource(compiled(schema), both(noStr))
			expectValue(t, got, err, both(unknownStr))
		}
	})
	t.Run("1.6: sets whose elements may coalesce", func(t *testing.T) {
		sets := schemaOf(nested(configschema.NestingSet, "optional", x("optional")))
		expect(t, plan(sets, set(xOf(unknownStr), xOf(str("b"))), set(xOf(str("b")))).Enforced())
	})
	t.Run("1.6: refinements", func(t *testing.T) {
		prefixed := unknownStr.Refine().NotNull().StringPrefixFull("a").NewValue()
		expect(t, objchange.AssertPlanConsistent(compiled(schemaOf(attr(cty.String, "computed"))), objectOf(prefixed), objectOf(str("b"))), ".v inconsistent-refinement")
	})
	t.Run("1.5: unknown nested collections", func(t *testing.T) {
		maps := schemaOf(nested(configschema.NestingMap, "optional", x("optional")))
		expect(t, plan(maps, mapOf(obj{"k": xOf(str("a"))}), mapOf(obj{"k": xOf(str("a")), "l": xOf(str("a"))})), ".v plan-count")
		expect(t, plan(maps, mapOf(obj{"k": xOf(str("a"))}), cty.UnknownVal(cty.Map(xType))), ".v plan-unknown-nested")
		expect(t, plan(schemaOf(nested(configschema.NestingSingle, "optional", x("optional"))), xOf(str("a")), cty.UnknownVal(xType)), ".v plan-unknown-nested")
	})
	t.Run("1.4: merging", func(t *testing.T) {
		single := schemaOf(nested(configschema.NestingSingle, "optional computed", x("optional")))
		got, err := objchange.ProposedNew(compiled(single), objectOf(xOf(str("a"))), objectOf(cty.NullVal(xType)))
		expectValue(t, got, err, objectOf(cty.NullVal(xType)))
	})
}
