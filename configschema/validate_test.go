package configschema_test

import (
	"strings"
	"testing"
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
)

func TestValidSchemas(t *testing.T) {
	one := attrs{"a": leafAttr}
	for name, schema := range map[string]*configschema.Block{
		"empty schema":          {},
		"required":              schemaOf(attr(cty.String, "required")),
		"optional and computed": schemaOf(attr(cty.String, "optional computed")),
		"write-only, optional":  schemaOf(writeLeaf),
		"write-only, required":  schemaOf(attr(cty.String, "required writeonly")),
		"a block name with all allowed kinds of characters": {BlockTypes: blocks{"az_09": block(configschema.NestingList, one)}},
		"a block's name that begins with a digit":           {BlockTypes: blocks{"0": block(configschema.NestingList, one)}},
		"an attribute name that is invalid for a block":     {Attributes: attrs{"Größe-x": leafAttr}},
		"one name at two levels":                            {Attributes: one, BlockTypes: blocks{"v": block(configschema.NestingList, one, blocks{"v": block(configschema.NestingSet, one)})}},
		"single 0, 0":                                       schemaOfBlock(bounded(block(configschema.NestingSingle, one), 0, 0)),
		"single 1, 1":                                       schemaOfBlock(bounded(block(configschema.NestingSingle, one), 1, 1)),
		"list without limit":                                schemaOfBlock(bounded(block(configschema.NestingList, one), 3, 0)),
		"list of exactly 2":                                 schemaOfBlock(bounded(block(configschema.NestingList, one), 2, 2)),
		"set of up to 2":                                    schemaOfBlock(bounded(block(configschema.NestingSet, one), 0, 2)),
		"dynamic outside sets":                              schemaOfBlock(block(configschema.NestingMap, attrs{"a": dynamicLeaf})),
		"write-only outside sets":                           schemaOfBlock(block(configschema.NestingMap, attrs{"a": writeLeaf})),
		"a set beside a dynamic attribute":                  {Attributes: attrs{"a": dynamicLeaf}, BlockTypes: blocks{"v": block(configschema.NestingSet, one)}},
		"a computed block, all in it computed": schemaOfBlock(computed(block(configschema.NestingList, attrs{"a": computedLeaf, "b": attr(cty.Bool, "optional computed")},
			blocks{"w": computed(block(configschema.NestingSet, attrs{"a": computedLeaf}))}))),
		"inside a NestedType of a computed block": schemaOfBlock(computed(block(configschema.NestingList, attrs{"a": nested(configschema.NestingList, "computed", one)}))),
		"a computed block inside another":         schemaOfBlock(block(configschema.NestingGroup, one, blocks{"w": computed(block(configschema.NestingMap, nil))})),
		"a computed block with a limit":           schemaOfBlock(computed(bounded(block(configschema.NestingList, nil), 0, 2))),
		"computed at the root":                    {Computed: true, Attributes: attrs{"a": computedLeaf}, BlockTypes: blocks{"v": computed(block(configschema.NestingList, nil))}},
		"write-only and computed":                 schemaOf(attr(cty.String, "computed writeonly")),
		"write-only, optional and computed":       schemaOf(attr(cty.String, "optional computed writeonly")),
		"a nested attribute in a group":           schemaOf(nested(configschema.NestingGroup, "optional", one)),
		"MinItems of a computed single block":     schemaOfBlock(computed(bounded(block(configschema.NestingSingle, nil), 1, 1))),
		"a deprecation":                           {Deprecated: true, DeprecationMessage: "x", Attributes: attrs{"a": &configschema.Attribute{Type: cty.String, Optional: true, Deprecated: true, DeprecationMessage: "x"}}},
		"deprecated without a message":            {Deprecated: true},
		"64 levels of blocks":                     levels(64),
		"64 levels of nested attributes":          nestedLevels(64),
	} {
		if err := schema.Validate(); err != nil {
			t.Errorf("%s: %s", name, err)
		}
	}
}

// TestInvalidBlockNameNotNormal checks that Validate reports a block name that is not in NFC.
// Such a name also has a character that is not allowed in block names.
func TestInvalidBlockNameNotNormal(t *testing.T) {
	schema := &configschema.Block{BlockTypes: blocks{"e\u0301": block(configschema.NestingList, nil)}}
	if err := schema.Validate(); err == nil || !strings.Contains(err.Error(), "NFC") {
		t.Errorf("got %v", err)
	}
}

func TestValidateJoinsAllProblems(t *testing.T) {
	schema := &configschema.Block{
		Attributes: attrs{"z": attr(cty.String, ""), "a": attr(cty.String, "required optional")},
		BlockTypes: blocks{
			"m": bounded(block(configschema.NestingList, attrs{"x": attr(cty.String, "required computed")}), 2, 1),
			"b": block(0, nil),
		},
	}
	err := schema.Validate()
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		t.Fatalf("got %v, want several joined errors", err)
	}
	places := map[string]bool{}
	for _, problem := range joined.Unwrap() {
		place, _, _ := strings.Cut(problem.Error(), ": ")
		places[place] = true
	}
	for _, place := range []string{".z", ".a", ".m", ".m.x", ".b"} {
		if !places[place] {
			t.Errorf("%s is missing in the problems:\n%s", place, err)
		}
	}
	if len(places) != 5 {
		t.Errorf("got problems at %v", places)
	}
	for range 20 {
		if again := schema.Validate(); again.Error() != err.Error() {
			t.Fatalf("first call\n%s\nsecond call\n%s", err, again)
		}
	}
}

func TestValidateEndsForCyclesAndSharedParts(t *testing.T) {
	inBlocks := &configschema.NestedBlock{Nesting: configschema.NestingList}
	inBlocks.BlockTypes = blocks{"v": inBlocks}
	branching := &configschema.NestedBlock{Nesting: configschema.NestingList}
	branching.BlockTypes = blocks{"a": branching, "b": branching, "c": branching}
	inAttributes := nested(configschema.NestingList, "optional", nil)
	inAttributes.NestedType.Attributes = attrs{"a": inAttributes, "b": inAttributes}
	faulty := &configschema.NestedBlock{Nesting: configschema.NestingSingle}
	faulty.Attributes = attrs{"a": nil, "b": attr(cty.String, "")}
	faulty.BlockTypes = blocks{"v": faulty, "w": faulty}
	shared := cty.String
	for range 40 {
		shared = cty.Tuple([]cty.Type{shared, shared})
	}
	for name, schema := range map[string]*configschema.Block{
		"a type that shares its parts":            schemaOf(attr(shared, "optional")),
		"through blocks":                          schemaOfBlock(inBlocks),
		"through blocks, branching":               schemaOfBlock(branching),
		"through nested attributes, branching":    schemaOf(inAttributes),
		"branching, with a problem at each level": schemaOfBlock(faulty),
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
