package objchange_test

import (
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	. "github.com/objchange/objchange/internal/testcty"
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
			Expect(t, objchange.AssertConfigValid(Compiled(row.schema), ObjectOf(row.config)), row.wrong...)
		})
	}
}

// userAttrs are a computed id and a required name.
var userAttrs = Attrs{"id": Attr(cty.String, "computed"), "name": Attr(cty.String, "required")}

// TestConfigIsCheckedInsideNested checks specification.md#9-configuration inside nested attributes and blocks.
func TestConfigIsCheckedInsideNested(t *testing.T) {
	missing, extra := Item(NoStr, NoStr), Item(Str("1"), Str("a"))
	lists := SchemaOfBlock(Block(configschema.NestingList, userAttrs))
	maps := SchemaOf(Nested(configschema.NestingMap, "optional", userAttrs))
	deep := SchemaOfBlock(Block(configschema.NestingSet, Attrs{"in": Nested(configschema.NestingMap, "required", Attrs{"more": Nested(configschema.NestingList, "optional", userAttrs)})}))
	testConfigRows(t, []configRow{
		{"unknown inside", lists, List(Item(UnknownStr, UnknownStr)), nil},
		{"both inside", lists, List(extra, missing), wrong(".v[0].id config-computed-only", ".v[1].name config-required")},
		{"null as a whole", maps, NullOf(maps), nil},
		{"marked: keys are hidden", maps, MapOf(Obj{"k": extra}).Mark("m"), wrong(".v[(sensitive)].id config-computed-only")},
		{"an element unknown", lists, List(UnknownItem), nil},
		{"an element null", maps, MapOf(Obj{"k": NoItem}), nil},
		{"each element of a map, in order of keys", maps, MapOf(Obj{"b": missing, "a": missing}),
			wrong(`.v["a"].name config-required`, `.v["b"].name config-required`)},
		{"a required nested attribute", SchemaOf(Nested(configschema.NestingList, "required", userAttrs)), cty.NullVal(cty.List(ItemType)), wrong(".v config-required")},
		{"a read-only nested attribute", SchemaOf(Nested(configschema.NestingList, "computed", userAttrs)), EmptyItems, wrong(".v config-computed-only")},
		{"at depth", deep, Set(Object(Obj{"in": MapOf(Obj{"k": Object(Obj{"more": List(missing)})})})), wrong(`.v[*].in["k"].more[0].name config-required`)},
	})
}

// TestNullGroupIsNotCheckedInside checks specification.md#9-configuration: a group block in which everything is
// null is not checked inside.
func TestNullGroupIsNotCheckedInside(t *testing.T) {
	holding := func(inner Blocks) *configschema.Block {
		return SchemaOfBlock(Block(configschema.NestingGroup, userAttrs, inner))
	}
	withIn := func(name, in cty.Value) cty.Value { return Object(Obj{"id": NoStr, "name": name, "in": in}) }
	group := holding(Blocks{"in": Block(configschema.NestingGroup, userAttrs)})

	lists := holding(Blocks{"in": Bounded(Block(configschema.NestingList, userAttrs), 1, 0)})
	nothing := Item(NoStr, NoStr)
	testConfigRows(t, []configRow{
		{"all null, required blocks inside", lists, withIn(NoStr, EmptyItems), nil},
		{"an unknown attribute is not null", lists, withIn(UnknownStr, EmptyItems), wrong(".v.in config-block-count")},
		{"an attribute set: an inner group that is all null is not checked", group, withIn(Str("a"), nothing), nil},
		{"an inner block exists with nothing set", lists, withIn(NoStr, List(nothing)), wrong(".v.in[0].name config-required", ".v.name config-required")},
		{"an inner group has content", group, withIn(NoStr, Item(NoStr, Str("a"))), wrong(".v.name config-required")},
		{"an inner group is unknown", group, withIn(NoStr, UnknownItem), wrong(".v.name config-required")},
		{"an inner list is unknown", lists, withIn(NoStr, cty.UnknownVal(cty.List(ItemType))), wrong(".v.name config-required")},
		{"all null and marked", group, withIn(NoStr.Mark("m"), nothing.Mark("m")).Mark("m"), nil},
	})
}

// TestConfigValidBlockCount checks rules/config.md#config-block-count: the number of blocks.
func TestConfigValidBlockCount(t *testing.T) {
	single := SchemaOfBlock(Bounded(Block(configschema.NestingSingle, ItemAttrs), 1, 1))
	lists := SchemaOfBlock(Bounded(Block(configschema.NestingList, ItemAttrs), 2, 3))
	sets := SchemaOfBlock(Bounded(Block(configschema.NestingSet, ItemAttrs), 2, 3))
	atLeast := SchemaOfBlock(Bounded(Block(configschema.NestingList, ItemAttrs), 1, 0))
	a, b, c, d := Item(NoStr, Str("a")), Item(NoStr, Str("b")), Item(NoStr, Str("c")), Item(NoStr, Str("d"))
	open := Item(NoStr, UnknownStr)
	count := wrong(".v config-block-count")
	testConfigRows(t, []configRow{
		{"single, MinItems 1, null", single, NoItem, count},

		{"list, null counts as empty", lists, cty.NullVal(cty.List(ItemType)), count},
		{"list, unknown of refined length", lists, cty.UnknownVal(cty.List(ItemType)).Refine().CollectionLengthLowerBound(9).NewValue(), nil},
		{"list, more than MaxItems with an unknown block", lists, List(a, b, c, UnknownItem), nil},
		{"list, MaxItems 0 is no limit", atLeast, List(a, b, c, d), nil},
		{"set, fewer than MinItems with unknown values inside", sets, Set(open), count},
		{"set, more than MaxItems that may coalesce", sets, Set(a, b, c, open), nil},

		{"group ignores limits, null", SchemaOfBlock(Bounded(Block(configschema.NestingGroup, ItemAttrs), 1, 1)), NoItem, nil},
		{"map ignores limits, more than MaxItems", SchemaOfBlock(Bounded(Block(configschema.NestingMap, ItemAttrs), 1, 1)), MapOf(Obj{"k": a, "l": a}), nil},
		{"marked", lists, List(a.Mark("m")).Mark("m"), count},
	})

	testConfigRows(t, []configRow{})
}

// TestConfigViolationsAreRejected checks specification.md#9-configuration: all violations are enforced, and
// messages do not show sensitive values.
func TestConfigViolationsAreRejected(t *testing.T) {
	schema := &configschema.Block{Attributes: userAttrs, BlockTypes: Blocks{"in": Bounded(Block(configschema.NestingList, ItemAttrs), 1, 1)}}
	found := objchange.AssertConfigValid(Compiled(schema), Object(Obj{"id": Str("1"), "name": NoStr, "in": EmptyItems}))
	Expect(t, found, ".id config-computed-only", ".in config-block-count", ".name config-required")
	Expect(t, found.Rejected(), Summary(found)...)

	secret := SchemaOf(Nested(configschema.NestingMap, "optional sensitive", userAttrs))
	Expect(t, objchange.AssertConfigValid(Compiled(secret), ObjectOf(MapOf(Obj{"key": Item(Str("1"), Str("a"))}))), ".v[(sensitive)].id config-computed-only")
}

// TestConfigConsistentInDynamicMap checks a map of blocks with dynamic types. It is an object,
// whose keys are not the attributes of the blocks, even if they have the same names.
func TestConfigConsistentInDynamicMap(t *testing.T) {
	inner := Attrs{
		"d":      Attr(cty.DynamicPseudoType, "optional"),
		"k":      Attr(cty.String, "optional"),
		"secret": Attr(cty.String, "optional sensitive"),
	}
	schema := SchemaOfBlock(Block(configschema.NestingMap, inner))
	of := func(key string, d, k, secret cty.Value) cty.Value {
		return ObjectOf(Object(Obj{key: Object(Obj{"d": d, "k": k, "secret": secret})}))
	}
	Expect(t, objchange.AssertConfigConsistent(Compiled(schema), of("x", Str("a"), Str("1"), NoStr), of("x", Str("b"), UnknownStr, NoStr)),
		".v.x.d inconsistent-value", ".v.x.k config-unknown")
	found := objchange.AssertConfigConsistent(Compiled(schema), of("k", Str("a"), Str("1"), Str("hunter1")), of("k", Str("a"), Str("1"), Str("hunter2")))
	Expect(t, found, ".v.k.secret inconsistent-value")
	if strings.Contains(found.Err().Error(), "hunter") {
		t.Error(found.Err())
	}
	data := func(v cty.Value) cty.Value { return of("x", Object(Obj{"in": v}), NoStr, NoStr) }
	Expect(t, objchange.AssertConfigConsistent(Compiled(schema), data(Str("a")), data(Str("b"))), ".v.x.d.in inconsistent-value")
	Expect(t, objchange.AssertConfigConsistent(Compiled(schema), of("x", Str("a"), NoStr, NoStr), of("y", Str("a"), NoStr, NoStr)), ".v inconsistent-type")
}
