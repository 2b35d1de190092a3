package objchange_test

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	. "github.com/objchange/objchange/internal/testcty"
)

// TestPriorMayContainUnknownValues checks that a prior value may contain unknown values, which equal no
// known values.
func TestPriorMayContainUnknownValues(t *testing.T) {
	schema, good := SchemaOf(LeafAttr), ObjectOf(Str("a"))
	Expect(t, objchange.AssertPlanValid(Compiled(schema), ObjectOf(UnknownStr), good, good))
	Expect(t, objchange.AssertPlanValid(Compiled(schema), ObjectOf(UnknownStr), good, ObjectOf(Str("x"))), ".v plan-not-config")
}

// TestTypesOfUnknownValuesAreChecked checks the type of an unknown value.
func TestTypesOfUnknownValuesAreChecked(t *testing.T) {
	schema := SchemaOf(Nested(configschema.NestingSingle, "optional", ItemAttrs))
	good, bad := ObjectOf(UnknownItem), ObjectOf(cty.UnknownVal(cty.Object(map[string]cty.Type{"id": cty.String})))
	Expect(t, objchange.AssertPlanValid(Compiled(schema), bad, good, good), ".v.name type-mismatch")
	Expect(t, objchange.AssertPlanConsistent(Compiled(schema), bad, good), ".v.name type-mismatch")
	Expect(t, objchange.AssertPlanConsistent(Compiled(schema), good, bad), ".v.name type-mismatch")
	Expect(t, objchange.AssertStateValid(Compiled(schema), bad), ".v.name type-mismatch")
}

// TestCompileNamesEveryProblem checks that the error of Compile joins all problems that make a
// schema unusable, and no others.
func TestCompileNamesEveryProblem(t *testing.T) {
	_, err := objchange.Compile(&configschema.Block{
		Attributes: Attrs{"a": nil, "b": Attr(cty.String, "required optional"), "c": {}},
		BlockTypes: Blocks{"d": Block(0, Attrs{"a": LeafAttr})},
	})
	want := ".a: the attribute is nil\n.c: exactly one of Type and NestedType must be set\n.d: invalid nesting mode NestingMode(0)"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
