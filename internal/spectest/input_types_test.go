package spectest

import (
	"slices"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	. "github.com/objchange/objchange/internal/testcty"
)

// TestTypeMismatchIsReportedAtItsPlace checks rules/input.md#type-mismatch: a value that does not
// conform is reported at the path of the mismatch, and all other parts are still checked.
func TestTypeMismatchIsReportedAtItsPlace(t *testing.T) {
	text := Attr(cty.String, "optional")
	texts := Attr(cty.List(cty.String), "optional")
	pair := cty.Object(map[string]cty.Type{"a": cty.String, "b": cty.String})
	plain := Attr(pair, "optional")

	two := Attr(cty.Tuple([]cty.Type{cty.String, cty.Number}), "optional")
	single := Nested(configschema.NestingSingle, "optional", ItemAttrs)
	group := Block(configschema.NestingGroup, ItemAttrs)
	outer := Block(configschema.NestingGroup, nil, Blocks{"in": Block(configschema.NestingSingle, ItemAttrs)})
	tuples, objects := Block(configschema.NestingList, DynAttrs), Block(configschema.NestingMap, DynAttrs)
	inTuples := Block(configschema.NestingList, nil, Blocks{"in": objects})

	a, good := Str("a"), Item(NoStr, Str("a"))
	ab := func(a, b cty.Value) cty.Value { return Object(Obj{"a": a, "b": b}) }
	badName, lacking := Item(NoStr, Num(1)), Object(Obj{"id": NoStr})
	extra := Object(Obj{"id": NoStr, "name": Str("a"), "extra": Str("a")})
	in := func(v cty.Value) cty.Value { return Object(Obj{"in": v}) }
	k := func(v cty.Value) cty.Value { return Object(Obj{"k": v}) }
	type row struct {
		name      string
		v         any // an attribute or a block type
		good, bad cty.Value
		paths     []string
	}
	here := places(".v")
	rows := []row{
		{"a missing attribute", text, a, cty.NilVal, here},
		{"another type", text, a, Num(1), here},
		{"a nested list with a dynamic attribute: a tuple", Nested(configschema.NestingList, "optional", DynAttrs), List(good), Tuple(good, Item(NoStr, Num(1))), here},
		{"a nested map with a dynamic attribute: an object", Nested(configschema.NestingMap, "optional", DynAttrs), MapOf(Obj{"k": good}), Object(Obj{"k": good}), here},
		{"a null of another type", text, NoStr, NoNum, here},
		{"an unknown of the dynamic type", text, UnknownStr, cty.DynamicVal, here},
		{"an unknown of another type", text, UnknownStr, UnknownNum, here},
		{"another element type: at the collection", texts, List(a), List(Num(1)), here},
		{"a tuple for a list", texts, List(a), Tuple(a), here},
		{"parts of an object", plain, ab(a, a), ab(Num(1), cty.True), places(".v.a", ".v.b")},
		{"a surplus attribute of an object", plain, ab(a, a), Object(Obj{"a": a, "b": a, "c": a}), places(".v.c")},
		{"an object in a list: at the collection", Attr(cty.List(pair), "optional"), List(ab(a, a)), List(ab(a, Num(1))), here},
		{"part of a tuple", two, Tuple(a, Num(1)), Tuple(a, a), places(".v[1]")},
		{"a tuple of another length", two, Tuple(a, Num(1)), Tuple(a), here},

		{"in a single nested attribute", single, good, badName, places(".v.name")},
		{"a surplus attribute in a single nested attribute", single, good, extra, places(".v.extra")},
		{"a set in a list nested attribute", Nested(configschema.NestingList, "optional", ItemAttrs), List(good), Set(good), here},
		{"in a group block", group, good, badName, places(".v.name")},
		{"in a block in a block", outer, in(good), in(badName), places(".v.in.name")},

		{"list of the dynamic type: not a tuple", tuples, Tuple(good), Object(Obj{"k": good}), here},
		{"list of the dynamic type: a tuple of strings", tuples, Tuple(good), Tuple(a), here},
		{"list of the dynamic type: a static attribute of another type", tuples, Tuple(good), Tuple(Item(Num(1), a)), here},
		{"map of the dynamic type: not an object", objects, k(good), Tuple(good), here},
		{"map of the dynamic type: a map", objects, k(good), MapOf(Obj{"k": good}), here},
		{"map of the dynamic type: a surplus attribute", objects, k(good), k(extra), here},
		{"map of the dynamic type: a static attribute of another type", objects, k(good), Object(Obj{"k": good, "l": Item(cty.True, a)}), here},
		{"in a map of the dynamic type: the key is an attribute step", Block(configschema.NestingMap, nil, Blocks{"in": tuples}), k(in(Tuple(good))), k(in(Tuple(lacking))), places(".v.k.in")},
		{"in a map of the dynamic type in a tuple", inTuples, Tuple(in(k(good)), in(k(good))), Tuple(in(k(good)), in(a)), places(".v[1].in")},
	}
	for _, mode := range []configschema.NestingMode{configschema.NestingList, configschema.NestingSet, configschema.NestingMap} {
		rows = append(rows,
			row{"in a " + mode.String() + " nested attribute: at the collection", Nested(mode, "optional", ItemAttrs), WrapIn(mode, good), WrapIn(mode, lacking), here},
			row{"in " + mode.String() + " blocks: at the collection", Block(mode, ItemAttrs), WrapIn(mode, good), WrapIn(mode, badName), here})
	}
	for _, row := range rows {
		schema := &configschema.Block{Attributes: Attrs{"beside": text}}
		if attribute, ok := row.v.(*configschema.Attribute); ok {
			schema.Attributes["v"] = attribute
		} else {
			schema.BlockTypes = Blocks{"v": row.v.(*configschema.NestedBlock)}
		}
		with := func(v cty.Value) []cty.Value {
			values := []cty.Value{Str("p"), Str("a"), UnknownStr}
			for i, beside := range values {
				parts := Obj{"beside": beside}
				if v != cty.NilVal {
					parts["v"] = v
				}
				values[i] = Object(parts)
			}
			return values
		}
		for _, f := range functions {
			for _, arg := range f.takes {
				if f.name == planAction || arg.isIgnored {
					continue
				}
				t.Run(row.name+"/"+f.name+"/"+arg.name, func(t *testing.T) {
					values := with(row.good)
					values[arg.index] = with(row.bad)[arg.index]
					f.expectMismatch(t, f.run(schema, values...), row.paths...)
				})
			}
			if f.returnsValue() {
				t.Run(row.name+"/"+f.name, func(t *testing.T) { f.expectMismatch(t, f.run(schema, with(row.bad)...), row.paths...) })
			}
		}
	}
}

// expectMismatch checks that the violations are type mismatches at the paths. A lifecycle may report
// other violations, too.
func (f function) expectMismatch(t *testing.T, a result, paths ...string) {
	t.Helper()
	lines := []string{}
	for _, path := range paths {
		lines = append(lines, path+" type-mismatch")
	}
	switch {
	case f.returnsValue():
		expectRejected(t, a, lines[0])
	case f.name == lifecycleCheck: // any phase may report the mismatch
		for _, line := range lines {
			if !slices.Contains(Summary(a.found), line) {
				t.Errorf("missing the violation %q in %q", line, Summary(a.found))
			}
		}
	default:
		Expect(t, a.found, lines...)
	}
}

func places(paths ...string) []string { return paths }
