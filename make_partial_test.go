package objchange_test

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
)

// semantics.md#partial-state: what Core keeps when apply failed.
func TestPartialState(t *testing.T) {
	schema := &configschema.Block{Attributes: itemAttrs}
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
			got, tainted, err := objchange.PartialState(compiled(schema), test.prior, test.planned, test.returned)
			expectValue(t, got, err, test.want)
			if tainted != test.tainted {
				t.Errorf("tainted: %t", tainted)
			}
		})
	}
}

// partialState is what is left of a failed create.
func partialState(schema *objchange.Schema, returned cty.Value) (cty.Value, error) {
	state, _, err := objchange.PartialState(schema, noDynamic, cty.UnknownVal(schema.ImpliedType()), returned)
	if err == nil && objchange.AssertStateValid(schema, state).Enforced() != nil {
		return state, objchange.AssertStateValid(schema, state).Err()
	}
	return state, err
}

// semantics.md#partial-state: every unknown is replaced by null, and the state
// is then valid.
func TestPartialStateAtDepth(t *testing.T) {
	deepLists, dynamic := schemaOf(attr(cty.List(cty.List(cty.String)), "computed")), schemaOf(attr(cty.DynamicPseudoType, "computed"))
	sets := schemaOf(attr(cty.Set(cty.String), "computed"))
	lists := schemaOfBlock(block(configschema.NestingList, nil, blocks{"in": block(configschema.NestingMap, itemAttrs)}))
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
		{"dynamic blocks", schemaOfBlock(block(configschema.NestingList, dynAttrs)), tuple(open, item(noStr, cty.DynamicVal)), tuple(closed, item(noStr, noDynamic))},
		{"dynamic blocks, unknown", schemaOfBlock(block(configschema.NestingList, dynAttrs)), cty.DynamicVal, noDynamic},
	})
	for _, mode := range blockModes {
		kinds := map[string]*configschema.Block{"block": schemaOfBlock(block(mode, itemAttrs)), "attribute": schemaOf(nested(mode, "computed", itemAttrs))}
		null := cty.NullVal(typeHeldIn(mode, itemType))
		for kind, schema := range kinds {
			t.Run(kind+" "+mode.String(), func(t *testing.T) {
				testRewritings(t, partialState, []rewriting{
					{"known", schema, heldIn(mode, closed), heldIn(mode, closed)},
					{"unknown inside", schema, heldIn(mode, open), heldIn(mode, closed)},
					{"unknown", schema, cty.UnknownVal(null.Type()), null},
					{"unknown element", schema, heldIn(mode, unknownItem), heldIn(mode, noItem)},
					{"marked", schema, heldIn(mode, open).Mark("m"), heldIn(mode, closed).Mark("m")},
				})
			})
		}
	}
}

// semantics.md#partial-state: what holds a write-only value is not kept.
func TestPartialStateWriteOnly(t *testing.T) {
	plain := schemaOf(attr(cty.String, "optional writeonly"))
	inner := attrs{"id": attr(cty.String, "computed"), "name": attr(cty.String, "optional writeonly")}
	lists, maps := schemaOfBlock(block(configschema.NestingList, inner)), schemaOf(nested(configschema.NestingMap, "optional", inner))
	full, open, none := item(str("1"), str("secret")), item(str("1"), unknownStr), item(str("1"), noStr)
	for _, test := range []struct {
		name                  string
		schema                *configschema.Block
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
			got, tainted, err := objchange.PartialState(compiled(test.schema), objectOf(test.prior), objectOf(test.prior), objectOf(test.returned))
			expectValue(t, got, err, objectOf(test.want))
			if tainted {
				t.Error("tainted")
			}
		})
	}
}

func TestPartialStateErrors(t *testing.T) {
	schema := schemaOf(attr(cty.String, "optional"))
	a, other := objectOf(str("a")), objectOf(num(1))
	for name, test := range map[string]struct {
		schema                   *configschema.Block
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
			state, tainted, err := objchange.PartialState(compiled(test.schema), test.prior, test.planned, test.returned)
			expectRefusal(t, state, err, test.rule, test.place)
			if tainted {
				t.Error("tainted")
			}
		})
	}
}
