package spectest

import (
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	. "github.com/objchange/objchange/internal/testcty"
)

// This file tests the zero cty.Value, null and unknown as arguments.

// TestZeroValueIsNullOrRejected checks specification.md#8-invalid-input: depending on the argument,
// a function treats the zero cty.Value as null or as absent, or rejects it. The message names the
// argument.
func TestZeroValueIsNullOrRejected(t *testing.T) {
	schema := SchemaOf(LeafAttr)
	good := ObjectOf(Str("a"))
	for _, f := range functions {
		for _, arg := range f.takes {
			t.Run(f.name+"/"+arg.name, func(t *testing.T) {
				zero := f.runWith(arg, schema, cty.NilVal, good)
				switch arg.zero {
				case isNull:
					equalResults(t, "null", f.runWith(arg, schema, cty.NullVal(schema.ImpliedType()), good), zero)
				case isAbsent:
					Expect(t, zero.found)
				case isRejected:
					expectRejected(t, zero, " invalid-input")
					if len(zero.found) == 1 && !strings.Contains(zero.found[0].Message, arg.name) {
						t.Errorf("the message %q does not name the %s value", zero.found[0].Message, arg.name)
					}
				}
			})
		}
	}
}

// TestUnknownPriorIsRejected checks rules/input.md#invalid-input: functions reject a prior value
// that is unknown as a whole. ProposedNew accepts it. All other arguments may be unknown.
func TestUnknownPriorIsRejected(t *testing.T) {
	fine := edgeWith("str", Str("x"))
	ty := edgeSchema.ImpliedType()
	for _, unknown := range []cty.Value{cty.DynamicVal, cty.UnknownVal(ty), cty.UnknownVal(ty).RefineNotNull(), cty.UnknownVal(ty).Mark("m"), cty.DynamicVal.Mark("m")} {
		for _, f := range functions {
			for _, arg := range f.takes {
				want := objchange.Rule("")
				if arg.needsKnown {
					want = objchange.RuleInvalidInput
				}
				checkEdge(t, f, &arg, f.runWith(arg, edgeSchema, unknown, fine), edgeValue{"unknown", unknown, want})
			}
		}
	}
}

// TestUntypedNullAndUnknown checks specification.md#8-invalid-input: the untyped null and unknown
// values have the same effect as null and unknown values of the implied type.
func TestUntypedNullAndUnknown(t *testing.T) {
	schema := &configschema.Block{Attributes: Attrs{"v": LeafAttr}, BlockTypes: Blocks{"list": Block(configschema.NestingList, ItemAttrs)}}
	null, unknown := cty.NullVal(schema.ImpliedType()), cty.UnknownVal(schema.ImpliedType())
	some := Object(Obj{"v": Str("a"), "list": List(Item(NoStr, Str("a")))})
	for _, f := range functions {
		for _, arg := range f.takes {
			for _, others := range []cty.Value{some, null, unknown} {
				equalResults(t, f.name, f.runWith(arg, schema, null, others), f.runWith(arg, schema, NoDynamic, others))
				equalResults(t, f.name, f.runWith(arg, schema, unknown, others), f.runWith(arg, schema, cty.DynamicVal, others))
				equalResults(t, f.name, f.runWith(arg, schema, null.Mark("m"), others), f.runWith(arg, schema, NoDynamic.Mark("m"), others))
				Expect(t, f.runWith(arg, schema, NoDynamic.Mark("m"), others).found, Summary(f.runWith(arg, schema, null, others).found)...)
			}
		}
	}
	Expect(t, objchange.AssertPlanValid(Compiled(schema), NoDynamic, some, cty.DynamicVal), " plan-unknown-block")
	Expect(t, objchange.AssertPlanValid(Compiled(schema), NoDynamic, NoDynamic, some), " plan-present")
	Expect(t, objchange.AssertPlanConsistent(Compiled(schema), cty.DynamicVal, some))
	Expect(t, objchange.AssertApplyConsistent(Compiled(schema), some, NoDynamic), " inconsistent-presence")
}
