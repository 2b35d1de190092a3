package spectest

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
)

// This file tests each edge case as each argument of each function. The tests compare the reported
// rules.

// internalError is the message of a panic that the package recovers. Only the operations of a
// capsule type may cause it.
const internalError = "an operation on the values panicked"

// edgeSchema contains all kinds of attributes and blocks.
var edgeSchema = &configschema.Block{
	Attributes: attrs{
		"str":  attr(cty.String, "optional"),
		"num":  attr(cty.Number, "optional computed"),
		"any":  attr(cty.DynamicPseudoType, "optional computed"),
		"list": attr(cty.List(cty.String), "optional"),
		"set":  attr(cty.Set(cty.String), "optional computed"),
		"box":  attr(boxType, "optional computed"),
		"one":  nested(configschema.NestingSingle, "optional computed", attrs{"x": attr(cty.String, "optional")}),
		"each": nested(configschema.NestingSet, "optional", attrs{"x": attr(cty.String, "optional computed")}),
	},
	BlockTypes: blocks{
		"tuple":  block(configschema.NestingList, attrs{"x": attr(cty.DynamicPseudoType, "optional")}),
		"object": block(configschema.NestingMap, attrs{"x": attr(cty.DynamicPseudoType, "optional")}),
		"rules":  block(configschema.NestingSet, attrs{"x": attr(cty.String, "optional")}),
	},
}

// edgeWith returns the empty value of edgeSchema with one part replaced.
func edgeWith(name string, part cty.Value) cty.Value {
	parts := edgeSchema.EmptyValue().AsValueMap()
	parts[name] = part
	return object(parts)
}

// edgeWithout returns the empty value of edgeSchema without one part.
func edgeWithout(name string) cty.Value {
	parts := edgeSchema.EmptyValue().AsValueMap()
	delete(parts, name)
	return object(parts)
}

// nestedLists returns a string inside the number of nested lists.
func nestedLists(levels int) cty.Value {
	v := str("deep")
	for range levels {
		v = list(v)
	}
	return v
}

var (
	optionalAttrs = cty.ObjectWithOptionalAttrs(map[string]cty.Type{"x": cty.String}, []string{"x"})
	elementX      = cty.Object(map[string]cty.Type{"x": cty.String})
	noList        = cty.NullVal(cty.List(cty.NilType))
)

type edgeValue struct {
	name  string
	value cty.Value
	want  objchange.Rule // "" if the value is valid input
}

var edgeValues = []edgeValue{
	{"zero", cty.NilVal, objchange.RuleInvalidInput},
	{"unknown without a type", cty.UnknownVal(cty.NilType), objchange.RuleInvalidInput},
	{"list without a type", noList, objchange.RuleInvalidInput},
	{"zero inside", edgeWith("any", cty.NilVal), objchange.RuleInvalidInput},
	{"zero in a tuple", edgeWith("any", tuple(cty.NilVal)), objchange.RuleInvalidInput},
	{"list without a type inside", edgeWith("any", noList), objchange.RuleInvalidInput},
	{"marked unknown without a type", cty.UnknownVal(cty.NilType).Mark("m"), objchange.RuleInvalidInput},

	{"string", str("x"), objchange.RuleTypeMismatch},
	{"box", box, objchange.RuleTypeMismatch},
	{"list of the object", list(edgeSchema.EmptyValue()), objchange.RuleTypeMismatch},
	{"null string", noStr, objchange.RuleTypeMismatch},
	{"empty object", cty.EmptyObjectVal, objchange.RuleTypeMismatch},
	{"missing attribute", edgeWithout("str"), objchange.RuleTypeMismatch},
	{"missing nested attribute", edgeWithout("one"), objchange.RuleTypeMismatch},
	{"missing block", edgeWithout("rules"), objchange.RuleTypeMismatch},
	{"surplus attribute", edgeWith("more", str("x")), objchange.RuleTypeMismatch},
	{"surplus dynamic attribute", edgeWith("more", cty.DynamicVal), objchange.RuleTypeMismatch},
	{"number for string", edgeWith("str", num(1)), objchange.RuleTypeMismatch},
	{"dynamic for string", edgeWith("str", cty.DynamicVal), objchange.RuleTypeMismatch},
	{"set for list", edgeWith("list", set(str("x"))), objchange.RuleTypeMismatch},
	{"tuple for list", edgeWith("list", tuple(str("x"))), objchange.RuleTypeMismatch},
	{"other capsule", edgeWith("box", panicValue), objchange.RuleTypeMismatch},
	{"wrong type inside a nested attribute", edgeWith("one", object(obj{"x": num(1)})), objchange.RuleTypeMismatch},
	{"surplus inside a nested attribute", edgeWith("one", object(obj{"x": noStr, "y": noStr})), objchange.RuleTypeMismatch},
	{"empty nested attribute", edgeWith("one", cty.EmptyObjectVal), objchange.RuleTypeMismatch},
	{"list for nested set", edgeWith("each", list(object(obj{"x": noStr}))), objchange.RuleTypeMismatch},
	{"list for set of blocks", edgeWith("rules", cty.ListValEmpty(elementX)), objchange.RuleTypeMismatch},

	{"null", cty.NullVal(cty.DynamicPseudoType), ""},
	{"marked null", cty.NullVal(cty.DynamicPseudoType).Mark("m"), ""},
	{"typed null", cty.NullVal(edgeSchema.ImpliedType()), ""},
	{"empty", edgeSchema.EmptyValue(), ""},
	{"marked", edgeSchema.EmptyValue().Mark("m"), ""},
	{"unknown blocks", edgeWith("tuple", cty.DynamicVal), ""},
	{"marked unknown blocks", edgeWith("rules", cty.UnknownVal(cty.Set(elementX)).Mark("m")), ""},
	{"null dynamic blocks", edgeWith("object", cty.NullVal(cty.DynamicPseudoType)), ""},
	{"unknown dynamic block", edgeWith("tuple", tuple(cty.DynamicVal, cty.NullVal(cty.DynamicPseudoType))), ""},
	{"unknown dynamic block by key", edgeWith("object", object(obj{"": cty.DynamicVal})), ""},
	{"unknown set elements", edgeWith("set", set(unknownStr, str("x"), unknownStr.RefineNotNull())), ""},
	{"unknown blocks in a set", edgeWith("rules", set(cty.UnknownVal(elementX), object(obj{"x": unknownStr}), cty.NullVal(elementX))), ""},
	{"unknown objects in a set", edgeWith("each", set(cty.UnknownVal(elementX), object(obj{"x": noStr}), cty.NullVal(elementX))), ""},
	{"marked in a set", edgeWith("each", set(object(obj{"x": str("x").Mark("m")}))), ""},
	{"infinite", edgeWith("num", cty.PositiveInfinity), ""},
	{"very small", edgeWith("num", cty.NumberFloatVal(math.SmallestNonzeroFloat64)), ""},
	{"many digits", edgeWith("num", cty.MustParseNumberVal("0."+strings.Repeat("1234567890", 20))), ""},
	{"large exponent", edgeWith("num", cty.MustParseNumberVal("1e-1000000")), ""},
	{"optional attributes", edgeWith("any", cty.NullVal(optionalAttrs)), ""},
	{"unknown optional attributes", edgeWith("any", cty.UnknownVal(cty.List(optionalAttrs))), ""},
	{"empty list of optional attributes", edgeWith("any", cty.ListValEmpty(optionalAttrs)), ""},
	{"box inside", edgeWith("box", box), ""},
	{"empty box", edgeWith("box", cty.CapsuleVal(boxType, (*int)(nil))), ""},
	{"boxes", edgeWith("any", tuple(box, box.Mark("m"), cty.UnknownVal(boxType), cty.NullVal(boxType))), ""},
	{"string that is not UTF-8", edgeWith("any", str("\xff\x00\u202e")), ""},
}

// edgeBlocks lists values with a mismatch inside dynamic blocks, which the implied type does not
// describe.
var edgeBlocks = []edgeValue{
	{"string for dynamic blocks", edgeWith("tuple", str("x")), objchange.RuleTypeMismatch},
	{"list for dynamic blocks", edgeWith("tuple", list(object(obj{"x": noStr}))), objchange.RuleTypeMismatch},
	{"object for dynamic list", edgeWith("tuple", object(obj{"k": object(obj{"x": noStr})})), objchange.RuleTypeMismatch},
	{"dynamic block of the wrong type", edgeWith("tuple", tuple(cty.EmptyObjectVal)), objchange.RuleTypeMismatch},
	{"tuple for dynamic map", edgeWith("object", cty.EmptyTupleVal), objchange.RuleTypeMismatch},
	{"marked dynamic blocks of the wrong type", edgeWith("object", num(1).Mark("m")), objchange.RuleTypeMismatch},
	{"zero in a block", edgeWith("tuple", tuple(object(obj{"x": cty.NilVal}))), objchange.RuleInvalidInput},
}

func TestEdgeCases(t *testing.T) {
	fine := edgeWith("str", str("x"))
	for _, edge := range slices.Concat(edgeValues, edgeBlocks) {
		t.Run(edge.name, func(t *testing.T) {
			for _, f := range functions {
				for _, arg := range f.takes {
					values := []cty.Value{fine, fine, fine}
					values[arg.index] = edge.value
					checkEdge(t, f, &arg, runSafely(t, f, edgeSchema, values...), edge)
				}
				checkEdge(t, f, nil, runSafely(t, f, edgeSchema, edge.value, edge.value, edge.value), edge)
			}
		})
	}
}

// runSafely calls the function. The test fails if the function panics.
func runSafely(t *testing.T, f function, schema *configschema.Block, values ...cty.Value) result {
	t.Helper()
	defer func() {
		if panicked := recover(); panicked != nil {
			t.Errorf("%s: panic: %v", f.name, panicked)
		}
	}()
	return f.run(schema, values...)
}

// checkEdge checks that the result for an edge case as an argument contains the expected rule. If
// arg is nil, the edge case was passed as all arguments.
func checkEdge(t *testing.T, f function, arg *argument, a result, edge edgeValue) {
	t.Helper()
	where := f.name + ", all arguments"
	if arg != nil {
		where = f.name + ", " + arg.name
	}
	rules := map[objchange.Rule]bool{}
	for _, violation := range a.found {
		rules[violation.Rule] = true
		if violation.Message == internalError {
			t.Errorf("%s: recovered a panic", where)
		}
		if len(violation.Message) > 2000 {
			t.Errorf("%s: the message has %d bytes", where, len(violation.Message))
		}
	}
	asked := f.takes
	if arg != nil {
		asked = []argument{*arg}
	}
	some := func(is func(argument) bool) bool { return slices.ContainsFunc(asked, is) }
	if !some(func(a argument) bool { return !a.isIgnored && (edge.value != cty.NilVal || a.zero == isRejected) }) {
		edge.want = ""
	}
	if edge.want == "" {
		if rules[objchange.RuleInvalidInput] || rules[objchange.RuleTypeMismatch] {
			t.Errorf("%s: %v", where, a.found.Err())
		}
		return
	}
	seen := some(func(a argument) bool { return !a.isIgnored })
	if seen && !rules[edge.want] && f.name != planAction {
		t.Errorf("%s: got %v, want %s", where, rules, edge.want)
	}
}

// TestDeepAndLongValuesAreAccepted checks values that are 10 000 levels deep, and a value with 100
// 000 elements. It uses few combinations, because these values are slow to check.
func TestDeepAndLongValuesAreAccepted(t *testing.T) {
	if testing.Short() {
		t.Skip("large")
	}
	level, marked := edgeWith("any", nestedLists(10_000)), edgeWith("any", list(nestedLists(9_999).Mark("m")))
	elements := edgeWith("list", list(slices.Repeat([]cty.Value{str("wide")}, 100_000)...))
	for _, f := range functions {
		for _, values := range [][]cty.Value{{level, marked, level}, {marked, level, edgeWith("any", noStr)}, {elements, elements, elements}} {
			checkEdge(t, f, nil, runSafely(t, f, edgeSchema, values...), edgeValue{name: "large", value: values[0]})
		}
	}
}

// TestPanicsOfCapsulesAreRecovered checks that the package recovers a panic in an operation of a
// capsule type, and reports it as invalid input at the root.
func TestPanicsOfCapsulesAreRecovered(t *testing.T) {
	schema := &configschema.Block{Attributes: attrs{
		"panic": attr(panicType, "optional"),
		"each":  nested(configschema.NestingList, "optional", attrs{"panic": attr(panicType, "optional computed")}),
	}}
	panicking := object(obj{"panic": panicValue, "each": list(object(obj{"panic": panicValue}))})
	other := object(obj{"panic": cty.CapsuleVal(panicType, new(int)), "each": list(object(obj{"panic": cty.NullVal(panicType)}))})
	for _, f := range functions {
		for _, values := range [][]cty.Value{{panicking, panicking, panicking}, {panicking, other, panicking}, {other, panicking, other}} {
			for _, v := range runSafely(t, f, schema, values...).found {
				if v.Message == internalError && (v.Rule != objchange.RuleInvalidInput || len(v.Path) > 0) {
					t.Errorf("%s: the recovered panic is reported as %s", f.name, v)
				}
			}
		}
	}
}
