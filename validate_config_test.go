package objchange_test

import (
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
)

// A configRow is a row about the attribute or block type v: its configured value and the
// violations.
type configRow struct {
	name   string
	schema *configschema.Block
	config cty.Value // of v
	wrong  []string  // in the format of summary
}

// testConfigRows checks configurations, with v in an object of its own.
func testConfigRows(t *testing.T, rows []configRow) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			expect(t, objchange.AssertConfigValid(compiled(row.schema), objectOf(row.config)), row.wrong...)
		})
	}
}

// userAttrs are a computed id and a required name.
var userAttrs = attrs{"id": attr(cty.String, "computed"), "name": attr(cty.String, "required")}

// TestConfigValidRoot checks specification.md#9-configuration for the root.
func TestConfigValidRoot(t *testing.T) {
	schema := schemaOf(attr(cty.String, "required"))
	ty := schema.ImpliedType()
	for name, test := range map[string]struct {
		config cty.Value
		wrong  []string
	}{
		"null, a delete: valid":      {cty.NullVal(ty), nil},
		"the untyped null: valid":    {noDynamic, nil},
		"unknown: valid":             {cty.UnknownVal(ty), nil},
		"the untyped unknown: valid": {cty.DynamicVal, nil},
		"set: valid":                 {objectOf(str("a")), nil},
		"required and null":          {objectOf(noStr), wrong(".v config-required")},
		"required and null, marked":  {objectOf(noStr.Mark("m")).Mark("m"), wrong(".v config-required")},
	} {
		t.Run(name, func(t *testing.T) {
			expect(t, objchange.AssertConfigValid(compiled(schema), test.config), test.wrong...)
		})
	}
}

// TestConfigValidAttributes checks rules/config.md#config-required and
// rules/config.md#config-computed-only: a required attribute that is null, and a read-only
// attribute that is not null.
func TestConfigValidAttributes(t *testing.T) {
	required, only := schemaOf(attr(cty.String, "required")), schemaOf(attr(cty.String, "computed"))
	both := schemaOf(attr(cty.String, "optional computed"))
	testConfigRows(t, []configRow{
		{"required, set", required, str("a"), nil},
		{"required, empty is not null", required, str(""), nil},
		{"required, unknown", required, unknownStr, nil},
		{"required, null", required, noStr, wrong(".v config-required")},
		{"required and write-only, null", schemaOf(attr(cty.String, "required writeonly")), noStr, wrong(".v config-required")},
		{"required and write-only, set", schemaOf(attr(cty.String, "required writeonly")), str("a"), nil},
		{"required list, empty", schemaOf(attr(cty.List(cty.String), "required")), cty.ListValEmpty(cty.String), nil},
		{"required list, null", schemaOf(attr(cty.List(cty.String), "required")), cty.NullVal(cty.List(cty.String)), wrong(".v config-required")},
		{"required list, null inside", schemaOf(attr(cty.List(cty.String), "required")), list(noStr), nil},
		{"required and dynamic, null", schemaOf(attr(cty.DynamicPseudoType, "required")), noStr, wrong(".v config-required")},
		{"required and dynamic, unknown", schemaOf(attr(cty.DynamicPseudoType, "required")), cty.DynamicVal, nil},
		{"optional, null", schemaOf(attr(cty.String, "optional")), noStr, nil},
		{"optional and computed, null", both, noStr, nil},
		{"optional and computed, set", both, str("a"), nil},
		{"read-only, null", only, noStr, nil},
		{"read-only, set", only, str("a"), wrong(".v config-computed-only")},
		{"read-only, empty is not null", only, str(""), wrong(".v config-computed-only")},
		{"read-only, unknown", only, unknownStr, nil},
		{"read-only, set and marked", only, str("a").Mark("m"), wrong(".v config-computed-only")},
		{"read-only list, empty is not null", schemaOf(attr(cty.List(cty.String), "computed")), cty.ListValEmpty(cty.String), wrong(".v config-computed-only")},
	})
}

// TestConfigValidNested checks specification.md#9-configuration inside nested attributes and blocks.
func TestConfigValidNested(t *testing.T) {
	step := map[configschema.NestingMode]string{configschema.NestingList: "[0]", configschema.NestingMap: `["k"]`, configschema.NestingSet: "[*]"}
	missing, extra := item(noStr, noStr), item(str("1"), str("a"))
	for _, mode := range blockModes {
		at := ".v" + step[mode]
		kinds := map[string]*configschema.Block{"block": schemaOfBlock(block(mode, userAttrs)), "attribute": schemaOf(nested(mode, "optional", userAttrs))}
		for kind, schema := range kinds {
			// A null value is not checked inside.
			inNull := wrong(at + ".name config-required")
			if mode == configschema.NestingGroup {
				inNull = nil
			}
			unknown := cty.UnknownVal(wrapTypeIn(mode, itemType))
			t.Run(kind+" "+mode.String(), func(t *testing.T) {
				testConfigRows(t, []configRow{
					{"all well", schema, wrapIn(mode, item(noStr, str("a"))), nil},
					{"unknown inside", schema, wrapIn(mode, item(unknownStr, unknownStr)), nil},
					{"required and null inside", schema, wrapIn(mode, missing), inNull},
					{"read-only and set inside", schema, wrapIn(mode, extra), wrong(at + ".id config-computed-only")},
					{"both inside", schema, wrapIn(mode, item(str("1"), noStr)), wrong(at+".id config-computed-only", at+".name config-required")},
					{"unknown as a whole", schema, unknown, nil},
					{"null as a whole", schema, cty.NullVal(unknown.Type()), nil},
					{"marked: keys are hidden", schema, wrapIn(mode, extra).Mark("m"), wrong(strings.Replace(at, `"k"`, "(sensitive)", 1) + ".id config-computed-only")},
				})
				if mode != configschema.NestingSingle && mode != configschema.NestingGroup {
					testConfigRows(t, []configRow{
						{"an element unknown", schema, wrapIn(mode, unknownItem), nil},
						{"an element null", schema, wrapIn(mode, noItem), nil},
					})
				}
			})
		}
	}
	maps := schemaOf(nested(configschema.NestingMap, "optional", userAttrs))
	lists := schemaOfBlock(block(configschema.NestingList, userAttrs))
	deep := schemaOfBlock(block(configschema.NestingSet, attrs{"in": nested(configschema.NestingMap, "required", attrs{"more": nested(configschema.NestingList, "optional", userAttrs)})}))
	testConfigRows(t, []configRow{
		{"each element of a list, in order", lists, list(missing, item(noStr, str("b")), extra),
			wrong(".v[0].name config-required", ".v[2].id config-computed-only")},
		{"each element of a map, in order of keys", maps, mapOf(obj{"b": missing, "a": missing}),
			wrong(`.v["a"].name config-required`, `.v["b"].name config-required`)},
		{"a required nested attribute", schemaOf(nested(configschema.NestingList, "required", userAttrs)), cty.NullVal(cty.List(itemType)), wrong(".v config-required")},
		{"a required nested attribute, empty", schemaOf(nested(configschema.NestingList, "required", userAttrs)), emptyItems, nil},
		{"a read-only nested attribute", schemaOf(nested(configschema.NestingList, "computed", userAttrs)), emptyItems, wrong(".v config-computed-only")},
		{"at depth", deep, set(object(obj{"in": mapOf(obj{"k": object(obj{"more": list(missing)})})})), wrong(`.v[*].in["k"].more[0].name config-required`)},
	})
}

// TestConfigValidDynamicBlocks checks specification.md#21-implied-type: blocks with dynamic types are
// tuples and objects.
func TestConfigValidDynamicBlocks(t *testing.T) {
	dynamic := attrs{"id": attr(cty.String, "computed"), "name": attr(cty.DynamicPseudoType, "required")}
	lists, maps := schemaOfBlock(bounded(block(configschema.NestingList, dynamic), 1, 2)), schemaOfBlock(block(configschema.NestingMap, dynamic))
	ok := item(noStr, num(1))
	testConfigRows(t, []configRow{
		{"list, all well", lists, tuple(item(noStr, str("a")), ok), nil},
		{"list, required and null", lists, tuple(ok, item(noStr, noDynamic)), wrong(".v[1].name config-required")},
		{"list, too few", lists, cty.EmptyTupleVal, wrong(".v config-block-count")},
		{"list, too many", lists, tuple(ok, ok, ok), wrong(".v config-block-count")},
		{"list, unknown", lists, cty.DynamicVal, nil},
		{"list, of a wrong type", lists, str("a"), wrong(".v type-mismatch")},
		{"map, required and null", maps, object(obj{"k": item(noStr, noStr)}), wrong(".v.k.name config-required")},
		{"map, read-only and set", maps, object(obj{"k": item(str("1"), str("a"))}), wrong(".v.k.id config-computed-only")},
	})
}

// TestConfigValidGroup checks specification.md#9-configuration: a group block in which everything is
// null is not checked inside.
func TestConfigValidGroup(t *testing.T) {
	holding := func(inner blocks) *configschema.Block {
		return schemaOfBlock(block(configschema.NestingGroup, userAttrs, inner))
	}
	withIn := func(name, in cty.Value) cty.Value { return object(obj{"id": noStr, "name": name, "in": in}) }
	group := holding(blocks{"in": block(configschema.NestingGroup, userAttrs)})
	single := holding(blocks{"in": bounded(block(configschema.NestingSingle, userAttrs), 1, 1)})
	lists := holding(blocks{"in": bounded(block(configschema.NestingList, userAttrs), 1, 0)})
	maps := holding(blocks{"in": block(configschema.NestingMap, userAttrs)})
	nothing, something := item(noStr, noStr), item(noStr, str("a"))
	testConfigRows(t, []configRow{
		{"all null", group, withIn(noStr, nothing), nil},
		{"all null, required blocks inside", lists, withIn(noStr, emptyItems), nil},
		{"all null, a required block inside", single, withIn(noStr, noItem), nil},
		{"all null, no keys in a map", maps, withIn(noStr, cty.MapValEmpty(itemType)), nil},
		{"an unknown attribute is not null", lists, withIn(unknownStr, emptyItems), wrong(".v.in config-block-count")},
		{"an attribute set: an inner group that is all null is not checked", group, withIn(str("a"), nothing), nil},
		{"an attribute set: required blocks inside", lists, withIn(str("a"), emptyItems), wrong(".v.in config-block-count")},
		{"an inner group has content", group, withIn(noStr, something), wrong(".v.name config-required")},
		{"an inner group has content, a required attribute is null", group, withIn(noStr, item(str("1"), noStr)),
			wrong(".v.in.id config-computed-only", ".v.in.name config-required", ".v.name config-required")},
		{"an inner block exists with nothing set", lists, withIn(noStr, list(nothing)), wrong(".v.in[0].name config-required", ".v.name config-required")},
		{"an inner group is unknown", group, withIn(noStr, unknownItem), wrong(".v.name config-required")},
		{"an inner list is unknown", lists, withIn(noStr, cty.UnknownVal(cty.List(itemType))), wrong(".v.name config-required")},
		{"all null and marked", group, withIn(noStr.Mark("m"), nothing.Mark("m")).Mark("m"), nil},
	})
}

// TestConfigValidBlockCount checks rules/config.md#config-block-count: the number of blocks.
func TestConfigValidBlockCount(t *testing.T) {
	single := schemaOfBlock(bounded(block(configschema.NestingSingle, itemAttrs), 1, 1))
	lists := schemaOfBlock(bounded(block(configschema.NestingList, itemAttrs), 2, 3))
	sets := schemaOfBlock(bounded(block(configschema.NestingSet, itemAttrs), 2, 3))
	atLeast := schemaOfBlock(bounded(block(configschema.NestingList, itemAttrs), 1, 0))
	atMost := schemaOfBlock(bounded(block(configschema.NestingSet, itemAttrs), 0, 1))
	a, b, c, d := item(noStr, str("a")), item(noStr, str("b")), item(noStr, str("c")), item(noStr, str("d"))
	open := item(noStr, unknownStr)
	emptySet := cty.SetValEmpty(itemType)
	count := wrong(".v config-block-count")
	testConfigRows(t, []configRow{
		{"single, MinItems 1, set", single, a, nil},
		{"single, MinItems 1, null", single, noItem, count},
		{"single, MinItems 1, unknown", single, unknownItem, nil},
		{"single, MinItems 0, null", schemaOfBlock(block(configschema.NestingSingle, itemAttrs)), noItem, nil},

		{"list, fewer than MinItems", lists, list(a), count},
		{"list, MinItems", lists, list(a, a), nil},
		{"list, MaxItems", lists, list(a, b, c), nil},
		{"list, more than MaxItems", lists, list(a, b, c, d), count},
		{"list, empty", lists, emptyItems, count},
		{"list, null counts as empty", lists, cty.NullVal(cty.List(itemType)), count},
		{"list, unknown", lists, cty.UnknownVal(cty.List(itemType)), nil},
		{"list, unknown of refined length", lists, cty.UnknownVal(cty.List(itemType)).Refine().CollectionLengthLowerBound(9).NewValue(), nil},
		{"list, fewer than MinItems with an unknown block", lists, list(unknownItem), nil},
		{"list, more than MaxItems with an unknown block", lists, list(a, b, c, unknownItem), nil},
		{"list, more than MaxItems with unknown values inside", lists, list(open, open, open, open), count},
		{"list, MaxItems 0 is no limit", atLeast, list(a, b, c, d), nil},
		{"list, MinItems without MaxItems", atLeast, emptyItems, count},

		{"set, fewer than MinItems", sets, set(a), count},
		{"set, fewer than MinItems with unknown values inside", sets, set(open), count},
		{"set, equal blocks count once", sets, set(a, a), count},
		{"set, MinItems", sets, set(a, b), nil},
		{"set, more than MaxItems", sets, set(a, b, c, d), count},
		{"set, more than MaxItems that may coalesce", sets, set(a, b, c, open), nil},
		{"set, empty", sets, emptySet, count},
		{"set, null counts as empty", sets, cty.NullVal(cty.Set(itemType)), count},
		{"set, unknown", sets, cty.UnknownVal(cty.Set(itemType)), nil},
		{"set, an unknown block", sets, set(unknownItem), nil},
		{"set, MaxItems 1", atMost, set(a, b), count},
		{"set, MaxItems 1, one block with unknown values inside", atMost, set(open), nil},
		{"set, MaxItems 1, two that may coalesce", atMost, set(a, open), nil},

		{"single ignores other limits", schemaOfBlock(bounded(block(configschema.NestingSingle, itemAttrs), 2, 2)), a, nil},
		{"group ignores limits", schemaOfBlock(bounded(block(configschema.NestingGroup, itemAttrs), 2, 2)), a, nil},
		{"group ignores limits, null", schemaOfBlock(bounded(block(configschema.NestingGroup, itemAttrs), 1, 1)), noItem, nil},
		{"map ignores limits", schemaOfBlock(bounded(block(configschema.NestingMap, itemAttrs), 1, 1)), cty.MapValEmpty(itemType), nil},
		{"map ignores limits, more than MaxItems", schemaOfBlock(bounded(block(configschema.NestingMap, itemAttrs), 1, 1)), mapOf(obj{"k": a, "l": a}), nil},
		{"map has no limits", schemaOfBlock(block(configschema.NestingMap, itemAttrs)), cty.MapValEmpty(itemType), nil},
		{"marked", lists, list(a.Mark("m")).Mark("m"), count},
	})
	inner := schemaOfBlock(block(configschema.NestingList, nil, blocks{"in": bounded(block(configschema.NestingList, itemAttrs), 1, 1)}))
	testConfigRows(t, []configRow{
		{"blocks in blocks", inner, list(object(obj{"in": list(a)}), object(obj{"in": list(a, b)}), object(obj{"in": emptyItems})),
			wrong(".v[1].in config-block-count", ".v[2].in config-block-count")},
	})
}

// TestConfigValidIsEnforced checks specification.md#9-configuration: all violations are enforced, and
// messages do not show sensitive values.
func TestConfigValidIsEnforced(t *testing.T) {
	schema := &configschema.Block{Attributes: userAttrs, BlockTypes: blocks{"in": bounded(block(configschema.NestingList, itemAttrs), 1, 1)}}
	found := objchange.AssertConfigValid(compiled(schema), object(obj{"id": str("1"), "name": noStr, "in": emptyItems}))
	expect(t, found, ".id config-computed-only", ".in config-block-count", ".name config-required")
	expect(t, found.Enforced(), summary(found)...)

	secret := schemaOf(nested(configschema.NestingMap, "optional sensitive", userAttrs))
	expect(t, objchange.AssertConfigValid(compiled(secret), objectOf(mapOf(obj{"key": item(str("1"), str("a"))}))), ".v[(sensitive)].id config-computed-only")
}

// A configChangeRow is a row about the attribute or block type v: its configuration at plan and at
// apply, and the violations.
type configChangeRow struct {
	name        string
	schema      *configschema.Block
	plan, apply cty.Value
	wrong       []string // in the format of summary
}

func testConfigChangeRows(t *testing.T, rows []configChangeRow) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			found := objchange.AssertConfigConsistent(compiled(row.schema), objectOf(row.plan), objectOf(row.apply))
			expect(t, found, row.wrong...)
			expect(t, found.Enforced(), row.wrong...)
		})
	}
}

// TestConfigConsistentRoot checks rules/config.md#config-unknown: the configuration at apply may
// only fill in unknown values.
func TestConfigConsistentRoot(t *testing.T) {
	schema := schemaOf(attr(cty.String, "optional"))
	null, unknown, a := cty.NullVal(schema.ImpliedType()), cty.UnknownVal(schema.ImpliedType()), objectOf(str("a"))
	for name, test := range map[string]struct {
		plan, apply cty.Value
		wrong       []string
	}{
		"both null":                      {null, null, nil},
		"the same":                       {a, a, nil},
		"null, then not":                 {null, a, wrong(" inconsistent-value")},
		"not null, then null":            {a, null, wrong(" inconsistent-value")},
		"unknown, then known":            {unknown, a, nil},
		"unknown, then null":             {unknown, null, nil},
		"unknown, then unknown":          {unknown, unknown, wrong(" config-unknown")},
		"known, then unknown":            {a, unknown, wrong(" config-unknown")},
		"unknown, then unknown inside":   {unknown, objectOf(unknownStr), wrong(".v config-unknown")},
		"null, then with unknown inside": {null, objectOf(unknownStr), wrong(" inconsistent-value", ".v config-unknown")},
	} {
		t.Run(name, func(t *testing.T) {
			expect(t, objchange.AssertConfigConsistent(compiled(schema), test.plan, test.apply), test.wrong...)
		})
	}
}

func TestConfigConsistentAttributes(t *testing.T) {
	text, maps := schemaOf(attr(cty.String, "optional")), schemaOf(attr(cty.Map(cty.String), "optional"))
	lists, any := schemaOf(attr(cty.List(cty.String), "optional")), schemaOf(attr(cty.DynamicPseudoType, "optional"))
	secret := schemaOf(attr(cty.String, "optional sensitive"))
	deep := schemaOf(nested(configschema.NestingList, "optional", attrs{"name": attr(cty.String, "optional sensitive"), "id": attr(cty.String, "computed")}))
	prefixed := unknownStr.Refine().StringPrefixFull("a-").NewValue()
	testConfigChangeRows(t, []configChangeRow{
		{"the same", text, str("a"), str("a"), nil},
		{"unknown, then known", text, unknownStr, str("a"), nil},
		{"unknown, then null", text, unknownStr, noStr, nil},
		{"changed", text, str("a"), str("b"), wrong(".v inconsistent-value")},
		{"became null", text, str("a"), noStr, wrong(".v inconsistent-value")},
		{"was null", text, noStr, str("a"), wrong(".v inconsistent-value")},
		{"still unknown", text, unknownStr, unknownStr, wrong(".v config-unknown")},
		{"became unknown: only one violation", text, str("a"), unknownStr, wrong(".v config-unknown")},
		{"null became unknown: only one violation", text, noStr, unknownStr, wrong(".v config-unknown")},
		{"as refined", text, prefixed, str("a-b"), nil},
		{"not as refined", text, prefixed, str("b"), wrong(".v inconsistent-refinement")},
		{"not as refined, null", text, unknownStr.RefineNotNull(), noStr, wrong(".v inconsistent-refinement")},
		{"an attribute that may vary in type, unknown at plan", any, cty.DynamicVal, num(1), nil},
		{"an attribute that may vary in type changed it", any, str("1"), num(1), wrong(".v inconsistent-type")},
		{"map: a key is new", maps, mapOf(obj{"a": str("1")}), mapOf(obj{"a": str("1"), "b": str("2")}), wrong(".v inconsistent-key")},
		{"map: another value", maps, mapOf(obj{"a": str("1")}), mapOf(obj{"a": str("2")}), wrong(`.v["a"] inconsistent-value`)},
		{"list: longer", lists, list(str("a")), list(str("a"), str("b")), wrong(".v inconsistent-key")},
		{"list: unknown inside, filled in", lists, list(unknownStr, str("b")), list(str("a"), str("b")), nil},
		{"list: still unknown inside", lists, list(unknownStr, str("b")), list(unknownStr, str("b")), wrong(".v[0] config-unknown")},
		{"list: unknown, then unknown inside", lists, cty.UnknownVal(cty.List(cty.String)), list(unknownStr), wrong(".v[0] config-unknown")},
		{"sensitive: the rule for values", secret, str("a"), str("b"), wrong(".v inconsistent-value")},
		{"sensitive at depth", deep, list(item(noStr, str("a"))), list(item(noStr, str("b"))), wrong(".v[0].name inconsistent-value")},
		{"marked", text, str("a").Mark("m"), str("b"), wrong(".v inconsistent-value")},
		{"a mark added", text, str("a"), str("a").Mark("m"), nil},
	})
}

// TestConfigConsistentBlocks checks that blocks follow specification.md#112-values.
func TestConfigConsistentBlocks(t *testing.T) {
	lists, sets := schemaOfBlock(block(configschema.NestingList, itemAttrs)), schemaOfBlock(block(configschema.NestingSet, itemAttrs))
	maps, single := schemaOfBlock(block(configschema.NestingMap, itemAttrs)), schemaOfBlock(block(configschema.NestingSingle, itemAttrs))
	tuples := schemaOfBlock(block(configschema.NestingList, dynAttrs))
	a, b, open := item(noStr, str("a")), item(noStr, str("b")), item(noStr, unknownStr)
	testConfigChangeRows(t, []configChangeRow{
		{"single, the same", single, a, a, nil},
		{"single, became null", single, a, noItem, wrong(".v inconsistent-value")},
		{"single, was null", single, noItem, a, wrong(".v inconsistent-value")},
		{"single, filled in", single, open, a, nil},
		{"list, changed", lists, list(a, b), list(a, a), wrong(".v[1].name inconsistent-value")},
		{"list, longer", lists, list(a), list(a, b), wrong(".v inconsistent-key")},
		{"list, still unknown inside", lists, list(open), list(open), wrong(".v[0].name config-unknown")},
		{"list, for_each became known", lists, cty.UnknownVal(cty.List(itemType)), list(a, b), nil},
		{"list, for_each is still unknown", lists, cty.UnknownVal(cty.List(itemType)), cty.UnknownVal(cty.List(itemType)), wrong(".v config-unknown")},
		{"map, another key", maps, mapOf(obj{"k": a}), mapOf(obj{"l": a}), wrong(".v inconsistent-key")},
		{"set, filled in", sets, set(open, b), set(a, b), nil},
		{"set, coalesced", sets, set(open, b), set(b), nil},
		{"set, an element changed", sets, set(a), set(b), wrong(".v inconsistent-set-element")},
		{"set, an element is new", sets, set(a), set(a, b), wrong(".v inconsistent-count", ".v inconsistent-set-element")},
		{"set, still unknown inside", sets, set(open), set(open), wrong(".v[*].name config-unknown")},
		{"dynamic blocks, filled in", tuples, tuple(item(noStr, cty.DynamicVal)), tuple(item(noStr, num(1))), nil},
		{"dynamic blocks, more", tuples, tuple(a), tuple(a, b), wrong(".v inconsistent-type")},
		{"dynamic blocks, changed", tuples, tuple(a), tuple(b), wrong(".v[0].name inconsistent-value")},
	})
}

// TestConfigConsistentInDynamicMap checks a map of blocks with dynamic types. It is an object,
// whose keys are not the attributes of the blocks, even if they have the same names.
func TestConfigConsistentInDynamicMap(t *testing.T) {
	inner := attrs{
		"d":      attr(cty.DynamicPseudoType, "optional"),
		"k":      attr(cty.String, "optional"),
		"secret": attr(cty.String, "optional sensitive"),
	}
	schema := schemaOfBlock(block(configschema.NestingMap, inner))
	of := func(key string, d, k, secret cty.Value) cty.Value {
		return objectOf(object(obj{key: object(obj{"d": d, "k": k, "secret": secret})}))
	}
	expect(t, objchange.AssertConfigConsistent(compiled(schema), of("x", str("a"), str("1"), noStr), of("x", str("b"), unknownStr, noStr)),
		".v.x.d inconsistent-value", ".v.x.k config-unknown")
	found := objchange.AssertConfigConsistent(compiled(schema), of("k", str("a"), str("1"), str("hunter1")), of("k", str("a"), str("1"), str("hunter2")))
	expect(t, found, ".v.k.secret inconsistent-value")
	if strings.Contains(found.Err().Error(), "hunter") {
		t.Error(found.Err())
	}
	data := func(v cty.Value) cty.Value { return of("x", object(obj{"in": v}), noStr, noStr) }
	expect(t, objchange.AssertConfigConsistent(compiled(schema), data(str("a")), data(str("b"))), ".v.x.d.in inconsistent-value")
	expect(t, objchange.AssertConfigConsistent(compiled(schema), of("x", str("a"), noStr, noStr), of("y", str("a"), noStr, noStr)), ".v inconsistent-type")
}

// TestConfigViolationsAreAtTheirPlaces checks that each violation has its own path, regardless
// of the paths checked before.
func TestConfigViolationsAreAtTheirPlaces(t *testing.T) {
	one, blockOne := nested(configschema.NestingSingle, "optional", userAttrs), block(configschema.NestingSingle, userAttrs)
	schema := &configschema.Block{Attributes: attrs{"a": one, "b": one, "c": one}, BlockTypes: blocks{"d": blockOne, "e": blockOne, "f": blockOne}}
	each := func(v cty.Value) cty.Value { return object(obj{"a": v, "b": v, "c": v, "d": v, "e": v, "f": v}) }
	var missing, changed []string
	for _, name := range []string{".a", ".b", ".c", ".d", ".e", ".f"} {
		missing = append(missing, name+".name config-required")
		changed = append(changed, name+".name inconsistent-value")
	}
	expect(t, objchange.AssertConfigValid(compiled(schema), each(item(noStr, noStr))), missing...)
	expect(t, objchange.AssertConfigConsistent(compiled(schema), each(item(noStr, str("a"))), each(item(noStr, str("b")))), changed...)
}

// TestConfigConsistentChecksShapeOfDynamicBlocks checks the shape of blocks with dynamic types
// at all places.
func TestConfigConsistentChecksShapeOfDynamicBlocks(t *testing.T) {
	lists := blocks{"l": block(configschema.NestingList, attrs{"d": attr(cty.DynamicPseudoType, "optional")})}
	schema, inMap := schemaOfBlock(block(configschema.NestingSingle, nil, lists)), schemaOfBlock(block(configschema.NestingMap, nil, lists))
	for name, bad := range map[string]cty.Value{"a string": str("x"), "a list of strings": tuple(str("x"))} {
		t.Run(name, func(t *testing.T) {
			v := objectOf(object(obj{"l": bad}))
			expect(t, objchange.AssertConfigConsistent(compiled(schema), v, v), ".v.l type-mismatch")
			v = objectOf(object(obj{"k": v.GetAttr("v")}))
			expect(t, objchange.AssertConfigConsistent(compiled(inMap), v, v), ".v.k.l type-mismatch")
		})
	}
}
