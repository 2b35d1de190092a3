package objchange_test

import (
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
)

// An argument of a check: run gives it one value and the others another, and
// something is wrong with the attribute named beside, too.
type argument struct {
	name string
	run  func(schema *objchange.Block, this, others func(beside cty.Value) cty.Value) objchange.Violations
	also string // what is wrong beside
}

type making = func(beside cty.Value) cty.Value

// everyArgument are the arguments of all checks of plans and states.
var everyArgument = []argument{
	{"prior", func(s *objchange.Block, this, others making) objchange.Violations {
		return objchange.AssertPlanValid(s, this(str("p")), others(str("a")), others(str("b")))
	}, ".beside plan-not-config"},
	{"config", func(s *objchange.Block, this, others making) objchange.Violations {
		return objchange.AssertPlanValid(s, others(str("p")), this(str("a")), others(str("b")))
	}, ".beside plan-not-config"},
	{"planned", func(s *objchange.Block, this, others making) objchange.Violations {
		return objchange.AssertPlanValid(s, others(str("p")), others(str("a")), this(str("b")))
	}, ".beside plan-not-config"},
	{"initial", func(s *objchange.Block, this, others making) objchange.Violations {
		return objchange.AssertPlanConsistent(s, this(str("a")), others(str("b")))
	}, ".beside inconsistent-value"},
	{"final", func(s *objchange.Block, this, others making) objchange.Violations {
		return objchange.AssertPlanConsistent(s, others(str("a")), this(str("b")))
	}, ".beside inconsistent-value"},
	{"planned, before apply", func(s *objchange.Block, this, others making) objchange.Violations {
		return objchange.AssertApplyConsistent(s, this(str("a")), others(str("b")))
	}, ".beside inconsistent-value"},
	{"applied", func(s *objchange.Block, this, others making) objchange.Violations {
		return objchange.AssertApplyConsistent(s, others(str("a")), this(str("b")))
	}, ".beside inconsistent-value"},
	{"state", func(s *objchange.Block, this, _ making) objchange.Violations {
		return objchange.AssertStateValid(s, this(unknownStr))
	}, ".beside state-unknown"},
}

// semantics.md#type-mismatch: a value that does not conform is reported at the
// place of the mismatch, and all else is still checked.
func TestTypeMismatch(t *testing.T) {
	text := attr(cty.String, "optional")
	texts := attr(cty.List(cty.String), "optional")
	pair := cty.Object(map[string]cty.Type{"a": cty.String, "b": cty.String})
	plain := attr(pair, "optional")
	deep := attr(cty.Object(map[string]cty.Type{"in": pair}), "optional")
	two := attr(cty.Tuple([]cty.Type{cty.String, cty.Number}), "optional")
	single := nested(objchange.NestingSingle, "optional", itemAttrs)
	group := block(objchange.NestingGroup, itemAttrs)
	outer := block(objchange.NestingGroup, nil, blocks{"in": block(objchange.NestingSingle, itemAttrs)})
	tuples, objects := block(objchange.NestingList, dynAttrs), block(objchange.NestingMap, dynAttrs)
	inTuples := block(objchange.NestingList, nil, blocks{"in": objects})
	inSingle := block(objchange.NestingSingle, nil, blocks{"in": objects})
	a, good := str("a"), item(noStr, str("a"))
	ab := func(a, b cty.Value) cty.Value { return object(obj{"a": a, "b": b}) }
	badName, lacking := item(noStr, num(1)), object(obj{"id": noStr})
	extra := object(obj{"id": noStr, "name": str("a"), "extra": str("a")})
	in := func(v cty.Value) cty.Value { return object(obj{"in": v}) }
	k := func(v cty.Value) cty.Value { return object(obj{"k": v}) }
	type row struct {
		name      string
		v         any // an attribute or a block type
		good, bad cty.Value
		paths     []string
	}
	here := wrong(".v")
	rows := []row{
		{"a missing attribute", text, a, cty.NilVal, here},
		{"a missing block", group, good, cty.NilVal, here},
		{"another type", text, a, num(1), here},
		{"a null of another type", text, noStr, noNum, here},
		{"a null of the dynamic type", text, noStr, noDynamic, here},
		{"an unknown of the dynamic type", text, unknownStr, cty.DynamicVal, here},
		{"an unknown of another type", text, unknownStr, unknownNum, here},
		{"another element type: at the collection", texts, list(a), list(num(1)), here},
		{"another collection", texts, list(a), set(a), here},
		{"a tuple for a list", texts, list(a), tuple(a), here},
		{"part of an object", plain, ab(a, a), ab(num(1), a), wrong(".v.a")},
		{"parts of an object", plain, ab(a, a), ab(num(1), cty.True), wrong(".v.a", ".v.b")},
		{"part of an object missing", plain, ab(a, a), object(obj{"a": a}), wrong(".v.b")},
		{"part of an object too many", plain, ab(a, a), object(obj{"a": a, "b": a, "c": a}), wrong(".v.c")},
		{"part of an object in an object", deep, in(ab(a, a)), in(ab(a, num(1))), wrong(".v.in.b")},
		{"an object's null part", plain, ab(a, noStr), ab(a, noNum), wrong(".v.b")},
		{"an object in a list: at the collection", attr(cty.List(pair), "optional"), list(ab(a, a)), list(ab(a, num(1))), here},
		{"part of a tuple", two, tuple(a, num(1)), tuple(a, a), wrong(".v[1]")},
		{"a tuple of another length", two, tuple(a, num(1)), tuple(a), here},

		{"in a single nested attribute", single, good, badName, wrong(".v.name")},
		{"missing in a single nested attribute", single, good, lacking, wrong(".v.name")},
		{"too many in a single nested attribute", single, good, extra, wrong(".v.extra")},
		{"no object in a single nested attribute", single, good, a, here},
		{"in a group block", group, good, badName, wrong(".v.name")},
		{"missing in a group block", group, good, lacking, wrong(".v.name")},
		{"too many in a group block", group, good, extra, wrong(".v.extra")},
		{"in a block in a block", outer, in(good), in(badName), wrong(".v.in.name")},

		{"list of the dynamic type: no tuple", tuples, tuple(good), object(obj{"k": good}), here},
		{"list of the dynamic type: a list", tuples, tuple(good), list(good), here},
		{"list of the dynamic type: no collection", tuples, tuple(good), a, here},
		{"list of the dynamic type: a tuple of something else", tuples, tuple(good), tuple(a), here},
		{"list of the dynamic type: a missing attribute", tuples, tuple(good), tuple(good, lacking), here},
		{"list of the dynamic type: a static attribute of another type", tuples, tuple(good), tuple(item(num(1), a)), here},
		{"map of the dynamic type: no object", objects, k(good), tuple(good), here},
		{"map of the dynamic type: a map", objects, k(good), mapOf(obj{"k": good}), here},
		{"map of the dynamic type: an object of something else", objects, k(good), k(a), here},
		{"map of the dynamic type: an attribute too many", objects, k(good), k(extra), here},
		{"of the dynamic type in a tuple", inTuples, tuple(in(k(good)), in(k(good))), tuple(in(k(good)), in(a)), wrong(".v[1].in")},
		{"of the dynamic type in a single block", inSingle, in(k(good)), in(k(a)), wrong(".v.in")},
	}
	for _, mode := range []objchange.NestingMode{objchange.NestingList, objchange.NestingSet, objchange.NestingMap} {
		attribute, blocks := nested(mode, "optional", itemAttrs), block(mode, itemAttrs)
		for name, bad := range map[string]cty.Value{"": badName, "missing ": lacking, "too many ": extra} {
			rows = append(rows,
				row{name + "in a " + mode.String() + " nested attribute: at the collection", attribute, inMode(mode, good), inMode(mode, bad), here},
				row{name + "in " + mode.String() + " blocks: at the collection", blocks, inMode(mode, good), inMode(mode, bad), here})
		}
		rows = append(rows, row{"no collection in " + mode.String() + " blocks", blocks, inMode(mode, good), a, here})
	}
	for _, row := range rows {
		schema := &objchange.Block{Attributes: attrs{"beside": text}}
		if attribute, ok := row.v.(*objchange.Attribute); ok {
			schema.Attributes["v"] = attribute
		} else {
			schema.BlockTypes = blocks{"v": row.v.(*objchange.NestedBlock)}
		}
		with := func(v cty.Value) making {
			return func(beside cty.Value) cty.Value {
				if v == cty.NilVal {
					return object(obj{"beside": beside})
				}
				return object(obj{"beside": beside, "v": v})
			}
		}
		for _, arg := range everyArgument {
			t.Run(row.name+"/"+arg.name, func(t *testing.T) {
				want := wrong(arg.also)
				for _, path := range row.paths {
					want = append(want, path+" type-mismatch")
				}
				expect(t, arg.run(schema, with(row.bad), with(row.good)), want...)
			})
		}
	}
}

func TestTypeMismatchAtRoot(t *testing.T) {
	schema := withAttr(attr(cty.String, "optional"))
	good := inV(str("a"))
	extra := object(obj{"v": str("a"), "extra": str("a")})
	for _, arg := range everyArgument {
		t.Run(arg.name, func(t *testing.T) {
			as := func(v cty.Value) making { return func(cty.Value) cty.Value { return v } }
			expect(t, arg.run(schema, as(str("a")), as(good)), " type-mismatch")
			expect(t, arg.run(schema, as(list(good)), as(good)), " type-mismatch")
			expect(t, arg.run(schema, as(mapOf(obj{"v": str("a")})), as(good)), " type-mismatch")
			expect(t, arg.run(schema, as(extra), as(good)), ".extra type-mismatch")
			expect(t, arg.run(schema, as(cty.EmptyObjectVal), as(good)), ".v type-mismatch")
		})
	}
}

// Nothing is checked below a mismatch, but all that is beside it.
func TestTypeMismatchBelowAndBeside(t *testing.T) {
	single := withAttr(nested(objchange.NestingSingle, "optional", secretAttrs))
	group := withBlock(block(objchange.NestingGroup, secretAttrs))
	lists := withBlock(block(objchange.NestingList, secretAttrs))
	plain := withAttr(attr(secretType, "optional"))
	broken := secret(str("s"), num(1))
	for name, schema := range map[string]*objchange.Block{"nested attribute": single, "block": group} {
		t.Run(name, func(t *testing.T) {
			expect(t, objchange.AssertStateValid(schema, inV(broken)), ".v.name type-mismatch", ".v.wo write-only-not-null")
			expect(t, objchange.AssertStateValid(schema, inV(secret(unknownStr, unknownNum))), ".v.name type-mismatch", ".v.wo state-unknown", ".v.wo write-only-not-null")
			expect(t, objchange.AssertPlanValid(schema, inV(nullV(schema)), inV(secret(str("s"), str("n"))), inV(broken)), ".v.name type-mismatch", ".v.wo write-only-not-null")
		})
	}
	expect(t, objchange.AssertStateValid(lists, inV(list(broken))), ".v type-mismatch")
	expect(t, objchange.AssertStateValid(lists, inV(list(secret(unknownStr, num(1))))), ".v type-mismatch")
	// A value without a schema of its own is not looked into when a part is wrong.
	expect(t, objchange.AssertStateValid(plain, inV(secret(unknownStr, num(1)))), ".v.name type-mismatch")
}

// The type of an unknown value is known.
func TestTypeMismatchInUnknown(t *testing.T) {
	schema := withAttr(nested(objchange.NestingSingle, "optional", itemAttrs))
	good, bad := inV(unknownItem), inV(cty.UnknownVal(cty.Object(map[string]cty.Type{"id": cty.String})))
	expect(t, objchange.AssertPlanValid(schema, bad, good, good), ".v.name type-mismatch")
	expect(t, objchange.AssertPlanConsistent(schema, bad, good), ".v.name type-mismatch")
	expect(t, objchange.AssertPlanConsistent(schema, good, bad), ".v.name type-mismatch")
	expect(t, objchange.AssertStateValid(schema, bad), ".v state-unknown", ".v.name type-mismatch")
}

// Whatever semantics.md#the-plan says of blocks of the dynamic type, the wrong
// shape of a value is not accepted.
func TestTypeMismatchOfDynamicBlocksInPlans(t *testing.T) {
	tuples := withBlock(block(objchange.NestingList, dynAttrs))
	supplied := withBlock(computed(block(objchange.NestingList, attrs{"id": attr(cty.DynamicPseudoType, "computed")})))
	good := tuple(item(noStr, str("a")))
	bad := wrong(".v type-mismatch")
	testPlannings(t, []planning{
		{"planned equal to config", tuples, noDynamic, str("a"), str("a"), bad},
		{"planned, config null", tuples, noDynamic, noDynamic, str("a"), bad},
		{"planned for a computed block, config null", supplied, noDynamic, noDynamic, str("a"), bad},
		{"prior of a computed block, config null", supplied, str("a"), noDynamic, cty.DynamicVal, bad},
		{"prior, planned equal to config", tuples, str("a"), good, good, bad},
	})
	for _, row := range []becoming{
		{"known, then null", tuples, str("a"), noDynamic, nil},
		{"known, then unknown", tuples, str("a"), cty.DynamicVal, nil},
		{"unknown, then known", tuples, cty.DynamicVal, str("a"), nil},
		{"null, then known", tuples, noDynamic, str("a"), nil},
		{"unknown computed, then known", supplied, cty.DynamicVal, str("a"), nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			for _, v := range objchange.AssertPlanConsistent(row.schema, inV(row.was), inV(row.now)) {
				if v.Rule == objchange.RuleTypeMismatch && v.PathString() == ".v" {
					return
				}
			}
			t.Error("no type-mismatch")
		})
	}
}

// semantics.md#invalid-input: arguments that are no use at all.
func TestInvalidInput(t *testing.T) {
	schema := withAttr(attr(cty.String, "optional"))
	good := inV(str("a"))
	as := func(v cty.Value) making { return func(cty.Value) cty.Value { return v } }
	loop := block(objchange.NestingSingle, nil, blocks{})
	loop.BlockTypes["in"] = loop
	for name, invalid := range map[string]*objchange.Block{
		"nil schema":                     nil,
		"a nil attribute":                withAttr(nil),
		"an attribute without a type":    withAttr(&objchange.Attribute{Optional: true}),
		"a block without a nesting mode": withBlock(&objchange.NestedBlock{}),
		"a schema in a circle":           withBlock(loop),
	} {
		for _, arg := range everyArgument {
			t.Run(name+"/"+arg.name, func(t *testing.T) {
				found := arg.run(invalid, as(good), as(good))
				expect(t, found, " invalid-input")
				expect(t, arg.run(invalid, as(cty.NilVal), as(cty.NilVal)), " invalid-input")
			})
		}
	}
	for _, arg := range everyArgument {
		if arg.name == "prior" {
			continue // means null there: TestZeroPriorIsNull
		}
		t.Run("the zero cty.Value/"+arg.name, func(t *testing.T) {
			found := arg.run(schema, as(cty.NilVal), as(good))
			expect(t, found, " invalid-input")
			if word := strings.Split(arg.name, ",")[0]; len(found) == 1 && !strings.Contains(found[0].Message, word) {
				t.Errorf("the message %q does not name the %s value", found[0].Message, word)
			}
		})
		t.Run("the zero cty.Value inside/"+arg.name, func(t *testing.T) {
			if found := arg.run(schema, as(inV(cty.NilVal)), as(good)).Enforced(); len(found) != 1 {
				t.Errorf("got %v, want one violation", found)
			}
		})
	}
	dynamic := withAttr(attr(cty.DynamicPseudoType, "optional"))
	for _, arg := range everyArgument {
		t.Run("the zero cty.Value deep inside/"+arg.name, func(t *testing.T) {
			if found := arg.run(dynamic, as(inV(object(obj{"a": cty.NilVal}))), as(good)).Enforced(); len(found) != 1 {
				t.Errorf("got %v, want one violation", found)
			}
		})
	}
	for name, prior := range map[string]cty.Value{
		"unknown": cty.UnknownVal(schema.ImpliedType()), "refined": cty.UnknownVal(schema.ImpliedType()).RefineNotNull(),
		"marked": cty.UnknownVal(schema.ImpliedType()).Mark("m"), "untyped": cty.DynamicVal,
	} {
		t.Run("prior unknown as a whole/"+name, func(t *testing.T) {
			expect(t, objchange.AssertPlanValid(schema, prior, good, inV(str("x"))), " invalid-input")
		})
	}
	t.Run("unknown inside a prior is allowed, and equals nothing known", func(t *testing.T) {
		expect(t, objchange.AssertPlanValid(schema, inV(unknownStr), good, good))
		expect(t, objchange.AssertPlanValid(schema, inV(unknownStr), good, inV(str("x"))), ".v plan-not-config")
	})
}

// semantics.md#any-value: the untyped null and unknown stand for those of the
// implied type.
func TestUntypedArguments(t *testing.T) {
	schema := &objchange.Block{Attributes: attrs{"v": attr(cty.String, "optional")}, BlockTypes: blocks{"list": block(objchange.NestingList, itemAttrs)}}
	null, unknown := cty.NullVal(schema.ImpliedType()), cty.UnknownVal(schema.ImpliedType())
	some := object(obj{"v": str("a"), "list": list(item(noStr, str("a")))})
	as := func(v cty.Value) making { return func(cty.Value) cty.Value { return v } }
	for _, arg := range everyArgument {
		for _, others := range []cty.Value{some, null, unknown} {
			expect(t, arg.run(schema, as(noDynamic), as(others)), brief(arg.run(schema, as(null), as(others)))...)
			expect(t, arg.run(schema, as(cty.DynamicVal), as(others)), brief(arg.run(schema, as(unknown), as(others)))...)
			expect(t, arg.run(schema, as(noDynamic.Mark("m")), as(others)), brief(arg.run(schema, as(null), as(others)))...)
		}
	}
	expect(t, objchange.AssertPlanValid(schema, noDynamic, some, cty.DynamicVal), " plan-unknown-block")
	expect(t, objchange.AssertPlanValid(schema, noDynamic, noDynamic, some), " plan-present")
	expect(t, objchange.AssertPlanConsistent(schema, cty.DynamicVal, some))
	expect(t, objchange.AssertApplyConsistent(schema, some, noDynamic), " inconsistent-presence")
}
