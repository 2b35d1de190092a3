package objchange_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
)

// semantics.md#what-is-not-shown: what is sensitive or marked is not shown, nor
// its keys.
func TestDiffRedacted(t *testing.T) {
	a, b := str("canary a"), str("canary b")
	sensitive, text := schemaOf(attr(cty.String, "optional sensitive")), schemaOf(attr(cty.String, "optional"))
	maps, marked := schemaOf(attr(cty.Map(cty.String), "optional sensitive")), schemaOf(attr(cty.Map(cty.String), "optional"))
	inner := attrs{"id": attr(cty.String, "optional"), "name": attr(cty.String, "optional sensitive")}
	lists, sets := schemaOfBlock(block(configschema.NestingList, inner)), schemaOfBlock(block(configschema.NestingSet, inner))
	nestedLists := schemaOf(nested(configschema.NestingList, "optional", inner))
	outer := schemaOf(nested(configschema.NestingMap, "optional sensitive", itemAttrs))
	rows := []differing{
		{"add", sensitive, noStr, a, wrong("+ .v = (sensitive)")},
		{"remove", sensitive, a, noStr, wrong("- .v = (sensitive)")},
		{"update", sensitive, a, b, wrong("~ .v: (sensitive)")},
		{"unknown", sensitive, a, unknownStr, wrong("~ .v: (sensitive) -> (known after apply)")},
		{"keys below", maps, mapOf(obj{"canary": a}), mapOf(obj{"canary": b}), wrong("~ .v[(sensitive)]: (sensitive)")},
		{"attributes that the schema names", schemaOf(attr(itemType, "optional sensitive")), item(a, a), item(b, a), wrong("~ .v.id: (sensitive)")},
		{"attributes that the value names", schemaOf(attr(cty.DynamicPseudoType, "optional sensitive")), object(obj{"canary": a}), object(obj{"canary": b}), wrong("~ .v[(sensitive)]: (sensitive)")},
		{"an attribute above", outer, mapOf(obj{"canary": item(a, a)}), mapOf(obj{"canary": item(b, a)}), wrong("~ .v[(sensitive)].id: (sensitive)")},
		{"inside a set element", sets, set(item(a, a)), set(item(b, a)), wrong("- .v[*] = (sensitive)", "+ .v[*] = (sensitive)")},
		{"inside a list that becomes unknown", lists, list(item(a, a)), cty.UnknownVal(cty.List(itemType)), wrong("~ .v: (sensitive) -> (known after apply)")},
		{"inside a block with nothing set", lists, emptyItems, list(item(noStr, noStr)), wrong("+ .v[0] = (sensitive)")},
		{"inside a null element that comes", nestedLists, emptyItems, list(noItem), wrong("+ .v[0] = (sensitive)")},
		{"inside a null element that goes", nestedLists, list(noItem), emptyItems, wrong("- .v[0] = (sensitive)")},
		{"marked before", text, a.Mark("m"), b, wrong("~ .v: (sensitive)")},
		{"marked after", text, a, b.Mark("m"), wrong("~ .v: (sensitive)")},
		{"marked above", marked, mapOf(obj{"canary": a}).Mark("m"), mapOf(obj{"canary": b}), wrong("~ .v[(sensitive)]: (sensitive)")},
		{"marked inside", marked, mapOf(obj{"x": a.Mark("m")}), cty.UnknownVal(cty.Map(cty.String)), wrong("~ .v: (sensitive) -> (known after apply)")},
		{"a mark alone is no change", text, a, a.Mark("m"), nil},
	}
	testDifferings(t, rows)
	for _, row := range rows {
		changes, _ := objchange.Diff(compiled(row.schema), objectOf(row.before), objectOf(row.after))
		for _, c := range changes {
			if !c.Sensitive || strings.Contains(c.PathString()+c.String(), "canary") {
				t.Errorf("%s: shown: %s", row.name, c)
			}
		}
	}
	testDifferings(t, []differing{
		{"beside what is sensitive", lists, list(item(str("1"), a)), list(item(str("2"), a)), wrong(`~ .v[0].id: "1" -> "2"`)},
		{"beside what is marked", marked, mapOf(obj{"x": a.Mark("m"), "y": str("1")}), mapOf(obj{"x": a, "y": str("2")}), wrong(`~ .v["y"]: "1" -> "2"`)},
	})
}

// semantics.md#differences: a change holds path, kind and both values, which
// keep their marks.
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

// Paths are as a person writes them, also of a change made by hand.
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
		t.Errorf("the zero Change is written %q", got)
	}
}

// Values are short, and whatever they hold in one line.
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

// A change becomes a violation of the caller's own rule, and hides what it hid.
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

// A change shows where long values differ, and of a value that is none, that it is.
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

// An operation of a capsule type that panics ends in a text that says so.
func TestChangesOfPanickingCapsulesCanBePrinted(t *testing.T) {
	c := objchange.Change{Path: cty.GetAttrPath("v"), Kind: objchange.ChangeUpdate, Before: list(bomb), After: list(cty.CapsuleVal(bombType, new(int)))}
	const text = "(a value that cannot be shown)"
	if got, want := c.String(), "~ .v: "+text+" -> "+text; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	got, err := json.Marshal(c)
	if want := `{"path":".v","kind":"update","sensitive":false,"before":"` + text + `","after":"` + text + `"}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}
