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
	for name, test := range map[string]struct {
		config cty.Value
		wrong  []string
	}{
		"the untyped null: valid": {noDynamic, nil},
		"the untyped unknown: valid": {cty.DynamicVal, nil},
		"required and null, marked": {objectOf(noStr.Mark("m")).Mark("m"), wrong(".v config-required")},
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
	testConfigRows(t, []configRow{
		{"required, empty is not null", required, str(""), nil},
		{"required, unknown", required, unknownStr, nil},
		{"required and write-only, null", schemaOf(attr(cty.String, "required writeonly")), noStr, wrong(".v config-required")},
		{"required list, null inside", schemaOf(attr(cty.List(cty.String), "required")), list(noStr), nil},
		{"required and dynamic, null", schemaOf(attr(cty.DynamicPseudoType, "required")), noStr, wrong(".v config-required")},
		{"optional, null", schemaOf(attr(cty.String, "optional")), noStr, nil},
		{"read-only, empty is not null", only, str(""), wrong(".v config-computed-only")},
		{"read-only, unknown", only, unknownStr, nil},
		{"read-only, set and marked", only, str("a").Mark("m"), wrong(".v config-computed-only")},
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
			unknown := cty.UnknownVal(wrapTypeIn(mode, itemType))
			t.Run(kind+" "+mode.String(), func(t *testing.T) {
				testConfigRows(t, []configRow{
					{"unknown inside", schema, wrapIn(mode, item(unknownStr, unknownStr)), nil},
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
	deep := schemaOfBlock(block(configschema.NestingSet, attrs{"in": nested(configschema.NestingMap, "required", attrs{"more": nested(configschema.NestingList, "optional", userAttrs)})}))
	testConfigRows(t, []configRow{
		{"each element of a map, in order of keys", maps, mapOf(obj{"b": missing, "a": missing}),
			wrong(`.v["a"].name config-required`, `.v["b"].name config-required`)},
		{"a required nested attribute", schemaOf(nested(configschema.NestingList, "required", userAttrs)), cty.NullVal(cty.List(itemType)), wrong(".v config-required")},
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
		{"list, required and null", lists, tuple(ok, item(noStr, noDynamic)), wrong(".v[1].name config-required")},
		{"list, too few", lists, cty.EmptyTupleVal, wrong(".v config-block-count")},
		{"list, unknown", lists, cty.DynamicVal, nil},
		{"list, of a wrong type", lists, str("a"), wrong(".v type-mismatch")},
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
	nothing, something := item(noStr, noStr), item(noStr, str("a"))
	testConfigRows(t, []configRow{
		{"all null", group, withIn(noStr, nothing), nil},
		{"all null, required blocks inside", lists, withIn(noStr, emptyItems), nil},
		{"all null, a required block inside", single, withIn(noStr, noItem), nil},
		{"an unknown attribute is not null", lists, withIn(unknownStr, emptyItems), wrong(".v.in config-block-count")},
		{"an attribute set: an inner group that is all null is not checked", group, withIn(str("a"), nothing), nil},
		{"an inner group has content", group, withIn(noStr, something), wrong(".v.name config-required")},
		{"an inner block exists with nothing set", lists, withIn(noStr, list(nothing)), wrong(".v.in[0].name config-required", ".v.name config-required")},
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
	a, b, c, d := item(noStr, str("a")), item(noStr, str("b")), item(noStr, str("c")), item(noStr, str("d"))
	open := item(noStr, unknownStr)
	count := wrong(".v config-block-count")
	testConfigRows(t, []configRow{
		{"single, MinItems 1, null", single, noItem, count},
		{"single, MinItems 1, unknown", single, unknownItem, nil},

		{"list, fewer than MinItems", lists, list(a), count},
		{"list, MaxItems", lists, list(a, b, c), nil},
		{"list, more than MaxItems", lists, list(a, b, c, d), count},
		{"list, null counts as empty", lists, cty.NullVal(cty.List(itemType)), count},
		{"list, unknown of refined length", lists, cty.UnknownVal(cty.List(itemType)).Refine().CollectionLengthLowerBound(9).NewValue(), nil},
		{"list, more than MaxItems with an unknown block", lists, list(a, b, c, unknownItem), nil},
		{"list, more than MaxItems with unknown values inside", lists, list(open, open, open, open), count},
		{"list, MaxItems 0 is no limit", atLeast, list(a, b, c, d), nil},
		{"set, fewer than MinItems with unknown values inside", sets, set(open), count},
		{"set, more than MaxItems", sets, set(a, b, c, d), count},
		{"set, more than MaxItems that may coalesce", sets, set(a, b, c, open), nil},
		{"set, an unknown block", sets, set(unknownItem), nil},

		{"single ignores other limits", schemaOfBlock(bounded(block(configschema.NestingSingle, itemAttrs), 2, 2)), a, nil},
		{"group ignores limits, null", schemaOfBlock(bounded(block(configschema.NestingGroup, itemAttrs), 1, 1)), noItem, nil},
		{"map ignores limits, more than MaxItems", schemaOfBlock(bounded(block(configschema.NestingMap, itemAttrs), 1, 1)), mapOf(obj{"k": a, "l": a}), nil},
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
		"null, then not": {null, a, wrong(" inconsistent-value")},
		"unknown, then null":    {unknown, null, nil},
		"unknown, then unknown": {unknown, unknown, wrong(" config-unknown")},
		"unknown, then unknown inside":   {unknown, objectOf(unknownStr), wrong(".v config-unknown")},
		"null, then with unknown inside": {null, objectOf(unknownStr), wrong(" inconsistent-value", ".v config-unknown")},
	} {
		t.Run(name, func(t *testing.T) {
			expect(t, objchange.AssertConfigConsistent(compiled(schema), test.plan, test.apply), test.wrong...)
		})
	}
}

func TestConfigConsistentAttributes(t *testing.T) {
	text := schemaOf(attr(cty.String, "optional"))
	lists, any := schemaOf(attr(cty.List(cty.String), "optional")), schemaOf(attr(cty.DynamicPseudoType, "optional"))
	deep := schemaOf(nested(configschema.NestingList, "optional", attrs{"name": attr(cty.String, "optional sensitive"), "id": attr(cty.String, "computed")}))
	testConfigChangeRows(t, []configChangeRow{
		{"unknown, then null", text, unknownStr, noStr, nil},
		{"changed", text, str("a"), str("b"), wrong(".v inconsistent-value")},
		{"still unknown", text, unknownStr, unknownStr, wrong(".v config-unknown")},
		{"null became unknown: only one violation", text, noStr, unknownStr, wrong(".v config-unknown")},
		{"not as refined, null", text, unknownStr.RefineNotNull(), noStr, wrong(".v inconsistent-refinement")},
		{"an attribute that may vary in type, unknown at plan", any, cty.DynamicVal, num(1), nil},
		{"an attribute that may vary in type changed it", any, str("1"), num(1), wrong(".v inconsistent-type")},
		{"list: still unknown inside", lists, list(unknownStr, str("b")), list(unknownStr, str("b")), wrong(".v[0] config-unknown")},
		{"list: unknown, then unknown inside", lists, cty.UnknownVal(cty.List(cty.String)), list(unknownStr), wrong(".v[0] config-unknown")},
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
		{"single, was null", single, noItem, a, wrong(".v inconsistent-value")},
		{"list, longer", lists, list(a), list(a, b), wrong(".v inconsistent-key")},
		{"list, for_each is still unknown", lists, cty.UnknownVal(cty.List(itemType)), cty.UnknownVal(cty.List(itemType)), wrong(".v config-unknown")},
		{"map, another key", maps, mapOf(obj{"k": a}), mapOf(obj{"l": a}), wrong(".v inconsistent-key")},
		{"set, coalesced", sets, set(open, b), set(b), nil},
		{"set, an element is new", sets, set(a), set(a, b), wrong(".v inconsistent-count", ".v inconsistent-set-element")},
		{"set, still unknown inside", sets, set(open), set(open), wrong(".v[*].name config-unknown")},
		{"dynamic blocks, filled in", tuples, tuple(item(noStr, cty.DynamicVal)), tuple(item(noStr, num(1))), nil},
		{"dynamic blocks, more", tuples, tuple(a), tuple(a, b), wrong(".v inconsistent-type")},
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
