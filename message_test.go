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
	. "github.com/objchange/objchange/internal/testcty"
)

// TestMessageOfEachRule checks specification.md#7-violations: values in messages are short and readable. It
// has the text of each rule of the checks of plans and states, with values and, if the text
// shows values, without.
func TestMessageOfEachRule(t *testing.T) {
	text, hidden := SchemaOf(Attr(cty.String, "optional")), SchemaOf(Attr(cty.String, "optional computed sensitive"))
	dynamic := SchemaOf(Attr(cty.DynamicPseudoType, "optional"))
	number := SchemaOf(Attr(cty.Number, "computed"))
	texts, textMap := SchemaOf(Attr(cty.List(cty.String), "optional")), SchemaOf(Attr(cty.Map(cty.String), "optional"))
	wo := SchemaOf(Attr(cty.String, "optional writeonly"))
	nestedOne := SchemaOf(Nested(configschema.NestingSingle, "optional", ItemAttrs))
	nestedSet := SchemaOf(Nested(configschema.NestingSet, "optional", ItemAttrs))
	hiddenSet := SchemaOfBlock(Block(configschema.NestingSet, Attrs{"id": Attr(cty.String, "computed"), "name": Attr(cty.String, "optional sensitive")}))
	hiddenIn := SchemaOf(Nested(configschema.NestingSingle, "optional", Attrs{"name": Attr(cty.String, "computed sensitive")}))
	single, group := SchemaOfBlock(Block(configschema.NestingSingle, ItemAttrs)), SchemaOfBlock(Block(configschema.NestingGroup, ItemAttrs))
	lists, sets, maps := SchemaOfBlock(Block(configschema.NestingList, ItemAttrs)), SchemaOfBlock(Block(configschema.NestingSet, ItemAttrs)), SchemaOfBlock(Block(configschema.NestingMap, ItemAttrs))
	own := SchemaOfBlock(Computed(Block(configschema.NestingList, Attrs{"id": Attr(cty.String, "computed")})))
	hiddenName := Attrs{"id": Attr(cty.String, "computed"), "name": Attr(cty.String, "optional sensitive")}
	hiddenLists, hiddenBlocks := SchemaOf(Nested(configschema.NestingList, "optional", hiddenName)), SchemaOfBlock(Block(configschema.NestingList, hiddenName))
	hiddenOwn := SchemaOfBlock(Computed(Block(configschema.NestingList, hiddenName)))
	hiddenData := SchemaOf(Attr(cty.DynamicPseudoType, "optional sensitive"))
	id := func(id string) cty.Value { return Object(Obj{"id": Str(id)}) }
	a, b := Item(NoStr, Str("a")), Item(NoStr, Str("b"))
	k := func(v cty.Value) cty.Value { return MapOf(Obj{"k": v}) }
	nothing := func(s *configschema.Block) cty.Value { return cty.NullVal(s.ImpliedType()) }
	unknown := func(s *configschema.Block) cty.Value { return cty.UnknownVal(NullOf(s).Type()) }
	plan := func(s *configschema.Block, prior, config, planned cty.Value) objchange.Violations {
		return objchange.AssertPlanValid(Compiled(s), ObjectOf(prior), ObjectOf(config), ObjectOf(planned))
	}
	create := func(s *configschema.Block, config, planned cty.Value) objchange.Violations {
		return plan(s, NullOf(s), config, planned)
	}
	final := func(s *configschema.Block, was, now cty.Value) objchange.Violations {
		return objchange.AssertPlanConsistent(Compiled(s), ObjectOf(was), ObjectOf(now))
	}
	state := func(s *configschema.Block, v cty.Value) objchange.Violations {
		return objchange.AssertStateValid(Compiled(s), ObjectOf(v))
	}
	tests := []struct {
		found objchange.Violations
		want  []string
	}{
		{objchange.AssertPlanValid(Compiled(text), nothing(text), cty.NilVal, ObjectOf(Str("a"))), wrong(`the config value is the zero cty.Value; pass null for an object that does not exist [invalid-input]`)},
		{objchange.AssertPlanValid(Compiled(text), cty.DynamicVal, ObjectOf(Str("a")), ObjectOf(Str("a"))), wrong(`the whole prior value is unknown; pass an object, with unknown values for its attributes, or null [invalid-input]`)},
		{objchange.AssertStateValid(Compiled(nil), ObjectOf(Str("a"))), wrong(`the schema is nil; pass the result of Compile [invalid-input]`)},
		{create(text, Num(1), Str("a")), wrong(`.v: the config value has type number, but the schema requires string [type-mismatch]`)},
		{objchange.AssertStateValid(Compiled(text), Object(Obj{"more": Num(1)})),
			wrong(`.more: the state value has an attribute that is not in the schema [type-mismatch]`, `.v: the state value lacks the attribute, which must be present with type string, as in the schema's EmptyValue [type-mismatch]`)},
		{objchange.AssertStateValid(Compiled(text), Str("a")), wrong(`the state value has type string, but the schema requires an object [type-mismatch]`)},
		{state(SchemaOfBlock(Block(configschema.NestingMap, DynAttrs)), Tuple(a)),
			wrong(`.v: the value has type tuple, but the schema requires blocks with map nesting [type-mismatch]`)},

		{objchange.AssertPlanValid(Compiled(text), nothing(text), ObjectOf(Str("a")), nothing(text)), wrong(`the configured object is missing in the plan [plan-absent]`)},
		{create(nestedOne, a, NoItem), wrong(`.v: the attribute is configured, but null in the plan [plan-absent]`)},
		{create(single, NoItem, a), wrong(`.v: the plan has an object that is not configured [plan-present]`)},
		{create(text, Str("a"), Str("b")), wrong(`.v: planned "b", but the configuration has "a" [plan-not-config]`)},
		{plan(text, Str("c"), Str("a"), Str("b")), wrong(`.v: planned "b", but the configuration has "a" and the prior state has "c" [plan-not-config]`)},
		{plan(hidden, Str("c"), Str("a"), Str("b")), wrong(`.v: the planned value differs from the configuration and from the prior state [plan-not-config]`)},
		{create(hidden, Str("a"), Str("b")), wrong(`.v: the planned value differs from the configuration [plan-not-config]`)},
		{create(text, NoStr, Str("b")), wrong(`.v: planned "b", but the attribute is neither configured nor computed [plan-not-computed]`)},
		{create(SchemaOf(Attr(cty.String, "optional sensitive")), NoStr, Str("b")),
			wrong(`.v: a value is planned, but the attribute is neither configured nor computed [plan-not-computed]`)},
		{create(nestedOne, a, UnknownItem), wrong(`.v: the attribute is configured, but unknown as a whole in the plan [plan-unknown-nested]`)},
		{objchange.AssertPlanValid(Compiled(text), nothing(text), ObjectOf(Str("a")), cty.DynamicVal), wrong(`the whole plan is unknown [plan-unknown-block]`)},
		{create(lists, List(a), List(UnknownItem)), wrong(`.v[0]: the block is unknown as a whole in the plan [plan-unknown-block]`)},
		{create(lists, List(a), unknown(lists)), wrong(`.v: the blocks are unknown as a whole in the plan [plan-unknown-blocks]`)},
		{create(lists, EmptyItems, NullOf(lists)), wrong(`.v: the blocks are null in the plan, but must be an empty list [plan-null-blocks]`)},
		{create(group, a, NoItem), wrong(`.v: the blocks are null in the plan, but must be an empty object [plan-null-blocks]`)},
		{create(lists, unknown(lists), List(a)), wrong(`.v: the plan has blocks, but the number of configured blocks is not known yet [plan-dynamic-block]`)},
		{create(lists, List(a), List(a, b)), wrong(`.v: the plan has 2 elements, but the configuration has 1 [plan-count]`)},
		{create(SchemaOf(Nested(configschema.NestingList, "optional", ItemAttrs)), unknown(lists), List(a)),
			wrong(`.v: the plan has 1 element, but the number of configured elements is not known yet [plan-count]`)},
		{create(nestedSet, Set(a, b), Set(a)),
			wrong(`.v: the plan has 1 element, but the configuration has a different number [plan-count]`, `.v: a configured element is not in the plan: {id = null, name = "b"} [plan-set-element]`)},
		{create(maps, k(a), MapOf(Obj{"l": a})), wrong(`.v: the key "k" is missing; the key "l" is new [plan-key]`)},
		{create(sets, Set(a), Set(b)), wrong(`.v: a planned element matches no configured element: {id = null, name = "b"}; the closest configured element has name = "a" instead of "b" [plan-set-element]`)},
		{create(sets, Set(a, b), Set(a)), wrong(`.v: a configured element is not in the plan: {id = null, name = "b"} [plan-set-element]`)},
		{create(hiddenSet, Set(a), Set(b)), wrong(`.v: a planned element matches no configured element [plan-set-element]`)},
		{create(hiddenSet, Set(a, b), Set(a)), wrong(`.v: a configured element is not in the plan [plan-set-element]`)},

		{objchange.AssertPlanConsistent(Compiled(text), ObjectOf(Str("a")), nothing(text)), wrong(`the planned object is missing [inconsistent-presence]`)},
		{final(single, NoItem, a), wrong(`.v: got an object, but none was planned [inconsistent-presence]`)},
		{final(text, Str("a"), Str("b")), wrong(`.v: planned "a", but got "b" [inconsistent-value]`)},
		{final(hiddenIn, Object(Obj{"name": Str("a")}), Object(Obj{"name": Str("b")})),
			wrong(`.v.name: the value differs from the plan [inconsistent-value]`)},
		{final(text, Str("a"), UnknownStr), wrong(`.v: the planned value became unknown [inconsistent-unknown]`)},
		{final(dynamic, Str("a"), Num(1)), wrong(`.v: planned type string, but got type number [inconsistent-type]`)},
		{final(number, UnknownNum.RefineNotNull(), NoNum), wrong(`.v: planned (unknown, not null), but got null [inconsistent-refinement]`)},
		{final(hiddenIn, Object(Obj{"name": UnknownStr.RefineNotNull()}), Object(Obj{"name": NoStr})),
			wrong(`.v.name: the value does not match the refinements of the planned unknown value [inconsistent-refinement]`)},
		{final(dynamic, Object(Obj{"k": List(Str("a"))}), Object(Obj{"k": List(Num(1))})),
			wrong(`.v: at .k, planned type string, but got type number [inconsistent-type]`)},
		{objchange.AssertPlanConsistent(Compiled(dynamic), ObjectOf(Object(Obj{"k": List(Str("a"))})).Mark("m"), ObjectOf(Object(Obj{"k": List(Num(1))}))),
			wrong(`.v: the type of a part differs from the plan [inconsistent-type]`)},
		{plan(text, Str(`{"k": 3}`), Str(`{"k": 1}`), Str(`{"k": 2}`)), wrong(`.v: in the JSON at .k, planned 2, but the configuration has 1 [plan-not-config]`)},
		{objchange.AssertConfigConsistent(Compiled(hiddenData), ObjectOf(Object(Obj{"k": List(Str("a"))})), ObjectOf(Object(Obj{"k": List(Num(1))}))),
			wrong(`.v: the type of a part differs from the configuration at plan [inconsistent-type]`)},
		{final(hiddenLists, cty.UnknownVal(NullOf(hiddenLists).Type()).Refine().CollectionLengthUpperBound(1).NewValue(), List(a, b)),
			wrong(`.v: the value does not match the refinements of the planned unknown value [inconsistent-refinement]`)},
		{final(hiddenLists, List(a), List(a, b)), wrong(`.v: planned 1 element, but got 2 [inconsistent-key]`)},
		{final(hiddenOwn, unknown(hiddenOwn).Refine().CollectionLengthUpperBound(1).NewValue(), List(a, b)),
			wrong(`.v: the value does not match the refinements of the planned unknown value [inconsistent-refinement]`)},
		{final(own, unknown(own).Refine().CollectionLengthUpperBound(1).NewValue(), List(id("1"), id("2"))),
			wrong(`.v: planned (unknown, of length 0 to 1), but got [{id = "1"}, {id = "2"}] [inconsistent-refinement]`)},
		{final(hiddenSet, Set(a, Item(NoStr, UnknownStr)), Set(a, Item(Str("1"), Str("b")))),
			wrong(`.v: got an element that was not planned [inconsistent-set-element]`)},
		{final(hiddenBlocks, List(a), List(a, b)), wrong(`.v: planned 1 block, but got 2 [inconsistent-count]`)},
		{objchange.AssertConfigConsistent(Compiled(hiddenBlocks), nothing(hiddenBlocks), ObjectOf(List(a))), wrong(`the value differs from the configuration at plan [inconsistent-value]`)},
		{final(hidden, Str("a"), Str("b")), wrong(`.v: the sensitive value, or a part of it, differs from the plan [inconsistent-sensitive]`)},
		{final(lists, List(a), NullOf(lists)), wrong(`.v: the planned blocks became null [inconsistent-null-blocks]`)},
		{final(own, unknown(own), NullOf(own)), wrong(`.v: the computed blocks became null [inconsistent-null-blocks]`)},
		{final(maps, k(a), unknown(maps)), wrong(`.v: the planned blocks became unknown [inconsistent-unknown]`)},
		{final(lists, List(a), List(a, b)), wrong(`.v: planned 1 block, but got 2: {id = null, name = "b"} at [1] is new [inconsistent-count]`)},
		{final(sets, Set(Item(UnknownStr, Str("a"))), Set(Item(Str("1"), Str("a")), Item(Str("2"), Str("a")))),
			wrong(`.v: planned 1 element, but got 2 [inconsistent-count]`)},
		{final(maps, k(a), MapOf(Obj{"l": a})), wrong(`.v: the key "k" is missing; the key "l" is new [inconsistent-key]`)},
		{final(texts, List(Str("a")), List(Str("a"), Str("b"))), wrong(`.v: planned 1 element, but got 2: "b" at [1] is new [inconsistent-key]`)},
		{final(textMap, k(Str("a")), MapOf(Obj{"l": Str("a")})), wrong(`.v: the key "k" is missing; the key "l" is new [inconsistent-key]`)},
		{final(sets, Set(a), Set(b)), wrong(`.v: the planned element {id = null, name = "a"} is missing; the closest returned element has name = "b" instead of "a" [inconsistent-set-element]`)},
		{final(sets, Set(a, Item(NoStr, UnknownStr)), Set(a, Item(Str("1"), Str("b")))),
			wrong(`.v: got an element that was not planned: {id = "1", name = "b"} [inconsistent-set-element]`)},

		{state(text, UnknownStr), wrong(`.v: the value is unknown, but a state must be wholly known [state-unknown]`)},
		{state(lists, NullOf(lists)), wrong(`.v: the blocks are null, but must be an empty list [state-null-blocks]`)},
		{state(group, NoItem), wrong(`.v: the blocks are null, but must be an empty object [state-null-blocks]`)},
		{state(wo, Str("a")), wrong(`.v: a write-only attribute must be null in plans and states [write-only-not-null]`)},
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
	for _, rule := range LibraryRules() {
		about, _, _ := strings.Cut(string(rule), "-")
		if !pinned[rule] && about != "config" && about != "replace" {
			t.Errorf("no example of %s", rule)
		}
	}
}

func TestMessagesAreShortAndReadable(t *testing.T) {
	schema := SchemaOf(Attr(cty.DynamicPseudoType, "optional"))
	many := make([]cty.Value, 10_000)
	for i := range many {
		many[i] = Num(int64(i))
	}
	listOf := func(of func(*cty.RefinementBuilder) *cty.RefinementBuilder) cty.Value {
		return of(cty.UnknownVal(cty.List(cty.String)).Refine()).NewValue()
	}
	tests := []struct {
		name  string
		value cty.Value
		shown string // the start of the message
	}{
		{"a string", Str(`a "b"`), `planned "a \"b\""`},
		{"two lines", Str("a\nb"), `planned "a\nb"`},
		{"a number", Num(-12), "planned -12"},
		{"a large number", cty.MustParseNumberVal("12345678901234567890"), "planned 12345678901234567890"},
		{"unknown", cty.UnknownVal(cty.Bool), "planned (unknown)"},
		{"a set", Set(Str("y"), Str("x")), `planned ["x", "y"]`},
		{"a tuple", Tuple(Str("x"), Num(1), NoStr), `planned ["x", 1, null]`},
		{"an object", Item(UnknownStr, Str("a")), `planned {id = (unknown), name = "a"}`},
		{"deep", List(MapOf(Obj{"k": Tuple(Num(1))})), "planned [{k = [1]}]"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			found := objchange.AssertPlanValid(Compiled(schema), ObjectOf(NoDynamic), ObjectOf(Str("config")), ObjectOf(test.value))
			Expect(t, found, ".v plan-not-config")
			if len(found) == 1 && !strings.HasPrefix(found[0].Message, test.shown) {
				t.Errorf("got %q, want %q", found[0].Message, test.shown)
			}
		})
	}
	for name, value := range map[string]cty.Value{
		"a long string":   Str(strings.Repeat("a", 100_000)),
		"a long name":     Object(Obj{strings.Repeat("a", 100_000): Str("a")}),
		"many elements":   Tuple(many...),
		"a set of them":   Set(many[:1000]...),
		"a deep value":    deepTuple(500),
		"a huge number":   cty.MustParseNumberVal("1e100000"),
		"any number":      listOf(func(b *cty.RefinementBuilder) *cty.RefinementBuilder { return b.NotNull() }),
		"two or more":     listOf(func(b *cty.RefinementBuilder) *cty.RefinementBuilder { return b.CollectionLengthLowerBound(2) }),
		"up to two":       listOf(func(b *cty.RefinementBuilder) *cty.RefinementBuilder { return b.CollectionLengthUpperBound(2) }),
		"a long prefix":   UnknownStr.Refine().StringPrefixFull(strings.Repeat("a", 100_000)).NewValue(),
		"text to escape":  Str(strings.Repeat("\x01\u2028", 1000)),
		"keys on 2 lines": MapOf(Obj{"a\nb": Str("a")}),
	} {
		t.Run(name, func(t *testing.T) {
			found := objchange.AssertPlanValid(Compiled(schema), ObjectOf(Str("prior")), ObjectOf(Str("config")), ObjectOf(value))
			Expect(t, found, ".v plan-not-config")
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
	v := Str("a")
	for range depth {
		v = Tuple(v)
	}
	return v
}

// TestMessagesShowTheDifference checks that a message shows the difference between two values
// and not their start. Each row has a text that the message must not contain.
func TestMessagesShowTheDifference(t *testing.T) {
	long := strings.Repeat("0123456789", 20)
	script := func(last string) cty.Value { return Str("#!/bin/sh\n" + strings.Repeat("echo \"well\"\n", 20) + last) }
	policy := func(effect, action string) cty.Value {
		return Str(`{"Version": "2012-10-17", "Statement": [{"Effect": "` + effect + `", "Action": ["s3:Get", "` + action + `"]}]}`)
	}
	tags := func(n int, changed string) cty.Value {
		m := Obj{}
		for i := range n {
			m[fmt.Sprint("tag-", i)] = Str(fmt.Sprint("value ", i))
		}
		m["tag-17"] = Str(changed)
		return MapOf(m)
	}

	exact := func(text string) cty.Value { return cty.MustParseNumberVal(text) }
	for name, test := range map[string]struct {
		planned, configured cty.Value
		want                string // after ".v: "
		not                 string
	}{
		"long strings": {Str(long + "a" + long), Str(long + "b" + long),
			`planned "…01234567890123456789a01234567890123456789012345678901234567890123456789012345678…", but the configuration has "…01234567890123456789b01234567890123456789012345678901234567890123456789012345678…"`, `"0123456789012`},
		"the end of a long string": {Str(long), Str(long + "x"), `789", but the configuration`, `"0123`},
		"escapes stay whole":       {script("exit 1\n"), script("exit 2\n"), `\"\necho \"well\"\nexit 1\n", but the configuration`, `"#!/bin`},
		"white space":              {Str("a b\n"), Str("a  b"), `planned "a b\n", but the configuration has "a  b" (only white space differs)`, "characters"},
		"JSON": {policy("Allow", "s3:Put"), policy("Deny", "s3:Put"),
			`in the JSON at .Statement[0].Effect, planned "Allow", but the configuration has "Deny"`, "Version"},
		"JSON of no parts": {Str(`"a"`), Str(`"b"`), `planned "\"a\"", but the configuration has "\"b\""`, "JSON"},
		"a key of many": {tags(30, "a"), tags(30, "b"),
			`at ["tag-17"], planned "a", but the configuration has "b"`, "tag-1\""},
		"a key that is new": {MapOf(Obj{"a": Str("x"), "managed": Str("yes")}), MapOf(Obj{"a": Str("x")}),
			`at ["managed"], planned "yes", but the configuration has nothing`, `"x"`},
		"several places": {List(Str("a"), Str("b"), Str("c")), List(Str("x"), Str("y"), Str("z")),
			`at [0], planned "a", but the configuration has "x" (2 other places differ)`, "[\"a\""},
		"an element of a set": {Set(Str("a"), Str("b")), Set(Str("a"), Str("c")), `at [*], planned "b", but the configuration has "c"`, `"a"`},
		"long numbers": {exact("3.14159265358979323846264338"), exact("3.14159265358979323846264339"),
			`planned 3.14159265358979323846264338, but the configuration has 3.14159265358979323846264339`, "3.14159265359 "},
		"a text that is one character longer": {Str(strings.Repeat("a", 101)), Str(strings.Repeat("a", 100)), `(the lengths are 101 and 100 characters)`, strings.Repeat("a", 100)},
		"a number of many digits": {exact("1" + strings.Repeat("0", 100) + "1"), exact("1" + strings.Repeat("0", 100) + "2"),
			`0001, but the configuration has …00000000000000000000000000000000000000000000000000000000000000000000000000000002 (both are about 1e+101)`, "planned 1e+101"},
		"objects of several types": {Object(Obj{"port": Num(80)}), Object(Obj{"port": Str("80")}),
			`at .port, planned 80, but the configuration has "80"`, "{port"},
		"an escape is whole": {Object(Obj{"n": Str("k"), "v": Str(strings.Repeat("\n", 100))}), NoDynamic, `…\n`, `\ `},
		"an element of objects": {Set(Item(NoStr, Str("z")), Item(Str("1"), Str("a"))), Set(Item(NoStr, Str("a")), Item(Str("1"), Str("b"))),
			`at [*].name, planned "`, "id ="},
		"a number and its text":      {List(Num(1)), List(Str("1")), `at [0], planned 1, but the configuration has "1"`, "[1]"},
		"letters that look the same": {Str("\u0430dmin"), Str("admin"), `but the configuration has "admin" (the first different characters are U+0430 and U+0061)`, "white space"},
		"JSON of escapes":            {Str(`{"a": "\ud800"}`), Str(`{"a": "\ud801"}`), `\\ud800\"}", but the configuration has "{\"a\": \"\\ud801`, "the same"},
		"JSON that is deep":          {Str(strings.Repeat("[", 90) + "1" + strings.Repeat("]", 90)), Str(strings.Repeat("[", 90) + "2" + strings.Repeat("]", 90)), `[[1]]]`, "JSON"},
		"keys beside a place": {MapOf(Obj{"a": Str("1"), "c": Str("1"), "d": Str("x")}), MapOf(Obj{"a": Str("2"), "b": Str("2")}),
			`at ["a"], planned "1", but the configuration has "2" (the key "b" is missing; the keys "c" and "d" are new)`, "other places"},
		"a key that is a text":    {MapOf(Obj{strings.Repeat("k", 9999): Str("1")}), MapOf(Obj{strings.Repeat("k", 9999): Str("2")}), `k…k`, strings.Repeat("k", 200)},
		"an empty attribute name": {Set(Object(Obj{"": Str("a"), "b": Str("c")})), Set(Object(Obj{"": Str("d"), "b": Str("c")})), `planned "a"`, "{ ="},
		"a list and a tuple":      {List(Str("a")), Tuple(Str("a")), `planned ["a"], but the configuration has ["a"] (the types differ: list of string and tuple)`, "cty."},
	} {
		t.Run(name, func(t *testing.T) {
			ty := test.planned.Type()
			if !ty.Equals(test.configured.Type()) {
				ty = cty.DynamicPseudoType
			}
			schema := SchemaOf(Attr(ty, "optional"))
			found := objchange.AssertPlanValid(Compiled(schema), cty.NilVal, ObjectOf(test.configured), ObjectOf(test.planned))
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
		"a prior value that differs at another place": {List(Str("b"), Str("old")), List(Str("a"), Str("x")), List(Str("b"), Str("x")),
			Str(`at [0], planned "b", but the configuration has "a"`)},
		"a prior value that differs at the same place": {List(Str("c"), Str("old")), List(Str("a"), Str("x")), List(Str("b"), Str("x")),
			Str(`at [0], planned "b", but the configuration has "a" and the prior state has "c"`)},
		"a long prior value": {Str(long + "1"), Str(long + "2"), Str(long + "3"),
			Str(`aaa3", but the configuration has "…` + strings.Repeat("a", 79) + `2" and the prior state has "…` + strings.Repeat("a", 79) + `1"`)},
	} {
		schema := SchemaOf(Attr(test.planned.Type(), "optional"))
		found := objchange.AssertPlanValid(Compiled(schema), ObjectOf(test.prior), ObjectOf(test.configured), ObjectOf(test.planned))
		if len(found) != 1 || !strings.HasSuffix(found[0].Message, test.want.AsString()) {
			t.Errorf("%s: %v, want %s", name, found.Err(), test.want.AsString())
		}
	}
}

// TestPlaceInsideAValueHasItsOwnPath checks that Inside leads to the difference, while Path
// leads to the value that Core compares.
func TestPlaceInsideAValueHasItsOwnPath(t *testing.T) {
	schema := SchemaOf(Attr(cty.Map(cty.String), "optional"))
	prior := MapOf(Obj{"a": Str("x"), "b": Str("0")})
	found := objchange.AssertPlanValid(Compiled(schema), ObjectOf(prior), ObjectOf(MapOf(Obj{"a": Str("x"), "b": Str("y")})), ObjectOf(MapOf(Obj{"a": Str("x"), "b": Str("z")})))
	const want = `{"rule":"plan-not-config","path":".v","inside":"[\"b\"]","message":"at [\"b\"], planned \"z\", but the configuration has \"y\" and the prior state has \"0\"","severity":"rejected"}`
	if text := must(found[0].MarshalJSON()); string(text) != want || !found[0].Inside.Equals(cty.IndexStringPath("b")) ||
		found[0].Was != `"y"` || found[0].Now != `"z"` {
		t.Errorf("got  %s\nwant %s", text, want)
	}
	dynamic := Compiled(SchemaOf(Attr(cty.DynamicPseudoType, "optional")))
	text, number := ObjectOf(Object(Obj{"k": Str("a")})), ObjectOf(Object(Obj{"k": Num(1)}))
	found = objchange.AssertApplyConsistent(dynamic, text, number)
	if !found[0].Inside.Equals(cty.GetAttrPath("k")) || found[0].Was != "type string" || found[0].Now != "type number" {
		t.Errorf("parts of different types: %#v", found[0])
	}
	schema = SchemaOf(Attr(cty.Map(cty.String), "optional sensitive"))
	found = objchange.AssertPlanValid(Compiled(schema), cty.NilVal, ObjectOf(MapOf(Obj{"a": Str("x")})), ObjectOf(MapOf(Obj{"b": Str("z")})))
	if found[0].Was != "" || found[0].Now != "" {
		t.Errorf("sensitive values are shown: %q, %q", found[0].Was, found[0].Now)
	}
	if len(found[0].Inside) > 0 || strings.Contains(found[0].Error(), `"b"`) {
		t.Errorf("the path %v contains a sensitive value", found)
	}
}

// TestMessagesNameKeysAndElements checks that messages name changed keys and the nearest
// element, also for several and many of them, but not if they may be secret or are not helpful.
func TestMessagesNameKeysAndElements(t *testing.T) {
	keys := func(names ...string) cty.Value {
		m := Obj{}
		for _, name := range names {
			m[name] = Item(NoStr, Str("x"))
		}
		return MapOf(m)
	}
	maps, sets := SchemaOfBlock(Block(configschema.NestingMap, ItemAttrs)), SchemaOfBlock(Block(configschema.NestingSet, ItemAttrs))
	lists, listOfNone := SchemaOfBlock(Block(configschema.NestingList, ItemAttrs)), cty.ListValEmpty(Item(NoStr, NoStr).Type())
	zones, names := SchemaOf(Attr(cty.Set(cty.String), "optional")), SchemaOf(Attr(cty.List(cty.String), "optional"))
	hidden := SchemaOf(Nested(configschema.NestingMap, "optional sensitive", ItemAttrs))
	wide := Attrs{"id": Attr(cty.String, "computed")}
	disk := func(id cty.Value, size int64, name string) cty.Value {
		return Object(Obj{"id": id, "size": Num(size), "name": Str(name)})
	}
	wide["size"], wide["name"] = Attr(cty.Number, "optional"), Attr(cty.String, "optional")
	disks := SchemaOfBlock(Block(configschema.NestingSet, wide))
	for name, test := range map[string]struct {
		found     objchange.Violations
		want, not string
	}{
		"one new key":          {objchange.AssertPlanConsistent(Compiled(maps), ObjectOf(keys("a")), ObjectOf(keys("a", "b"))), `.v: planned 1 block, but got 2: the key "b" is new [inconsistent-count]`, `"a"`},
		"fewer keys in a plan": {objchange.AssertPlanValid(Compiled(maps), cty.NilVal, ObjectOf(keys("a", "b", "c")), ObjectOf(keys("a"))), `.v: the plan has 1 element, but the configuration has 3: the keys "b" and "c" are missing [plan-count]`, `"a"`},
		"blocks of a list":     {objchange.AssertPlanValid(Compiled(lists), cty.NilVal, ObjectOf(List(Item(NoStr, Str("a")))), ObjectOf(listOfNone)), `.v: the plan has 0 elements, but the configuration has 1 [plan-count]`, `key`},
		"several": {objchange.AssertPlanConsistent(Compiled(maps), ObjectOf(keys("a", "b", "c")), ObjectOf(keys("c", "d", "e"))),
			`.v: the keys "a" and "b" are missing; the keys "d" and "e" are new [inconsistent-key]`, `"c"`},
		"many": {objchange.AssertPlanConsistent(Compiled(maps), ObjectOf(keys("a", "b", "c", "d", "e", "f", "g")), ObjectOf(keys("1", "2", "3", "4", "5", "6", "7"))),
			`.v: the keys "a", "b", "c", "d", "e" and 2 more are missing; the keys "1", "2", "3", "4", "5" and 2 more are new [inconsistent-key]`, `"f"`},
		"hidden keys in a plan": {objchange.AssertPlanValid(Compiled(hidden), cty.NilVal, ObjectOf(keys("a")), ObjectOf(keys("b"))),
			`.v: the planned keys differ from the configured keys [plan-key]`, `"b"`},
		"the nearest": {objchange.AssertPlanConsistent(Compiled(disks),
			ObjectOf(Set(disk(UnknownStr, 10, "a"), disk(UnknownStr, 20, "b"))), ObjectOf(Set(disk(Str("1"), 11, "a"), disk(Str("2"), 20, "b")))),
			`.v: the planned element {id = (unknown), name = "a", size = 10} is missing; the closest returned element has size = 11 instead of 10 [inconsistent-set-element]`, `has id`},
		"the nearest in a plan": {objchange.AssertPlanValid(Compiled(disks), cty.NilVal,
			ObjectOf(Set(disk(NoStr, 10, "a"), disk(NoStr, 20, "b"))), ObjectOf(Set(disk(UnknownStr, 10, "A"), disk(UnknownStr, 20, "b")))),
			`.v: a planned element matches no configured element: {id = (unknown), name = "A", size = 10}; the closest configured element has name = "a" instead of "A" [plan-set-element]`, `has id`},
		"near in JSON": {objchange.AssertPlanConsistent(Compiled(disks),
			ObjectOf(Set(disk(Str("1"), 10, `{"v": 1, "w": 2}`))), ObjectOf(Set(disk(Str("1"), 10, `{"v": 1, "w": 3}`)))),
			`.v: the planned element {id = "1", name = "{\"v\": 1, \"w\": 2}", size = 10} is missing; the closest returned element has name (in the JSON at .w) = 3 instead of 2 [inconsistent-set-element]`, `has name = `},
		"a type inside": {objchange.AssertPlanConsistent(Compiled(SchemaOf(Attr(cty.DynamicPseudoType, "optional"))),
			ObjectOf(Object(Obj{"ports": List(Object(Obj{"n": Num(1)}))})), ObjectOf(Object(Obj{"ports": List(Object(Obj{"n": Str("1")}))}))),
			`.v: at .ports.n, planned type number, but got type string [inconsistent-type]`, `object`},
		"a long key": {objchange.AssertPlanConsistent(Compiled(maps), ObjectOf(keys(strings.Repeat("k", 100)+"1")), ObjectOf(keys(strings.Repeat("k", 100)+"2"))),
			`.v: the key "` + strings.Repeat("k", 40) + `…` + strings.Repeat("k", 39) + `1" is missing; the key "` + strings.Repeat("k", 40) + `…` + strings.Repeat("k", 39) + `2" is new [inconsistent-key]`, strings.Repeat("k", 80)},
		"the nearest text": {objchange.AssertPlanConsistent(Compiled(zones), ObjectOf(Set(Str("eu-1a"), Str("us-1"))), ObjectOf(Set(Str("eu-1"), Str("us-2")))),
			`.v: the planned element "eu-1a" is missing; the closest returned element is "eu-1"; 1 more is missing [inconsistent-set-element]`, "us-2"},
		"long texts of a set": {objchange.AssertPlanConsistent(Compiled(zones), ObjectOf(Set(Str(strings.Repeat("x", 100)+"a"+strings.Repeat("x", 100)))), ObjectOf(Set(Str(strings.Repeat("x", 100)+"b"+strings.Repeat("x", 100))))),
			`.v: the planned element "` + strings.Repeat("x", 40) + `…` + strings.Repeat("x", 40) + `" is missing; the closest returned element is "…` + strings.Repeat("x", 20) + `b` + strings.Repeat("x", 59) + `…" instead of "…` + strings.Repeat("x", 20) + `a` + strings.Repeat("x", 59) + `…" [inconsistent-set-element]`, "has"},
		"long texts of elements": {objchange.AssertPlanConsistent(Compiled(disks),
			ObjectOf(Set(disk(Str("1"), 10, strings.Repeat("x", 200)))), ObjectOf(Set(disk(Str("1"), 10, strings.Repeat("x", 201))))),
			`.v: the planned element {id = "1", name = "xxxxxxxxxxxxxxxxxxxx…xxxxxxxxxxxxxxxxxxxx", size = 10} is missing; the closest returned element has name = "…` + strings.Repeat("x", 80) + `" instead of "…` + strings.Repeat("x", 80) + `" (the lengths are 200 and 201 characters) [inconsistent-set-element]`, "size = 1;"},
		"one more list element": {objchange.AssertPlanConsistent(Compiled(names), ObjectOf(List(Str("a"), Str("b"))), ObjectOf(List(Str("a"), Str("b"), Str("c")))),
			`.v: planned 2 elements, but got 3: "c" at [2] is new [inconsistent-key]`, `"b"`},
		"several fewer list elements": {objchange.AssertPlanConsistent(Compiled(names), ObjectOf(List(Str("a"), Str("b"), Str("c"))), ObjectOf(List(Str("a")))),
			`.v: planned 3 elements, but got 1: the elements [1] to [2] are missing [inconsistent-key]`, `"c"`},
		"a long promise": {objchange.AssertPlanConsistent(Compiled(SchemaOf(Attr(cty.String, "computed"))),
			ObjectOf(cty.UnknownVal(cty.String).Refine().StringPrefixFull(strings.Repeat("x", 100)+"a").NewValue()), ObjectOf(Str(strings.Repeat("x", 100)+"b"+strings.Repeat("x", 100)))),
			`.v: planned (unknown, with prefix "…` + strings.Repeat("x", 79) + `a"), but got "…` + strings.Repeat("x", 20) + `b` + strings.Repeat("x", 59) + `…" [inconsistent-refinement]`, "x…x"},
		"no similar element": {objchange.AssertPlanConsistent(Compiled(sets), ObjectOf(Set(Item(Str("1"), Str("a")))), ObjectOf(Set(Item(Str("2"), Str("b"))))),
			`.v: the planned element {id = "1", name = "a"} is missing; the remaining returned element is {id = "2", name = "b"} [inconsistent-set-element]`, `closest`},
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
	Expect(t, found, want...)
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
		lines = append(lines, fmt.Sprintf("%s %s %s", objchange.PathString(v.Path), v.Rule, v.Severity))
	}
	return lines
}

// TestKeysBelowSensitiveAreHidden checks specification.md#73-hidden-values: map keys inside a
// sensitive value are hidden in text and JSON. The Path contains them.
func TestKeysBelowSensitiveAreHidden(t *testing.T) {
	text, hidden := Attr(cty.String, "optional"), Attr(cty.String, "optional sensitive")
	texts, hiddenTexts := Attr(cty.Map(cty.String), "optional"), Attr(cty.Map(cty.String), "optional sensitive")
	k := func(v cty.Value) cty.Value { return MapOf(Obj{canary: v}) }
	name := func(v cty.Value) cty.Value { return Object(Obj{"name": v}) }
	a, b := Str("a"), Str("b")
	secretMap := SchemaOf(Nested(configschema.NestingMap, "optional sensitive", Attrs{"name": text}))
	plainMap := SchemaOf(Nested(configschema.NestingMap, "optional", Attrs{"name": text}))
	deep := SchemaOf(Nested(configschema.NestingList, "optional sensitive", Attrs{"name": Nested(configschema.NestingMap, "optional", Attrs{"name": text})}))
	data := SchemaOf(Nested(configschema.NestingSingle, "optional", Attrs{"name": Attr(cty.DynamicPseudoType, "optional sensitive")}))
	mapBlocks, objects := SchemaOfBlock(Block(configschema.NestingMap, Attrs{"name": text})), SchemaOfBlock(Block(configschema.NestingMap, DynAttrs))

	dyn := func(v cty.Value) cty.Value { return Object(Obj{canary: Item(NoStr, v)}) }
	tests := []struct {
		name  string
		found objchange.Violations
		want  string
	}{
		{"planned, sensitive far above", objchange.AssertPlanValid(Compiled(deep), ObjectOf(NullOf(deep)), ObjectOf(List(name(k(name(a))))), ObjectOf(List(name(k(name(b)))))), ".v[0].name[(sensitive)].name plan-not-config"},
		{"planned, prior marked", objchange.AssertPlanValid(Compiled(plainMap), ObjectOf(k(name(a)).Mark("m")), ObjectOf(k(name(a))), ObjectOf(k(name(b)))), ".v[(sensitive)].name plan-not-config"},
		{"planned, root marked", objchange.AssertPlanValid(Compiled(plainMap), ObjectOf(NullOf(plainMap)), ObjectOf(k(name(a))).Mark("m"), ObjectOf(k(name(b)))), ".v[(sensitive)].name plan-not-config"},
		{"planned blocks of the dynamic type, config marked", objchange.AssertPlanValid(Compiled(objects), ObjectOf(NoDynamic), ObjectOf(dyn(a).Mark("m")), ObjectOf(dyn(b))), ".v[(sensitive)].name plan-not-config"},
		{"final, a sensitive value that the data names", objchange.AssertPlanConsistent(Compiled(data), ObjectOf(name(Object(Obj{canary: a}))), ObjectOf(name(Object(Obj{canary: b})))), ".v.name[(sensitive)] inconsistent-value"},
		{"final, blocks marked after", objchange.AssertPlanConsistent(Compiled(mapBlocks), ObjectOf(k(name(a))), ObjectOf(k(cty.NullVal(name(a).Type())).Mark("m"))), ".v[(sensitive)] inconsistent-presence"},
		{"configuration, sensitive above", objchange.AssertConfigConsistent(Compiled(secretMap), ObjectOf(k(name(a))), ObjectOf(k(name(b)))), ".v[(sensitive)].name inconsistent-value"},
		{"state, marked", objchange.AssertStateValid(Compiled(SchemaOf(texts)), ObjectOf(k(UnknownStr).Mark("m"))), ".v[(sensitive)] state-unknown"},
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
	held := SchemaOf(Nested(configschema.NestingMap, "optional", Attrs{"name": hidden}))
	Expect(t, objchange.AssertStateValid(Compiled(held), ObjectOf(k(name(UnknownStr)))), `.v["canary"].name state-unknown`)
	Expect(t, objchange.AssertConfigConsistent(Compiled(SchemaOf(hiddenTexts)), cty.NullVal(SchemaOf(hiddenTexts).ImpliedType()), ObjectOf(k(UnknownStr))), " inconsistent-value", ".v[(sensitive)] config-unknown")
	sets, plain := SchemaOf(Attr(cty.Set(cty.Map(cty.String)), "optional")), SchemaOf(Attr(name(a).Type(), "optional sensitive"))
	Expect(t, objchange.AssertStateValid(Compiled(sets), ObjectOf(Set(k(UnknownStr)))), `.v[*]["canary"] state-unknown`)
	Expect(t, objchange.AssertStateValid(Compiled(plain), ObjectOf(name(UnknownStr))), ".v.name state-unknown") // the name is in the schema
	Expect(t, objchange.AssertStateValid(Compiled(SchemaOf(texts)), ObjectOf(k(UnknownStr.Mark("m")))), `.v["canary"] state-unknown`)
	Expect(t, objchange.AssertStateValid(Compiled(&configschema.Block{Attributes: Attrs{"a": hiddenTexts, "b": texts}}), Object(Obj{"a": k(UnknownStr), "b": k(UnknownStr)})),
		".a[(sensitive)] state-unknown", `.b["canary"] state-unknown`)
	Expect(t, objchange.AssertStateValid(Compiled(&configschema.Block{Attributes: Attrs{"a": texts, "b": texts}}), Object(Obj{"a": k(UnknownStr).Mark("m"), "b": k(UnknownStr)})),
		".a[(sensitive)] state-unknown", `.b["canary"] state-unknown`)
}

// TestDataNamesBelowSensitiveAreHidden checks that names from the data inside a sensitive value
// are hidden in errors of functions that return values, and in type mismatches.
func TestDataNamesBelowSensitiveAreHidden(t *testing.T) {
	inner := Attrs{"l": Nested(configschema.NestingList, "optional", Attrs{"d": Attr(cty.DynamicPseudoType, "optional computed")})}
	schema := SchemaOf(Nested(configschema.NestingMap, "optional sensitive", inner))
	of := func(a, b cty.Value) cty.Value {
		return ObjectOf(MapOf(Obj{"hunter2": Object(Obj{"l": List(Object(Obj{"d": a}), Object(Obj{"d": b}))})}))
	}
	_, err := objchange.ProposedNew(Compiled(schema), of(Num(1), Num(2)), of(NoStr, Str("x")))
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Error(err)
	}
	plain := SchemaOf(Attr(cty.Object(map[string]cty.Type{"a": cty.String}), "optional sensitive"))
	found := objchange.AssertStateValid(Compiled(plain), ObjectOf(Object(Obj{"a": Str("x"), "hunter2": Str("y")})))
	if len(found) != 1 || strings.Contains(found[0].Error(), "hunter2") {
		t.Error(found)
	}
}

// TestKeysInTypesAreHidden checks a block whose type changed: the path to the difference has
// keys. They are hidden if an attribute inside the block is secret, in the schema or because of
// a mark.
func TestKeysInTypesAreHidden(t *testing.T) {
	for _, flags := range []string{"optional", "optional sensitive"} {
		schema := SchemaOfBlock(Block(configschema.NestingSingle, Attrs{"any": Attr(cty.DynamicPseudoType, flags)}))
		value := func(inside cty.Value) cty.Value {
			return Object(Obj{"v": Object(Obj{"any": Object(Obj{canary: inside})})})
		}
		marked := func(inside cty.Value) cty.Value {
			return Object(Obj{"v": Object(Obj{"any": Object(Obj{canary: inside}).Mark("secret")})})
		}
		found := objchange.AssertConfigConsistent(Compiled(schema), value(Str("a")), value(Num(1)))
		if flags == "optional" {
			expectShown(t, found)
		} else {
			expectHidden(t, found, ".v inconsistent-type")
		}
		expectHidden(t, objchange.AssertConfigConsistent(Compiled(schema), marked(Str("a")), marked(Num(1))), ".v inconsistent-type")
	}
}

// TestTypesOfMarkedSiblingsAreHidden checks that the type of a null or unknown element does not
// show names from another element that is marked. All elements of a collection have the same
// type.
func TestTypesOfMarkedSiblingsAreHidden(t *testing.T) {
	in := Attrs{"any": Attr(cty.DynamicPseudoType, "optional computed")}
	for _, mode := range []configschema.NestingMode{configschema.NestingList, configschema.NestingMap} {
		nestedIn, plain := SchemaOf(Nested(mode, "optional", in)), SchemaOf(Attr(WrapTypeIn(mode, cty.DynamicPseudoType), "optional"))
		for _, schema := range []*configschema.Block{nestedIn, plain} {
			var states []cty.Value
			for _, key := range []string{"canary1", "canary2"} {
				secret := Object(Obj{key: Str("v")})
				null, unknown := cty.NullVal(secret.Type()), cty.UnknownVal(secret.Type())
				for _, first := range []cty.Value{null, unknown, unknown.RefineNotNull()} {
					for _, pair := range [][2]cty.Value{{first, secret.Mark("m")}, {Object(Obj{"x": first}), Object(Obj{"x": secret.Mark("m")})},
						{cty.ListValEmpty(secret.Type()), List(secret).Mark("m")}} {
						if schema == nestedIn {
							pair = [2]cty.Value{Object(Obj{"any": pair[0]}), Object(Obj{"any": pair[1]})}
						}
						states = append(states, ObjectOf(heldTwice(mode, pair[0], pair[1])))
					}
				}
			}
			for _, a := range states {
				for _, b := range states {
					found := slices.Concat(objchange.AssertPlanConsistent(Compiled(schema), a, b), objchange.AssertApplyConsistent(Compiled(schema), a, b), objchange.AssertConfigConsistent(Compiled(schema), a, b))
					for _, prior := range states[:3] {
						found = append(found, objchange.AssertPlanValid(Compiled(schema), prior, a, b)...)
					}
					changes, err := objchange.Diff(Compiled(schema), a, b)
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
		return MapOf(Obj{"a": a, "b": b})
	}
	return List(a, b)
}

// TestMessagesAboutConfigurationsMentionNoPlan checks that the messages of AssertConfigConsistent are about
// two configurations and not about plans.
func TestMessagesAboutConfigurationsMentionNoPlan(t *testing.T) {
	text, dynamic := SchemaOf(Attr(cty.String, "optional")), SchemaOf(Attr(cty.DynamicPseudoType, "optional"))
	secret := SchemaOf(Attr(cty.Map(cty.String), "optional sensitive"))
	lists, sets := SchemaOf(Attr(cty.List(cty.String), "optional")), SchemaOf(Attr(cty.Set(cty.String), "optional"))
	maps := SchemaOf(Attr(cty.Map(cty.String), "optional"))
	a, b := Str("a"), Str("b")
	for _, test := range []struct {
		schema         *configschema.Block
		initial, final cty.Value
		want           string
	}{
		{text, a, b, `.v: configured "a" at plan, but "b" at apply [inconsistent-value]`},
		{dynamic, a, Num(1), `.v: configured type string at plan, but type number at apply [inconsistent-type]`},
		{dynamic, Object(Obj{"k": a}), Object(Obj{"k": Num(1)}), `.v: at .k, configured type string at plan, but type number at apply [inconsistent-type]`},
		{lists, List(a), List(a, b), `.v: configured 1 element at plan, but 2 at apply: "b" at [1] is new [inconsistent-key]`},
		{sets, Set(a), Set(b), `.v: the configured element "a" is missing; the closest element at apply is "b" [inconsistent-set-element]`},
		{maps, MapOf(Obj{"a": a}), MapOf(Obj{"b": a}), `.v: the key "a" is missing; the key "b" is new [inconsistent-key]`},
		{secret, MapOf(Obj{"a": a}), MapOf(Obj{"b": a}), `.v: the keys of the elements differ from the configuration at plan [inconsistent-key]`},
		{secret, MapOf(Obj{"a": a}), MapOf(Obj{"a": b}), `.v[(sensitive)]: the value differs from the configuration at plan [inconsistent-value]`},
	} {
		found := objchange.AssertConfigConsistent(Compiled(test.schema), ObjectOf(test.initial), ObjectOf(test.final))
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
