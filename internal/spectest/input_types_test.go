package spectest

import (
	"slices"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
)

// TestTypeMismatchIsReportedAtItsPlace checks rules/input.md#type-mismatch: a value that does not
// conform is reported at the path of the mismatch, and all other parts are still checked.
func TestTypeMismatchIsReportedAtItsPlace(t *testing.T) {
	text := attr(cty.String, "optional")
	texts := attr(cty.List(cty.String), "optional")
	pair := cty.Object(map[string]cty.Type{"a": cty.String, "b": cty.String})
	plain := attr(pair, "optional")
	deep := attr(cty.Object(map[string]cty.Type{"in": pair}), "optional")
	two := attr(cty.Tuple([]cty.Type{cty.String, cty.Number}), "optional")
	single := nested(configschema.NestingSingle, "optional", itemAttrs)
	group := block(configschema.NestingGroup, itemAttrs)
	outer := block(configschema.NestingGroup, nil, blocks{"in": block(configschema.NestingSingle, itemAttrs)})
	tuples, objects := block(configschema.NestingList, dynAttrs), block(configschema.NestingMap, dynAttrs)
	inTuples := block(configschema.NestingList, nil, blocks{"in": objects})
	inSingle := block(configschema.NestingSingle, nil, blocks{"in": objects})
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
	here := pathList(".v")
	rows := []row{
		{"a missing attribute", text, a, cty.NilVal, here},
		{"a missing block", group, good, cty.NilVal, here},
		{"another type", text, a, num(1), here},
		{"a nested list with a dynamic attribute: a tuple", nested(configschema.NestingList, "optional", dynAttrs), list(good), tuple(good, item(noStr, num(1))), here},
		{"a nested map with a dynamic attribute: an object", nested(configschema.NestingMap, "optional", dynAttrs), mapOf(obj{"k": good}), object(obj{"k": good}), here},
		{"a null of another type", text, noStr, noNum, here},
		{"a null of the dynamic type", text, noStr, noDynamic, here},
		{"an unknown of the dynamic type", text, unknownStr, cty.DynamicVal, here},
		{"an unknown of another type", text, unknownStr, unknownNum, here},
		{"another element type: at the collection", texts, list(a), list(num(1)), here},
		{"another collection", texts, list(a), set(a), here},
		{"a tuple for a list", texts, list(a), tuple(a), here},
		{"part of an object", plain, ab(a, a), ab(num(1), a), pathList(".v.a")},
		{"parts of an object", plain, ab(a, a), ab(num(1), cty.True), pathList(".v.a", ".v.b")},
		{"a missing attribute of an object", plain, ab(a, a), object(obj{"a": a}), pathList(".v.b")},
		{"a surplus attribute of an object", plain, ab(a, a), object(obj{"a": a, "b": a, "c": a}), pathList(".v.c")},
		{"part of an object in an object", deep, in(ab(a, a)), in(ab(a, num(1))), pathList(".v.in.b")},
		{"an object's null part", plain, ab(a, noStr), ab(a, noNum), pathList(".v.b")},
		{"an object in a list: at the collection", attr(cty.List(pair), "optional"), list(ab(a, a)), list(ab(a, num(1))), here},
		{"part of a tuple", two, tuple(a, num(1)), tuple(a, a), pathList(".v[1]")},
		{"a tuple of another length", two, tuple(a, num(1)), tuple(a), here},

		{"a list for a set", attr(cty.Set(cty.String), "optional"), set(a), list(a), here},
		{"a collection in an object", attr(cty.Object(map[string]cty.Type{"l": cty.List(itemType)}), "optional"), object(obj{"l": list(good)}), object(obj{"l": list(badName)}), pathList(".v.l")},

		{"in a single nested attribute", single, good, badName, pathList(".v.name")},
		{"missing in a single nested attribute", single, good, lacking, pathList(".v.name")},
		{"a surplus attribute in a single nested attribute", single, good, extra, pathList(".v.extra")},
		{"no object in a single nested attribute", single, good, a, here},
		{"a set in a list nested attribute", nested(configschema.NestingList, "optional", itemAttrs), list(good), set(good), here},
		{"a tuple in a list nested attribute", nested(configschema.NestingList, "optional", itemAttrs), list(good), tuple(good), here},
		{"a tuple in list blocks", block(configschema.NestingList, itemAttrs), list(good), tuple(good), here},
		{"an object in map blocks", block(configschema.NestingMap, itemAttrs), mapOf(obj{"k": good}), k(good), here},
		{"in a single block", block(configschema.NestingSingle, itemAttrs), good, badName, pathList(".v.name")},
		{"in a single block in a single block", block(configschema.NestingSingle, nil, blocks{"in": block(configschema.NestingSingle, itemAttrs)}), in(good), in(badName), pathList(".v.in.name")},
		{"in a group block", group, good, badName, pathList(".v.name")},
		{"missing in a group block", group, good, lacking, pathList(".v.name")},
		{"a surplus attribute in a group block", group, good, extra, pathList(".v.extra")},
		{"in a block in a block", outer, in(good), in(badName), pathList(".v.in.name")},

		{"list of the dynamic type: not a tuple", tuples, tuple(good), object(obj{"k": good}), here},
		{"list of the dynamic type: a list", tuples, tuple(good), list(good), here},
		{"list of the dynamic type: not a collection", tuples, tuple(good), a, here},
		{"list of the dynamic type: a tuple of strings", tuples, tuple(good), tuple(a), here},
		{"list of the dynamic type: a missing attribute", tuples, tuple(good), tuple(good, lacking), here},
		{"list of the dynamic type: a static attribute of another type", tuples, tuple(good), tuple(item(num(1), a)), here},
		{"map of the dynamic type: not an object", objects, k(good), tuple(good), here},
		{"map of the dynamic type: a map", objects, k(good), mapOf(obj{"k": good}), here},
		{"map of the dynamic type: an object with a string", objects, k(good), k(a), here},
		{"map of the dynamic type: a surplus attribute", objects, k(good), k(extra), here},
		{"map of the dynamic type: a static attribute of another type", objects, k(good), object(obj{"k": good, "l": item(cty.True, a)}), here},
		{"in a map of the dynamic type: the key is an attribute step", block(configschema.NestingMap, nil, blocks{"in": tuples}), k(in(tuple(good))), k(in(tuple(lacking))), pathList(".v.k.in")},
		{"in a map of the dynamic type in a tuple", inTuples, tuple(in(k(good)), in(k(good))), tuple(in(k(good)), in(a)), pathList(".v[1].in")},
		{"in a map of the dynamic type in a single block", inSingle, in(k(good)), in(k(a)), pathList(".v.in")},
	}
	for _, mode := range []configschema.NestingMode{configschema.NestingList, configschema.NestingSet, configschema.NestingMap} {
		attribute, blocks := nested(mode, "optional", itemAttrs), block(mode, itemAttrs)
		for name, bad := range map[string]cty.Value{"": badName, "missing ": lacking, "too many ": extra} {
			rows = append(rows,
				row{name + "in a " + mode.String() + " nested attribute: at the collection", attribute, wrapIn(mode, good), wrapIn(mode, bad), here},
				row{name + "in " + mode.String() + " blocks: at the collection", blocks, wrapIn(mode, good), wrapIn(mode, bad), here})
		}
		rows = append(rows, row{"no collection in " + mode.String() + " blocks", blocks, wrapIn(mode, good), a, here})
	}
	for _, row := range rows {
		schema := &configschema.Block{Attributes: attrs{"beside": text}}
		if attribute, ok := row.v.(*configschema.Attribute); ok {
			schema.Attributes["v"] = attribute
		} else {
			schema.BlockTypes = blocks{"v": row.v.(*configschema.NestedBlock)}
		}
		with := func(v cty.Value) []cty.Value {
			values := []cty.Value{str("p"), str("a"), unknownStr}
			for i, beside := range values {
				parts := obj{"beside": beside}
				if v != cty.NilVal {
					parts["v"] = v
				}
				values[i] = object(parts)
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
			if !slices.Contains(summary(a.found), line) {
				t.Errorf("missing the violation %q in %q", line, summary(a.found))
			}
		}
	default:
		expect(t, a.found, lines...)
	}
}

func TestTypeMismatchAtRoot(t *testing.T) {
	schema := &configschema.Block{Attributes: attrs{"a": leafAttr, "v": leafAttr}}
	good := object(obj{"a": noStr, "v": str("a")})
	for _, row := range []struct {
		name  string
		bad   cty.Value
		paths []string
	}{
		{"a string", str("a"), pathList("")},
		{"a null string", noStr, pathList("")},
		{"a list of objects", list(good), pathList("")},
		{"a map", mapOf(obj{"a": noStr, "v": str("a")}), pathList("")},
		{"a surplus attribute", object(obj{"a": noStr, "v": str("a"), "extra": str("a")}), pathList(".extra")},
		{"no attributes", cty.EmptyObjectVal, pathList(".a", ".v")},
		{"in path order", object(obj{"v": num(1), "a": num(1)}), pathList(".a", ".v")},
	} {
		for _, f := range functions {
			for _, arg := range f.takes {
				if f.name == planAction || arg.isIgnored {
					continue
				}
				t.Run(row.name+"/"+f.name+"/"+arg.name, func(t *testing.T) {
					f.expectMismatch(t, f.runWith(arg, schema, row.bad, good), row.paths...)
				})
			}
		}
	}
	null := cty.NullVal(cty.Object(map[string]cty.Type{"a": cty.String, "v": cty.Bool}))
	for _, f := range functions {
		if f.name != planAction {
			t.Run("in a null/"+f.name, func(t *testing.T) { f.expectMismatch(t, f.run(schema, null, null, null), ".v") })
		}
	}
}
