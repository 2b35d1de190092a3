package objchange_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
)

// semantics.md#action: what a plan does to a resource.
func TestPlanAction(t *testing.T) {
	a, b, open := item(str("1"), str("a")), item(str("1"), str("b")), item(unknownStr, str("a"))
	tests := []struct {
		name           string
		prior, planned cty.Value
		plain, replace objchange.Action // without and with replace asked for
	}{
		{"both null", noItem, noItem, objchange.ActionNoOp, objchange.ActionNoOp},
		{"both null, of different types", noItem, noDynamic, objchange.ActionNoOp, objchange.ActionNoOp},
		{"both the zero value", cty.NilVal, cty.NilVal, objchange.ActionNoOp, objchange.ActionNoOp},
		{"prior null", noItem, a, objchange.ActionCreate, objchange.ActionCreate},
		{"prior null, planned unknown", noDynamic, unknownItem, objchange.ActionCreate, objchange.ActionCreate},
		{"prior the zero value", cty.NilVal, a, objchange.ActionCreate, objchange.ActionCreate},
		{"planned null", a, noItem, objchange.ActionDelete, objchange.ActionDelete},
		{"planned the zero value", a, cty.NilVal, objchange.ActionDelete, objchange.ActionDelete},
		{"equal and wholly known", a, a, objchange.ActionNoOp, objchange.ActionReplace},
		{"equal but for marks", a.Mark("m"), item(str("1").Mark("m"), str("a")), objchange.ActionNoOp, objchange.ActionReplace},
		{"different", a, b, objchange.ActionUpdate, objchange.ActionReplace},
		{"unknown inside", a, open, objchange.ActionUpdate, objchange.ActionReplace},
		{"equal, but unknown inside", open, open, objchange.ActionUpdate, objchange.ActionReplace},
		{"unknown as a whole", a, unknownItem, objchange.ActionUpdate, objchange.ActionReplace},
		{"null inside, of different types", item(noStr, noDynamic), item(noStr, noStr), objchange.ActionUpdate, objchange.ActionReplace},
		{"of another type", a, str("a"), objchange.ActionUpdate, objchange.ActionReplace},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := objchange.PlanAction(test.prior, test.planned, false); got != test.plain {
				t.Errorf("got %s, want %s", got, test.plain)
			}
			if got := objchange.PlanAction(test.prior, test.planned, true); got != test.replace {
				t.Errorf("with replace: got %s, want %s", got, test.replace)
			}
		})
	}
}

// A replacing is a row about one attribute or block type, named v: which of the
// paths that the provider named require replacement, and what is wrong with them.
type replacing struct {
	name           string
	schema         *objchange.Block
	prior, planned cty.Value // of v
	paths, want    []cty.Path
	wrong          []string // as brief writes it
}

func testReplacings(t *testing.T, rows []replacing) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			got, found := objchange.RequiredReplace(row.schema, inV(row.prior), inV(row.planned), row.paths)
			expectPaths(t, got, row.want)
			expect(t, found, row.wrong...)
			expect(t, found.Enforced(), row.wrong...)
		})
	}
}

func expectPaths(t *testing.T, got, want []cty.Path) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmp.Comparer(cty.Path.Equals)); diff != "" {
		t.Errorf("paths (-want +got):\n%s", diff)
	}
}

// semantics.md#required-replacement: the paths where prior and planned differ.
func TestRequiredReplace(t *testing.T) {
	text, lists := withAttr(attr(cty.String, "optional")), withAttr(attr(cty.List(cty.String), "optional"))
	maps, sets := withAttr(attr(cty.Map(cty.String), "optional")), withAttr(attr(cty.Set(cty.Number), "optional"))
	any := withAttr(attr(cty.DynamicPseudoType, "optional"))
	a, b := str("a"), str("b")
	noList := cty.NullVal(cty.List(cty.String))
	v, k := paths(atV), paths(atV.Copy().IndexString("k"))
	first, second := atV.Copy().IndexInt(0), atV.Copy().IndexInt(1)
	elem1, elem2, attrK := atV.Copy().IndexInt(1), atV.Copy().IndexInt(2), atV.Copy().GetAttr("k")
	nowhere := wrong(".v[1] replace-path")
	testReplacings(t, []replacing{
		{"no paths", text, a, b, nil, nil, nil},
		{"differs", text, a, b, v, v, nil},
		{"equal", text, a, a, v, nil, nil},
		{"both null", text, noStr, noStr, v, nil, nil},
		{"becomes null", text, a, noStr, v, v, nil},
		{"was null", text, noStr, a, v, v, nil},
		{"unknown differs", text, a, unknownStr, v, v, nil},
		{"unknown differs from null", text, noStr, unknownStr, v, v, nil},
		{"unknown differs from unknown", text, unknownStr, unknownStr, v, v, nil},
		{"was unknown", text, unknownStr, a, v, v, nil},
		{"unknown inside differs", lists, list(a), list(unknownStr), v, v, nil},
		{"marks do not count", text, a, a.Mark("m"), v, nil, nil},
		{"differs and marked", text, a.Mark("m"), b, v, v, nil},
		{"the root", text, a, b, paths(cty.Path{}), paths(cty.Path{}), nil},
		{"the root, equal", text, a, a, paths(cty.Path{}), nil, nil},

		{"list index", lists, list(a, a), list(a, b), paths(first, second), paths(second), nil},
		{"list index of planned only", lists, list(a), list(a, b), paths(second), paths(second), nil},
		{"list index of prior only", lists, list(a, b), list(a), paths(second), paths(second), nil},
		{"list index of neither", lists, list(a), list(b), paths(second), nil, nowhere},
		{"list index, prior null", lists, noList, list(a), paths(first), paths(first), nil},
		{"list index, planned null", lists, list(a), noList, paths(first), paths(first), nil},
		{"list index, both null", lists, noList, noList, paths(second), nil, nowhere},
		{"list index, planned unknown", lists, list(a), cty.UnknownVal(noList.Type()), paths(first), paths(first), nil},
		{"map key", maps, mapOf(obj{"k": a, "l": a}), mapOf(obj{"k": b, "l": a}), paths(k[0], atV.Copy().IndexString("l")), k, nil},
		{"map key of one only", maps, mapOf(obj{"k": a}), cty.MapValEmpty(cty.String), k, k, nil},
		{"map key of neither", maps, mapOf(obj{"l": a}), mapOf(obj{"l": a}), k, nil, wrong(`.v["k"] replace-path`)},
		{"list element that is null and new", lists, list(a), list(a, noStr), paths(second), paths(second), nil},
		{"list element that is null and gone", lists, list(a, noStr), list(a), paths(second), paths(second), nil},
		{"map element that is null and new", maps, cty.MapValEmpty(cty.String), mapOf(obj{"k": noStr}), k, k, nil},
		{"map key as an attribute", maps, mapOf(obj{"k": a, "l": a}), mapOf(obj{"k": b, "l": a}), paths(attrK, atV.Copy().GetAttr("l")), paths(attrK), nil},
		{"map key as a number", maps, mapOf(obj{"1": a}), mapOf(obj{"1": b}), paths(second), paths(second), nil},
		{"list index as text", lists, list(a, a), list(a, b), paths(atV.Copy().IndexString("1")), paths(atV.Copy().IndexString("1")), nil},
		{"list index as text that is no number", lists, list(a), list(b), paths(k[0]), nil, wrong(`.v["k"] replace-path`)},
		{"list index as an attribute", lists, list(a), list(b), paths(attrK), nil, wrong(".v.k replace-path")},
		{"key of an object", any, object(obj{"k": a}), object(obj{"k": b}), paths(attrK, k[0]), paths(attrK, k[0]), nil},
		{"nulls of two types", any, noStr, noDynamic, v, nil, nil},
		{"tuple element that is null and new", any, tuple(a), tuple(a, noDynamic), paths(second), paths(second), nil},
		{"set element of both", sets, set(num(1)), set(num(1), num(2)), paths(elem1), nil, nil},
		{"set element of planned only", sets, set(num(1)), set(num(1), num(2)), paths(elem2), paths(elem2), nil},
		{"set element of prior only", sets, set(num(1), num(2)), set(num(1)), paths(elem2), paths(elem2), nil},
		{"set element of neither", sets, set(num(1)), set(num(1)), paths(elem2), nil, wrong(".v[*] replace-path")},
		{"set element, set unknown", sets, set(num(1)), cty.UnknownVal(cty.Set(cty.Number)), paths(elem1), paths(elem1), nil},
		{"text of a set", withAttr(attr(cty.Set(cty.String), "optional")), set(a), set(b), paths(atV.Copy().Index(a)), nil, wrong(".v[*] replace-path")},

		{"in the given order, each once", lists, list(a, a), list(b, b), paths(second, first, second, atV, first), paths(second, first, atV), nil},
		{"violations in path order, each once", lists, list(a), list(b), paths(second, atV.Copy().GetAttr("x"), cty.GetAttrPath("a"), first, second), paths(first),
			wrong(".a replace-path", ".v.x replace-path", ".v[1] replace-path")},
		{"no such attribute", text, a, b, paths(cty.GetAttrPath("x"), atV), v, wrong(".x replace-path")},
		{"steps without a key", sets, set(num(1)), set(num(2)), paths(atV.Copy().Index(cty.NilVal)), nil, wrong(".v[*] replace-path")},
		{"a marked element", sets, set(num(1)), set(num(2)), paths(atV.Copy().Index(num(1).Mark("m"))), paths(atV.Copy().Index(num(1).Mark("m"))), nil},
	})
}

func TestRequiredReplaceNested(t *testing.T) {
	lists, sets := withBlock(block(objchange.NestingList, itemAttrs)), withAttr(nested(objchange.NestingSet, "optional", itemAttrs))
	single, tuples := withBlock(block(objchange.NestingSingle, itemAttrs)), withBlock(block(objchange.NestingList, dynAttrs))
	objects, maps := withBlock(block(objchange.NestingMap, dynAttrs)), withAttr(nested(objchange.NestingMap, "optional", itemAttrs))
	a, b := item(noStr, str("a")), item(noStr, str("b"))
	name := atV.Copy().GetAttr("name")
	second := atV.Copy().IndexInt(1).GetAttr("name")
	inA, k := atV.Copy().Index(a).GetAttr("name"), atV.Copy().IndexString("k").GetAttr("name")
	attrK := atV.Copy().GetAttr("k").GetAttr("name")
	testReplacings(t, []replacing{
		{"in a single block", single, a, b, paths(name), paths(name), nil},
		{"in a single block that appears", single, noItem, b, paths(name), paths(name), nil},
		{"in a single block, null where there was none", single, noItem, item(noStr, noStr), paths(name), paths(name), nil},
		{"in a single block, null where there is none now", single, item(noStr, noStr), noItem, paths(name), paths(name), nil},
		{"in a single block, none at all", single, noItem, noItem, paths(name), nil, wrong(".v.name replace-path")},
		{"in a list", lists, list(a, a), list(a, b), paths(second), paths(second), nil},
		{"in a block that is new", lists, list(a), list(a, b), paths(second), paths(second), nil},
		{"in a block that was never there", lists, list(a), list(b), paths(second), nil, wrong(".v[1].name replace-path")},
		{"in a map", maps, mapOf(obj{"k": a}), mapOf(obj{"k": b}), paths(k), paths(k), nil},
		{"in a set element of both", sets, set(a, b), set(a), paths(inA), nil, nil},
		{"in a set element that went", sets, set(a), set(b), paths(inA), paths(inA), nil},
		{"in a set element of neither", sets, set(b), set(b), paths(inA), nil, wrong(".v[*].name replace-path")},
		{"in dynamic blocks of a list", tuples, tuple(a, item(noStr, num(1))), tuple(a, b), paths(second), paths(second), nil},
		{"in dynamic blocks of a map", objects, object(obj{"k": item(noStr, num(1))}), object(obj{"k": b}), paths(attrK), paths(attrK), nil},
		{"for_each unknown", lists, list(a, a), cty.UnknownVal(cty.List(itemType)), paths(second), paths(second), nil},
	})
}

// semantics.md#required-replacement: a write-only attribute always requires it,
// since nobody sees what changed.
func TestRequiredReplaceWriteOnly(t *testing.T) {
	schema := withAttr(attr(cty.String, "optional writeonly"))
	lists := withBlock(block(objchange.NestingList, attrs{"secret": attr(cty.String, "optional writeonly")}))
	secret := object(obj{"secret": noStr})
	second := atV.Copy().IndexInt(1).GetAttr("secret")
	testReplacings(t, []replacing{
		{"null in both", schema, noStr, noStr, paths(atV), paths(atV), nil},
		{"twice", schema, noStr, noStr, paths(atV, atV), paths(atV), nil},
		{"in a block", lists, list(secret, secret), list(secret, secret), paths(second), paths(second), nil},
		{"in a block of one only", lists, list(secret), list(secret, secret), paths(second), paths(second), nil},
		{"in a block that is not there", lists, list(secret), list(secret), paths(second), nil, wrong(".v[1].secret replace-path")},
	})
}

// semantics.md#required-replacement: a null prior value requires none, and what
// is no use is refused.
func TestRequiredReplaceWhole(t *testing.T) {
	schema := withAttr(attr(cty.String, "optional"))
	null, unknown, a := cty.NullVal(schema.ImpliedType()), cty.UnknownVal(schema.ImpliedType()), inV(str("a"))
	tests := []struct {
		name           string
		schema         *objchange.Block
		prior, planned cty.Value
		want           []cty.Path
		wrong          []string
	}{
		{"a create", schema, null, a, nil, nil},
		{"a create of an untyped null", schema, noDynamic, a, nil, nil},
		{"both null", schema, null, null, nil, nil},
		{"a delete", schema, a, null, paths(atV), wrong(".x replace-path")},
		{"planned unknown", schema, a, unknown, paths(atV), wrong(".x replace-path")},
		{"prior unknown", schema, unknown, a, nil, wrong(" invalid-input")},
		{"prior the zero value", schema, cty.NilVal, a, nil, nil},
		{"planned the zero value", schema, a, cty.NilVal, nil, wrong(" invalid-input")},
		{"planned of another type", schema, a, inV(num(1)), nil, wrong(".v type-mismatch")},
		{"no schema", nil, a, a, nil, wrong(" invalid-input")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, found := objchange.RequiredReplace(test.schema, test.prior, test.planned, paths(atV, cty.GetAttrPath("x")))
			expectPaths(t, got, test.want)
			expect(t, found, test.wrong...)
		})
	}
	secret := withAttr(attr(cty.Map(cty.String), "optional sensitive"))
	_, found := objchange.RequiredReplace(secret, inV(mapOf(obj{"k": str("a")})), inV(mapOf(obj{"k": str("a")})), paths(atV.Copy().IndexString("canary")))
	expect(t, found, ".v[(sensitive)] replace-path")
}

// semantics.md#partial-state: what Core keeps when apply failed.
func TestPartialState(t *testing.T) {
	schema := &objchange.Block{Attributes: itemAttrs}
	a, b, open := item(str("1"), str("a")), item(str("2"), str("b")), item(unknownStr, str("b"))
	planned := item(unknownStr, str("b"))
	tests := []struct {
		name                           string
		prior, planned, returned, want cty.Value
		tainted                        bool
	}{
		{"update, something returned", a, planned, b, b, false},
		{"update, the prior returned", a, planned, a, a, false},
		{"update, unknown values returned", a, planned, open, item(noStr, str("b")), false},
		{"update, nothing returned: prior", a, planned, cty.NilVal, a, false},
		{"update, null returned: prior", a, planned, noItem, a, false},
		{"update, an untyped null returned: prior", a, planned, noDynamic, a, false},
		{"update, unknown as a whole returned: prior", a, planned, unknownItem, a, false},
		{"update, an untyped unknown returned: prior", a, planned, cty.DynamicVal, a, false},
		{"update of an unknown plan", a, unknownItem, b, b, false},
		{"update, another type returned: prior", a, planned, str("b"), a, false},
		{"update, another type inside returned: prior", a, planned, item(noStr, num(1)), a, false},
		{"update, the zero value inside returned: prior", a, planned, item(noStr, cty.NilVal), a, false},
		{"create, another type returned: null", noItem, planned, str("b"), noItem, true},
		{"delete, another type returned: prior", a, noItem, str("b"), a, false},
		{"prior the zero value", cty.NilVal, planned, b, b, true},
		{"prior with an unknown value, as it was", open, planned, cty.NilVal, open, false},
		{"create, something returned", noItem, planned, b, b, true},
		{"create, unknown values returned", noDynamic, planned, open, item(noStr, str("b")), true},
		{"create, nothing returned: null", noItem, planned, cty.NilVal, noItem, true},
		{"create, null returned: null", noItem, planned, noItem, noItem, true},
		{"delete, nothing returned: null", a, noItem, cty.NilVal, noItem, false},
		{"delete, null returned: null", a, noItem, noItem, noItem, false},
		{"delete, something returned", a, noItem, b, b, false},
		{"delete, unknown values returned", a, noItem, open, item(noStr, str("b")), false},
		{"delete, unknown as a whole returned: null", a, noItem, unknownItem, noItem, false},
		{"nothing to nothing", noItem, noItem, cty.NilVal, noItem, false},
		{"marks of what is returned", a.Mark("p"), planned, item(unknownStr.Mark("m"), str("b")).Mark("r"), item(noStr.Mark("m"), str("b")).Mark("r"), false},
		{"marks of prior", item(str("1").Mark("m"), str("a")).Mark("p"), planned, noItem.Mark("r"), item(str("1").Mark("m"), str("a")).Mark("p"), false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, tainted, err := objchange.PartialState(schema, test.prior, test.planned, test.returned)
			expectValue(t, got, err, test.want)
			if tainted != test.tainted {
				t.Errorf("tainted: %t", tainted)
			}
		})
	}
}

// partialState is what is left of a failed create.
func partialState(schema *objchange.Block, returned cty.Value) (cty.Value, error) {
	state, _, err := objchange.PartialState(schema, noDynamic, cty.UnknownVal(schema.ImpliedType()), returned)
	if err == nil && objchange.AssertStateValid(schema, state).Enforced() != nil {
		return state, objchange.AssertStateValid(schema, state).Err()
	}
	return state, err
}

// semantics.md#partial-state: every unknown is replaced by null, and the state
// is then valid.
func TestPartialStateAtDepth(t *testing.T) {
	deepLists, dynamic := withAttr(attr(cty.List(cty.List(cty.String)), "computed")), withAttr(attr(cty.DynamicPseudoType, "computed"))
	sets := withAttr(attr(cty.Set(cty.String), "computed"))
	lists := withBlock(block(objchange.NestingList, nil, blocks{"in": block(objchange.NestingMap, itemAttrs)}))
	in := func(v cty.Value) cty.Value { return object(obj{"in": v}) }
	a, open, closed := str("a"), item(unknownStr, str("a")), item(noStr, str("a"))
	testRewritings(t, partialState, []rewriting{
		{"in plain lists", deepLists, list(list(a, unknownStr), cty.UnknownVal(cty.List(cty.String))), list(list(a, noStr), cty.NullVal(cty.List(cty.String)))},
		{"in plain lists, marked", deepLists, list(list(a, unknownStr).Mark("m")).Mark("n"), list(list(a, noStr).Mark("m")).Mark("n")},
		{"in plain sets", sets, set(a, unknownStr, unknownStr), set(a, noStr)},
		{"in a dynamic attribute", dynamic, tuple(cty.DynamicVal, object(obj{"x": unknownNum})), tuple(noDynamic, object(obj{"x": noNum}))},
		{"a dynamic attribute", dynamic, cty.DynamicVal, noDynamic},
		{"at depth", lists, list(in(mapOf(obj{"k": open}))), list(in(mapOf(obj{"k": closed})))},
		{"blocks at depth", lists, list(in(cty.UnknownVal(cty.Map(itemType)))), list(in(cty.NullVal(cty.Map(itemType))))},
		{"dynamic blocks", withBlock(block(objchange.NestingList, dynAttrs)), tuple(open, item(noStr, cty.DynamicVal)), tuple(closed, item(noStr, noDynamic))},
		{"dynamic blocks, unknown", withBlock(block(objchange.NestingList, dynAttrs)), cty.DynamicVal, noDynamic},
	})
	for _, mode := range everyMode {
		kinds := map[string]*objchange.Block{"block": withBlock(block(mode, itemAttrs)), "attribute": withAttr(nested(mode, "computed", itemAttrs))}
		null := cty.NullVal(typeIn(mode, itemType))
		for kind, schema := range kinds {
			t.Run(kind+" "+mode.String(), func(t *testing.T) {
				testRewritings(t, partialState, []rewriting{
					{"known", schema, inMode(mode, closed), inMode(mode, closed)},
					{"unknown inside", schema, inMode(mode, open), inMode(mode, closed)},
					{"unknown", schema, cty.UnknownVal(null.Type()), null},
					{"unknown element", schema, inMode(mode, unknownItem), inMode(mode, noItem)},
					{"marked", schema, inMode(mode, open).Mark("m"), inMode(mode, closed).Mark("m")},
				})
			})
		}
	}
}

// semantics.md#partial-state: what holds a write-only value is not kept.
func TestPartialStateWriteOnly(t *testing.T) {
	plain := withAttr(attr(cty.String, "optional writeonly"))
	inner := attrs{"id": attr(cty.String, "computed"), "name": attr(cty.String, "optional writeonly")}
	lists, maps := withBlock(block(objchange.NestingList, inner)), withAttr(nested(objchange.NestingMap, "optional", inner))
	full, open, none := item(str("1"), str("secret")), item(str("1"), unknownStr), item(str("1"), noStr)
	for _, test := range []struct {
		name                  string
		schema                *objchange.Block
		prior, returned, want cty.Value // of v
	}{
		{"set", plain, noStr, str("secret"), noStr},
		{"unknown", plain, noStr, unknownStr, noStr},
		{"null", plain, noStr, noStr, noStr},
		{"in a list of blocks", lists, list(none), list(none, full), list(none)},
		{"unknown in a list of blocks", lists, list(none), list(open, none), list(none)},
		{"null in a list of blocks", lists, list(none), list(none, none), list(none, none)},
		{"in a map of nested attributes", maps, mapOf(obj{"k": none}), mapOf(obj{"l": full}), mapOf(obj{"k": none})},
		{"in an unknown nested attribute", maps, mapOf(obj{"k": none}), mapOf(obj{"l": unknownItem}), mapOf(obj{"k": none})},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, tainted, err := objchange.PartialState(test.schema, inV(test.prior), inV(test.prior), inV(test.returned))
			expectValue(t, got, err, inV(test.want))
			if tainted {
				t.Error("tainted")
			}
		})
	}
}

func TestPartialStateErrors(t *testing.T) {
	schema := withAttr(attr(cty.String, "optional"))
	a, other := inV(str("a")), inV(num(1))
	for name, test := range map[string]struct {
		schema                   *objchange.Block
		prior, planned, returned cty.Value
		rule                     objchange.Rule
		place                    string
	}{
		"no schema":              {nil, a, a, a, objchange.RuleInvalidInput, ""},
		"prior unknown":          {schema, cty.DynamicVal, a, a, objchange.RuleInvalidInput, ""},
		"planned the zero value": {schema, a, cty.NilVal, a, objchange.RuleInvalidInput, ""},
		"prior of another type":  {schema, other, a, a, objchange.RuleTypeMismatch, ".v"},
	} {
		t.Run(name, func(t *testing.T) {
			state, tainted, err := objchange.PartialState(test.schema, test.prior, test.planned, test.returned)
			expectRefusal(t, state, err, test.rule, test.place)
			if tainted {
				t.Error("tainted")
			}
		})
	}
}
