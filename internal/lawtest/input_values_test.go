package lawtest

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
)

// The nasty schemas and values, written out by hand, each at every argument of
// every function. What matters is which rule is reported.

// internalError is the text of the package's guard against panics. Nothing but
// an operation of a capsule type may make it speak.
const internalError = "an operation on the values panicked"

// nastySchema has something of everything.
var nastySchema = &configschema.Block{
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

// nastyWith is the empty value of nastySchema but for one part.
func nastyWith(name string, part cty.Value) cty.Value {
	parts := nastySchema.EmptyValue().AsValueMap()
	parts[name] = part
	return object(parts)
}

// nastyWithout is the empty value of nastySchema with a part missing.
func nastyWithout(name string) cty.Value {
	parts := nastySchema.EmptyValue().AsValueMap()
	delete(parts, name)
	return object(parts)
}

// nestedLists is a value many levels deep.
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

type nastyValue struct {
	name  string
	value cty.Value
	want  objchange.Rule // "" for fine
}

var nastyValues = []nastyValue{
	{"zero", cty.NilVal, objchange.RuleInvalidInput},
	{"unknown without a type", cty.UnknownVal(cty.NilType), objchange.RuleInvalidInput},
	{"list without a type", noList, objchange.RuleInvalidInput},
	{"zero inside", nastyWith("any", cty.NilVal), objchange.RuleInvalidInput},
	{"zero in a tuple", nastyWith("any", tuple(cty.NilVal)), objchange.RuleInvalidInput},
	{"list without a type inside", nastyWith("any", noList), objchange.RuleInvalidInput},
	{"zero, marked", cty.UnknownVal(cty.NilType).Mark("m"), objchange.RuleInvalidInput},

	{"string", str("x"), objchange.RuleTypeMismatch},
	{"box", box, objchange.RuleTypeMismatch},
	{"list of itself", list(nastySchema.EmptyValue()), objchange.RuleTypeMismatch},
	{"null string", noStr, objchange.RuleTypeMismatch},
	{"empty object", cty.EmptyObjectVal, objchange.RuleTypeMismatch},
	{"missing attribute", nastyWithout("str"), objchange.RuleTypeMismatch},
	{"missing nested attribute", nastyWithout("one"), objchange.RuleTypeMismatch},
	{"missing block", nastyWithout("rules"), objchange.RuleTypeMismatch},
	{"surplus attribute", nastyWith("more", str("x")), objchange.RuleTypeMismatch},
	{"surplus dynamic attribute", nastyWith("more", cty.DynamicVal), objchange.RuleTypeMismatch},
	{"number for string", nastyWith("str", num(1)), objchange.RuleTypeMismatch},
	{"dynamic for string", nastyWith("str", cty.DynamicVal), objchange.RuleTypeMismatch},
	{"set for list", nastyWith("list", set(str("x"))), objchange.RuleTypeMismatch},
	{"tuple for list", nastyWith("list", tuple(str("x"))), objchange.RuleTypeMismatch},
	{"other capsule", nastyWith("box", bomb), objchange.RuleTypeMismatch},
	{"wrong inside a nested attribute", nastyWith("one", object(obj{"x": num(1)})), objchange.RuleTypeMismatch},
	{"surplus inside a nested attribute", nastyWith("one", object(obj{"x": noStr, "y": noStr})), objchange.RuleTypeMismatch},
	{"empty nested attribute", nastyWith("one", cty.EmptyObjectVal), objchange.RuleTypeMismatch},
	{"list for nested set", nastyWith("each", list(object(obj{"x": noStr}))), objchange.RuleTypeMismatch},
	{"list for set of blocks", nastyWith("rules", cty.ListValEmpty(elementX)), objchange.RuleTypeMismatch},

	{"null", cty.NullVal(cty.DynamicPseudoType), ""},
	{"marked null", cty.NullVal(cty.DynamicPseudoType).Mark("m"), ""},
	{"typed null", cty.NullVal(nastySchema.ImpliedType()), ""},
	{"empty", nastySchema.EmptyValue(), ""},
	{"marked", nastySchema.EmptyValue().Mark("m"), ""},
	{"unknown blocks", nastyWith("tuple", cty.DynamicVal), ""},
	{"marked unknown blocks", nastyWith("rules", cty.UnknownVal(cty.Set(elementX)).Mark("m")), ""},
	{"null dynamic blocks", nastyWith("object", cty.NullVal(cty.DynamicPseudoType)), ""},
	{"unknown dynamic block", nastyWith("tuple", tuple(cty.DynamicVal, cty.NullVal(cty.DynamicPseudoType))), ""},
	{"unknown dynamic block by key", nastyWith("object", object(obj{"": cty.DynamicVal})), ""},
	{"unknown set elements", nastyWith("set", set(unknownStr, str("x"), unknownStr.RefineNotNull())), ""},
	{"unknown blocks in a set", nastyWith("rules", set(cty.UnknownVal(elementX), object(obj{"x": unknownStr}), cty.NullVal(elementX))), ""},
	{"unknown objects in a set", nastyWith("each", set(cty.UnknownVal(elementX), object(obj{"x": noStr}), cty.NullVal(elementX))), ""},
	{"marked in a set", nastyWith("each", set(object(obj{"x": str("x").Mark("m")}))), ""},
	{"infinite", nastyWith("num", cty.PositiveInfinity), ""},
	{"very small", nastyWith("num", cty.NumberFloatVal(math.SmallestNonzeroFloat64)), ""},
	{"many digits", nastyWith("num", cty.MustParseNumberVal("0."+strings.Repeat("1234567890", 20))), ""},
	{"large exponent", nastyWith("num", cty.MustParseNumberVal("1e-1000000")), ""},
	{"optional attributes", nastyWith("any", cty.NullVal(optionalAttrs)), ""},
	{"unknown optional attributes", nastyWith("any", cty.UnknownVal(cty.List(optionalAttrs))), ""},
	{"empty list of optional attributes", nastyWith("any", cty.ListValEmpty(optionalAttrs)), ""},
	{"box inside", nastyWith("box", box), ""},
	{"empty box", nastyWith("box", cty.CapsuleVal(boxType, (*int)(nil))), ""},
	{"boxes", nastyWith("any", tuple(box, box.Mark("m"), cty.UnknownVal(boxType), cty.NullVal(boxType))), ""},
	{"not text", nastyWith("any", str("\xff\x00\u202e")), ""},
}

// nastyBlocks are wrong inside, where their dynamic type does not tell.
var nastyBlocks = []nastyValue{
	{"string for dynamic blocks", nastyWith("tuple", str("x")), objchange.RuleTypeMismatch},
	{"list for dynamic blocks", nastyWith("tuple", list(object(obj{"x": noStr}))), objchange.RuleTypeMismatch},
	{"object for dynamic list", nastyWith("tuple", object(obj{"k": object(obj{"x": noStr})})), objchange.RuleTypeMismatch},
	{"wrong dynamic block", nastyWith("tuple", tuple(cty.EmptyObjectVal)), objchange.RuleTypeMismatch},
	{"tuple for dynamic map", nastyWith("object", cty.EmptyTupleVal), objchange.RuleTypeMismatch},
	{"marked wrong dynamic blocks", nastyWith("object", num(1).Mark("m")), objchange.RuleTypeMismatch},
	{"zero in a block", nastyWith("tuple", tuple(object(obj{"x": cty.NilVal}))), objchange.RuleInvalidInput},
}

func TestNastyValues(t *testing.T) {
	fine := nastyWith("str", str("x"))
	for _, nasty := range slices.Concat(nastyValues, nastyBlocks) {
		t.Run(nasty.name, func(t *testing.T) {
			for _, f := range functions {
				for _, arg := range f.takes {
					values := []cty.Value{fine, fine, fine}
					values[arg.place] = nasty.value
					nastyAnswer(t, f, &arg, survive(t, f, nastySchema, values...), nasty)
				}
				nastyAnswer(t, f, nil, survive(t, f, nastySchema, nasty.value, nasty.value, nasty.value), nasty)
			}
		})
	}
}

// survive asks the function and fails where it panics.
func survive(t *testing.T, f function, schema *configschema.Block, values ...cty.Value) answer {
	t.Helper()
	defer func() {
		if panicked := recover(); panicked != nil {
			t.Errorf("%s: panic: %v", f.name, panicked)
		}
	}()
	return f.ask(schema, values...)
}

// nastyAnswer holds the answer for a value at an argument, or for nil at all, to
// the rule that is wanted.
func nastyAnswer(t *testing.T, f function, arg *argument, a answer, nasty nastyValue) {
	t.Helper()
	where := f.name + ", all arguments"
	if arg != nil {
		where = f.name + ", " + arg.name
	}
	rules := map[objchange.Rule]bool{}
	for _, violation := range a.found {
		rules[violation.Rule] = true
		if violation.Message == internalError {
			t.Errorf("%s: a panic behind the guard", where)
		}
		if len(violation.Message) > 2000 {
			t.Errorf("%s: a message of %d bytes", where, len(violation.Message))
		}
	}
	asked := f.takes
	if arg != nil {
		asked = []argument{*arg}
	}
	some := func(is func(argument) bool) bool { return slices.ContainsFunc(asked, is) }
	if !some(func(a argument) bool { return !a.isDropped && (nasty.value != cty.NilVal || a.zero == isRefused) }) {
		nasty.want = ""
	}
	if nasty.want == "" {
		if rules[objchange.RuleInvalidInput] || rules[objchange.RuleTypeMismatch] {
			t.Errorf("%s: %v", where, a.found.Err())
		}
		return
	}
	seen := some(func(a argument) bool { return !a.isDropped })
	if seen && !rules[nasty.want] && f.name != planAction {
		t.Errorf("%s: got %v, want %s", where, rules, nasty.want)
	}
}

// The largest are asked about less often: a value 10 000 levels deep against
// another, one with 100 000 elements against itself.
func TestLargeValues(t *testing.T) {
	if testing.Short() {
		t.Skip("large")
	}
	level, marked := nastyWith("any", nestedLists(10_000)), nastyWith("any", list(nestedLists(9_999).Mark("m")))
	elements := nastyWith("list", list(slices.Repeat([]cty.Value{str("wide")}, 100_000)...))
	for _, f := range functions {
		for _, values := range [][]cty.Value{{level, marked, level}, {marked, level, nastyWith("any", noStr)}, {elements, elements, elements}} {
			nastyAnswer(t, f, nil, survive(t, f, nastySchema, values...), nastyValue{name: "large", value: values[0]})
		}
	}
}

// An operation of a capsule type that panics ends in the guard, and nowhere else.
func TestPanickingCapsules(t *testing.T) {
	schema := &configschema.Block{Attributes: attrs{
		"bomb": attr(bombType, "optional"),
		"each": nested(configschema.NestingList, "optional", attrs{"bomb": attr(bombType, "optional computed")}),
	}}
	armed := object(obj{"bomb": bomb, "each": list(object(obj{"bomb": bomb}))})
	other := object(obj{"bomb": cty.CapsuleVal(bombType, new(int)), "each": list(object(obj{"bomb": cty.NullVal(bombType)}))})
	for _, f := range functions {
		for _, values := range [][]cty.Value{{armed, armed, armed}, {armed, other, armed}, {other, armed, other}} {
			for _, v := range survive(t, f, schema, values...).found {
				if v.Message == internalError && (v.Rule != objchange.RuleInvalidInput || len(v.Path) > 0) {
					t.Errorf("%s: the guard speaks as %s", f.name, v)
				}
			}
		}
	}
}
