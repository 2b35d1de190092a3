package objchange_test

import (
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
			expectChanges(t, row.schema, ObjectOf(row.before), ObjectOf(row.after), row.want...)
		})
	}
}

func expectChanges(t *testing.T, schema *configschema.Block, before, after cty.Value, want ...string) {
	t.Helper()
	changes, err := objchange.Diff(Compiled(schema), before, after)
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

// TestDiffOfTheRootHasEachLeaf checks specification.md#133-differences: if the root appears or disappears, there is a
// change for each leaf.
func TestDiffOfTheRootHasEachLeaf(t *testing.T) {
	schema := &configschema.Block{Attributes: ItemAttrs, BlockTypes: Blocks{"in": Block(configschema.NestingSingle, ItemAttrs)}}
	null, unknown := cty.NullVal(schema.ImpliedType()), cty.UnknownVal(schema.ImpliedType())
	nothing := schema.EmptyValue()
	a := Object(Obj{"id": UnknownStr, "name": Str("a"), "in": Item(NoStr, Str("b"))})
	tests := []struct {
		name          string
		before, after cty.Value
		want          []string
	}{
		{"both null, one untyped", null, NoDynamic, nil},
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

// TestDiffHasOneChangeForEachLeaf checks specification.md#133-differences: there is one change for each leaf
// attribute that differs: add, remove, update or unknown.
func TestDiffHasOneChangeForEachLeaf(t *testing.T) {
	text, number := SchemaOf(Attr(cty.String, "optional")), SchemaOf(Attr(cty.Number, "optional"))
	lists, maps := SchemaOf(Attr(cty.List(cty.String), "optional")), SchemaOf(Attr(cty.Map(cty.String), "optional"))
	plain, any := SchemaOf(Attr(ItemType, "optional")), SchemaOf(Attr(cty.DynamicPseudoType, "optional"))
	a, b := Str("a"), Str("b")
	noList, noMap := cty.NullVal(cty.List(cty.String)), cty.NullVal(cty.Map(cty.String))
	testDiffRows(t, []diffRow{
		{"both unknown, refined or not", text, UnknownStr, UnknownStr.RefineNotNull(), nil},
		{"add", text, NoStr, a, wrong(`+ .v = "a"`)},
		{"remove", text, a, NoStr, wrong(`- .v = "a"`)},
		{"update", text, a, b, wrong(`~ .v: "a" -> "b"`)},
		{"unknown, from null", text, NoStr, UnknownStr, wrong(`+ .v = (known after apply)`)},
		{"was unknown", text, UnknownStr.Refine().StringPrefixFull("a").NewValue(), a, wrong(`~ .v: (unknown, with prefix "a") -> "a"`)},
		{"null and empty differ", text, NoStr, Str(""), wrong(`+ .v = ""`)},
		{"numbers with equal text are equal", number, cty.MustParseNumberVal("0.1"), cty.NumberFloatVal(0.1), nil},
		{"list: longer", lists, List(a), List(a, b), wrong(`+ .v[1] = "b"`)},
		{"list: shorter by a null element", lists, List(a, NoStr), List(a), wrong(`- .v[1] = null`)},
		{"list: was null, becomes empty", lists, noList, cty.ListValEmpty(cty.String), wrong(`+ .v = []`)},
		{"list: was empty, becomes null", lists, cty.ListValEmpty(cty.String), noList, wrong(`- .v = []`)},
		{"list: emptied", lists, List(a), cty.ListValEmpty(cty.String), wrong(`- .v[0] = "a"`)},
		{"list: was null, has only a null element", lists, noList, List(NoStr), wrong(`+ .v[0] = null`)},
		{"list: becomes unknown", lists, List(a), cty.UnknownVal(cty.List(cty.String)), wrong(`~ .v: ["a"] -> (known after apply)`)},

		{"map: by key, in order of keys", maps, MapOf(Obj{"a": a, "b": b, "d": a}), MapOf(Obj{"b": a, "c": a, "d": a}), wrong(`- .v["a"] = "a"`, `~ .v["b"]: "b" -> "a"`, `+ .v["c"] = "a"`)},
		{"map: key to quote", maps, noMap, MapOf(Obj{`a "b"`: a}), wrong(`+ .v["a \"b\""] = "a"`)},
		{"object: was null", plain, NoItem, Item(a, NoStr), wrong(`+ .v.id = "a"`)},
		{"object: had nothing set, becomes null", plain, Item(NoStr, NoStr), NoItem, wrong(`- .v = {id = null, name = null}`)},
		{"dynamic: another type of collection", any, List(a), Set(a), wrong(`~ .v: ["a"] -> ["a"] (the types differ: list of string and set of string)`)},
		{"dynamic: another type of object", any, Object(Obj{"x": a}), Object(Obj{"x": a, "y": a}), wrong(`~ .v: at .y, nothing -> "a"`)},
		{"dynamic: the same type, at depth", any, Tuple(Object(Obj{"x": a})), Tuple(Object(Obj{"x": b})), wrong(`~ .v[0].x: "a" -> "b"`)},
		{"dynamic: was null", any, NoDynamic, Tuple(a, Num(1)), wrong(`+ .v[0] = "a"`, `+ .v[1] = 1`)},
	})
}

// TestDiffComparesSetElementsByEquality checks specification.md#133-differences: set elements are compared by
// equality.
func TestDiffComparesSetElementsByEquality(t *testing.T) {
	sets, nestedSets := SchemaOf(Attr(cty.Set(cty.String), "optional")), SchemaOf(Nested(configschema.NestingSet, "optional", ItemAttrs))
	deep := SchemaOfBlock(Block(configschema.NestingList, nil, Blocks{"in": Block(configschema.NestingSet, ItemAttrs)}))
	a, b, c := Str("a"), Str("b"), Str("c")
	noSet, empty := cty.NullVal(cty.Set(cty.String)), cty.SetValEmpty(cty.String)
	one := Item(Str("1"), a)
	in := func(elems ...cty.Value) cty.Value { return List(Object(Obj{"in": Set(elems...)})) }
	testDiffRows(t, []diffRow{
		{"equal", sets, Set(a, b), Set(b, a), nil},
		{"several, in set order", sets, Set(c), Set(b, a), wrong(`- .v[*] = "c"`, `+ .v[*] = "a"`, `+ .v[*] = "b"`)},
		{"was null, becomes empty", sets, noSet, empty, wrong(`+ .v = []`)},
		{"emptied", sets, Set(a), empty, wrong(`- .v[*] = "a"`)},
		{"a null element added", sets, Set(a), Set(a, NoStr), wrong(`+ .v[*] = null`)},
		{"becomes unknown", sets, Set(a), cty.UnknownVal(noSet.Type()), wrong(`~ .v: ["a"] -> (known after apply)`)},
		{"an unknown element for a known one", sets, Set(a), Set(UnknownStr), wrong(`- .v[*] = "a"`, `+ .v[*] = (known after apply)`)},
		{"each unknown element pairs with one unknown element", sets, Set(UnknownStr), Set(UnknownStr, UnknownStr), wrong(`+ .v[*] = (known after apply)`)},
		{"each unknown element pairs with one unknown element, one removed", sets, Set(UnknownStr, UnknownStr, a), Set(UnknownStr, a), wrong(`- .v[*] = (unknown)`)},
		{"nested attribute: one value changed", nestedSets, Set(one), Set(Item(Str("2"), a)), wrong(`- .v[*] = {id = "1", name = "a"}`, `+ .v[*] = {id = "2", name = "a"}`)},
		{"at depth", deep, in(one), in(Item(Str("1"), b)), wrong(`- .v[0].in[*] = {id = "1", name = "a"}`, `+ .v[0].in[*] = {id = "1", name = "b"}`)},
	})

	// The removed and added values are the elements themselves.
	changes, err := objchange.Diff(Compiled(sets), ObjectOf(Set(a)), ObjectOf(Set(b)))
	if err != nil || len(changes) != 2 {
		t.Fatal(changes, err)
	}
	for i, elem := range []cty.Value{a, b} {
		if want := PathToV.Copy().Index(elem); !changes[i].Path.Equals(want) {
			t.Errorf("path %#v, want %#v", changes[i].Path, want)
		}
	}
}

// TestDiffFindsNestedLeaves checks specification.md#133-differences for nested attributes and blocks.
func TestDiffFindsNestedLeaves(t *testing.T) {
	was, now, nothing := Item(Str("1"), Str("a")), Item(Str("1"), Str("b")), Item(NoStr, NoStr)
	single, groups := SchemaOf(Nested(configschema.NestingSingle, "optional", ItemAttrs)), SchemaOfBlock(Block(configschema.NestingGroup, ItemAttrs))
	lists, maps := SchemaOfBlock(Block(configschema.NestingList, ItemAttrs)), SchemaOf(Nested(configschema.NestingMap, "optional", ItemAttrs))
	noItems := cty.NullVal(cty.List(ItemType))
	nestedLists := SchemaOf(Nested(configschema.NestingList, "optional", ItemAttrs))
	testDiffRows(t, []diffRow{
		{"a leaf unknown", groups, was, Item(UnknownStr, Str("a")), wrong(`~ .v.id: "1" -> (known after apply)`)},
		{"appears", lists, noItems, List(was), wrong(`+ .v[0].id = "1"`, `+ .v[0].name = "a"`)},
		{"was null, has nothing set", single, NoItem, nothing, wrong("+ .v = {id = null, name = null}")},
		{"had nothing set, becomes null", single, nothing, NoItem, wrong("- .v = {id = null, name = null}")},
		{"unknown", maps, NullOf(maps), cty.UnknownVal(NullOf(maps).Type()), wrong("+ .v = (known after apply)")},
		{"lists pair by index", lists, List(was, was), List(now), wrong(`~ .v[0].name: "a" -> "b"`, `- .v[1].id = "1"`, `- .v[1].name = "a"`)},
		{"maps pair by key", maps, MapOf(Obj{"a": was, "b": was}), MapOf(Obj{"b": now, "c": nothing}), wrong(`- .v["a"].id = "1"`, `- .v["a"].name = "a"`, `~ .v["b"].name: "a" -> "b"`, `+ .v["c"] = {id = null, name = null}`)},
		{"was null, becomes empty", lists, noItems, EmptyItems, wrong(`+ .v = []`)},
		{"a null element removed", nestedLists, List(was, NoItem), List(was), wrong(`- .v[1] = null`)},
		{"an element becomes unknown", nestedLists, List(was), List(UnknownItem), wrong(`~ .v[0]: {id = "1", name = "a"} -> (known after apply)`)},
	})
}

// TestDiffPairsDynamicBlocksByIndexAndKey checks specification.md#133-differences: blocks with dynamic types are
// paired by index and key as well.
func TestDiffPairsDynamicBlocksByIndexAndKey(t *testing.T) {
	tuples, objects := SchemaOfBlock(Block(configschema.NestingList, DynAttrs)), SchemaOfBlock(Block(configschema.NestingMap, DynAttrs))
	text, number := Item(NoStr, Str("1")), Item(NoStr, Num(1))
	testDiffRows(t, []diffRow{
		{"list: a value of another type", tuples, Tuple(text, text), Tuple(text, number), wrong(`~ .v[1].name: "1" -> 1`)},
		{"list: emptied", tuples, Tuple(number), cty.EmptyTupleVal, wrong(`- .v[0].name = 1`)},
		{"list: unknown", tuples, Tuple(number), cty.DynamicVal, wrong(`~ .v: [{id = null, name = 1}] -> (known after apply)`)},
		{"map: keys added and removed", objects, Object(Obj{"a": text, "b": text}), Object(Obj{"b": number, "c": number}), wrong(`- .v.a.name = "1"`, `~ .v.b.name: "1" -> 1`, `+ .v.c.name = 1`)},
	})
	_, err := objchange.Diff(Compiled(tuples), ObjectOf(Str("a")), ObjectOf(cty.EmptyTupleVal))
	ExpectRefusal(t, cty.NilVal, err, objchange.RuleTypeMismatch, ".v")
}

// TestDiffIsInPathOrder checks specification.md#133-differences: changes are in path order, always the same.
func TestDiffIsInPathOrder(t *testing.T) {
	schema := &configschema.Block{Attributes: Attrs{}, BlockTypes: Blocks{"in": Block(configschema.NestingList, ItemAttrs)}}
	before, after := Obj{"in": EmptyItems}, Obj{}
	for _, name := range []string{"b", "B", "a_b", "a", "a10", "a9"} {
		schema.Attributes[name] = Attr(cty.String, "optional")
		before[name], after[name] = NoStr, Str("x")
	}
	var elems []cty.Value
	for i := range 11 {
		elems = append(elems, Item(NoStr, Str(fmt.Sprint(i))))
	}
	after["in"] = List(elems...)
	want := []string{".B", ".a", ".a10", ".a9", ".a_b", ".b"}
	for i := range 11 {
		want = append(want, fmt.Sprintf(".in[%d].name", i))
	}
	for range 10 {
		changes, err := objchange.Diff(Compiled(schema), Object(before), Object(after))
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

// TestDiffShowsTypesOfNulls checks specification.md#133-differences: a null that gets another type is a change if
// the attribute has the dynamic type. The text of the change shows two different values.
func TestDiffShowsTypesOfNulls(t *testing.T) {
	schema := &configschema.Block{Attributes: Attrs{
		"v": Attr(cty.DynamicPseudoType, "optional"),
		"n": Nested(configschema.NestingSingle, "optional", Attrs{"v": Attr(cty.DynamicPseudoType, "optional")}),
	}}
	of := func(v, inner cty.Value) cty.Value { return Object(Obj{"v": v, "n": inner}) }
	in := func(v cty.Value) cty.Value { return Object(Obj{"v": v}) }
	noObject := cty.NullVal(in(NoDynamic).Type())
	for name, test := range map[string]struct {
		before, after cty.Value
		want          []string
	}{
		"the same":                       {of(NoStr, in(NoStr)), of(NoStr, in(NoStr)), nil},
		"a type":                         {of(NoDynamic, noObject), of(NoStr, noObject), []string{"~ .v: a null without a type -> a null of type string"}},
		"no type":                        {of(NoStr, noObject), of(NoDynamic, noObject), []string{"~ .v: a null of type string -> a null without a type"}},
		"another type, inside":           {of(NoDynamic, in(NoStr)), of(NoDynamic, in(NoNum)), []string{"~ .n.v: a null of type string -> a null of type number"}},
		"in an object that was null":     {of(NoDynamic, noObject), of(NoDynamic, in(NoStr)), []string{"+ .n = {v = null}"}},
		"in an object that becomes null": {of(NoDynamic, in(NoStr)), of(NoDynamic, noObject), []string{"- .n = {v = null}"}},
	} {
		t.Run(name, func(t *testing.T) { expectChanges(t, schema, test.before, test.after, test.want...) })
	}
}

// TestDiffHidesSecrets checks specification.md#73-hidden-values: sensitive or marked values and their
// keys are not shown.
func TestDiffHidesSecrets(t *testing.T) {
	a, b := Str("canary a"), Str("canary b")
	sensitive, text := SchemaOf(Attr(cty.String, "optional sensitive")), SchemaOf(Attr(cty.String, "optional"))
	maps, marked := SchemaOf(Attr(cty.Map(cty.String), "optional sensitive")), SchemaOf(Attr(cty.Map(cty.String), "optional"))
	inner := Attrs{"id": Attr(cty.String, "optional"), "name": Attr(cty.String, "optional sensitive")}
	lists, sets := SchemaOfBlock(Block(configschema.NestingList, inner)), SchemaOfBlock(Block(configschema.NestingSet, inner))
	nestedLists := SchemaOf(Nested(configschema.NestingList, "optional", inner))
	outer := SchemaOf(Nested(configschema.NestingMap, "optional sensitive", ItemAttrs))
	rows := []diffRow{
		{"add", sensitive, NoStr, a, wrong("+ .v = (sensitive)")},
		{"update", sensitive, a, b, wrong("~ .v: (sensitive)")},
		{"unknown", sensitive, a, UnknownStr, wrong("~ .v: (sensitive) -> (known after apply)")},
		{"keys below", maps, MapOf(Obj{"canary": a}), MapOf(Obj{"canary": b}), wrong("~ .v[(sensitive)]: (sensitive)")},
		{"attributes that the schema names", SchemaOf(Attr(ItemType, "optional sensitive")), Item(a, a), Item(b, a), wrong("~ .v.id: (sensitive)")},
		{"attributes that the value names", SchemaOf(Attr(cty.DynamicPseudoType, "optional sensitive")), Object(Obj{"canary": a}), Object(Obj{"canary": b}), wrong("~ .v[(sensitive)]: (sensitive)")},
		{"an attribute above", outer, MapOf(Obj{"canary": Item(a, a)}), MapOf(Obj{"canary": Item(b, a)}), wrong("~ .v[(sensitive)].id: (sensitive)")},
		{"inside a set element", sets, Set(Item(a, a)), Set(Item(b, a)), wrong("- .v[*] = (sensitive)", "+ .v[*] = (sensitive)")},
		{"inside a list that becomes unknown", lists, List(Item(a, a)), cty.UnknownVal(cty.List(ItemType)), wrong("~ .v: (sensitive) -> (known after apply)")},
		{"inside a block with nothing set", lists, EmptyItems, List(Item(NoStr, NoStr)), wrong("+ .v[0] = (sensitive)")},
		{"inside a removed null element", nestedLists, List(NoItem), EmptyItems, wrong("- .v[0] = (sensitive)")},
		{"marked after", text, a, b.Mark("m"), wrong("~ .v: (sensitive)")},
		{"marked above", marked, MapOf(Obj{"canary": a}).Mark("m"), MapOf(Obj{"canary": b}), wrong("~ .v[(sensitive)]: (sensitive)")},
		{"marked inside", marked, MapOf(Obj{"x": a.Mark("m")}), cty.UnknownVal(cty.Map(cty.String)), wrong("~ .v: (sensitive) -> (known after apply)")},
		{"a mark alone is no change", text, a, a.Mark("m"), nil},
	}
	testDiffRows(t, rows)
	for _, row := range rows {
		changes, _ := objchange.Diff(Compiled(row.schema), ObjectOf(row.before), ObjectOf(row.after))
		for _, c := range changes {
			if !c.Sensitive || strings.Contains(c.PathString()+c.String(), "canary") {
				t.Errorf("%s: shown: %s", row.name, c)
			}
		}
	}
	testDiffRows(t, []diffRow{
		{"beside a sensitive attribute", lists, List(Item(Str("1"), a)), List(Item(Str("2"), a)), wrong(`~ .v[0].id: "1" -> "2"`)},
		{"beside a marked value", marked, MapOf(Obj{"x": a.Mark("m"), "y": Str("1")}), MapOf(Obj{"x": a, "y": Str("2")}), wrong(`~ .v["y"]: "1" -> "2"`)},
	})
}

// TestChangesHavePathKindAndValues checks specification.md#133-differences: a change has the path, the kind and both
// values with their marks.
func TestChangesHavePathKindAndValues(t *testing.T) {
	schema := SchemaOf(Attr(cty.Map(cty.String), "optional"))
	before, after := MapOf(Obj{"a": Str("1"), "c": Str("3")}), MapOf(Obj{"a": Str("2").Mark("m"), "b": UnknownStr})
	changes, err := objchange.Diff(Compiled(schema), ObjectOf(before), ObjectOf(after))
	if err != nil || len(changes) != 3 {
		t.Fatal(changes, err)
	}
	for i, want := range []objchange.Change{
		{Path: PathToV.Copy().IndexString("a"), Kind: objchange.ChangeUpdate, Before: Str("1"), After: Str("2").Mark("m"), Sensitive: true},
		{Path: PathToV.Copy().IndexString("b"), Kind: objchange.ChangeUnknown, Before: NoStr, After: UnknownStr},
		{Path: PathToV.Copy().IndexString("c"), Kind: objchange.ChangeRemove, Before: Str("3"), After: NoStr},
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
		".rule[*]":      cty.GetAttrPath("rule").Index(UnknownItem),
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
	schema := SchemaOf(Attr(cty.DynamicPseudoType, "optional"))
	for name, v := range map[string]cty.Value{
		"long":   Str(strings.Repeat("a", 10_000)),
		"lines":  Str("a\nb"),
		"number": cty.MustParseNumberVal("1e100000"),
		"deep":   deepTuple(300),
	} {
		changes, err := objchange.Diff(Compiled(schema), ObjectOf(cty.True), ObjectOf(v))
		if err != nil || len(changes) != 1 {
			t.Fatal(changes, err)
		}
		if text := changes[0].String(); len(text) > 300 || strings.Contains(text, "\n") {
			t.Errorf("%s: %q", name, text)
		}
	}
}

// TestViolationOfChangeHidesTheSameParts checks that Violation returns a violation of the caller's rule that hides
// the same parts.
func TestViolationOfChangeHidesTheSameParts(t *testing.T) {
	schema := &configschema.Block{Attributes: Attrs{
		"name": Attr(cty.String, "optional"),
		"keys": Attr(cty.Map(cty.String), "optional sensitive"),
	}}
	ty := schema.ImpliedType()
	changes, err := objchange.Diff(Compiled(schema), cty.NullVal(ty), Object(Obj{
		"name": Str("a"), "keys": cty.MapVal(Obj{"secret": Str("b")}),
	}))
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, c := range changes {
		v := c.Violation("own-rule", "is new", objchange.Unchecked)
		if !v.Path.Equals(c.Path) || v.Severity != objchange.Unchecked || v.Rule != "own-rule" {
			t.Errorf("%#v", v)
		}
		found = append(found, v.Error())
	}
	want := []string{".keys[(sensitive)]: is new [own-rule]", ".name: is new [own-rule]"}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Error(diff)
	}
	if text := (objchange.Change{Path: cty.GetAttrPath("a").IndexInt(0)}).Violation("r", "m", objchange.Unchecked).PathString(); text != ".a[0]" {
		t.Error(text)
	}
}

// TestChangesShowTheDifference checks that the text shows the difference between long values, and
// says that a broken value cannot be shown.
func TestChangesShowTheDifference(t *testing.T) {
	schema := SchemaOf(Attr(cty.String, "optional"))
	arn := "arn:aws:iam::123456789012:role/" + strings.Repeat("team-", 20)
	changes, err := objchange.Diff(Compiled(schema), ObjectOf(Str(arn+"a")), ObjectOf(Str(arn+"b")))
	if err != nil || len(changes) != 1 || !strings.HasSuffix(changes[0].String(), `team-a" -> "…`+strings.Repeat("team-", 20)[21:]+`b"`) {
		t.Errorf("%v, %v", changes, err)
	}
	broken := cty.NumberVal(nil)
	changes, err = objchange.Diff(Compiled(SchemaOf(Attr(cty.Number, "optional"))), NullOf(SchemaOf(Attr(cty.Number, "optional"))), ObjectOf(broken))
	if err == nil && !strings.Contains(changes[0].String(), "cannot be shown") {
		t.Errorf("%v", changes)
	}
}

// TestChangesOfPanickingCapsulesCanBePrinted checks the text of a change if an operation of a
// capsule type panics.
func TestChangesOfPanickingCapsulesCanBePrinted(t *testing.T) {
	c := objchange.Change{Path: cty.GetAttrPath("v"), Kind: objchange.ChangeUpdate, Before: List(PanicValue), After: List(cty.CapsuleVal(PanicType, new(int)))}
	const text = "(a value that cannot be shown)"
	if got, want := c.String(), "~ .v: "+text+" -> "+text; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestChangesOfMarkedValuesAreHidden checks that a Change that the caller made does not show
// marked values.
func TestChangesOfMarkedValuesAreHidden(t *testing.T) {
	for _, c := range []objchange.Change{
		{Path: cty.GetAttrPath("x"), Kind: objchange.ChangeUpdate, Before: Str("secret-1").Mark("m"), After: Str("secret-2")},
		{Path: cty.GetAttrPath("x"), Kind: objchange.ChangeAdd, Before: NoStr, After: List(Str("secret-2").Mark("m"))},
	} {
		if text := c.String(); strings.Contains(text, "secret-") || !strings.Contains(text, "(sensitive)") {
			t.Error(text)
		}
	}
}
