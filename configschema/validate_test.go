package configschema_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	. "github.com/objchange/objchange/internal/testcty"
)

func TestValidSchemas(t *testing.T) {
	one := Attrs{"a": LeafAttr}
	for name, schema := range map[string]*configschema.Block{
		"empty schema":          {},
		"optional and computed": SchemaOf(Attr(cty.String, "optional computed")),
		"write-only, optional":  SchemaOf(WriteLeaf),
		"a block name with all allowed kinds of characters": {BlockTypes: Blocks{"az_09": Block(configschema.NestingList, one)}},
		"a block's name that begins with a digit":           {BlockTypes: Blocks{"0": Block(configschema.NestingList, one)}},
		"an attribute name that is invalid for a block":     {Attributes: Attrs{"Größe-x": LeafAttr}},
		"one name at two levels":                            {Attributes: one, BlockTypes: Blocks{"v": Block(configschema.NestingList, one, Blocks{"v": Block(configschema.NestingSet, one)})}},
		"single 0, 0":                                       SchemaOfBlock(Bounded(Block(configschema.NestingSingle, one), 0, 0)),
		"single 1, 1":                                       SchemaOfBlock(Bounded(Block(configschema.NestingSingle, one), 1, 1)),
		"list without limit":                                SchemaOfBlock(Bounded(Block(configschema.NestingList, one), 3, 0)),
		"dynamic outside sets":                              SchemaOfBlock(Block(configschema.NestingMap, Attrs{"a": DynamicLeaf})),
		"write-only outside sets":                           SchemaOfBlock(Block(configschema.NestingMap, Attrs{"a": WriteLeaf})),
		"a set beside a dynamic attribute":                  {Attributes: Attrs{"a": DynamicLeaf}, BlockTypes: Blocks{"v": Block(configschema.NestingSet, one)}},
		"a computed block, all in it computed": SchemaOfBlock(Computed(Block(configschema.NestingList, Attrs{"a": ComputedLeaf, "b": Attr(cty.Bool, "optional computed")},
			Blocks{"w": Computed(Block(configschema.NestingSet, Attrs{"a": ComputedLeaf}))}))),
		"inside a NestedType of a computed block": SchemaOfBlock(Computed(Block(configschema.NestingList, Attrs{"a": Nested(configschema.NestingList, "computed", one)}))),
		"a computed block inside another":         SchemaOfBlock(Block(configschema.NestingGroup, one, Blocks{"w": Computed(Block(configschema.NestingMap, nil))})),
		"a computed block with a limit":           SchemaOfBlock(Computed(Bounded(Block(configschema.NestingList, nil), 0, 2))),
		"computed at the root":                    {Computed: true, Attributes: Attrs{"a": ComputedLeaf}, BlockTypes: Blocks{"v": Computed(Block(configschema.NestingList, nil))}},
		"write-only and computed":                 SchemaOf(Attr(cty.String, "computed writeonly")),
		"write-only, optional and computed":       SchemaOf(Attr(cty.String, "optional computed writeonly")),
		"a nested attribute in a group":           SchemaOf(Nested(configschema.NestingGroup, "optional", one)),
		"MinItems of a computed single block":     SchemaOfBlock(Computed(Bounded(Block(configschema.NestingSingle, nil), 1, 1))),
		"a deprecation":                           {Deprecated: true, DeprecationMessage: "x", Attributes: Attrs{"a": &configschema.Attribute{Type: cty.String, Optional: true, Deprecated: true, DeprecationMessage: "x"}}},
		"deprecated without a message":            {Deprecated: true},
		"64 levels of blocks":                     Levels(64),
		"64 levels of nested attributes":          NestedLevels(64),
	} {
		if err := schema.Validate(); err != nil {
			t.Errorf("%s: %s", name, err)
		}
	}
}

// TestInvalidBlockNameNotNormal checks that Validate reports a block name that is not in NFC.
// Such a name also has a character that is not allowed in block names.
func TestInvalidBlockNameNotNormal(t *testing.T) {
	schema := &configschema.Block{BlockTypes: Blocks{"e\u0301": Block(configschema.NestingList, nil)}}
	if err := schema.Validate(); err == nil || !strings.Contains(err.Error(), "NFC") {
		t.Errorf("got %v", err)
	}
}

func TestValidateJoinsAllProblems(t *testing.T) {
	schema := &configschema.Block{
		Attributes: Attrs{"z": Attr(cty.String, ""), "a": Attr(cty.String, "required optional")},
		BlockTypes: Blocks{
			"m": Bounded(Block(configschema.NestingList, Attrs{"x": Attr(cty.String, "required computed")}), 2, 1),
			"b": Block(0, nil),
		},
	}
	err := schema.Validate()
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		t.Fatalf("got %v, want several joined errors", err)
	}
	var places []string
	for _, problem := range joined.Unwrap() {
		place, _, _ := strings.Cut(problem.Error(), ": ")
		places = append(places, place)
	}
	slices.Sort(places)
	if diff := cmp.Diff([]string{".a", ".b", ".m", ".m.x", ".z"}, slices.Compact(places)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for range 20 {
		if again := schema.Validate(); again.Error() != err.Error() {
			t.Fatalf("first call\n%s\nsecond call\n%s", err, again)
		}
	}
}

func TestValidateEndsForCyclesAndSharedParts(t *testing.T) {
	inBlocks := &configschema.NestedBlock{Nesting: configschema.NestingList}
	inBlocks.BlockTypes = Blocks{"v": inBlocks}
	branching := &configschema.NestedBlock{Nesting: configschema.NestingList}
	branching.BlockTypes = Blocks{"a": branching, "b": branching, "c": branching}
	inAttributes := Nested(configschema.NestingList, "optional", nil)
	inAttributes.NestedType.Attributes = Attrs{"a": inAttributes, "b": inAttributes}
	faulty := &configschema.NestedBlock{Nesting: configschema.NestingSingle}
	faulty.Attributes = Attrs{"a": nil, "b": Attr(cty.String, "")}
	faulty.BlockTypes = Blocks{"v": faulty, "w": faulty}
	shared := cty.String
	for range 40 {
		shared = cty.Tuple([]cty.Type{shared, shared})
	}
	for name, schema := range map[string]*configschema.Block{
		"a type that shares its parts":            SchemaOf(Attr(shared, "optional")),
		"through blocks":                          SchemaOfBlock(inBlocks),
		"through blocks, branching":               SchemaOfBlock(branching),
		"through nested attributes, branching":    SchemaOf(inAttributes),
		"branching, with a problem at each level": SchemaOfBlock(faulty),
	} {
		start := time.Now()
		if schema.Validate() == nil {
			t.Errorf("%s: no problem found", name)
		}
		schema.ImpliedType()
		schema.EmptyValue()
		if schema.Usable() == nil {
			t.Errorf("%s: Usable accepts the schema", name)
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s: took %s", name, took)
		}
	}
}
