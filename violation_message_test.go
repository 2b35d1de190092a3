package objchange_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
)

// semantics.md#violations: values in messages are short and readable. Each rule
// of the checks of plans and states has its text here, with values and, where
// it shows some, without.
func TestMessages(t *testing.T) {
	text, hidden := schemaOf(attr(cty.String, "optional")), schemaOf(attr(cty.String, "optional computed sensitive"))
	dynamic := schemaOf(attr(cty.DynamicPseudoType, "optional"))
	number := schemaOf(attr(cty.Number, "computed"))
	texts, textMap := schemaOf(attr(cty.List(cty.String), "optional")), schemaOf(attr(cty.Map(cty.String), "optional"))
	wo := schemaOf(attr(cty.String, "optional writeonly"))
	nestedOne := schemaOf(nested(configschema.NestingSingle, "optional", itemAttrs))
	nestedSet := schemaOf(nested(configschema.NestingSet, "optional", itemAttrs))
	hiddenSet := schemaOfBlock(block(configschema.NestingSet, attrs{"id": attr(cty.String, "computed"), "name": attr(cty.String, "optional sensitive")}))
	hiddenIn := schemaOf(nested(configschema.NestingSingle, "optional", attrs{"name": attr(cty.String, "computed sensitive")}))
	single, group := schemaOfBlock(block(configschema.NestingSingle, itemAttrs)), schemaOfBlock(block(configschema.NestingGroup, itemAttrs))
	lists, sets, maps := schemaOfBlock(block(configschema.NestingList, itemAttrs)), schemaOfBlock(block(configschema.NestingSet, itemAttrs)), schemaOfBlock(block(configschema.NestingMap, itemAttrs))
	own := schemaOfBlock(computed(block(configschema.NestingList, attrs{"id": attr(cty.String, "computed")})))
	hiddenName := attrs{"id": attr(cty.String, "computed"), "name": attr(cty.String, "optional sensitive")}
	hiddenLists, hiddenBlocks := schemaOf(nested(configschema.NestingList, "optional", hiddenName)), schemaOfBlock(block(configschema.NestingList, hiddenName))
	hiddenOwn := schemaOfBlock(computed(block(configschema.NestingList, hiddenName)))
	hiddenData := schemaOf(attr(cty.DynamicPseudoType, "optional sensitive"))
	id := func(id string) cty.Value { return object(obj{"id": str(id)}) }
	a, b := item(noStr, str("a")), item(noStr, str("b"))
	k := func(v cty.Value) cty.Value { return mapOf(obj{"k": v}) }
	nothing := func(s *configschema.Block) cty.Value { return cty.NullVal(s.ImpliedType()) }
	unknown := func(s *configschema.Block) cty.Value { return cty.UnknownVal(nullOf(s).Type()) }
	plan := func(s *configschema.Block, prior, config, planned cty.Value) objchange.Violations {
		return objchange.AssertPlanValid(compiled(s), objectOf(prior), objectOf(config), objectOf(planned))
	}
	create := func(s *configschema.Block, config, planned cty.Value) objchange.Violations {
		return plan(s, nullOf(s), config, planned)
	}
	final := func(s *configschema.Block, was, now cty.Value) objchange.Violations {
		return objchange.AssertPlanConsistent(compiled(s), objectOf(was), objectOf(now))
	}
	state := func(s *configschema.Block, v cty.Value) objchange.Violations {
		return objchange.AssertStateValid(compiled(s), objectOf(v))
	}
	tests := []struct {
		found objchange.Violations
		want  []string
	}{
		{objchange.AssertPlanValid(compiled(text), nothing(text), cty.NilVal, objectOf(str("a"))), wrong(`the config value is the zero cty.Value [invalid-input]`)},
		{objchange.AssertPlanValid(compiled(text), cty.DynamicVal, objectOf(str("a")), objectOf(str("a"))), wrong(`the prior value is unknown as a whole [invalid-input]`)},
		{objchange.AssertStateValid(compiled(nil), objectOf(str("a"))), wrong(`the schema is nil [invalid-input]`)},
		{create(text, num(1), str("a")), wrong(`.v: the config value has number where the schema asks for string [type-mismatch]`)},
		{objchange.AssertStateValid(compiled(text), object(obj{"more": num(1)})),
			wrong(`.more: the state value has an attribute that the schema does not [type-mismatch]`, `.v: the state value lacks the attribute, which must be there as string, as in the schema's EmptyValue [type-mismatch]`)},
		{objchange.AssertStateValid(compiled(text), str("a")), wrong(`the state value has string where the schema asks for an object [type-mismatch]`)},
		{state(schemaOfBlock(block(configschema.NestingMap, dynAttrs)), tuple(a)),
			wrong(`.v: the value has tuple where the schema asks for blocks in map nesting [type-mismatch]`)},

		{objchange.AssertPlanValid(compiled(text), nothing(text), objectOf(str("a")), nothing(text)), wrong(`what is configured is missing in the plan [plan-absent]`)},
		{create(nestedOne, a, noItem), wrong(`.v: the attribute is configured and planned null [plan-absent]`)},
		{create(single, noItem, a), wrong(`.v: the plan has an object that is not configured [plan-present]`)},
		{create(text, str("a"), str("b")), wrong(`.v: "b" is planned, which is not "a" as configured [plan-not-config]`)},
		{plan(text, str("c"), str("a"), str("b")), wrong(`.v: "b" is planned, which is neither "a" as configured nor "c" as before [plan-not-config]`)},
		{plan(hidden, str("c"), str("a"), str("b")), wrong(`.v: the planned value is not the configured one, nor the prior one [plan-not-config]`)},
		{create(hidden, str("a"), str("b")), wrong(`.v: the planned value is not the configured one [plan-not-config]`)},
		{create(text, noStr, str("b")), wrong(`.v: "b" is planned, which is neither configured nor computed [plan-not-computed]`)},
		{create(schemaOf(attr(cty.String, "optional sensitive")), noStr, str("b")),
			wrong(`.v: a value is planned that is neither configured nor computed [plan-not-computed]`)},
		{create(nestedOne, a, unknownItem), wrong(`.v: the attribute is configured and planned unknown as a whole [plan-unknown-nested]`)},
		{objchange.AssertPlanValid(compiled(text), nothing(text), objectOf(str("a")), cty.DynamicVal), wrong(`the plan is unknown as a whole [plan-unknown-block]`)},
		{create(lists, list(a), list(unknownItem)), wrong(`.v[0]: the block is planned unknown as a whole [plan-unknown-block]`)},
		{create(lists, list(a), unknown(lists)), wrong(`.v: the blocks are planned unknown as a whole [plan-unknown-blocks]`)},
		{create(lists, emptyItems, nullOf(lists)), wrong(`.v: the blocks are planned null where there should be an empty list [plan-null-blocks]`)},
		{create(group, a, noItem), wrong(`.v: the blocks are planned null where there should be an empty object [plan-null-blocks]`)},
		{create(lists, unknown(lists), list(a)), wrong(`.v: blocks are planned whose number is not known yet [plan-dynamic-block]`)},
		{create(lists, list(a), list(a, b)), wrong(`.v: the plan has 2 elements where the configuration has 1 [plan-count]`)},
		{create(schemaOf(nested(configschema.NestingList, "optional", itemAttrs)), unknown(lists), list(a)),
			wrong(`.v: the plan has one element where their number is not known yet [plan-count]`)},
		{create(nestedSet, set(a, b), set(a)),
			wrong(`.v: the plan has one element, which is another number than the configuration has [plan-count]`, `.v: a configured element is not planned: {id = null, name = "b"} [plan-set-element]`)},
		{create(maps, k(a), mapOf(obj{"l": a})), wrong(`.v: the key "k" is gone; the key "l" has appeared [plan-key]`)},
		{create(sets, set(a), set(b)), wrong(`.v: an element is planned that comes from no configured one: {id = null, name = "b"}; the nearest configured one has name = "a" [plan-set-element]`)},
		{create(sets, set(a, b), set(a)), wrong(`.v: a configured element is not planned: {id = null, name = "b"} [plan-set-element]`)},
		{create(hiddenSet, set(a), set(b)), wrong(`.v: an element is planned that comes from no configured one [plan-set-element]`)},
		{create(hiddenSet, set(a, b), set(a)), wrong(`.v: a configured element is not planned [plan-set-element]`)},

		{objchange.AssertPlanConsistent(compiled(text), objectOf(str("a")), nothing(text)), wrong(`the planned object is gone [inconsistent-presence]`)},
		{final(single, noItem, a), wrong(`.v: there is an object where none was planned [inconsistent-presence]`)},
		{final(text, str("a"), str("b")), wrong(`.v: was planned to be "a" and is "b" [inconsistent-value]`)},
		{final(hiddenIn, object(obj{"name": str("a")}), object(obj{"name": str("b")})),
			wrong(`.v.name: the value is not the planned one [inconsistent-value]`)},
		{final(text, str("a"), unknownStr), wrong(`.v: the planned value became unknown [inconsistent-unknown]`)},
		{final(dynamic, str("a"), num(1)), wrong(`.v: the type was planned to be string and is number [inconsistent-type]`)},
		{final(number, unknownNum.RefineNotNull(), noNum), wrong(`.v: was planned to be (unknown, not null) and is null [inconsistent-refinement]`)},
		{final(hiddenIn, object(obj{"name": unknownStr.RefineNotNull()}), object(obj{"name": noStr})),
			wrong(`.v.name: the value is not one that its unknown placeholder promised [inconsistent-refinement]`)},
		{final(dynamic, object(obj{"k": list(str("a"))}), object(obj{"k": list(num(1))})),
			wrong(`.v: at .k, the type was planned to be string and is number [inconsistent-type]`)},
		{objchange.AssertPlanConsistent(compiled(dynamic), objectOf(object(obj{"k": list(str("a"))})).Mark("m"), objectOf(object(obj{"k": list(num(1))}))),
			wrong(`.v: the type was planned to be object and is object [inconsistent-type]`)},
		{plan(text, str(`{"k": 3}`), str(`{"k": 1}`), str(`{"k": 2}`)), wrong(`.v: in the JSON at .k, 2 is planned, which is not 1 as configured [plan-not-config]`)},
		{objchange.AssertConfigConsistent(compiled(hiddenData), objectOf(object(obj{"k": list(str("a"))})), objectOf(object(obj{"k": list(num(1))}))),
			wrong(`.v: the type was planned to be object and is object [inconsistent-type]`)},
		{final(hiddenLists, cty.UnknownVal(nullOf(hiddenLists).Type()).Refine().CollectionLengthUpperBound(1).NewValue(), list(a, b)),
			wrong(`.v: the value is not one that its unknown placeholder promised [inconsistent-refinement]`)},
		{final(hiddenLists, list(a), list(a, b)), wrong(`.v: there are 2 elements where the plan has 1 [inconsistent-key]`)},
		{final(hiddenOwn, unknown(hiddenOwn).Refine().CollectionLengthUpperBound(1).NewValue(), list(a, b)),
			wrong(`.v: the value is not one that its unknown placeholder promised [inconsistent-refinement]`)},
		{final(own, unknown(own).Refine().CollectionLengthUpperBound(1).NewValue(), list(id("1"), id("2"))),
			wrong(`.v: was planned to be (unknown, of length 0 to 1) and is [{id = "1"}, {id = "2"}] [inconsistent-refinement]`)},
		{final(hiddenSet, set(a, item(noStr, unknownStr)), set(a, item(str("1"), str("b")))),
			wrong(`.v: there is an element that was not planned [inconsistent-set-element]`)},
		{final(hiddenBlocks, list(a), list(a, b)), wrong(`.v: there are 2 blocks where the plan has 1 [inconsistent-count]`)},
		{objchange.AssertConfigConsistent(compiled(hiddenBlocks), nothing(hiddenBlocks), objectOf(list(a))), wrong(`the value is not the planned one [inconsistent-value]`)},
		{final(hidden, str("a"), str("b")), wrong(`.v: the sensitive value, or something in it, is not what was planned [inconsistent-sensitive]`)},
		{final(lists, list(a), nullOf(lists)), wrong(`.v: the planned blocks became null [inconsistent-null-blocks]`)},
		{final(own, unknown(own), nullOf(own)), wrong(`.v: the computed blocks became null [inconsistent-null-blocks]`)},
		{final(maps, k(a), unknown(maps)), wrong(`.v: the planned blocks became unknown [inconsistent-unknown]`)},
		{final(lists, list(a), list(a, b)), wrong(`.v: there are 2 blocks where the plan has 1: {id = null, name = "b"} at [1] has appeared [inconsistent-count]`)},
		{final(sets, set(item(unknownStr, str("a"))), set(item(str("1"), str("a")), item(str("2"), str("a")))),
			wrong(`.v: there are 2 elements where the plan has 1 [inconsistent-count]`)},
		{final(maps, k(a), mapOf(obj{"l": a})), wrong(`.v: the key "k" is gone; the key "l" has appeared [inconsistent-key]`)},
		{final(texts, list(str("a")), list(str("a"), str("b"))), wrong(`.v: there are 2 elements where the plan has 1: "b" at [1] has appeared [inconsistent-key]`)},
		{final(textMap, k(str("a")), mapOf(obj{"l": str("a")})), wrong(`.v: the key "k" is gone; the key "l" has appeared [inconsistent-key]`)},
		{final(sets, set(a), set(b)), wrong(`.v: the planned element {id = null, name = "a"} is gone; the nearest there is has name = "b" [inconsistent-set-element]`)},
		{final(sets, set(a, item(noStr, unknownStr)), set(a, item(str("1"), str("b")))),
			wrong(`.v: there is an element that was not planned: {id = "1", name = "b"} [inconsistent-set-element]`)},

		{state(text, unknownStr), wrong(`.v: the value is unknown, but a state must be wholly known [state-unknown]`)},
		{state(lists, nullOf(lists)), wrong(`.v: the blocks are null where there should be an empty list [state-null-blocks]`)},
		{state(group, noItem), wrong(`.v: the blocks are null where there should be an empty object [state-null-blocks]`)},
		{state(wo, str("a")), wrong(`.v: a write-only attribute must be null in plans and states [write-only-not-null]`)},
	}
	pinned := map[objchange.Rule]bool{}
	for _, test := range tests {
		var got []string
		for _, v := range test.found {
			got = append(got, v.Error())
			pinned[v.Rule] = true
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("messages (-want +got):\n%s", diff)
		}
	}
	for _, rule := range objchange.Rules() {
		about, _, _ := strings.Cut(string(rule), "-")
		if !pinned[rule] && about != "config" && about != "replace" {
			t.Errorf("no example of %s", rule)
		}
	}
}

func TestMessagesAreShortAndReadable(t *testing.T) {
	schema := schemaOf(attr(cty.DynamicPseudoType, "optional"))
	many := make([]cty.Value, 10_000)
	for i := range many {
		many[i] = num(int64(i))
	}
	listOf := func(of func(*cty.RefinementBuilder) *cty.RefinementBuilder) cty.Value {
		return of(cty.UnknownVal(cty.List(cty.String)).Refine()).NewValue()
	}
	tests := []struct {
		name  string
		value cty.Value
		shown string // how the message begins
	}{
		{"a string", str(`a "b"`), `"a \"b\"" is planned`},
		{"two lines", str("a\nb"), `"a\nb" is planned`},
		{"a number", num(-12), "-12 is planned"},
		{"a fraction", cty.MustParseNumberVal("0.25"), "0.25 is planned"},
		{"a large number", cty.MustParseNumberVal("12345678901234567890"), "12345678901234567890 is planned"},
		{"a bool", cty.True, "true is planned"},
		{"null", noStr, "null is planned"},
		{"unknown", cty.UnknownVal(cty.Bool), "(unknown) is planned"},
		{"an empty list", emptyItems, "[] is planned"},
		{"a list", list(str("x"), str("y")), `["x", "y"] is planned`},
		{"a set", set(str("y"), str("x")), `["x", "y"] is planned`},
		{"a tuple", tuple(str("x"), num(1), noStr), `["x", 1, null] is planned`},
		{"a map", mapOf(obj{"l": num(2), "k": num(1)}), "{k = 1, l = 2} is planned"},
		{"an object", item(unknownStr, str("a")), `{id = (unknown), name = "a"} is planned`},
		{"deep", list(mapOf(obj{"k": tuple(num(1))})), "[{k = [1]}] is planned"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			found := objchange.AssertPlanValid(compiled(schema), objectOf(noDynamic), objectOf(str("config")), objectOf(test.value))
			expect(t, found, ".v plan-not-config")
			if len(found) == 1 && !strings.HasPrefix(found[0].Message, test.shown) {
				t.Errorf("got %q, want %q", found[0].Message, test.shown)
			}
		})
	}
	for name, value := range map[string]cty.Value{
		"a long string":   str(strings.Repeat("a", 100_000)),
		"a long name":     object(obj{strings.Repeat("a", 100_000): str("a")}),
		"many elements":   tuple(many...),
		"a set of them":   set(many[:1000]...),
		"a deep value":    deepTuple(500),
		"a huge number":   cty.MustParseNumberVal("1e100000"),
		"any number":      listOf(func(b *cty.RefinementBuilder) *cty.RefinementBuilder { return b.NotNull() }),
		"two or more":     listOf(func(b *cty.RefinementBuilder) *cty.RefinementBuilder { return b.CollectionLengthLowerBound(2) }),
		"up to two":       listOf(func(b *cty.RefinementBuilder) *cty.RefinementBuilder { return b.CollectionLengthUpperBound(2) }),
		"a long prefix":   unknownStr.Refine().StringPrefixFull(strings.Repeat("a", 100_000)).NewValue(),
		"text to escape":  str(strings.Repeat("\x01\u2028", 1000)),
		"keys on 2 lines": mapOf(obj{"a\nb": str("a")}),
	} {
		t.Run(name, func(t *testing.T) {
			found := objchange.AssertPlanValid(compiled(schema), objectOf(str("prior")), objectOf(str("config")), objectOf(value))
			expect(t, found, ".v plan-not-config")
			for _, v := range found {
				if len(v.Message) > 500 || strings.Contains(v.Message, "\n") || strings.Contains(v.Message, "9223372036854775807") {
					t.Errorf("not short and readable: %q", v.Message)
				}
			}
		})
	}
}

// deepTuple is nested in itself.
func deepTuple(depth int) cty.Value {
	v := str("a")
	for range depth {
		v = tuple(v)
	}
	return v
}
