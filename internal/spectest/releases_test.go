package spectest

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	. "github.com/objchange/objchange/internal/testcty"
)

// TestBehaviorOfReleases checks the examples of docs/releases.md. Each subtest names the first
// release of Terraform with the behavior of the library. The document also describes the recorded
// behavior of earlier releases.
func TestBehaviorOfReleases(t *testing.T) {
	x := func(flags string) Attrs { return Attrs{"x": Attr(cty.String, flags)} }
	xOf := func(v cty.Value) cty.Value { return Object(Obj{"x": v}) }
	xType := cty.Object(map[string]cty.Type{"x": cty.String})
	plan := func(schema *configschema.Block, config, planned cty.Value) objchange.Violations {
		return objchange.AssertPlanValid(Compiled(schema), cty.NullVal(schema.ImpliedType()), ObjectOf(config), ObjectOf(planned))
	}

	t.Run("1.16: null where blocks should be", func(t *testing.T) {
		group := SchemaOfBlock(Block(configschema.NestingGroup, x("optional")))
		Expect(t, plan(group, xOf(Str("a")), cty.NullVal(xType)), ".v plan-null-blocks")
		for _, mode := range []configschema.NestingMode{configschema.NestingList, configschema.NestingSet, configschema.NestingMap, configschema.NestingGroup} {
			ty := WrapTypeIn(mode, xType)
			Expect(t, plan(SchemaOfBlock(Block(mode, x("optional"))), cty.UnknownVal(ty), cty.NullVal(ty)), ".v plan-null-blocks")
		}
	})
	t.Run("1.12: maps", func(t *testing.T) {
		maps := SchemaOf(Nested(configschema.NestingMap, "optional", x("optional computed")))
		config, want := ObjectOf(MapOf(Obj{"k": cty.UnknownVal(xType)})), ObjectOf(MapOf(Obj{"k": xOf(UnknownStr)}))
		got, err := objchange.ProposedNew(Compiled(maps), NoDynamic, config)
		ExpectValue(t, got, err, want)
		Expect(t, objchange.AssertPlanValid(Compiled(maps), NoDynamic, config, want))
		Expect(t, objchange.AssertPlanValid(Compiled(maps), NoDynamic, config, config))

		in := Attrs{"x": Attr(cty.String, "computed"), "y": Attr(cty.String, "optional")}
		both := func(x cty.Value) cty.Value { return ObjectOf(MapOf(Obj{"k": Object(Obj{"x": x, "y": Str("a")})})) }
		for _, schema := range []*configschema.Block{SchemaOf(Nested(configschema.NestingMap, "optional", in)), SchemaOfBlock(Block(configschema.NestingMap, in))} {
			got, err := objchange.PlannedDataResource(Compiled(schema), both(NoStr))
			ExpectValue(t, got, err, both(UnknownStr))
		}
	})
	t.Run("1.6: sets whose elements may coalesce", func(t *testing.T) {
		sets := SchemaOf(Nested(configschema.NestingSet, "optional", x("optional")))
		Expect(t, plan(sets, Set(xOf(UnknownStr), xOf(Str("b"))), Set(xOf(Str("b")))).Enforced())
	})
	t.Run("1.6: refinements", func(t *testing.T) {
		prefixed := UnknownStr.Refine().NotNull().StringPrefixFull("a").NewValue()
		Expect(t, objchange.AssertPlanConsistent(Compiled(SchemaOf(Attr(cty.String, "computed"))), ObjectOf(prefixed), ObjectOf(Str("b"))), ".v inconsistent-refinement")
	})
	t.Run("1.5: unknown nested collections", func(t *testing.T) {
		maps := SchemaOf(Nested(configschema.NestingMap, "optional", x("optional")))
		Expect(t, plan(maps, MapOf(Obj{"k": xOf(Str("a"))}), MapOf(Obj{"k": xOf(Str("a")), "l": xOf(Str("a"))})), ".v plan-count")
		Expect(t, plan(maps, MapOf(Obj{"k": xOf(Str("a"))}), cty.UnknownVal(cty.Map(xType))), ".v plan-unknown-nested")
		Expect(t, plan(SchemaOf(Nested(configschema.NestingSingle, "optional", x("optional"))), xOf(Str("a")), cty.UnknownVal(xType)), ".v plan-unknown-nested")
	})
	t.Run("1.4: merging", func(t *testing.T) {
		single := SchemaOf(Nested(configschema.NestingSingle, "optional computed", x("optional")))
		got, err := objchange.ProposedNew(Compiled(single), ObjectOf(xOf(Str("a"))), ObjectOf(cty.NullVal(xType)))
		ExpectValue(t, got, err, ObjectOf(cty.NullVal(xType)))
	})
}
