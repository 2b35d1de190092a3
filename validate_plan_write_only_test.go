package objchange_test

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
)

// semantics.md#write-only-not-null: write-only attributes are null in a plan,
// at every depth and whatever is said of what is around them.

func TestPlanValidWriteOnlyAttributes(t *testing.T) {
	schema := schemaOf(attr(cty.String, "optional writeonly"))
	required := schemaOf(attr(cty.String, "required writeonly"))
	nestedOne := schemaOf(nested(configschema.NestingSingle, "optional writeonly", itemAttrs))
	nestedList := schemaOf(nested(configschema.NestingList, "optional writeonly", itemAttrs))
	c, broken := item(noStr, str("c")), wrong(".v write-only-not-null")
	testPlannings(t, []planning{
		{"null where config is set: fine, nothing else is said", schema, noStr, str("c"), noStr, nil},
		{"null where config is unknown", schema, noStr, unknownStr, noStr, nil},
		{"null where config is null", schema, noStr, noStr, noStr, nil},
		{"required", required, noStr, str("c"), noStr, nil},
		{"equal to config", schema, noStr, str("c"), str("c"), broken},
		{"equal to prior", schema, str("p"), str("c"), str("p"), broken},
		{"equal to an unknown config: unknown is not null", schema, noStr, unknownStr, unknownStr, broken},
		{"nothing else is said: not configured", schema, noStr, noStr, str("x"), broken},
		{"nothing else is said: neither config nor prior", required, noStr, str("c"), str("x"), broken},
		{"nothing else is said: unknown", required, noStr, str("c"), unknownStr, broken},

		{"nested: null where config is set", nestedOne, noItem, c, noItem, nil},
		{"nested: nothing is said of what is below", nestedOne, noItem, c, item(noStr, str("x")), broken},
		{"nested: unknown as a whole", nestedOne, noItem, c, unknownItem, broken},
		{"nested list: nothing is said of its length", nestedList, emptyItems, list(c), list(c, c), broken},
	})
}

// semantics.md#write-only-not-null: in nested attributes, computed ones and
// those equal to config too.
func TestPlanValidWriteOnlyInNestedAttributes(t *testing.T) {
	steps := map[configschema.NestingMode]string{configschema.NestingSingle: "", configschema.NestingList: "[0]", configschema.NestingMap: `["k"]`}
	s, n := str("s"), str("n")
	for mode, step := range steps {
		optional := schemaOf(nested(mode, "optional", secretAttrs))
		computedOnly := schemaOf(nested(mode, "computed", secretAttrs))
		both := schemaOf(nested(mode, "optional computed", secretAttrs))
		null := cty.NullVal(typeHeldIn(mode, secretType))
		unknown := cty.UnknownVal(null.Type())
		in := func(v cty.Value) cty.Value { return heldIn(mode, v) }
		place := ".v" + step + ".wo write-only-not-null"
		t.Run(mode.String(), func(t *testing.T) {
			testPlannings(t, []planning{
				{"null", optional, null, in(secret(s, n)), in(secret(noStr, n)), nil},
				{"the attribute is equal to config", optional, null, in(secret(s, n)), in(secret(s, n)), wrong(place)},
				{"the attribute is equal to prior", optional, in(secret(s, n)), in(secret(noStr, s)), in(secret(s, n)), wrong(place)},
				{"the attribute is not configured", optional, null, null, in(secret(s, n)), wrong(".v plan-not-computed", place)},
				{"computed-only", computedOnly, null, null, in(secret(s, n)), wrong(place)},
				{"optional and computed, config null", both, null, null, in(secret(s, n)), wrong(place)},
				{"unknown is not null", optional, null, in(secret(s, n)), in(secret(unknownStr, n)), wrong(place)},
				{"beside another violation", optional, null, in(secret(s, n)), in(secret(s, s)),
					wrong(".v"+step+".name plan-not-config", place)},
				{"an attribute unknown as a whole is not looked into", both, null, null, unknown, nil},
				{"the same of a configured one", optional, null, in(secret(s, n)), unknown, wrong(".v plan-unknown-nested")},
			})
		})
	}
}

// semantics.md#write-only-not-null: an unknown element of a nested attribute
// has unknown attributes.
func TestPlanValidWriteOnlyInUnknownElements(t *testing.T) {
	lists := schemaOf(nested(configschema.NestingList, "optional computed", secretAttrs))
	maps := schemaOf(nested(configschema.NestingMap, "optional computed", secretAttrs))
	deep := schemaOf(nested(configschema.NestingList, "computed", attrs{"in": nested(configschema.NestingSingle, "computed", secretAttrs)}))
	noList, noMap := cty.NullVal(cty.List(secretType)), cty.NullVal(cty.Map(secretType))
	c := secret(noStr, str("n"))
	innerType := cty.Object(map[string]cty.Type{"in": secretType})
	testPlannings(t, []planning{
		{"list", lists, noList, noList, list(c, unknownSecret), wrong(".v[1].wo write-only-not-null")},
		{"list, config unknown there too", lists, noList, list(unknownSecret), list(unknownSecret), wrong(".v[0].wo write-only-not-null")},
		{"list, configured", lists, noList, list(c), list(unknownSecret), wrong(".v[0].name plan-not-config", ".v[0].wo write-only-not-null")},
		{"map", maps, noMap, noMap, mapOf(obj{"k": unknownSecret}), wrong(`.v["k"].wo write-only-not-null`)},
		{"a null element has none", lists, noList, noList, list(cty.NullVal(secretType)), nil},
		{"what is unknown inside is not looked into", deep, cty.NullVal(cty.List(innerType)), cty.NullVal(cty.List(innerType)), list(cty.UnknownVal(innerType)), nil},
		{"an unknown inside a known element neither", deep, cty.NullVal(cty.List(innerType)), cty.NullVal(cty.List(innerType)), list(object(obj{"in": unknownSecret})), nil},
	})
}

// semantics.md#write-only-not-null: in blocks, those that are fine otherwise
// too.
func TestPlanValidWriteOnlyInBlocks(t *testing.T) {
	steps := map[configschema.NestingMode]string{configschema.NestingSingle: "", configschema.NestingGroup: "", configschema.NestingList: "[0]", configschema.NestingMap: `["k"]`}
	s, n := str("s"), str("n")
	for mode, step := range steps {
		schema := schemaOfBlock(block(mode, secretAttrs))
		deep := schemaOfBlock(block(configschema.NestingSingle, nil, blocks{"in": block(mode, secretAttrs)}))
		null := cty.NullVal(typeHeldIn(mode, secretType))
		unknown := cty.UnknownVal(null.Type())
		in := func(v cty.Value) cty.Value { return heldIn(mode, v) }
		inner := func(v cty.Value) cty.Value { return object(obj{"in": v}) }
		place := ".v" + step + ".wo write-only-not-null"
		t.Run(mode.String(), func(t *testing.T) {
			testPlannings(t, []planning{
				{"null", schema, null, in(secret(s, n)), in(secret(noStr, n)), nil},
				{"blocks equal to config", schema, null, in(secret(s, n)), in(secret(s, n)), wrong(place)},
				{"blocks equal to config, deeper", deep, nullOf(deep), inner(in(secret(s, n))), inner(in(secret(s, n))),
					wrong(".v.in" + step + ".wo write-only-not-null")},
				{"the number of blocks not known yet", schema, null, unknown, in(secret(s, n)), wrong(".v plan-dynamic-block", place)},
				{"blocks unknown as a whole are not looked into", schema, null, in(secret(s, n)), unknown, wrong(".v plan-unknown-blocks")},
				{"beside another violation", schema, null, in(secret(s, n)), in(secret(s, s)), wrong(".v"+step+".name plan-not-config", place)},
			})
		})
	}
}

func TestPlanValidWriteOnlyInBlocksByMode(t *testing.T) {
	single := schemaOfBlock(block(configschema.NestingSingle, secretAttrs))
	lists := schemaOfBlock(block(configschema.NestingList, secretAttrs))
	maps := schemaOfBlock(block(configschema.NestingMap, secretAttrs))
	dynAttrs := attrs{"wo": attr(cty.String, "optional writeonly"), "name": attr(cty.DynamicPseudoType, "optional")}
	tuples := schemaOfBlock(block(configschema.NestingList, dynAttrs))
	objects := schemaOfBlock(block(configschema.NestingMap, dynAttrs))
	supplied := schemaOfBlock(computed(block(configschema.NestingList, attrs{"conf": nested(configschema.NestingSingle, "computed", secretAttrs)})))
	s, n, x := secret(noStr, str("n")), secret(str("s"), str("n")), secret(str("s"), num(1))
	noList, noMap, noSecret := cty.NullVal(cty.List(secretType)), cty.NullVal(cty.Map(secretType)), cty.NullVal(secretType)
	conf := list(object(obj{"conf": n}))
	testPlannings(t, []planning{
		{"a block that is not configured", single, noSecret, noSecret, n, wrong(".v plan-present", ".v.wo write-only-not-null")},
		{"another number of blocks", lists, noList, list(s), list(s, n), wrong(".v plan-count", ".v[1].wo write-only-not-null")},
		{"other keys", maps, noMap, mapOf(obj{"k": s}), mapOf(obj{"l": n}), wrong(".v plan-key", `.v["l"].wo write-only-not-null`)},
		{"an unknown block has no attributes", lists, noList, list(s), list(unknownSecret), wrong(".v[0] plan-unknown-block")},
		{"an unknown block equal to config neither", lists, noList, list(unknownSecret), list(unknownSecret), nil},
		{"a null block neither", lists, noList, list(noSecret), list(noSecret), nil},
		{"list of the dynamic type", tuples, noDynamic, tuple(x), tuple(x), wrong(".v[0].wo write-only-not-null")},
		{"map of the dynamic type", objects, noDynamic, object(obj{"k": x}), object(obj{"k": x}), wrong(".v.k.wo write-only-not-null")},
		{"in what the provider supplies for a computed block", supplied, cty.NullVal(conf.Type()), cty.NullVal(conf.Type()), conf, wrong(".v[0].conf.wo write-only-not-null")},
	})
}

// semantics.md#write-only-not-null: in the root, even where there should be
// none.
func TestPlanValidWriteOnlyInRoot(t *testing.T) {
	schema := schemaOf(attr(cty.String, "optional writeonly"))
	null := cty.NullVal(schema.ImpliedType())
	expect(t, objchange.AssertPlanValid(compiled(schema), null, null, objectOf(str("s"))), " plan-present", ".v write-only-not-null")
	expect(t, objchange.AssertPlanValid(compiled(schema), null, cty.UnknownVal(schema.ImpliedType()), objectOf(unknownStr)), ".v write-only-not-null")
}
