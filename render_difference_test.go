package objchange_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/lawtest/generate"
)

// A message shows where two values differ, not how they begin: each has a text here
// that it must not have.
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
		want                string // behind ".v: "
		not                 string
	}{
		"short strings": {str("b"), str("a"), `"b" is planned, which is not "a" as configured`, "("},
		"long strings": {str(long + "a" + long), str(long + "b" + long),
			`"…01234567890123456789a01234567890123456789012345678901234567890123456789012345678…" is planned, which is not "…01234567890123456789b01234567890123456789012345678901234567890123456789012345678…" as configured`, `"0123456789012`},
		"the end of a long string": {str(long), str(long + "x"), `789" is planned`, `"0123`},
		"escapes stay whole":       {script("exit 1\n"), script("exit 2\n"), `\"\necho \"well\"\nexit 1\n" is planned`, `"#!/bin`},
		"white space":              {str("a b\n"), str("a  b"), `"a b\n" is planned, which is not "a  b" as configured (only white space differs)`, "characters long"},
		"JSON": {policy("Allow", "s3:Put"), policy("Deny", "s3:Put"),
			`in the JSON at .Statement[0].Effect, "Allow" is planned, which is not "Deny" as configured`, "Version"},
		"two places of JSON": {policy("Allow", "s3:Put"), policy("Deny", "s3:*"),
			`in the JSON at .Statement[0].Action[1], "s3:Put" is planned, which is not "s3:*" as configured (one other place differs)`, "Version"},
		"JSON that is the same": {str(`{"a": 1}`), str(`{"a":1}`),
			`"{\"a\": 1}" is planned, which is not "{\"a\":1}" as configured (as JSON, both are the same)`, "white space"},
		"JSON of no parts": {str(`"a"`), str(`"b"`), `"\"a\"" is planned, which is not "\"b\"" as configured`, "JSON"},
		"a key of many": {tags(30, "a"), tags(30, "b"),
			`at ["tag-17"], "a" is planned, which is not "b" as configured`, "tag-1\""},
		"a key that is new": {mapOf(obj{"a": str("x"), "managed": str("yes")}), mapOf(obj{"a": str("x")}),
			`at ["managed"], "yes" is planned where nothing is configured`, `"x"`},
		"a key that is gone": {mapOf(obj{"a": str("x")}), mapOf(obj{"a": str("x"), "b": str("y")}),
			`at ["b"], nothing is planned where "y" is configured`, `"x"`},
		"one element more": {list(str("a"), str("b")), list(str("a")), `at [1], "b" is planned where nothing is configured`, `"a"`},
		"deep inside": {deep(str("y")), deep(str("z")),
			`at .a[0].b[1], "y" is planned, which is not "z" as configured`, `"x"`},
		"several places": {list(str("a"), str("b"), str("c")), list(str("x"), str("y"), str("z")),
			`at [0], "a" is planned, which is not "x" as configured (2 other places differ)`, "[\"a\""},
		"an element of a set":        {set(str("a"), str("b")), set(str("a"), str("c")), `at [*], "b" is planned, which is not "c" as configured`, `"a"`},
		"a set of which one is gone": {set(str("a")), set(str("a"), str("c")), `at [*], nothing is planned where "c" is configured`, `"a"`},
		"null":                       {noStr, str("a"), `null is planned, which is not "a" as configured`, "nothing"},
		"long numbers": {exact("3.14159265358979323846264338"), exact("3.14159265358979323846264339"),
			`3.14159265358979323846264338 is planned, which is not 3.14159265358979323846264339 as configured`, "3.14159265359 "},
		"a text too long by one": {str(strings.Repeat("a", 101)), str(strings.Repeat("a", 100)), `(they are 101 and 100 characters long)`, strings.Repeat("a", 100)},
		"a number of many digits": {exact("1" + strings.Repeat("0", 100) + "1"), exact("1" + strings.Repeat("0", 100) + "2"),
			`0001 is planned, which is not …00000000000000000000000000000000000000000000000000000000000000000000000000000002 as configured (they are about 1e+101)`, "1e+101 is planned"},
		"objects of several types": {object(obj{"port": num(80)}), object(obj{"port": str("80")}),
			`at .port, 80 is planned, which is not "80" as configured`, "{port"},
		"empty lists of several types": {cty.ListValEmpty(generate.PairType), cty.ListValEmpty(cty.Object(map[string]cty.Type{"x": cty.Bool})),
			`[] is planned, which is not [] as configured (the types differ`, "as configured)"},
		"an escape is whole": {object(obj{"n": str("k"), "v": str(strings.Repeat("\n", 100))}), noDynamic, `…\n`, `\ `},
		"an element of objects": {set(item(noStr, str("z")), item(str("1"), str("a"))), set(item(noStr, str("a")), item(str("1"), str("b"))),
			`at [*].name, "`, "id ="},
		"a number and its text":   {list(num(1)), list(str("1")), `at [0], 1 is planned, which is not "1" as configured`, "[1]"},
		"letters that look alike": {str("\u0430dmin"), str("admin"), `is planned, which is not "admin" as configured (they part at U+0430 and U+0061)`, "white space"},
		"JSON of escapes":         {str(`{"a": "\ud800"}`), str(`{"a": "\ud801"}`), `\\ud800\"}" is planned, which is not "{\"a\": \"\\ud801`, "the same"},
		"JSON that is deep":       {str(strings.Repeat("[", 90) + "1" + strings.Repeat("]", 90)), str(strings.Repeat("[", 90) + "2" + strings.Repeat("]", 90)), `[[1]]]`, "JSON"},
		"keys of a map":           {mapOf(obj{"c": str("1")}), mapOf(obj{"a": str("1"), "b": str("2")}), `(the keys "a" and "b" are gone)`, "other places"},
		"keys beside a place": {mapOf(obj{"a": str("1"), "c": str("1"), "d": str("x")}), mapOf(obj{"a": str("2"), "b": str("2")}),
			`at ["a"], "1" is planned, which is not "2" as configured (the key "b" is gone; the keys "c" and "d" are new)`, "other places"},
		"a key that is a text":  {mapOf(obj{strings.Repeat("k", 9999): str("1")}), mapOf(obj{strings.Repeat("k", 9999): str("2")}), `k…k`, strings.Repeat("k", 200)},
		"a key that is nothing": {set(object(obj{"": str("a"), "b": str("c")})), set(object(obj{"": str("d"), "b": str("c")})), `"a" is planned`, "{ ="},
		"a list and a tuple":    {list(str("a")), tuple(str("a")), `["a"] is planned, which is not ["a"] as configured (the types differ: list of string and tuple)`, "cty."},
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

// The prior value is named where it is another than the planned one, and told apart
// from it.
func TestMessagesNamePriorValues(t *testing.T) {
	long := strings.Repeat("a", 100)
	for name, test := range map[string]struct{ prior, configured, planned, want cty.Value }{
		"of a whole that differs elsewhere": {list(str("b"), str("old")), list(str("a"), str("x")), list(str("b"), str("x")),
			str(`at [0], "b" is planned, which is not "a" as configured`)},
		"of the same place": {list(str("c"), str("old")), list(str("a"), str("x")), list(str("b"), str("x")),
			str(`at [0], "b" is planned, which is neither "a" as configured nor "c" as before`)},
		"a long one": {str(long + "1"), str(long + "2"), str(long + "3"),
			str(`aaa3" is planned, which is neither "…` + strings.Repeat("a", 79) + `2" as configured nor "…` + strings.Repeat("a", 79) + `1" as before`)},
	} {
		schema := schemaOf(attr(test.planned.Type(), "optional"))
		found := objchange.AssertPlanValid(compiled(schema), objectOf(test.prior), objectOf(test.configured), objectOf(test.planned))
		if len(found) != 1 || !strings.HasSuffix(found[0].Message, test.want.AsString()) {
			t.Errorf("%s: %v, want %s", name, found.Err(), test.want.AsString())
		}
	}
}

// The place inside has a path of its own, and Path stays the place that Core looks
// at.
func TestInside(t *testing.T) {
	schema := schemaOf(attr(cty.Map(cty.String), "optional"))
	prior := mapOf(obj{"a": str("x"), "b": str("0")})
	found := objchange.AssertPlanValid(compiled(schema), objectOf(prior), objectOf(mapOf(obj{"a": str("x"), "b": str("y")})), objectOf(mapOf(obj{"a": str("x"), "b": str("z")})))
	const want = `{"rule":"plan-not-config","path":".v","inside":"[\"b\"]","message":"at [\"b\"], \"z\" is planned, which is neither \"y\" as configured nor \"0\" as before","enforced":true}`
	if text := must(found[0].MarshalJSON()); string(text) != want || !found[0].Inside.Equals(cty.IndexStringPath("b")) {
		t.Errorf("got  %s\nwant %s", text, want)
	}
	schema = schemaOf(attr(cty.Map(cty.String), "optional sensitive"))
	found = objchange.AssertPlanValid(compiled(schema), cty.NilVal, objectOf(mapOf(obj{"a": str("x")})), objectOf(mapOf(obj{"b": str("z")})))
	if len(found[0].Inside) > 0 || strings.Contains(found[0].Error(), `"b"`) {
		t.Errorf("%v leads to what is sensitive", found)
	}
}

// Keys and the nearest element are named, several and many of them, and nothing
// where that could be a secret: neither what is not, nor what says nothing.
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
		"one new":          {objchange.AssertPlanConsistent(compiled(maps), objectOf(keys("a")), objectOf(keys("a", "b"))), `.v: there are 2 blocks where the plan has 1: the key "b" has appeared [inconsistent-count]`, `"a"`},
		"more in a plan":   {objchange.AssertPlanValid(compiled(maps), cty.NilVal, objectOf(keys("a", "b", "c")), objectOf(keys("a"))), `.v: the plan has one element where the configuration has 3: the keys "b" and "c" are gone [plan-count]`, `"a"`},
		"hidden and more":  {objchange.AssertPlanValid(compiled(hidden), cty.NilVal, objectOf(keys("a", "b")), objectOf(keys("a"))), `.v: the plan has one element where the configuration has 2 [plan-count]`, `"b"`},
		"blocks of a list": {objchange.AssertPlanValid(compiled(lists), cty.NilVal, objectOf(list(item(noStr, str("a")))), objectOf(listOfNone)), `.v: the plan has 0 elements where the configuration has 1 [plan-count]`, `key`},
		"one for another":  {objchange.AssertPlanConsistent(compiled(maps), objectOf(keys("a", "c")), objectOf(keys("a", "b"))), `.v: the key "c" is gone; the key "b" has appeared [inconsistent-key]`, `are gone`},
		"several": {objchange.AssertPlanConsistent(compiled(maps), objectOf(keys("a", "b", "c")), objectOf(keys("c", "d", "e"))),
			`.v: the keys "a" and "b" are gone; the keys "d" and "e" have appeared [inconsistent-key]`, `"c"`},
		"many": {objchange.AssertPlanConsistent(compiled(maps), objectOf(keys("a", "b", "c", "d", "e", "f", "g")), objectOf(keys("1", "2", "3", "4", "5", "6", "7"))),
			`.v: the keys "a", "b", "c", "d", "e" and 2 more are gone; the keys "1", "2", "3", "4", "5" and 2 more have appeared [inconsistent-key]`, `"f"`},
		"in a plan": {objchange.AssertPlanValid(compiled(maps), cty.NilVal, objectOf(keys("a")), objectOf(keys("b"))), `.v: the key "a" is gone; the key "b" has appeared [plan-key]`, `the planned keys`},
		"hidden keys in a plan": {objchange.AssertPlanValid(compiled(hidden), cty.NilVal, objectOf(keys("a")), objectOf(keys("b"))),
			`.v: the planned keys are not the configured ones [plan-key]`, `"b"`},
		"the nearest": {objchange.AssertPlanConsistent(compiled(disks),
			objectOf(set(disk(unknownStr, 10, "a"), disk(unknownStr, 20, "b"))), objectOf(set(disk(str("1"), 11, "a"), disk(str("2"), 20, "b")))),
			`.v: the planned element {id = (unknown), name = "a", size = 10} is gone; the nearest there is has size = 11 [inconsistent-set-element]`, `has id`},
		"the nearest in a plan": {objchange.AssertPlanValid(compiled(disks), cty.NilVal,
			objectOf(set(disk(noStr, 10, "a"), disk(noStr, 20, "b"))), objectOf(set(disk(unknownStr, 10, "A"), disk(unknownStr, 20, "b")))),
			`.v: an element is planned that comes from no configured one: {id = (unknown), name = "A", size = 10}; the nearest configured one has name = "a" [plan-set-element]`, `has id`},
		"near in JSON": {objchange.AssertPlanConsistent(compiled(disks),
			objectOf(set(disk(str("1"), 10, `{"v": 1, "w": 2}`))), objectOf(set(disk(str("1"), 10, `{"v": 1, "w": 3}`)))),
			`.v: the planned element {id = "1", name = "{\"v\": 1, \"w\": 2}", size = 10} is gone; the nearest there is has name (in the JSON at .w) = 3 [inconsistent-set-element]`, `has name = `},
		"a type inside": {objchange.AssertPlanConsistent(compiled(schemaOf(attr(cty.DynamicPseudoType, "optional"))),
			objectOf(object(obj{"ports": list(object(obj{"n": num(1)}))})), objectOf(object(obj{"ports": list(object(obj{"n": str("1")}))}))),
			`.v: at .ports.n, the type was planned to be number and is string [inconsistent-type]`, `object`},
		"a type beside one that was open": {objchange.AssertPlanConsistent(compiled(schemaOf(attr(cty.DynamicPseudoType, "optional"))),
			objectOf(object(obj{"a": cty.DynamicVal, "b": num(1)})), objectOf(object(obj{"a": str("x"), "b": str("1")}))),
			`.v: at .b, the type was planned to be number and is string [inconsistent-type]`, `.a`},
		"several long keys": {objchange.AssertPlanConsistent(compiled(maps), objectOf(keys(strings.Repeat("k", 100)+"1", strings.Repeat("k", 100)+"2")), objectOf(keys(strings.Repeat("k", 100)+"3", strings.Repeat("k", 100)+"4"))),
			`.v: the keys "…` + strings.Repeat("k", 79) + `1" and "…` + strings.Repeat("k", 79) + `2" are gone; the keys "…` + strings.Repeat("k", 79) + `3" and "…` + strings.Repeat("k", 79) + `4" have appeared [inconsistent-key]`, strings.Repeat("k", 80)},
		"texts of a set": {objchange.AssertPlanConsistent(compiled(zones), objectOf(set(str("1a"))), objectOf(set(str("eu-1a")))),
			`.v: the planned element "1a" is gone; the nearest there is: "eu-1a" [inconsistent-set-element]`, "has"},
		"the nearest text": {objchange.AssertPlanConsistent(compiled(zones), objectOf(set(str("eu-1a"), str("us-1"))), objectOf(set(str("eu-1"), str("us-2")))),
			`.v: the planned element "eu-1a" is gone; the nearest there is: "eu-1" [inconsistent-set-element]`, "us-2"},
		"long texts of a set": {objchange.AssertPlanConsistent(compiled(zones), objectOf(set(str(strings.Repeat("x", 100)+"a"+strings.Repeat("x", 100)))), objectOf(set(str(strings.Repeat("x", 100)+"b"+strings.Repeat("x", 100))))),
			`.v: the planned element "` + strings.Repeat("x", 40) + `…` + strings.Repeat("x", 40) + `" is gone; the nearest there is: "…` + strings.Repeat("x", 20) + `b` + strings.Repeat("x", 59) + `…" for "…` + strings.Repeat("x", 20) + `a` + strings.Repeat("x", 59) + `…" [inconsistent-set-element]`, "has"},
		"long texts of elements": {objchange.AssertPlanConsistent(compiled(disks),
			objectOf(set(disk(str("1"), 10, strings.Repeat("x", 200)))), objectOf(set(disk(str("1"), 10, strings.Repeat("x", 201))))),
			`.v: the planned element {id = "1", name = "xxxxxxxxxxxxxxxxxxxx…xxxxxxxxxxxxxxxxxxxx", size = 10} is gone; the nearest there is has name = "…` + strings.Repeat("x", 80) + `" for "…` + strings.Repeat("x", 80) + `" (they are 200 and 201 characters long) [inconsistent-set-element]`, "size = 1;"},
		"one of a list more": {objchange.AssertPlanConsistent(compiled(names), objectOf(list(str("a"), str("b"))), objectOf(list(str("a"), str("b"), str("c")))),
			`.v: there are 3 elements where the plan has 2: "c" at [2] has appeared [inconsistent-key]`, `"b"`},
		"several of a list less": {objchange.AssertPlanConsistent(compiled(names), objectOf(list(str("a"), str("b"), str("c"))), objectOf(list(str("a")))),
			`.v: there is one element where the plan has 3: those at [1] to [2] are gone [inconsistent-key]`, `"c"`},
		"a long promise": {objchange.AssertPlanConsistent(compiled(schemaOf(attr(cty.String, "computed"))),
			objectOf(cty.UnknownVal(cty.String).Refine().StringPrefixFull(strings.Repeat("x", 100)+"a").NewValue()), objectOf(str(strings.Repeat("x", 100)+"b"+strings.Repeat("x", 100)))),
			`.v: was planned to be (unknown, with prefix "…` + strings.Repeat("x", 79) + `a") and is "…` + strings.Repeat("x", 20) + `b` + strings.Repeat("x", 59) + `…" [inconsistent-refinement]`, "x…x"},
		"long keys": {objchange.AssertPlanConsistent(compiled(maps), objectOf(keys(strings.Repeat("k", 100)+"1")), objectOf(keys(strings.Repeat("k", 100)+"2"))),
			`.v: the key "…` + strings.Repeat("k", 79) + `1" is gone; the key "…` + strings.Repeat("k", 79) + `2" has appeared [inconsistent-key]`, strings.Repeat("k", 100)},
		"nothing near": {objchange.AssertPlanConsistent(compiled(sets), objectOf(set(item(str("1"), str("a")))), objectOf(set(item(str("2"), str("b"))))),
			`.v: the planned element {id = "1", name = "a"} is gone [inconsistent-set-element]`, `nearest`},
	} {
		t.Run(name, func(t *testing.T) {
			if got := fmt.Sprint(test.found.Err()); got != test.want || strings.Contains(got, test.not) {
				t.Errorf("got  %s\nwant %s\nnot  %s", got, test.want, test.not)
			}
		})
	}
}
