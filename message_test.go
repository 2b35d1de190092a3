package objchange_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
)

// TestMessages checks specification.md#7-violations: values in messages are short and readable. It
// has the text of each rule of the checks of plans and states, with values and, if the text
// shows values, without.
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
		{objchange.AssertPlanValid(compiled(text), cty.DynamicVal, objectOf(str("a")), objectOf(str("a"))), wrong(`the whole prior value is unknown [invalid-input]`)},
		{objchange.AssertStateValid(compiled(nil), objectOf(str("a"))), wrong(`the schema is nil [invalid-input]`)},
		{create(text, num(1), str("a")), wrong(`.v: the config value has type number, but the schema requires string [type-mismatch]`)},
		{objchange.AssertStateValid(compiled(text), object(obj{"more": num(1)})),
			wrong(`.more: the state value has an attribute that is not in the schema [type-mismatch]`, `.v: the state value lacks the attribute, which must be present with type string, as in the schema's EmptyValue [type-mismatch]`)},
		{objchange.AssertStateValid(compiled(text), str("a")), wrong(`the state value has type string, but the schema requires an object [type-mismatch]`)},
		{state(schemaOfBlock(block(configschema.NestingMap, dynAttrs)), tuple(a)),
			wrong(`.v: the value has type tuple, but the schema requires blocks with map nesting [type-mismatch]`)},

		{objchange.AssertPlanValid(compiled(text), nothing(text), objectOf(str("a")), nothing(text)), wrong(`the configured object is missing in the plan [plan-absent]`)},
		{create(nestedOne, a, noItem), wrong(`.v: the attribute is configured, but null in the plan [plan-absent]`)},
		{create(single, noItem, a), wrong(`.v: the plan has an object that is not configured [plan-present]`)},
		{create(text, str("a"), str("b")), wrong(`.v: planned "b", but the configuration has "a" [plan-not-config]`)},
		{plan(text, str("c"), str("a"), str("b")), wrong(`.v: planned "b", but the configuration has "a" and the prior state has "c" [plan-not-config]`)},
		{plan(hidden, str("c"), str("a"), str("b")), wrong(`.v: the planned value differs from the configuration and from the prior state [plan-not-config]`)},
		{create(hidden, str("a"), str("b")), wrong(`.v: the planned value differs from the configuration [plan-not-config]`)},
		{create(text, noStr, str("b")), wrong(`.v: planned "b", but the attribute is neither configured nor computed [plan-not-computed]`)},
		{create(schemaOf(attr(cty.String, "optional sensitive")), noStr, str("b")),
			wrong(`.v: a value is planned, but the attribute is neither configured nor computed [plan-not-computed]`)},
		{create(nestedOne, a, unknownItem), wrong(`.v: the attribute is configured, but unknown as a whole in the plan [plan-unknown-nested]`)},
		{objchange.AssertPlanValid(compiled(text), nothing(text), objectOf(str("a")), cty.DynamicVal), wrong(`the whole plan is unknown [plan-unknown-block]`)},
		{create(lists, list(a), list(unknownItem)), wrong(`.v[0]: the block is unknown as a whole in the plan [plan-unknown-block]`)},
		{create(lists, list(a), unknown(lists)), wrong(`.v: the blocks are unknown as a whole in the plan [plan-unknown-blocks]`)},
		{create(lists, emptyItems, nullOf(lists)), wrong(`.v: the blocks are null in the plan, but must be an empty list [plan-null-blocks]`)},
		{create(group, a, noItem), wrong(`.v: the blocks are null in the plan, but must be an empty object [plan-null-blocks]`)},
		{create(lists, unknown(lists), list(a)), wrong(`.v: the plan has blocks, but the number of configured blocks is not known yet [plan-dynamic-block]`)},
		{create(lists, list(a), list(a, b)), wrong(`.v: the plan has 2 elements, but the configuration has 1 [plan-count]`)},
		{create(schemaOf(nested(configschema.NestingList, "optional", itemAttrs)), unknown(lists), list(a)),
			wrong(`.v: the plan has 1 element, but the number of configured elements is not known yet [plan-count]`)},
		{create(nestedSet, set(a, b), set(a)),
			wrong(`.v: the plan has 1 element, but the configuration has a different number [plan-count]`, `.v: a configured element is not in the plan: {id = null, name = "b"} [plan-set-element]`)},
		{create(maps, k(a), mapOf(obj{"l": a})), wrong(`.v: the key "k" is missing; the key "l" is new [plan-key]`)},
		{create(sets, set(a), set(b)), wrong(`.v: a planned element matches no configured element: {id = null, name = "b"}; the closest configured element has name = "a" [plan-set-element]`)},
		{create(sets, set(a, b), set(a)), wrong(`.v: a configured element is not in the plan: {id = null, name = "b"} [plan-set-element]`)},
		{create(hiddenSet, set(a), set(b)), wrong(`.v: a planned element matches no configured element [plan-set-element]`)},
		{create(hiddenSet, set(a, b), set(a)), wrong(`.v: a configured element is not in the plan [plan-set-element]`)},

		{objchange.AssertPlanConsistent(compiled(text), objectOf(str("a")), nothing(text)), wrong(`the planned object is missing [inconsistent-presence]`)},
		{final(single, noItem, a), wrong(`.v: got an object, but none was planned [inconsistent-presence]`)},
		{final(text, str("a"), str("b")), wrong(`.v: planned "a", but got "b" [inconsistent-value]`)},
		{final(hiddenIn, object(obj{"name": str("a")}), object(obj{"name": str("b")})),
			wrong(`.v.name: the value differs from the plan [inconsistent-value]`)},
		{final(text, str("a"), unknownStr), wrong(`.v: the planned value became unknown [inconsistent-unknown]`)},
		{final(dynamic, str("a"), num(1)), wrong(`.v: planned type string, but got type number [inconsistent-type]`)},
		{final(number, unknownNum.RefineNotNull(), noNum), wrong(`.v: planned (unknown, not null), but got null [inconsistent-refinement]`)},
		{final(hiddenIn, object(obj{"name": unknownStr.RefineNotNull()}), object(obj{"name": noStr})),
			wrong(`.v.name: the value does not match the refinements of the planned unknown value [inconsistent-refinement]`)},
		{final(dynamic, object(obj{"k": list(str("a"))}), object(obj{"k": list(num(1))})),
			wrong(`.v: at .k, planned type string, but got type number [inconsistent-type]`)},
		{objchange.AssertPlanConsistent(compiled(dynamic), objectOf(object(obj{"k": list(str("a"))})).Mark("m"), objectOf(object(obj{"k": list(num(1))}))),
			wrong(`.v: the type of a part differs from the plan [inconsistent-type]`)},
		{plan(text, str(`{"k": 3}`), str(`{"k": 1}`), str(`{"k": 2}`)), wrong(`.v: in the JSON at .k, planned 2, but the configuration has 1 [plan-not-config]`)},
		{objchange.AssertConfigConsistent(compiled(hiddenData), objectOf(object(obj{"k": list(str("a"))})), objectOf(object(obj{"k": list(num(1))}))),
			wrong(`.v: the type of a part differs from the configuration at plan [inconsistent-type]`)},
		{final(hiddenLists, cty.UnknownVal(nullOf(hiddenLists).Type()).Refine().CollectionLengthUpperBound(1).NewValue(), list(a, b)),
			wrong(`.v: the value does not match the refinements of the planned unknown value [inconsistent-refinement]`)},
		{final(hiddenLists, list(a), list(a, b)), wrong(`.v: planned 1 element, but got 2 [inconsistent-key]`)},
		{final(hiddenOwn, unknown(hiddenOwn).Refine().CollectionLengthUpperBound(1).NewValue(), list(a, b)),
			wrong(`.v: the value does not match the refinements of the planned unknown value [inconsistent-refinement]`)},
		{final(own, unknown(own).Refine().CollectionLengthUpperBound(1).NewValue(), list(id("1"), id("2"))),
			wrong(`.v: planned (unknown, of length 0 to 1), but got [{id = "1"}, {id = "2"}] [inconsistent-refinement]`)},
		{final(hiddenSet, set(a, item(noStr, unknownStr)), set(a, item(str("1"), str("b")))),
			wrong(`.v: got an element that was not planned [inconsistent-set-element]`)},
		{final(hiddenBlocks, list(a), list(a, b)), wrong(`.v: planned 1 block, but got 2 [inconsistent-count]`)},
		{objchange.AssertConfigConsistent(compiled(hiddenBlocks), nothing(hiddenBlocks), objectOf(list(a))), wrong(`the value differs from the configuration at plan [inconsistent-value]`)},
		{final(hidden, str("a"), str("b")), wrong(`.v: the sensitive value, or a part of it, differs from the plan [inconsistent-sensitive]`)},
		{final(lists, list(a), nullOf(lists)), wrong(`.v: the planned blocks became null [inconsistent-null-blocks]`)},
		{final(own, unknown(own), nullOf(own)), wrong(`.v: the computed blocks became null [inconsistent-null-blocks]`)},
		{final(maps, k(a), unknown(maps)), wrong(`.v: the planned blocks became unknown [inconsistent-unknown]`)},
		{final(lists, list(a), list(a, b)), wrong(`.v: planned 1 block, but got 2: {id = null, name = "b"} at [1] is new [inconsistent-count]`)},
		{final(sets, set(item(unknownStr, str("a"))), set(item(str("1"), str("a")), item(str("2"), str("a")))),
			wrong(`.v: planned 1 element, but got 2 [inconsistent-count]`)},
		{final(maps, k(a), mapOf(obj{"l": a})), wrong(`.v: the key "k" is missing; the key "l" is new [inconsistent-key]`)},
		{final(texts, list(str("a")), list(str("a"), str("b"))), wrong(`.v: planned 1 element, but got 2: "b" at [1] is new [inconsistent-key]`)},
		{final(textMap, k(str("a")), mapOf(obj{"l": str("a")})), wrong(`.v: the key "k" is missing; the key "l" is new [inconsistent-key]`)},
		{final(sets, set(a), set(b)), wrong(`.v: the planned element {id = null, name = "a"} is missing; the closest returned element has name = "b" [inconsistent-set-element]`)},
		{final(sets, set(a, item(noStr, unknownStr)), set(a, item(str("1"), str("b")))),
			wrong(`.v: got an element that was not planned: {id = "1", name = "b"} [inconsistent-set-element]`)},

		{state(text, unknownStr), wrong(`.v: the value is unknown, but a state must be wholly known [state-unknown]`)},
		{state(lists, nullOf(lists)), wrong(`.v: the blocks are null, but must be an empty list [state-null-blocks]`)},
		{state(group, noItem), wrong(`.v: the blocks are null, but must be an empty object [state-null-blocks]`)},
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
		shown string // the start of the message
	}{
		{"a string", str(`a "b"`), `planned "a \"b\""`},
		{"two lines", str("a\nb"), `planned "a\nb"`},
		{"a number", num(-12), "planned -12"},
		{"a fraction", cty.MustParseNumberVal("0.25"), "planned 0.25"},
		{"a large number", cty.MustParseNumberVal("12345678901234567890"), "planned 12345678901234567890"},
		{"a bool", cty.True, "planned true"},
		{"null", noStr, "planned null"},
		{"unknown", cty.UnknownVal(cty.Bool), "planned (unknown)"},
		{"an empty list", emptyItems, "planned []"},
		{"a list", list(str("x"), str("y")), `planned ["x", "y"]`},
		{"a set", set(str("y"), str("x")), `planned ["x", "y"]`},
		{"a tuple", tuple(str("x"), num(1), noStr), `planned ["x", 1, null]`},
		{"a map", mapOf(obj{"l": num(2), "k": num(1)}), "planned {k = 1, l = 2}"},
		{"an object", item(unknownStr, str("a")), `planned {id = (unknown), name = "a"}`},
		{"deep", list(mapOf(obj{"k": tuple(num(1))})), "planned [{k = [1]}]"},
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
					t.Errorf("the message is too long or not readable: %q", v.Message)
				}
			}
		})
	}
}

// deepTuple returns nested tuples.
func deepTuple(depth int) cty.Value {
	v := str("a")
	for range depth {
		v = tuple(v)
	}
	return v
}

// TestMessagesShowTheDifference checks that a message shows the difference between two values
// and not their start. Each row has a text that the message must not contain.
func TestMessagesShowTheDifference(t *testing.T) {
	long := strings.Repeat("0123456789", 20)
	script := func(last string) cty.Value { return str("#!/bin/sh\n" + strings.Repeat("echo \"well\"\n", 20) + last) }
	policy := func(effect, action string) cty.Value {
		return str(`{"Version": "2012-10-17", "Statement": [{"Effect": "` + effect + `", "Action": ["s3:Get", "` + action + `"]}]}`)
	}
	tags := func(n int, changed string) cty.Value {
		m := obj{}
		for i := range n {
			m[fmt.Sprint("tag-", i)] = str(fmt.Sprint("value ", i))
		}
		m["tag-17"] = str(changed)
		return mapOf(m)
	}
	deep := func(v cty.Value) cty.Value {
		return object(obj{"a": list(object(obj{"b": tuple(str("x"), v)}))})
	}
	exact := func(text string) cty.Value { return cty.MustParseNumberVal(text) }
	for name, test := range map[string]struct {
		planned, configured cty.Value
		want                string // after ".v: "
		not                 string
	}{
		"short strings": {str("b"), str("a"), `planned "b", but the configuration has "a"`, "("},
		"long strings": {str(long + "a" + long), str(long + "b" + long),
			`planned "…01234567890123456789a01234567890123456789012345678901234567890123456789012345678…", but the configuration has "…01234567890123456789b01234567890123456789012345678901234567890123456789012345678…"`, `"0123456789012`},
		"the end of a long string": {str(long), str(long + "x"), `789", but the configuration`, `"0123`},
		"escapes stay whole":       {script("exit 1\n"), script("exit 2\n"), `\"\necho \"well\"\nexit 1\n", but the configuration`, `"#!/bin`},
		"white space":              {str("a b\n"), str("a  b"), `planned "a b\n", but the configuration has "a  b" (only white space differs)`, "characters"},
		"JSON": {policy("Allow", "s3:Put"), policy("Deny", "s3:Put"),
			`in the JSON at .Statement[0].Effect, planned "Allow", but the configuration has "Deny"`, "Version"},
		"two places of JSON": {policy("Allow", "s3:Put"), policy("Deny", "s3:*"),
			`in the JSON at .Statement[0].Action[1], planned "s3:Put", but the configuration has "s3:*" (one other place differs)`, "Version"},
		"JSON that is the same": {str(`{"a": 1}`), str(`{"a":1}`),
			`planned "{\"a\": 1}", but the configuration has "{\"a\":1}" (equal as JSON)`, "white space"},
		"JSON of no parts": {str(`"a"`), str(`"b"`), `planned "\"a\"", but the configuration has "\"b\""`, "JSON"},
		"a key of many": {tags(30, "a"), tags(30, "b"),
			`at ["tag-17"], planned "a", but the configuration has "b"`, "tag-1\""},
		"a key that is new": {mapOf(obj{"a": str("x"), "managed": str("yes")}), mapOf(obj{"a": str("x")}),
			`at ["managed"], planned "yes", but the configuration has nothing`, `"x"`},
		"a missing key": {mapOf(obj{"a": str("x")}), mapOf(obj{"a": str("x"), "b": str("y")}),
			`at ["b"], planned nothing, but the configuration has "y"`, `"x"`},
		"one more element": {list(str("a"), str("b")), list(str("a")), `at [1], planned "b", but the configuration has nothing`, `"a"`},
		"deep inside": {deep(str("y")), deep(str("z")),
			`at .a[0].b[1], planned "y", but the configuration has "z"`, `"x"`},
		"several places": {list(str("a"), str("b"), str("c")), list(str("x"), str("y"), str("z")),
			`at [0], planned "a", but the configuration has "x" (2 other places differ)`, "[\"a\""},
		"an element of a set":          {set(str("a"), str("b")), set(str("a"), str("c")), `at [*], planned "b", but the configuration has "c"`, `"a"`},
		"a set with a missing element": {set(str("a")), set(str("a"), str("c")), `at [*], planned nothing, but the configuration has "c"`, `"a"`},
		"null":                         {noStr, str("a"), `planned null, but the configuration has "a"`, "nothing"},
		"long numbers": {exact("3.14159265358979323846264338"), exact("3.14159265358979323846264339"),
			`planned 3.14159265358979323846264338, but the configuration has 3.14159265358979323846264339`, "3.14159265359 "},
		"a text that is one character longer": {str(strings.Repeat("a", 101)), str(strings.Repeat("a", 100)), `(the lengths are 101 and 100 characters)`, strings.Repeat("a", 100)},
		"a number of many digits": {exact("1" + strings.Repeat("0", 100) + "1"), exact("1" + strings.Repeat("0", 100) + "2"),
			`0001, but the configuration has …00000000000000000000000000000000000000000000000000000000000000000000000000000002 (both are about 1e+101)`, "planned 1e+101"},
		"objects of several types": {object(obj{"port": num(80)}), object(obj{"port": str("80")}),
			`at .port, planned 80, but the configuration has "80"`, "{port"},
		"empty lists of several types": {emptyItems, cty.ListValEmpty(cty.Object(map[string]cty.Type{"x": cty.Bool})),
			`planned [], but the configuration has [] (the types differ`, "has [])"},
		"an escape is whole": {object(obj{"n": str("k"), "v": str(strings.Repeat("\n", 100))}), noDynamic, `…\n`, `\ `},
		"an element of objects": {set(item(noStr, str("z")), item(str("1"), str("a"))), set(item(noStr, str("a")), item(str("1"), str("b"))),
			`at [*].name, planned "`, "id ="},
		"a number and its text":      {list(num(1)), list(str("1")), `at [0], planned 1, but the configuration has "1"`, "[1]"},
		"letters that look the same": {str("\u0430dmin"), str("admin"), `but the configuration has "admin" (the first different characters are U+0430 and U+0061)`, "white space"},
		"JSON of escapes":            {str(`{"a": "\ud800"}`), str(`{"a": "\ud801"}`), `\\ud800\"}", but the configuration has "{\"a\": \"\\ud801`, "the same"},
		"JSON that is deep":          {str(strings.Repeat("[", 90) + "1" + strings.Repeat("]", 90)), str(strings.Repeat("[", 90) + "2" + strings.Repeat("]", 90)), `[[1]]]`, "JSON"},
		"keys of a map":              {mapOf(obj{"c": str("1")}), mapOf(obj{"a": str("1"), "b": str("2")}), `(the keys "a" and "b" are missing)`, "other places"},
		"keys beside a place": {mapOf(obj{"a": str("1"), "c": str("1"), "d": str("x")}), mapOf(obj{"a": str("2"), "b": str("2")}),
			`at ["a"], planned "1", but the configuration has "2" (the key "b" is missing; the keys "c" and "d" are new)`, "other places"},
		"a key that is a text":    {mapOf(obj{strings.Repeat("k", 9999): str("1")}), mapOf(obj{strings.Repeat("k", 9999): str("2")}), `k…k`, strings.Repeat("k", 200)},
		"an empty attribute name": {set(object(obj{"": str("a"), "b": str("c")})), set(object(obj{"": str("d"), "b": str("c")})), `planned "a"`, "{ ="},
		"a list and a tuple":      {list(str("a")), tuple(str("a")), `planned ["a"], but the configuration has ["a"] (the types differ: list of string and tuple)`, "cty."},
	} {
		t.Run(name, func(t *testing.T) {
			ty := test.planned.Type()
			if !ty.Equals(test.configured.Type()) {
				ty = cty.DynamicPseudoType
			}
			schema := schemaOf(attr(ty, "optional"))
			found := objchange.AssertPlanValid(compiled(schema), cty.NilVal, objectOf(test.configured), objectOf(test.planned))
			if len(found) != 1 || !strings.Contains(found[0].Message, test.want) || strings.Contains(found[0].Message, test.not) {
				t.Errorf("got  %v\nwant %s\nnot  %s", found.Err(), test.want, test.not)
			}
		})
	}
}

// TestMessagesNamePriorValues checks that the message has the prior value if it differs from
// the planned value, and shows the difference between the two.
func TestMessagesNamePriorValues(t *testing.T) {
	long := strings.Repeat("a", 100)
	for name, test := range map[string]struct{ prior, configured, planned, want cty.Value }{
		"a prior value that differs at another place": {list(str("b"), str("old")), list(str("a"), str("x")), list(str("b"), str("x")),
			str(`at [0], planned "b", but the configuration has "a"`)},
		"a prior value that differs at the same place": {list(str("c"), str("old")), list(str("a"), str("x")), list(str("b"), str("x")),
			str(`at [0], planned "b", but the configuration has "a" and the prior state has "c"`)},
		"a long prior value": {str(long + "1"), str(long + "2"), str(long + "3"),
			str(`aaa3", but the configuration has "…` + strings.Repeat("a", 79) + `2" and the prior state has "…` + strings.Repeat("a", 79) + `1"`)},
	} {
		schema := schemaOf(attr(test.planned.Type(), "optional"))
		found := objchange.AssertPlanValid(compiled(schema), objectOf(test.prior), objectOf(test.configured), objectOf(test.planned))
		if len(found) != 1 || !strings.HasSuffix(found[0].Message, test.want.AsString()) {
			t.Errorf("%s: %v, want %s", name, found.Err(), test.want.AsString())
		}
	}
}

// TestPlaceInsideAValueHasItsOwnPath checks that Inside leads to the difference, while Path
// leads to the value that Core compares.
func TestPlaceInsideAValueHasItsOwnPath(t *testing.T) {
	schema := schemaOf(attr(cty.Map(cty.String), "optional"))
	prior := mapOf(obj{"a": str("x"), "b": str("0")})
	found := objchange.AssertPlanValid(compiled(schema), objectOf(prior), objectOf(mapOf(obj{"a": str("x"), "b": str("y")})), objectOf(mapOf(obj{"a": str("x"), "b": str("z")})))
	const want = `{"rule":"plan-not-config","path":".v","inside":"[\"b\"]","message":"at [\"b\"], planned \"z\", but the configuration has \"y\" and the prior state has \"0\"","enforced":true}`
	if text := must(found[0].MarshalJSON()); string(text) != want || !found[0].Inside.Equals(cty.IndexStringPath("b")) {
		t.Errorf("got  %s\nwant %s", text, want)
	}
	schema = schemaOf(attr(cty.Map(cty.String), "optional sensitive"))
	found = objchange.AssertPlanValid(compiled(schema), cty.NilVal, objectOf(mapOf(obj{"a": str("x")})), objectOf(mapOf(obj{"b": str("z")})))
	if len(found[0].Inside) > 0 || strings.Contains(found[0].Error(), `"b"`) {
		t.Errorf("the path %v contains a sensitive value", found)
	}
}

// TestMessagesNameKeysAndElements checks that messages name changed keys and the nearest
// element, also for several and many of them, but not if they may be secret or are not helpful.
func TestMessagesNameKeysAndElements(t *testing.T) {
	keys := func(names ...string) cty.Value {
		m := obj{}
		for _, name := range names {
			m[name] = item(noStr, str("x"))
		}
		return mapOf(m)
	}
	maps, sets := schemaOfBlock(block(configschema.NestingMap, itemAttrs)), schemaOfBlock(block(configschema.NestingSet, itemAttrs))
	lists, listOfNone := schemaOfBlock(block(configschema.NestingList, itemAttrs)), cty.ListValEmpty(item(noStr, noStr).Type())
	zones, names := schemaOf(attr(cty.Set(cty.String), "optional")), schemaOf(attr(cty.List(cty.String), "optional"))
	hidden := schemaOf(nested(configschema.NestingMap, "optional sensitive", itemAttrs))
	wide := attrs{"id": attr(cty.String, "computed")}
	disk := func(id cty.Value, size int64, name string) cty.Value {
		return object(obj{"id": id, "size": num(size), "name": str(name)})
	}
	wide["size"], wide["name"] = attr(cty.Number, "optional"), attr(cty.String, "optional")
	disks := schemaOfBlock(block(configschema.NestingSet, wide))
	for name, test := range map[string]struct {
		found     objchange.Violations
		want, not string
	}{
		"one new key":                 {objchange.AssertPlanConsistent(compiled(maps), objectOf(keys("a")), objectOf(keys("a", "b"))), `.v: planned 1 block, but got 2: the key "b" is new [inconsistent-count]`, `"a"`},
		"fewer keys in a plan":        {objchange.AssertPlanValid(compiled(maps), cty.NilVal, objectOf(keys("a", "b", "c")), objectOf(keys("a"))), `.v: the plan has 1 element, but the configuration has 3: the keys "b" and "c" are missing [plan-count]`, `"a"`},
		"hidden and more":             {objchange.AssertPlanValid(compiled(hidden), cty.NilVal, objectOf(keys("a", "b")), objectOf(keys("a"))), `.v: the plan has 1 element, but the configuration has 2 [plan-count]`, `"b"`},
		"blocks of a list":            {objchange.AssertPlanValid(compiled(lists), cty.NilVal, objectOf(list(item(noStr, str("a")))), objectOf(listOfNone)), `.v: the plan has 0 elements, but the configuration has 1 [plan-count]`, `key`},
		"one key replaced by another": {objchange.AssertPlanConsistent(compiled(maps), objectOf(keys("a", "c")), objectOf(keys("a", "b"))), `.v: the key "c" is missing; the key "b" is new [inconsistent-key]`, `are missing`},
		"several": {objchange.AssertPlanConsistent(compiled(maps), objectOf(keys("a", "b", "c")), objectOf(keys("c", "d", "e"))),
			`.v: the keys "a" and "b" are missing; the keys "d" and "e" are new [inconsistent-key]`, `"c"`},
		"many": {objchange.AssertPlanConsistent(compiled(maps), objectOf(keys("a", "b", "c", "d", "e", "f", "g")), objectOf(keys("1", "2", "3", "4", "5", "6", "7"))),
			`.v: the keys "a", "b", "c", "d", "e" and 2 more are missing; the keys "1", "2", "3", "4", "5" and 2 more are new [inconsistent-key]`, `"f"`},
		"in a plan": {objchange.AssertPlanValid(compiled(maps), cty.NilVal, objectOf(keys("a")), objectOf(keys("b"))), `.v: the key "a" is missing; the key "b" is new [plan-key]`, `the planned keys`},
		"hidden keys in a plan": {objchange.AssertPlanValid(compiled(hidden), cty.NilVal, objectOf(keys("a")), objectOf(keys("b"))),
			`.v: the planned keys differ from the configured keys [plan-key]`, `"b"`},
		"the nearest": {objchange.AssertPlanConsistent(compiled(disks),
			objectOf(set(disk(unknownStr, 10, "a"), disk(unknownStr, 20, "b"))), objectOf(set(disk(str("1"), 11, "a"), disk(str("2"), 20, "b")))),
			`.v: the planned element {id = (unknown), name = "a", size = 10} is missing; the closest returned element has size = 11 [inconsistent-set-element]`, `has id`},
		"the nearest in a plan": {objchange.AssertPlanValid(compiled(disks), cty.NilVal,
			objectOf(set(disk(noStr, 10, "a"), disk(noStr, 20, "b"))), objectOf(set(disk(unknownStr, 10, "A"), disk(unknownStr, 20, "b")))),
			`.v: a planned element matches no configured element: {id = (unknown), name = "A", size = 10}; the closest configured element has name = "a" [plan-set-element]`, `has id`},
		"near in JSON": {objchange.AssertPlanConsistent(compiled(disks),
			objectOf(set(disk(str("1"), 10, `{"v": 1, "w": 2}`))), objectOf(set(disk(str("1"), 10, `{"v": 1, "w": 3}`)))),
			`.v: the planned element {id = "1", name = "{\"v\": 1, \"w\": 2}", size = 10} is missing; the closest returned element has name (in the JSON at .w) = 3 [inconsistent-set-element]`, `has name = `},
		"a type inside": {objchange.AssertPlanConsistent(compiled(schemaOf(attr(cty.DynamicPseudoType, "optional"))),
			objectOf(object(obj{"ports": list(object(obj{"n": num(1)}))})), objectOf(object(obj{"ports": list(object(obj{"n": str("1")}))}))),
			`.v: at .ports.n, planned type number, but got type string [inconsistent-type]`, `object`},
		"a type beside an unknown type": {objchange.AssertPlanConsistent(compiled(schemaOf(attr(cty.DynamicPseudoType, "optional"))),
			objectOf(object(obj{"a": cty.DynamicVal, "b": num(1)})), objectOf(object(obj{"a": str("x"), "b": str("1")}))),
			`.v: at .b, planned type number, but got type string [inconsistent-type]`, `.a`},
		"several long keys": {objchange.AssertPlanConsistent(compiled(maps), objectOf(keys(strings.Repeat("k", 100)+"1", strings.Repeat("k", 100)+"2")), objectOf(keys(strings.Repeat("k", 100)+"3", strings.Repeat("k", 100)+"4"))),
			`.v: the keys "…` + strings.Repeat("k", 79) + `1" and "…` + strings.Repeat("k", 79) + `2" are missing; the keys "…` + strings.Repeat("k", 79) + `3" and "…` + strings.Repeat("k", 79) + `4" are new [inconsistent-key]`, strings.Repeat("k", 80)},
		"texts of a set": {objchange.AssertPlanConsistent(compiled(zones), objectOf(set(str("1a"))), objectOf(set(str("eu-1a")))),
			`.v: the planned element "1a" is missing; the closest returned element is "eu-1a" [inconsistent-set-element]`, "has"},
		"the nearest text": {objchange.AssertPlanConsistent(compiled(zones), objectOf(set(str("eu-1a"), str("us-1"))), objectOf(set(str("eu-1"), str("us-2")))),
			`.v: the planned element "eu-1a" is missing; the closest returned element is "eu-1" [inconsistent-set-element]`, "us-2"},
		"long texts of a set": {objchange.AssertPlanConsistent(compiled(zones), objectOf(set(str(strings.Repeat("x", 100)+"a"+strings.Repeat("x", 100)))), objectOf(set(str(strings.Repeat("x", 100)+"b"+strings.Repeat("x", 100))))),
			`.v: the planned element "` + strings.Repeat("x", 40) + `…` + strings.Repeat("x", 40) + `" is missing; the closest returned element is "…` + strings.Repeat("x", 20) + `b` + strings.Repeat("x", 59) + `…" instead of "…` + strings.Repeat("x", 20) + `a` + strings.Repeat("x", 59) + `…" [inconsistent-set-element]`, "has"},
		"long texts of elements": {objchange.AssertPlanConsistent(compiled(disks),
			objectOf(set(disk(str("1"), 10, strings.Repeat("x", 200)))), objectOf(set(disk(str("1"), 10, strings.Repeat("x", 201))))),
			`.v: the planned element {id = "1", name = "xxxxxxxxxxxxxxxxxxxx…xxxxxxxxxxxxxxxxxxxx", size = 10} is missing; the closest returned element has name = "…` + strings.Repeat("x", 80) + `" instead of "…` + strings.Repeat("x", 80) + `" (the lengths are 200 and 201 characters) [inconsistent-set-element]`, "size = 1;"},
		"one more list element": {objchange.AssertPlanConsistent(compiled(names), objectOf(list(str("a"), str("b"))), objectOf(list(str("a"), str("b"), str("c")))),
			`.v: planned 2 elements, but got 3: "c" at [2] is new [inconsistent-key]`, `"b"`},
		"several fewer list elements": {objchange.AssertPlanConsistent(compiled(names), objectOf(list(str("a"), str("b"), str("c"))), objectOf(list(str("a")))),
			`.v: planned 3 elements, but got 1: the elements [1] to [2] are missing [inconsistent-key]`, `"c"`},
		"a long promise": {objchange.AssertPlanConsistent(compiled(schemaOf(attr(cty.String, "computed"))),
			objectOf(cty.UnknownVal(cty.String).Refine().StringPrefixFull(strings.Repeat("x", 100)+"a").NewValue()), objectOf(str(strings.Repeat("x", 100)+"b"+strings.Repeat("x", 100)))),
			`.v: planned (unknown, with prefix "…` + strings.Repeat("x", 79) + `a"), but got "…` + strings.Repeat("x", 20) + `b` + strings.Repeat("x", 59) + `…" [inconsistent-refinement]`, "x…x"},
		"long keys": {objchange.AssertPlanConsistent(compiled(maps), objectOf(keys(strings.Repeat("k", 100)+"1")), objectOf(keys(strings.Repeat("k", 100)+"2"))),
			`.v: the key "…` + strings.Repeat("k", 79) + `1" is missing; the key "…` + strings.Repeat("k", 79) + `2" is new [inconsistent-key]`, strings.Repeat("k", 100)},
		"no similar element": {objchange.AssertPlanConsistent(compiled(sets), objectOf(set(item(str("1"), str("a")))), objectOf(set(item(str("2"), str("b"))))),
			`.v: the planned element {id = "1", name = "a"} is missing [inconsistent-set-element]`, `closest`},
	} {
		t.Run(name, func(t *testing.T) {
			if got := fmt.Sprint(test.found.Err()); got != test.want || strings.Contains(got, test.not) {
				t.Errorf("got  %s\nwant %s\nnot  %s", got, test.want, test.not)
			}
		})
	}
}

// canary is the secret in tests of specification.md#73-hidden-values. No message may show it.
const canary = "canary"

// showsCanary reports whether any text of the violation shows the canary.
func showsCanary(t *testing.T, v *objchange.Violation) bool {
	t.Helper()
	encoded, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	shown := []string{v.Message, v.PathString(), v.Error(), string(encoded), objchange.Violations{v}.Err().Error()}
	return strings.Contains(strings.Join(shown, "\n"), canary)
}

// expectHidden checks the violations, in the format of summary, and that they do not show the
// canary.
func expectHidden(t *testing.T, found objchange.Violations, want ...string) {
	t.Helper()
	expect(t, found, want...)
	for _, v := range found {
		if showsCanary(t, v) {
			t.Errorf("a message shows a sensitive value: %s", v)
		}
	}
}

// expectShown checks that the violations show the canary, to prove that it would be visible if
// it was not hidden.
func expectShown(t *testing.T, found objchange.Violations) {
	t.Helper()
	for _, v := range found {
		if showsCanary(t, v) {
			return
		}
	}
	t.Errorf("the messages show no value: %v", found)
}

// allPlaces returns the paths of violations, including hidden keys, and their rules.
func allPlaces(vs objchange.Violations) []string {
	lines := []string{}
	for _, v := range vs {
		lines = append(lines, fmt.Sprintf("%s %s %t", objchange.PathString(v.Path), v.Rule, v.Enforced))
	}
	return lines
}

// TestKeysBelowSensitiveAreHidden checks specification.md#73-hidden-values: map keys inside a
// sensitive value are hidden in text and JSON. The Path contains them.
func TestKeysBelowSensitiveAreHidden(t *testing.T) {
	text, hidden := attr(cty.String, "optional"), attr(cty.String, "optional sensitive")
	texts, hiddenTexts := attr(cty.Map(cty.String), "optional"), attr(cty.Map(cty.String), "optional sensitive")
	k := func(v cty.Value) cty.Value { return mapOf(obj{canary: v}) }
	name := func(v cty.Value) cty.Value { return object(obj{"name": v}) }
	a, b := str("a"), str("b")
	secretMap := schemaOf(nested(configschema.NestingMap, "optional sensitive", attrs{"name": text}))
	plainMap := schemaOf(nested(configschema.NestingMap, "optional", attrs{"name": text}))
	deep := schemaOf(nested(configschema.NestingList, "optional sensitive", attrs{"name": nested(configschema.NestingMap, "optional", attrs{"name": text})}))
	data := schemaOf(nested(configschema.NestingSingle, "optional", attrs{"name": attr(cty.DynamicPseudoType, "optional sensitive")}))
	mapBlocks, objects := schemaOfBlock(block(configschema.NestingMap, attrs{"name": text})), schemaOfBlock(block(configschema.NestingMap, dynAttrs))
	plainWrite := schemaOf(nested(configschema.NestingMap, "optional", attrs{"name": attr(cty.String, "optional writeonly")}))
	dyn := func(v cty.Value) cty.Value { return object(obj{canary: item(noStr, v)}) }
	tests := []struct {
		name  string
		found objchange.Violations
		want  string
	}{
		{"planned, sensitive far above", objchange.AssertPlanValid(compiled(deep), objectOf(nullOf(deep)), objectOf(list(name(k(name(a))))), objectOf(list(name(k(name(b)))))), ".v[0].name[(sensitive)].name plan-not-config"},
		{"planned, prior marked", objchange.AssertPlanValid(compiled(plainMap), objectOf(k(name(a)).Mark("m")), objectOf(k(name(a))), objectOf(k(name(b)))), ".v[(sensitive)].name plan-not-config"},
		{"planned, config marked", objchange.AssertPlanValid(compiled(plainMap), objectOf(nullOf(plainMap)), objectOf(k(name(a)).Mark("m")), objectOf(k(name(b)))), ".v[(sensitive)].name plan-not-config"},
		{"planned, root marked", objchange.AssertPlanValid(compiled(plainMap), objectOf(nullOf(plainMap)), objectOf(k(name(a))).Mark("m"), objectOf(k(name(b)))), ".v[(sensitive)].name plan-not-config"},
		{"planned blocks of the dynamic type, config marked", objchange.AssertPlanValid(compiled(objects), objectOf(noDynamic), objectOf(dyn(a).Mark("m")), objectOf(dyn(b))), ".v[(sensitive)].name plan-not-config"},
		{"planned write-only, itself marked", objchange.AssertPlanValid(compiled(plainWrite), objectOf(nullOf(plainWrite)), objectOf(k(name(a))), objectOf(k(name(a)).Mark("m"))), ".v[(sensitive)].name write-only-not-null"},
		{"final, a sensitive value that the data names", objchange.AssertPlanConsistent(compiled(data), objectOf(name(object(obj{canary: a}))), objectOf(name(object(obj{canary: b})))), ".v.name[(sensitive)] inconsistent-value"},
		{"final, blocks marked after", objchange.AssertPlanConsistent(compiled(mapBlocks), objectOf(k(name(a))), objectOf(k(cty.NullVal(name(a).Type())).Mark("m"))), ".v[(sensitive)] inconsistent-presence"},
		{"configuration, sensitive above", objchange.AssertConfigConsistent(compiled(secretMap), objectOf(k(name(a))), objectOf(k(name(b)))), ".v[(sensitive)].name inconsistent-value"},
		{"state, marked", objchange.AssertStateValid(compiled(schemaOf(texts)), objectOf(k(unknownStr).Mark("m"))), ".v[(sensitive)] state-unknown"},
		{"applied write-only, marked in the plan", objchange.AssertApplyConsistent(compiled(plainWrite), objectOf(k(name(str("a"))).Mark("m")), objectOf(k(name(str("a"))))), ".v[(sensitive)].name write-only-not-null"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			expectHidden(t, test.found, test.want)
			if found := allPlaces(test.found); len(found) != 1 || !strings.Contains(found[0], canary) {
				t.Errorf("the path does not contain the key: %q", found)
			}
		})
	}
	// A path that does not lead into a sensitive value is shown.
	held := schemaOf(nested(configschema.NestingMap, "optional", attrs{"name": hidden}))
	expect(t, objchange.AssertStateValid(compiled(held), objectOf(k(name(unknownStr)))), `.v["canary"].name state-unknown`)
	expect(t, objchange.AssertConfigConsistent(compiled(schemaOf(hiddenTexts)), cty.NullVal(schemaOf(hiddenTexts).ImpliedType()), objectOf(k(unknownStr))), " inconsistent-value", ".v[(sensitive)] config-unknown")
	sets, plain := schemaOf(attr(cty.Set(cty.Map(cty.String)), "optional")), schemaOf(attr(name(a).Type(), "optional sensitive"))
	expect(t, objchange.AssertStateValid(compiled(sets), objectOf(set(k(unknownStr)))), `.v[*]["canary"] state-unknown`)
	expect(t, objchange.AssertStateValid(compiled(plain), objectOf(name(unknownStr))), ".v.name state-unknown") // the name is in the schema
	expect(t, objchange.AssertStateValid(compiled(schemaOf(texts)), objectOf(k(unknownStr.Mark("m")))), `.v["canary"] state-unknown`)
	expect(t, objchange.AssertStateValid(compiled(&configschema.Block{Attributes: attrs{"a": hiddenTexts, "b": texts}}), object(obj{"a": k(unknownStr), "b": k(unknownStr)})),
		".a[(sensitive)] state-unknown", `.b["canary"] state-unknown`)
	expect(t, objchange.AssertStateValid(compiled(&configschema.Block{Attributes: attrs{"a": texts, "b": texts}}), object(obj{"a": k(unknownStr).Mark("m"), "b": k(unknownStr)})),
		".a[(sensitive)] state-unknown", `.b["canary"] state-unknown`)
}

// TestDataNamesBelowSensitiveAreHidden checks that names from the data inside a sensitive value
// are hidden in errors of functions that return values, and in type mismatches.
func TestDataNamesBelowSensitiveAreHidden(t *testing.T) {
	inner := attrs{"l": nested(configschema.NestingList, "optional", attrs{"d": attr(cty.DynamicPseudoType, "optional computed")})}
	schema := schemaOf(nested(configschema.NestingMap, "optional sensitive", inner))
	of := func(a, b cty.Value) cty.Value {
		return objectOf(mapOf(obj{"hunter2": object(obj{"l": list(object(obj{"d": a}), object(obj{"d": b}))})}))
	}
	_, err := objchange.ProposedNew(compiled(schema), of(num(1), num(2)), of(noStr, str("x")))
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Error(err)
	}
	plain := schemaOf(attr(cty.Object(map[string]cty.Type{"a": cty.String}), "optional sensitive"))
	found := objchange.AssertStateValid(compiled(plain), objectOf(object(obj{"a": str("x"), "hunter2": str("y")})))
	if len(found) != 1 || strings.Contains(found[0].Error(), "hunter2") {
		t.Error(found)
	}
}

// TestKeysInTypesAreHidden checks a block whose type changed: the path to the difference has
// keys. They are hidden if an attribute inside the block is secret, in the schema or because of
// a mark.
func TestKeysInTypesAreHidden(t *testing.T) {
	for _, flags := range []string{"optional", "optional sensitive"} {
		schema := schemaOfBlock(block(configschema.NestingSingle, attrs{"any": attr(cty.DynamicPseudoType, flags)}))
		value := func(inside cty.Value) cty.Value {
			return object(obj{"v": object(obj{"any": object(obj{canary: inside})})})
		}
		marked := func(inside cty.Value) cty.Value {
			return object(obj{"v": object(obj{"any": object(obj{canary: inside}).Mark("secret")})})
		}
		found := objchange.AssertConfigConsistent(compiled(schema), value(str("a")), value(num(1)))
		if flags == "optional" {
			expectShown(t, found)
		} else {
			expectHidden(t, found, ".v inconsistent-type")
		}
		expectHidden(t, objchange.AssertConfigConsistent(compiled(schema), marked(str("a")), marked(num(1))), ".v inconsistent-type")
	}
}

// TestComputedBlocksAreHidden checks that the new value of unknown computed blocks is shown
// only if nothing in them is sensitive.
func TestComputedBlocksAreHidden(t *testing.T) {
	for flags, shown := range map[string]bool{"computed": true, "computed sensitive": false} {
		nb := computed(block(configschema.NestingList, attrs{"name": attr(cty.String, flags)}))
		planned := cty.UnknownVal(nb.ImpliedType()).Refine().CollectionLengthLowerBound(2).NewValue()
		found := objchange.AssertApplyConsistent(compiled(schemaOfBlock(nb)),
			object(obj{"v": planned}), object(obj{"v": list(object(obj{"name": str(canary)}))}))
		if shown {
			expect(t, found, ".v inconsistent-refinement")
			expectShown(t, found)
		} else {
			expectHidden(t, found, ".v inconsistent-refinement")
		}
	}
}

// TestTypesOfMarkedSiblingsAreHidden checks that the type of a null or unknown element does not
// show names from another element that is marked. All elements of a collection have the same
// type.
func TestTypesOfMarkedSiblingsAreHidden(t *testing.T) {
	in := attrs{"any": attr(cty.DynamicPseudoType, "optional computed")}
	for _, mode := range []configschema.NestingMode{configschema.NestingList, configschema.NestingMap} {
		nestedIn, plain := schemaOf(nested(mode, "optional", in)), schemaOf(attr(wrapTypeIn(mode, cty.DynamicPseudoType), "optional"))
		for _, schema := range []*configschema.Block{nestedIn, plain} {
			var states []cty.Value
			for _, key := range []string{"canary1", "canary2"} {
				secret := object(obj{key: str("v")})
				null, unknown := cty.NullVal(secret.Type()), cty.UnknownVal(secret.Type())
				for _, first := range []cty.Value{null, unknown, unknown.RefineNotNull()} {
					for _, pair := range [][2]cty.Value{{first, secret.Mark("m")}, {object(obj{"x": first}), object(obj{"x": secret.Mark("m")})},
						{cty.ListValEmpty(secret.Type()), list(secret).Mark("m")}} {
						if schema == nestedIn {
							pair = [2]cty.Value{object(obj{"any": pair[0]}), object(obj{"any": pair[1]})}
						}
						states = append(states, objectOf(heldTwice(mode, pair[0], pair[1])))
					}
				}
			}
			for _, a := range states {
				for _, b := range states {
					found := slices.Concat(objchange.AssertPlanConsistent(compiled(schema), a, b), objchange.AssertApplyConsistent(compiled(schema), a, b), objchange.AssertConfigConsistent(compiled(schema), a, b))
					for _, prior := range states[:3] {
						found = append(found, objchange.AssertPlanValid(compiled(schema), prior, a, b)...)
					}
					changes, err := objchange.Diff(compiled(schema), a, b)
					if text := fmt.Sprint(found, changes, err); strings.Contains(text, canary) {
						t.Fatal(text)
					}
				}
			}
		}
	}
}

func heldTwice(mode configschema.NestingMode, a, b cty.Value) cty.Value {
	if mode == configschema.NestingMap {
		return mapOf(obj{"a": a, "b": b})
	}
	return list(a, b)
}

// TestConfigurationsAreNotPlanned checks that the messages of AssertConfigConsistent are about
// two configurations and not about plans.
func TestConfigurationsAreNotPlanned(t *testing.T) {
	text, dynamic := schemaOf(attr(cty.String, "optional")), schemaOf(attr(cty.DynamicPseudoType, "optional"))
	secret := schemaOf(attr(cty.Map(cty.String), "optional sensitive"))
	lists, sets := schemaOf(attr(cty.List(cty.String), "optional")), schemaOf(attr(cty.Set(cty.String), "optional"))
	maps := schemaOf(attr(cty.Map(cty.String), "optional"))
	a, b := str("a"), str("b")
	for _, test := range []struct {
		schema         *configschema.Block
		initial, final cty.Value
		want           string
	}{
		{text, a, b, `.v: configured "a" at plan, but "b" at apply [inconsistent-value]`},
		{dynamic, a, num(1), `.v: configured type string at plan, but type number at apply [inconsistent-type]`},
		{dynamic, object(obj{"k": a}), object(obj{"k": num(1)}), `.v: at .k, configured type string at plan, but type number at apply [inconsistent-type]`},
		{lists, list(a), list(a, b), `.v: configured 1 element at plan, but 2 at apply: "b" at [1] is new [inconsistent-key]`},
		{sets, set(a), set(b), `.v: the configured element "a" is missing; the closest element at apply is "b" [inconsistent-set-element]`},
		{maps, mapOf(obj{"a": a}), mapOf(obj{"b": a}), `.v: the key "a" is missing; the key "b" is new [inconsistent-key]`},
		{secret, mapOf(obj{"a": a}), mapOf(obj{"b": a}), `.v: the keys of the elements differ from the configuration at plan [inconsistent-key]`},
		{secret, mapOf(obj{"a": a}), mapOf(obj{"a": b}), `.v[(sensitive)]: the value differs from the configuration at plan [inconsistent-value]`},
	} {
		found := objchange.AssertConfigConsistent(compiled(test.schema), objectOf(test.initial), objectOf(test.final))
		var got []string
		for _, v := range found {
			got = append(got, v.Error())
			if strings.Contains(v.Error(), "plan has") && !strings.Contains(v.Error(), "at plan has") || strings.Contains(v.Error(), "planned") {
				t.Errorf("the message mentions a plan, but the check has none: %s", v)
			}
		}
		if !slices.Contains(got, test.want) {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}
