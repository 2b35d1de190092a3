package spectest

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	. "github.com/objchange/objchange/internal/testcty"
)

// This file tests each edge case as each argument of each function. The tests compare the reported
// rules.

// internalError is the message of a panic that the package recovers. Only the operations of a
// capsule type may cause it.
const internalError = "an operation on the values panicked; pass other values, or report this to objchange"

// edgeSchema contains all kinds of attributes and blocks.
var edgeSchema = &configschema.Block{
	Attributes: Attrs{
		"str":  Attr(cty.String, "optional"),
		"num":  Attr(cty.Number, "optional computed"),
		"any":  Attr(cty.DynamicPseudoType, "optional computed"),
		"list": Attr(cty.List(cty.String), "optional"),
		"set":  Attr(cty.Set(cty.String), "optional computed"),
		"box":  Attr(BoxType, "optional computed"),
		"one":  Nested(configschema.NestingSingle, "optional computed", Attrs{"x": Attr(cty.String, "optional")}),
		"each": Nested(configschema.NestingSet, "optional", Attrs{"x": Attr(cty.String, "optional computed")}),
	},
	BlockTypes: Blocks{
		"tuple":  Block(configschema.NestingList, Attrs{"x": Attr(cty.DynamicPseudoType, "optional")}),
		"object": Block(configschema.NestingMap, Attrs{"x": Attr(cty.DynamicPseudoType, "optional")}),
		"rules":  Block(configschema.NestingSet, Attrs{"x": Attr(cty.String, "optional")}),
	},
}

// edgeWith returns the empty value of edgeSchema with one part replaced.
func edgeWith(name string, part cty.Value) cty.Value {
	parts := edgeSchema.EmptyValue().AsValueMap()
	parts[name] = part
	return Object(parts)
}

// edgeWithout returns the empty value of edgeSchema without one part.
func edgeWithout(name string) cty.Value {
	parts := edgeSchema.EmptyValue().AsValueMap()
	delete(parts, name)
	return Object(parts)
}

// nestedLists returns a string inside the number of nested lists.
func nestedLists(levels int) cty.Value {
	v := Str("deep")
	for range levels {
		v = List(v)
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
	{"zero in a tuple", edgeWith("any", Tuple(cty.NilVal)), objchange.RuleInvalidInput},
	{"list without a type inside", edgeWith("any", noList), objchange.RuleInvalidInput},
	{"marked unknown without a type", cty.UnknownVal(cty.NilType).Mark("m"), objchange.RuleInvalidInput},

	{"string", Str("x"), objchange.RuleTypeMismatch},
	{"missing attribute", edgeWithout("str"), objchange.RuleTypeMismatch},
	{"surplus attribute", edgeWith("more", Str("x")), objchange.RuleTypeMismatch},
	{"set for list", edgeWith("list", Set(Str("x"))), objchange.RuleTypeMismatch},
	{"other capsule", edgeWith("box", PanicValue), objchange.RuleTypeMismatch},

	{"null", cty.NullVal(cty.DynamicPseudoType), ""},
	{"marked null", cty.NullVal(cty.DynamicPseudoType).Mark("m"), ""},
	{"typed null", cty.NullVal(edgeSchema.ImpliedType()), ""},
	{"empty", edgeSchema.EmptyValue(), ""},
	{"marked", edgeSchema.EmptyValue().Mark("m"), ""},
	{"unknown blocks", edgeWith("tuple", cty.DynamicVal), ""},
	{"marked unknown blocks", edgeWith("rules", cty.UnknownVal(cty.Set(elementX)).Mark("m")), ""},
	{"null dynamic blocks", edgeWith("object", cty.NullVal(cty.DynamicPseudoType)), ""},
	{"unknown dynamic block", edgeWith("tuple", Tuple(cty.DynamicVal, cty.NullVal(cty.DynamicPseudoType))), ""},
	{"unknown dynamic block by key", edgeWith("object", Object(Obj{"": cty.DynamicVal})), ""},
	{"unknown set elements", edgeWith("set", Set(UnknownStr, Str("x"), UnknownStr.RefineNotNull())), ""},
	{"unknown blocks in a set", edgeWith("rules", Set(cty.UnknownVal(elementX), Object(Obj{"x": UnknownStr}), cty.NullVal(elementX))), ""},
	{"unknown objects in a set", edgeWith("each", Set(cty.UnknownVal(elementX), Object(Obj{"x": NoStr}), cty.NullVal(elementX))), ""},
	{"marked in a set", edgeWith("each", Set(Object(Obj{"x": Str("x").Mark("m")}))), ""},
	{"infinite", edgeWith("num", cty.PositiveInfinity), ""},
	{"very small", edgeWith("num", cty.NumberFloatVal(math.SmallestNonzeroFloat64)), ""},
	{"many digits", edgeWith("num", cty.MustParseNumberVal("0."+strings.Repeat("1234567890", 20))), ""},
	{"large exponent", edgeWith("num", cty.MustParseNumberVal("1e-1000000")), ""},
	{"optional attributes", edgeWith("any", cty.NullVal(optionalAttrs)), ""},
	{"unknown optional attributes", edgeWith("any", cty.UnknownVal(cty.List(optionalAttrs))), ""},
	{"empty list of optional attributes", edgeWith("any", cty.ListValEmpty(optionalAttrs)), ""},
	{"box inside", edgeWith("box", Box), ""},
	{"empty box", edgeWith("box", cty.CapsuleVal(BoxType, (*int)(nil))), ""},
	{"boxes", edgeWith("any", Tuple(Box, Box.Mark("m"), cty.UnknownVal(BoxType), cty.NullVal(BoxType))), ""},
	{"string that is not UTF-8", edgeWith("any", Str("\xff\x00\u202e")), ""},
}

// edgeBlocks lists values with a mismatch inside dynamic blocks, which the implied type does not
// describe.
var edgeBlocks = []edgeValue{
	{"string for dynamic blocks", edgeWith("tuple", Str("x")), objchange.RuleTypeMismatch},
	{"dynamic block of the wrong type", edgeWith("tuple", Tuple(cty.EmptyObjectVal)), objchange.RuleTypeMismatch},
	{"tuple for dynamic map", edgeWith("object", cty.EmptyTupleVal), objchange.RuleTypeMismatch},
	{"marked dynamic blocks of the wrong type", edgeWith("object", Num(1).Mark("m")), objchange.RuleTypeMismatch},
	{"zero in a block", edgeWith("tuple", Tuple(Object(Obj{"x": cty.NilVal}))), objchange.RuleInvalidInput},
}

func TestEdgeValuesAreAcceptedOrRefused(t *testing.T) {
	fine := edgeWith("str", Str("x"))
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
	level, marked := edgeWith("any", nestedLists(10_000)), edgeWith("any", List(nestedLists(9_999).Mark("m")))
	elements := edgeWith("list", List(slices.Repeat([]cty.Value{Str("wide")}, 100_000)...))
	for _, f := range functions {
		for _, values := range [][]cty.Value{{level, marked, level}, {marked, level, edgeWith("any", NoStr)}, {elements, elements, elements}} {
			checkEdge(t, f, nil, runSafely(t, f, edgeSchema, values...), edgeValue{name: "large", value: values[0]})
		}
	}
}

// TestPanicsOfCapsulesAreRecovered checks that the package recovers a panic in an operation of a
// capsule type, and reports it as invalid input at the root.
func TestPanicsOfCapsulesAreRecovered(t *testing.T) {
	schema := &configschema.Block{Attributes: Attrs{
		"panic": Attr(PanicType, "optional"),
		"each":  Nested(configschema.NestingList, "optional", Attrs{"panic": Attr(PanicType, "optional computed")}),
	}}
	panicking := Object(Obj{"panic": PanicValue, "each": List(Object(Obj{"panic": PanicValue}))})
	other := Object(Obj{"panic": cty.CapsuleVal(PanicType, new(int)), "each": List(Object(Obj{"panic": cty.NullVal(PanicType)}))})
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
