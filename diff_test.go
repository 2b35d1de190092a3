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

// A diffRow is a row about the attribute or block type v: its values before and after, and
// the result of Diff.
type diffRow struct {
	name          string
	schema        *configschema.Block
	before, after cty.Value // of v
	want          []string  // in the format of Change.String
}

// testDiffRows checks the differences, with v in an object of its own.
func testDiffRows(t *testing.T, rows []diffRow) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			expectChanges(t, row.schema, objectOf(row.before), objectOf(row.after), row.want...)
		})
	}
}

func expectChanges(t *testing.T, schema *configschema.Block, before, after cty.Value, want ...string) {
	t.Helper()
	changes, err := objchange.Diff(compiled(schema), before, after)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range changes {
		got = append(got, c.String())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
}

// TestDiffRoot checks specification.md#133-differences: if the root appears or disappears, there is a
// change for each leaf.
func TestDiffRoot(t *testing.T) {
	schema := &configschema.Block{Attributes: itemAttrs, BlockTypes: blocks{"in": block(configschema.NestingSingle, itemAttrs)}}
	null, unknown := cty.NullVal(schema.ImpliedType()), cty.UnknownVal(schema.ImpliedType())
	nothing := schema.EmptyValue()
	a := object(obj{"id": unknownStr, "name": str("a"), "in": item(noStr, str("b"))})
	tests := []struct {
		name          string
		before, after cty.Value
		want          []string
	}{
		{"both null, one untyped", null, noDynamic, nil},
		{"both unknown", unknown, cty.DynamicVal, nil},
		{"a create", null, a, wrong("+ .id = (known after apply)", `+ .in.name = "b"`, `+ .name = "a"`)},
		{"a delete with nothing set is one change", nothing, null, wrong("- the object = {id = null, in = null, name = null}")},
		{"a create of an unknown object", null, unknown, wrong("+ the object = (known after apply)")},
		{"becomes unknown", nothing, unknown, wrong("~ the object: {id = null, in = null, name = null} -> (known after apply)")},
		{"was unknown, becomes null", unknown, null, wrong("- the object = (unknown)")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { expectChanges(t, schema, test.before, test.after, test.want...) })
	}
}

// TestDiffAttributes checks specification.md#133-differences: there is one change for each leaf
// attribute that differs: add, remove, update or unknown.
func TestDiffAttributes(t *testing.T) {
	text, number := schemaOf(attr(cty.String, "optional")), schemaOf(attr(cty.Number, "optional"))
	lists, maps := schemaOf(attr(cty.List(cty.String), "optional")), schemaOf(attr(cty.Map(cty.String), "optional"))
	plain, any := schemaOf(attr(itemType, "optional")), schemaOf(attr(cty.DynamicPseudoType, "optional"))
	a, b := str("a"), str("b")
	noList, noMap := cty.NullVal(cty.List(cty.String)), cty.NullVal(cty.Map(cty.String))
	testDiffRows(t, []diffRow{
		{"both unknown, refined or not", text, unknownStr, unknownStr.RefineNotNull(), nil},
		{"add", text, noStr, a, wrong(`+ .v = "a"`)},
		{"remove", text, a, noStr, wrong(`- .v = "a"`)},
		{"update", text, a, b, wrong(`~ .v: "a" -> "b"`)},
		{"unknown, from null", text, noStr, unknownStr, wrong(`+ .v = (known after apply)`)},
		{"was unknown", text, unknownStr.Refine().StringPrefixFull("a").NewValue(), a, wrong(`~ .v: (unknown, with prefix "a") -> "a"`)},
		{"null and empty differ", text, noStr, str(""), wrong(`+ .v = ""`)},
		{"numbers with equal text are equal", number, cty.MustParseNumberVal("0.1"), cty.NumberFloatVal(0.1), nil},
		{"list: longer", lists, list(a), list(a, b), wrong(`+ .v[1] = "b"`)},
		{"list: shorter by a null element", lists, list(a, noStr), list(a), wrong(`- .v[1] = null`)},
		{"list: was null, becomes empty", lists, noList, cty.ListValEmpty(cty.String), wrong(`+ .v = []`)},
		{"list: was empty, becomes null", lists, cty.ListValEmpty(cty.String), noList, wrong(`- .v = []`)},
		{"list: emptied", lists, list(a), cty.ListValEmpty(cty.String), wrong(`- .v[0] = "a"`)},
		{"list: was null, has only a null element", lists, noList, list(noStr), wrong(`+ .v[0] = null`)},
		{"list: becomes unknown", lists, list(a), cty.UnknownVal(cty.List(cty.String)), wrong(`~ .v: ["a"] -> (known after apply)`)},

		{"map: by key, in order of keys", maps, mapOf(obj{"a": a, "b": b, "d": a}), mapOf(obj{"b": a, "c": a, "d": a}), wrong(`- .v["a"] = "a"`, `~ .v["b"]: "b" -> "a"`, `+ .v["c"] = "a"`)},
		{"map: key to quote", maps, noMap, mapOf(obj{`a "b"`: a}), wrong(`+ .v["a \"b\""] = "a"`)},
		{"object: was null", plain, noItem, item(a, noStr), wrong(`+ .v.id = "a"`)},
		{"object: had nothing set, becomes null", plain, item(noStr, noStr), noItem, wrong(`- .v = {id = null, name = null}`)},
		{"dynamic: another type of collection", any, list(a), set(a), wrong(`~ .v: ["a"] -> ["a"] (the types differ: list of string and set of string)`)},
		{"dynamic: another type of object", any, object(obj{"x": a}), object(obj{"x": a, "y": a}), wrong(`~ .v: at .y, nothing -> "a"`)},
		{"dynamic: the same type, at depth", any, tuple(object(obj{"x": a})), tuple(object(obj{"x": b})), wrong(`~ .v[0].x: "a" -> "b"`)},
		{"dynamic: was null", any, noDynamic, tuple(a, num(1)), wrong(`+ .v[0] = "a"`, `+ .v[1] = 1`)},
	})
}

// TestDiffSets checks specification.md#133-differences: set elements are compared by equality.
func TestDiffSets(t *testing.T) {
	sets, nestedSets := schemaOf(attr(cty.Set(cty.String), "optional")), schemaOf(nested(configschema.NestingSet, "optional", itemAttrs))
	deep := schemaOfBlock(block(configschema.NestingList, nil, blocks{"in": block(configschema.NestingSet, itemAttrs)}))
	a, b, c := str("a"), str("b"), str("c")
	noSet, empty := cty.NullVal(cty.Set(cty.String)), cty.SetValEmpty(cty.String)
	one := item(str("1"), a)
	in := func(elems ...cty.Value) cty.Value { return list(object(obj{"in": set(elems...)})) }
	testDiffRows(t, []diffRow{
		{"equal", sets, set(a, b), set(b, a), nil},
		{"several, in set order", sets, set(c), set(b, a), wrong(`- .v[*] = "c"`, `+ .v[*] = "a"`, `+ .v[*] = "b"`)},
		{"was null, becomes empty", sets, noSet, empty, wrong(`+ .v = []`)},
		{"emptied", sets, set(a), empty, wrong(`- .v[*] = "a"`)},
		{"a null element added", sets, set(a), set(a, noStr), wrong(`+ .v[*] = null`)},
		{"becomes unknown", sets, set(a), cty.UnknownVal(noSet.Type()), wrong(`~ .v: ["a"] -> (known after apply)`)},
		{"an unknown element for a known one", sets, set(a), set(unknownStr), wrong(`- .v[*] = "a"`, `+ .v[*] = (known after apply)`)},
		{"each unknown element pairs with one unknown element", sets, set(unknownStr), set(unknownStr, unknownStr), wrong(`+ .v[*] = (known after apply)`)},
		{"each unknown element pairs with one unknown element, one removed", sets, set(unknownStr, unknownStr, a), set(unknownStr, a), wrong(`- .v[*] = (unknown)`)},
		{"nested attribute: one value changed", nestedSets, set(one), set(item(str("2"), a)), wrong(`- .v[*] = {id = "1", name = "a"}`, `+ .v[*] = {id = "2", name = "a"}`)},
		{"at depth", deep, in(one), in(item(str("1"), b)), wrong(`- .v[0].in[*] = {id = "1", name = "a"}`, `+ .v[0].in[*] = {id = "1", name = "b"}`)},
	})

	// The removed and added values are the elements themselves.
	changes, err := objchange.Diff(compiled(sets), objectOf(set(a)), objectOf(set(b)))
	if err != nil || len(changes) != 2 {
		t.Fatal(changes, err)
	}
	for i, elem := range []cty.Value{a, b} {
		if want := pathToV.Copy().Index(elem); !changes[i].Path.Equals(want) {
			t.Errorf("path %#v, want %#v", changes[i].Path, want)
		}
	}
}

// TestDiffNested checks specification.md#133-differences for nested attributes and blocks.
func TestDiffNested(t *testing.T) {
	step := map[configschema.NestingMode]string{configschema.NestingList: "[0]", configschema.NestingMap: `["k"]`}
	was, now, nothing := item(str("1"), str("a")), item(str("1"), str("b")), item(noStr, noStr)
	for _, mode := range []configschema.NestingMode{configschema.NestingSingle, configschema.NestingGroup, configschema.NestingList, configschema.NestingMap} {
		kinds := map[string]*configschema.Block{"block": schemaOfBlock(block(mode, itemAttrs)), "attribute": schemaOf(nested(mode, "optional", itemAttrs))}
		at := ".v" + step[mode]
		null := cty.NullVal(wrapTypeIn(mode, itemType))
		for kind, schema := range kinds {
			t.Run(kind+" "+mode.String(), func(t *testing.T) {
				testDiffRows(t, []diffRow{
					{"a leaf unknown", schema, wrapIn(mode, was), wrapIn(mode, item(unknownStr, str("a"))), wrong("~ " + at + `.id: "1" -> (known after apply)`)},
					{"appears", schema, null, wrapIn(mode, was), wrong("+ "+at+`.id = "1"`, "+ "+at+`.name = "a"`)},
					{"was null, has nothing set", schema, null, wrapIn(mode, nothing), wrong("+ " + at + ` = {id = null, name = null}`)},
					{"had nothing set, becomes null", schema, wrapIn(mode, nothing), null, wrong("- " + at + ` = {id = null, name = null}`)},
					{"unknown", schema, null, cty.UnknownVal(null.Type()), wrong("+ .v = (known after apply)")},
				})
			})
		}
	}
	lists, maps := schemaOfBlock(block(configschema.NestingList, itemAttrs)), schemaOf(nested(configschema.NestingMap, "optional", itemAttrs))
	noItems := cty.NullVal(cty.List(itemType))
	nestedLists := schemaOf(nested(configschema.NestingList, "optional", itemAttrs))
	testDiffRows(t, []diffRow{
		{"lists pair by index", lists, list(was, was), list(now), wrong(`~ .v[0].name: "a" -> "b"`, `- .v[1].id = "1"`, `- .v[1].name = "a"`)},
		{"maps pair by key", maps, mapOf(obj{"a": was, "b": was}), mapOf(obj{"b": now, "c": nothing}), wrong(`- .v["a"].id = "1"`, `- .v["a"].name = "a"`, `~ .v["b"].name: "a" -> "b"`, `+ .v["c"] = {id = null, name = null}`)},
		{"was null, becomes empty", lists, noItems, emptyItems, wrong(`+ .v = []`)},
		{"a null element removed", nestedLists, list(was, noItem), list(was), wrong(`- .v[1] = null`)},
		{"an element becomes unknown", nestedLists, list(was), list(unknownItem), wrong(`~ .v[0]: {id = "1", name = "a"} -> (known after apply)`)},
	})
}

// TestDiffDynamicBlocks checks specification.md#133-differences: blocks with dynamic types are paired
// by index and key as well.
func TestDiffDynamicBlocks(t *testing.T) {
	tuples, objects := schemaOfBlock(block(configschema.NestingList, dynAttrs)), schemaOfBlock(block(configschema.NestingMap, dynAttrs))
	text, number := item(noStr, str("1")), item(noStr, num(1))
	testDiffRows(t, []diffRow{
		{"list: a value of another type", tuples, tuple(text, text), tuple(text, number), wrong(`~ .v[1].name: "1" -> 1`)},
		{"list: emptied", tuples, tuple(number), cty.EmptyTupleVal, wrong(`- .v[0].name = 1`)},
		{"list: unknown", tuples, tuple(number), cty.DynamicVal, wrong(`~ .v: [{id = null, name = 1}] -> (known after apply)`)},
		{"map: keys added and removed", objects, object(obj{"a": text, "b": text}), object(obj{"b": number, "c": number}), wrong(`- .v.a.name = "1"`, `~ .v.b.name: "1" -> 1`, `+ .v.c.name = 1`)},
	})
	_, err := objchange.Diff(compiled(tuples), objectOf(str("a")), objectOf(cty.EmptyTupleVal))
	expectRefusal(t, cty.NilVal, err, objchange.RuleTypeMismatch, ".v")
}

// TestDiffOrder checks specification.md#133-differences: changes are in path order, always the same.
func TestDiffOrder(t *testing.T) {
	schema := &configschema.Block{Attributes: attrs{}, BlockTypes: blocks{"in": block(configschema.NestingList, itemAttrs)}}
	before, after := obj{"in": emptyItems}, obj{}
	for _, name := range []string{"b", "B", "a_b", "a", "a10", "a9"} {
		schema.Attributes[name] = attr(cty.String, "optional")
		before[name], after[name] = noStr, str("x")
	}
	var elems []cty.Value
	for i := range 11 {
		elems = append(elems, item(noStr, str(fmt.Sprint(i))))
	}
	after["in"] = list(elems...)
	want := []string{".B", ".a", ".a10", ".a9", ".a_b", ".b"}
	for i := range 11 {
		want = append(want, fmt.Sprintf(".in[%d].name", i))
	}
	for range 10 {
		changes, err := objchange.Diff(compiled(schema), object(before), object(after))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range changes {
			got = append(got, c.PathString())
		}
		if !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	}
}

// TestDiffOfNulls checks specification.md#133-differences: a null that gets another type is a change if
// the attribute has the dynamic type. The text of the change shows two different values.
func TestDiffOfNulls(t *testing.T) {
	schema := &configschema.Block{Attributes: attrs{
		"v": attr(cty.DynamicPseudoType, "optional"),
		"n": nested(configschema.NestingSingle, "optional", attrs{"v": attr(cty.DynamicPseudoType, "optional")}),
	}}
	of := func(v, inner cty.Value) cty.Value { return object(obj{"v": v, "n": inner}) }
	in := func(v cty.Value) cty.Value { return object(obj{"v": v}) }
	noObject := cty.NullVal(in(noDynamic).Type())
	for name, test := range map[string]struct {
		before, after cty.Value
		want          []string
	}{
		"the same":                       {of(noStr, in(noStr)), of(noStr, in(noStr)), nil},
		"a type":                         {of(noDynamic, noObject), of(noStr, noObject), []string{"~ .v: a null without a type -> a null of type string"}},
		"no type":                        {of(noStr, noObject), of(noDynamic, noObject), []string{"~ .v: a null of type string -> a null without a type"}},
		"another type, inside":           {of(noDynamic, in(noStr)), of(noDynamic, in(noNum)), []string{"~ .n.v: a null of type string -> a null of type number"}},
		"in an object that was null":     {of(noDynamic, noObject), of(noDynamic, in(noStr)), []string{"+ .n = {v = null}"}},
		"in an object that becomes null": {of(noDynamic, in(noStr)), of(noDynamic, noObject), []string{"- .n = {v = null}"}},
	} {
		t.Run(name, func(t *testing.T) {
			changes, err := objchange.Diff(compiled(schema), test.before, test.after)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, c := range changes {
				got = append(got, c.String())
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
		})
	}
}

// TestDiffRedacted checks specification.md#73-hidden-values: sensitive or marked values and their
// keys are not shown.
func TestDiffRedacted(t *testing.T) {
	a, b := str("canary a"), str("canary b")
	sensitive, text := schemaOf(attr(cty.String, "optional sensitive")), schemaOf(attr(cty.String, "optional"))
	maps, marked := schemaOf(attr(cty.Map(cty.String), "optional sensitive")), schemaOf(attr(cty.Map(cty.String), "optional"))
	inner := attrs{"id": attr(cty.String, "optional"), "name": attr(cty.String, "optional sensitive")}
	lists, sets := schemaOfBlock(block(configschema.NestingList, inner)), schemaOfBlock(block(configschema.NestingSet, inner))
	nestedLists := schemaOf(nested(configschema.NestingList, "optional", inner))
	outer := schemaOf(nested(configschema.NestingMap, "optional sensitive", itemAttrs))
	rows := []diffRow{
		{"add", sensitive, noStr, a, wrong("+ .v = (sensitive)")},
		{"update", sensitive, a, b, wrong("~ .v: (sensitive)")},
		{"unknown", sensitive, a, unknownStr, wrong("~ .v: (sensitive) -> (known after apply)")},
		{"keys below", maps, mapOf(obj{"canary": a}), mapOf(obj{"canary": b}), wrong("~ .v[(sensitive)]: (sensitive)")},
		{"attributes that the schema names", schemaOf(attr(itemType, "optional sensitive")), item(a, a), item(b, a), wrong("~ .v.id: (sensitive)")},
		{"attributes that the value names", schemaOf(attr(cty.DynamicPseudoType, "optional sensitive")), object(obj{"canary": a}), object(obj{"canary": b}), wrong("~ .v[(sensitive)]: (sensitive)")},
		{"an attribute above", outer, mapOf(obj{"canary": item(a, a)}), mapOf(obj{"canary": item(b, a)}), wrong("~ .v[(sensitive)].id: (sensitive)")},
		{"inside a set element", sets, set(item(a, a)), set(item(b, a)), wrong("- .v[*] = (sensitive)", "+ .v[*] = (sensitive)")},
		{"inside a list that becomes unknown", lists, list(item(a, a)), cty.UnknownVal(cty.List(itemType)), wrong("~ .v: (sensitive) -> (known after apply)")},
		{"inside a block with nothing set", lists, emptyItems, list(item(noStr, noStr)), wrong("+ .v[0] = (sensitive)")},
		{"inside a removed null element", nestedLists, list(noItem), emptyItems, wrong("- .v[0] = (sensitive)")},
		{"marked after", text, a, b.Mark("m"), wrong("~ .v: (sensitive)")},
		{"marked above", marked, mapOf(obj{"canary": a}).Mark("m"), mapOf(obj{"canary": b}), wrong("~ .v[(sensitive)]: (sensitive)")},
		{"marked inside", marked, mapOf(obj{"x": a.Mark("m")}), cty.UnknownVal(cty.Map(cty.String)), wrong("~ .v: (sensitive) -> (known after apply)")},
		{"a mark alone is no change", text, a, a.Mark("m"), nil},
	}
	testDiffRows(t, rows)
	for _, row := range rows {
		changes, _ := objchange.Diff(compiled(row.schema), objectOf(row.before), objectOf(row.after))
		for _, c := range changes {
			if !c.Sensitive || strings.Contains(c.PathString()+c.String(), "canary") {
				t.Errorf("%s: shown: %s", row.name, c)
			}
		}
	}
	testDiffRows(t, []diffRow{
		{"beside a sensitive attribute", lists, list(item(str("1"), a)), list(item(str("2"), a)), wrong(`~ .v[0].id: "1" -> "2"`)},
		{"beside a marked value", marked, mapOf(obj{"x": a.Mark("m"), "y": str("1")}), mapOf(obj{"x": a, "y": str("2")}), wrong(`~ .v["y"]: "1" -> "2"`)},
	})
}

// TestDiffChange checks specification.md#133-differences: a change has the path, the kind and both
// values with their marks.
func TestDiffChange(t *testing.T) {
	schema := schemaOf(attr(cty.Map(cty.String), "optional"))
	before, after := mapOf(obj{"a": str("1"), "c": str("3")}), mapOf(obj{"a": str("2").Mark("m"), "b": unknownStr})
	changes, err := objchange.Diff(compiled(schema), objectOf(before), objectOf(after))
	if err != nil || len(changes) != 3 {
		t.Fatal(changes, err)
	}
	for i, want := range []objchange.Change{
		{Path: pathToV.Copy().IndexString("a"), Kind: objchange.ChangeUpdate, Before: str("1"), After: str("2").Mark("m"), Sensitive: true},
		{Path: pathToV.Copy().IndexString("b"), Kind: objchange.ChangeUnknown, Before: noStr, After: unknownStr},
		{Path: pathToV.Copy().IndexString("c"), Kind: objchange.ChangeRemove, Before: str("3"), After: noStr},
	} {
		got := changes[i]
		if !got.Path.Equals(want.Path) || got.Kind != want.Kind || got.Sensitive != want.Sensitive {
			t.Errorf("got %+v, want %+v", got, want)
		}
		if got.Before.IsNull() != want.Before.IsNull() || !want.Before.IsNull() && !got.Before.RawEquals(want.Before) {
			t.Errorf("%s: before is %#v", got, got.Before)
		}
		if got.After.IsNull() != want.After.IsNull() || !want.After.IsNull() && !got.After.RawEquals(want.After) {
			t.Errorf("%s: after is %#v", got, got.After)
		}
	}
}

// TestChangePathString checks that paths are written for people, also for a Change that the
// caller made.
func TestChangePathString(t *testing.T) {
	for want, path := range map[string]cty.Path{
		"":              nil,
		".a":            cty.GetAttrPath("a"),
		`.rule[2].port`: cty.GetAttrPath("rule").IndexInt(2).GetAttr("port"),
		`.tags["env"]`:  cty.GetAttrPath("tags").IndexString("env"),
		".rule[*]":      cty.GetAttrPath("rule").Index(unknownItem),
	} {
		if got := (objchange.Change{Path: path}).PathString(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if got := (objchange.Change{}).String(); got != "+ the object = null" {
		t.Errorf("the zero Change is formatted as %q", got)
	}
}

// TestChangeStringIsShort checks that the text of a change is short and on one line for all
// values.
func TestChangeStringIsShort(t *testing.T) {
	schema := schemaOf(attr(cty.DynamicPseudoType, "optional"))
	for name, v := range map[string]cty.Value{
		"long":   str(strings.Repeat("a", 10_000)),
		"lines":  str("a\nb"),
		"number": cty.MustParseNumberVal("1e100000"),
		"deep":   deepTuple(300),
	} {
		changes, err := objchange.Diff(compiled(schema), objectOf(cty.True), objectOf(v))
		if err != nil || len(changes) != 1 {
			t.Fatal(changes, err)
		}
		if text := changes[0].String(); len(text) > 300 || strings.Contains(text, "\n") {
			t.Errorf("%s: %q", name, text)
		}
	}
}

// TestChangeViolation checks that Violation returns a violation of the caller's rule that hides
// the same parts.
func TestChangeViolation(t *testing.T) {
	schema := &configschema.Block{Attributes: attrs{
		"name": attr(cty.String, "optional"),
		"keys": attr(cty.Map(cty.String), "optional sensitive"),
	}}
	ty := schema.ImpliedType()
	changes, err := objchange.Diff(compiled(schema), cty.NullVal(ty), object(obj{
		"name": str("a"), "keys": cty.MapVal(obj{"secret": str("b")}),
	}))
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, c := range changes {
		v := c.Violation("own-rule", "is new", true)
		if !v.Path.Equals(c.Path) || !v.Enforced || v.Rule != "own-rule" {
			t.Errorf("%#v", v)
		}
		found = append(found, v.Error())
	}
	want := []string{".keys[(sensitive)]: is new [own-rule]", ".name: is new [own-rule]"}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Error(diff)
	}
	if text := (objchange.Change{Path: cty.GetAttrPath("a").IndexInt(0)}).Violation("r", "m", false).PathString(); text != ".a[0]" {
		t.Error(text)
	}
}

// TestChangesShowTheDifference checks that the text shows the difference between long values, and
// says that a broken value cannot be shown.
func TestChangesShowTheDifference(t *testing.T) {
	schema := schemaOf(attr(cty.String, "optional"))
	arn := "arn:aws:iam::123456789012:role/" + strings.Repeat("team-", 20)
	changes, err := objchange.Diff(compiled(schema), objectOf(str(arn+"a")), objectOf(str(arn+"b")))
	if err != nil || len(changes) != 1 || !strings.HasSuffix(changes[0].String(), `team-a" -> "…`+strings.Repeat("team-", 20)[21:]+`b"`) {
		t.Errorf("%v, %v", changes, err)
	}
	broken := cty.NumberVal(nil)
	changes, err = objchange.Diff(compiled(schemaOf(attr(cty.Number, "optional"))), nullOf(schemaOf(attr(cty.Number, "optional"))), objectOf(broken))
	if err == nil && !strings.Contains(changes[0].String(), "cannot be shown") {
		t.Errorf("%v", changes)
	}
}

// TestChangesOfPanickingCapsulesCanBePrinted checks the text of a change if an operation of a
// capsule type panics.
func TestChangesOfPanickingCapsulesCanBePrinted(t *testing.T) {
	c := objchange.Change{Path: cty.GetAttrPath("v"), Kind: objchange.ChangeUpdate, Before: list(panicValue), After: list(cty.CapsuleVal(panicType, new(int)))}
	const text = "(a value that cannot be shown)"
	if got, want := c.String(), "~ .v: "+text+" -> "+text; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	got, err := json.Marshal(c)
	if want := `{"path":".v","kind":"update","sensitive":false,"before":"` + text + `","after":"` + text + `"}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}

// TestChangesOfMarkedValuesAreHidden checks that a Change that the caller made does not show
// marked values.
func TestChangesOfMarkedValuesAreHidden(t *testing.T) {
	for _, c := range []objchange.Change{
		{Path: cty.GetAttrPath("x"), Kind: objchange.ChangeUpdate, Before: str("secret-1").Mark("m"), After: str("secret-2")},
		{Path: cty.GetAttrPath("x"), Kind: objchange.ChangeAdd, Before: noStr, After: list(str("secret-2").Mark("m"))},
	} {
		text, err := json.Marshal(c)
		if err != nil || strings.Contains(c.String()+string(text), "secret-") || !strings.Contains(string(text), `"sensitive":true`) {
			t.Errorf("%s, %s, %v", c, text, err)
		}
	}
}
