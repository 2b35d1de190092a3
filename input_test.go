package objchange_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
)

// TestUnknownInsidePrior checks that a prior value may contain unknown values, which equal no
// known values.
func TestUnknownInsidePrior(t *testing.T) {
	schema, good := schemaOf(leafAttr), objectOf(str("a"))
	expect(t, objchange.AssertPlanValid(compiled(schema), objectOf(unknownStr), good, good))
	expect(t, objchange.AssertPlanValid(compiled(schema), objectOf(unknownStr), good, objectOf(str("x"))), ".v plan-not-config")
}

// TestUnknownPriorIsPlaceholder checks specification.md#51-data-sources: the proposal for an unknown
// prior value is the planned value of a data source.
func TestUnknownPriorIsPlaceholder(t *testing.T) {
	schema := &configschema.Block{
		Attributes: attrs{"id": attr(cty.String, "computed"), "name": attr(cty.String, "optional"), "v": nested(configschema.NestingSet, "optional", itemAttrs)},
		BlockTypes: blocks{"b": block(configschema.NestingList, itemAttrs)},
	}
	config := object(obj{"id": noStr, "name": str("a"), "v": set(item(noStr, str("a"))), "b": list(item(noStr, str("b")))})
	for _, config := range []cty.Value{config, schema.EmptyValue(), cty.NullVal(schema.ImpliedType()), cty.DynamicVal} {
		want, err := objchange.PlannedDataResource(compiled(schema), config)
		if err != nil {
			t.Fatal(err)
		}
		for _, prior := range []cty.Value{cty.UnknownVal(schema.ImpliedType()), cty.DynamicVal} {
			got, err := objchange.ProposedNew(compiled(schema), prior, config)
			expectValue(t, got, err, want)
		}
	}
	// Unknown values inside do not change.
	schema = schemaOf(leafAttr)
	got, err := objchange.ProposedNew(compiled(schema), objectOf(unknownStr), objectOf(str("c")))
	expectValue(t, got, err, objectOf(str("c")))
}

// TestTypeMismatchIsAllThatIsReported checks that a value that does not conform is reported
// with all its mismatches and no other violations.
func TestTypeMismatchIsAllThatIsReported(t *testing.T) {
	broken := secret(str("s"), num(1))
	for name, schema := range map[string]*configschema.Block{
		"nested attribute": schemaOf(nested(configschema.NestingSingle, "optional", secretAttrs)),
		"block":            schemaOfBlock(block(configschema.NestingGroup, secretAttrs)),
		"plain":            schemaOf(attr(secretType, "optional")),
	} {
		t.Run(name, func(t *testing.T) {
			expect(t, objchange.AssertStateValid(compiled(schema), objectOf(broken)), ".v.name type-mismatch")
			expect(t, objchange.AssertStateValid(compiled(schema), objectOf(secret(unknownStr, unknownNum))), ".v.name type-mismatch")
			expect(t, objchange.AssertPlanValid(compiled(schema), objectOf(broken), objectOf(secret(str("s"), str("n"))), objectOf(broken)), ".v.name type-mismatch")
		})
	}
	lists := schemaOfBlock(block(configschema.NestingList, secretAttrs))
	expect(t, objchange.AssertStateValid(compiled(lists), objectOf(list(broken))), ".v type-mismatch")
}

// TestTypeMismatchInUnknown checks the type of an unknown value.
func TestTypeMismatchInUnknown(t *testing.T) {
	schema := schemaOf(nested(configschema.NestingSingle, "optional", itemAttrs))
	good, bad := objectOf(unknownItem), objectOf(cty.UnknownVal(cty.Object(map[string]cty.Type{"id": cty.String})))
	expect(t, objchange.AssertPlanValid(compiled(schema), bad, good, good), ".v.name type-mismatch")
	expect(t, objchange.AssertPlanConsistent(compiled(schema), bad, good), ".v.name type-mismatch")
	expect(t, objchange.AssertPlanConsistent(compiled(schema), good, bad), ".v.name type-mismatch")
	expect(t, objchange.AssertStateValid(compiled(schema), bad), ".v.name type-mismatch")
}

// TestTypeMismatchOfDynamicBlocksInPlans checks that a value of the wrong shape for blocks of
// the dynamic type is not accepted, although specification.md#10-plan allows other types there.
func TestTypeMismatchOfDynamicBlocksInPlans(t *testing.T) {
	tuples := schemaOfBlock(block(configschema.NestingList, dynAttrs))
	supplied := schemaOfBlock(computed(block(configschema.NestingList, attrs{"id": attr(cty.DynamicPseudoType, "computed")})))
	good := tuple(item(noStr, str("a")))
	bad := wrong(".v type-mismatch")
	testPlanRows(t, []planRow{
		{"planned equal to config", tuples, noDynamic, str("a"), str("a"), bad},
		{"planned, config null", tuples, noDynamic, noDynamic, str("a"), bad},
		{"planned for a computed block, config null", supplied, noDynamic, noDynamic, str("a"), bad},
		{"prior of a computed block, config null", supplied, str("a"), noDynamic, cty.DynamicVal, bad},
		{"prior, planned equal to config", tuples, str("a"), good, good, bad},
	})
	for _, row := range []consistencyRow{
		{"known, then null", tuples, str("a"), noDynamic, nil},
		{"known, then unknown", tuples, str("a"), cty.DynamicVal, nil},
		{"unknown, then known", tuples, cty.DynamicVal, str("a"), nil},
		{"null, then known", tuples, noDynamic, str("a"), nil},
		{"unknown computed, then known", supplied, cty.DynamicVal, str("a"), nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			for _, v := range objchange.AssertPlanConsistent(compiled(row.schema), objectOf(row.was), objectOf(row.now)) {
				if v.Rule == objchange.RuleTypeMismatch && v.PathString() == ".v" {
					return
				}
			}
			t.Error("no type-mismatch")
		})
	}
}

// TestMissingAttributesAreListed checks that a function that returns a value names all missing
// attributes at once.
func TestMissingAttributesAreListed(t *testing.T) {
	schema := schemaOfBlock(block(configschema.NestingSingle, attrs{"in": attr(cty.String, "optional")}))
	schema.Attributes = attrs{"a": attr(cty.String, "optional"), "b": attr(cty.Number, "optional")}
	_, err := objchange.ProposedNew(compiled(schema), noDynamic, object(obj{"v": object(obj{})}))
	const want = ".a: the config value lacks the attribute, which must be present with type string, as in the schema's EmptyValue; also missing: .b, .v.in [type-mismatch]"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	many := &configschema.Block{Attributes: attrs{}}
	for i := range 30 {
		many.Attributes[fmt.Sprint("a", i)] = attr(cty.String, "optional")
	}
	if _, err = objchange.ProposedNew(compiled(many), noDynamic, object(obj{})); err == nil || !strings.HasSuffix(err.Error(), ", .a27 and 9 more [type-mismatch]") {
		t.Error(err)
	}
}

// TestCompileNamesEveryProblem checks that the error of Compile joins all problems that make a
// schema unusable, and no others.
func TestCompileNamesEveryProblem(t *testing.T) {
	_, err := objchange.Compile(&configschema.Block{
		Attributes: attrs{"a": nil, "b": attr(cty.String, "required optional"), "c": {}},
		BlockTypes: blocks{"d": block(0, attrs{"a": leafAttr})},
	})
	want := ".a: the attribute is nil\n.c: exactly one of Type and NestedType must be set\n.d: invalid nesting mode NestingMode(0)"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
