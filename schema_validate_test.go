package objchange_test

import (
	"strings"
	"testing"
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
)

// levels makes a schema of single blocks inside each other.
func levels(n int) *objchange.Block {
	b := block(objchange.NestingSingle, itemAttrs)
	for range n - 1 {
		b = block(objchange.NestingSingle, nil, blocks{"v": b})
	}
	return withBlock(b)
}

// nestedLevels makes a schema of nested attributes inside each other.
func nestedLevels(n int) *objchange.Block {
	a := attr(cty.String, "optional")
	for range n {
		a = nested(objchange.NestingSingle, "optional", attrs{"v": a})
	}
	return withAttr(a)
}

func TestValidSchemas(t *testing.T) {
	one := attrs{"a": leafAttr}
	for name, schema := range map[string]*objchange.Block{
		"nothing in it":                           {},
		"required":                                withAttr(attr(cty.String, "required")),
		"optional and computed":                   withAttr(attr(cty.String, "optional computed")),
		"write-only, optional":                    withAttr(writeLeaf),
		"write-only, required":                    withAttr(attr(cty.String, "required writeonly")),
		"a block's name of all that it may hold":  {BlockTypes: blocks{"az_09": block(objchange.NestingList, one)}},
		"a block's name that begins with a digit": {BlockTypes: blocks{"0": block(objchange.NestingList, one)}},
		"an attribute's name that no block has":   {Attributes: attrs{"Größe-x": leafAttr}},
		"one name at two levels":                  {Attributes: one, BlockTypes: blocks{"v": block(objchange.NestingList, one, blocks{"v": block(objchange.NestingSet, one)})}},
		"single 0, 0":                             withBlock(bounded(block(objchange.NestingSingle, one), 0, 0)),
		"single 1, 1":                             withBlock(bounded(block(objchange.NestingSingle, one), 1, 1)),
		"list without limit":                      withBlock(bounded(block(objchange.NestingList, one), 3, 0)),
		"list of exactly 2":                       withBlock(bounded(block(objchange.NestingList, one), 2, 2)),
		"set of up to 2":                          withBlock(bounded(block(objchange.NestingSet, one), 0, 2)),
		"dynamic outside sets":                    withBlock(block(objchange.NestingMap, attrs{"a": dynamicLeaf})),
		"write-only outside sets":                 withBlock(block(objchange.NestingMap, attrs{"a": writeLeaf})),
		"a set beside something dynamic":          {Attributes: attrs{"a": dynamicLeaf}, BlockTypes: blocks{"v": block(objchange.NestingSet, one)}},
		"a computed block, all in it computed": withBlock(computed(block(objchange.NestingList, attrs{"a": computedLeaf, "b": attr(cty.Bool, "optional computed")},
			blocks{"w": computed(block(objchange.NestingSet, attrs{"a": computedLeaf}))}))),
		"inside a NestedType of a computed block": withBlock(computed(block(objchange.NestingList, attrs{"a": nested(objchange.NestingList, "computed", one)}))),
		"a computed block inside another":         withBlock(block(objchange.NestingGroup, one, blocks{"w": computed(block(objchange.NestingMap, nil))})),
		"a computed block with a limit":           withBlock(computed(bounded(block(objchange.NestingList, nil), 0, 2))),
		"computed at the root":                    {Computed: true, Attributes: attrs{"a": computedLeaf}, BlockTypes: blocks{"v": computed(block(objchange.NestingList, nil))}},
		"write-only and computed":                 withAttr(attr(cty.String, "computed writeonly")),
		"write-only, optional and computed":       withAttr(attr(cty.String, "optional computed writeonly")),
		"a nested attribute in a group":           withAttr(nested(objchange.NestingGroup, "optional", one)),
		"MinItems of a computed single block":     withBlock(computed(bounded(block(objchange.NestingSingle, nil), 1, 1))),
		"a deprecation":                           {Deprecated: true, DeprecationMessage: "x", Attributes: attrs{"a": &objchange.Attribute{Type: cty.String, Optional: true, Deprecated: true, DeprecationMessage: "x"}}},
		"deprecated without a message":            {Deprecated: true},
		"64 levels of blocks":                     levels(64),
		"64 levels of nested attributes":          nestedLevels(64),
	} {
		if err := schema.Validate(); err != nil {
			t.Errorf("%s: %s", name, err)
		}
	}
}

func TestInvalidSchemas(t *testing.T) {
	const decomposed = "e\u0301" // é in two
	one := attrs{"a": leafAttr}
	both := nested(objchange.NestingSingle, "optional", one)
	both.Type = cty.String
	tests := []struct {
		name   string
		schema *objchange.Block
		place  string
		about  string // a word of the message
	}{
		{"nil", nil, "", "nil"},
		{"a nil attribute", withAttr(nil), ".v", "nil"},
		{"a nil block type", withBlock(nil), ".v", "nil"},
		{"a nil attribute in a nested one", withAttr(nested(objchange.NestingList, "optional", attrs{"a": nil})), ".v.a", "nil"},
		{"neither Type nor NestedType", withAttr(&objchange.Attribute{Optional: true}), ".v", "NestedType"},
		{"both Type and NestedType", withAttr(both), ".v", "NestedType"},
		{"a type with a part that is none", withAttr(attr(cty.List(cty.NilType), "optional")), ".v", "type"},
		{"no flag", withAttr(attr(cty.String, "")), ".v", "Optional"},
		{"no flag but sensitive", withAttr(attr(cty.String, "sensitive")), ".v", "Optional"},
		{"no flag but write-only", withAttr(attr(cty.String, "writeonly")), ".v", "Optional"},
		{"no flag in a nested attribute", withAttr(nested(objchange.NestingMap, "optional", attrs{"a": attr(cty.String, "")})), ".v.a", "Optional"},
		{"no flag in a block", withBlock(block(objchange.NestingSet, attrs{"a": attr(cty.String, "")})), ".v.a", "Optional"},
		{"no flag in a block in a block", withBlock(block(objchange.NestingSet, nil, blocks{
			"w": block(objchange.NestingList, attrs{"a": attr(cty.String, "")}),
		})), ".v.w.a", "Optional"},
		{"required and optional", withAttr(attr(cty.String, "required optional")), ".v", "Required"},
		{"required and computed", withAttr(attr(cty.String, "required computed")), ".v", "Required"},
		{"both attribute and block", &objchange.Block{Attributes: attrs{"v": leafAttr}, BlockTypes: blocks{"v": block(objchange.NestingList, one)}}, ".v", "both"},
		{"both attribute and block in a block", withBlock(block(objchange.NestingMap, attrs{"w": leafAttr}, blocks{"w": block(objchange.NestingList, one)})), ".v.w", "both"},
		{"a block's name in upper case", &objchange.Block{BlockTypes: blocks{"Rule": block(objchange.NestingList, one)}}, ".Rule", "name"},
		{"a block's name with a dash", &objchange.Block{BlockTypes: blocks{"a-b": block(objchange.NestingList, one)}}, ".a-b", "name"},
		{"a block's name with a letter outside ASCII", &objchange.Block{BlockTypes: blocks{"é": block(objchange.NestingList, one)}}, ".é", "name"},
		{"a block's name that is empty", &objchange.Block{BlockTypes: blocks{"": block(objchange.NestingList, one)}}, ".", "name"},
		{"a block without a mode", withBlock(block(0, one)), ".v", "mode"},
		{"a block of an unknown mode", withBlock(block(99, one)), ".v", "mode"},
		{"a nested attribute without a mode", withAttr(nested(0, "optional", one)), ".v", "mode"},
		{"a nested attribute of an unknown mode", withAttr(nested(-1, "optional", one)), ".v", "mode"},
		{"single 0, 1", withBlock(bounded(block(objchange.NestingSingle, one), 0, 1)), ".v", "MinItems"},
		{"single 1, 0", withBlock(bounded(block(objchange.NestingSingle, one), 1, 0)), ".v", "MinItems"},
		{"single 2, 2", withBlock(bounded(block(objchange.NestingSingle, one), 2, 2)), ".v", "MinItems"},
		{"single -1, -1", withBlock(bounded(block(objchange.NestingSingle, one), -1, -1)), ".v", "MinItems"},
		{"group 1, 1", withBlock(bounded(block(objchange.NestingGroup, one), 1, 1)), ".v", "MinItems"},
		{"group 0, 1", withBlock(bounded(block(objchange.NestingGroup, one), 0, 1)), ".v", "MinItems"},
		{"map 1, 0", withBlock(bounded(block(objchange.NestingMap, one), 1, 0)), ".v", "MinItems"},
		{"map 0, 1", withBlock(bounded(block(objchange.NestingMap, one), 0, 1)), ".v", "MinItems"},
		{"list 2, 1", withBlock(bounded(block(objchange.NestingList, one), 2, 1)), ".v", "MinItems"},
		{"set 2, 1", withBlock(bounded(block(objchange.NestingSet, one), 2, 1)), ".v", "MinItems"},
		{"list 0, -1", withBlock(bounded(block(objchange.NestingList, one), 0, -1)), ".v", "MaxItems"},
		{"dynamic in a set block", withBlock(block(objchange.NestingSet, attrs{"a": dynamicLeaf})), ".v.a", "dynamic"},
		{"dynamic inside a type in a set block", withBlock(block(objchange.NestingSet, attrs{"a": attr(cty.List(cty.DynamicPseudoType), "optional")})), ".v.a", "dynamic"},
		{"dynamic in a set-nested attribute", withAttr(nested(objchange.NestingSet, "optional", attrs{"a": dynamicLeaf})), ".v.a", "dynamic"},
		{"dynamic deep inside a set", withBlock(block(objchange.NestingSet, nil, blocks{
			"w": block(objchange.NestingList, attrs{"a": nested(objchange.NestingMap, "optional", attrs{"b": dynamicLeaf})}),
		})), ".v.w.a.b", "dynamic"},
		{"write-only in a set block", withBlock(block(objchange.NestingSet, attrs{"a": writeLeaf})), ".v.a", "WriteOnly"},
		{"write-only in a set-nested attribute", withAttr(nested(objchange.NestingSet, "optional", attrs{"a": writeLeaf})), ".v.a", "WriteOnly"},
		{"write-only deep inside a set", withBlock(block(objchange.NestingSet, nil, blocks{
			"w": block(objchange.NestingGroup, attrs{"a": nested(objchange.NestingSingle, "optional", attrs{"b": writeLeaf})}),
		})), ".v.w.a.b", "WriteOnly"},
		{"an attribute that is not computed in a computed block", withBlock(computed(block(objchange.NestingList, one))), ".v.a", "Computed"},
		{"a nested attribute that is not computed in a computed block",
			withBlock(computed(block(objchange.NestingList, attrs{"a": nested(objchange.NestingList, "optional", one)}))), ".v.a", "Computed"},
		{"a block that is not computed in a computed block",
			withBlock(computed(block(objchange.NestingList, nil, blocks{"w": block(objchange.NestingList, nil)}))), ".v.w", "Computed"},
		{"an attribute that is not computed two computed blocks down",
			withBlock(computed(block(objchange.NestingList, nil, blocks{"w": computed(block(objchange.NestingList, one))}))), ".v.w.a", "Computed"},
		{"a group block that is computed", withBlock(computed(block(objchange.NestingGroup, nil))), ".v", "group"},
		{"MinItems of a computed list block", withBlock(computed(bounded(block(objchange.NestingList, nil), 1, 0))), ".v", "MinItems"},
		{"an attribute's name not in NFC", &objchange.Block{Attributes: attrs{decomposed: leafAttr}}, "." + decomposed, "NFC"},
		{"a nested attribute's name not in NFC", withAttr(nested(objchange.NestingSingle, "optional", attrs{decomposed: leafAttr})), ".v." + decomposed, "NFC"},
		{"65 levels of blocks", levels(65), strings.Repeat(".v", 65), "64"},
		{"65 levels of nested attributes", nestedLevels(65), strings.Repeat(".v", 65), "64"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := test.schema.Validate()
			if err == nil {
				t.Fatal("no problem found")
			}
			problem := err.Error()
			if strings.Contains(problem, "\n") {
				t.Fatalf("more than one problem:\n%s", problem)
			}
			place, message, _ := strings.Cut(problem, ": ")
			if test.place == "" {
				place, message = "", problem
			}
			if place != test.place || !strings.Contains(message, test.about) {
				t.Errorf("got %q, want the place %q and a message about %q", problem, test.place, test.about)
			}
		})
	}
}

// A block's name that is not in NFC breaks two rules.
func TestInvalidBlockNameNotNormal(t *testing.T) {
	schema := &objchange.Block{BlockTypes: blocks{"e\u0301": block(objchange.NestingList, nil)}}
	if err := schema.Validate(); err == nil || !strings.Contains(err.Error(), "NFC") {
		t.Errorf("got %v", err)
	}
}

func TestValidateJoinsAllProblems(t *testing.T) {
	schema := &objchange.Block{
		Attributes: attrs{"z": attr(cty.String, ""), "a": attr(cty.String, "required optional")},
		BlockTypes: blocks{
			"m": bounded(block(objchange.NestingList, attrs{"x": attr(cty.String, "required computed")}), 2, 1),
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
			t.Errorf("nothing said of %s in:\n%s", place, err)
		}
	}
	if len(places) != 5 {
		t.Errorf("got problems at %v", places)
	}
	for range 20 {
		if again := schema.Validate(); again.Error() != err.Error() {
			t.Fatalf("got\n%s\nand then\n%s", err, again)
		}
	}
}

func TestValidateEndsPointerCycles(t *testing.T) {
	inBlocks := &objchange.NestedBlock{Nesting: objchange.NestingList}
	inBlocks.BlockTypes = blocks{"v": inBlocks}
	branching := &objchange.NestedBlock{Nesting: objchange.NestingList}
	branching.BlockTypes = blocks{"a": branching, "b": branching, "c": branching}
	inAttributes := nested(objchange.NestingList, "optional", nil)
	inAttributes.NestedType.Attributes = attrs{"a": inAttributes, "b": inAttributes}
	faulty := &objchange.NestedBlock{Nesting: objchange.NestingSingle}
	faulty.Attributes = attrs{"a": nil, "b": attr(cty.String, "")}
	faulty.BlockTypes = blocks{"v": faulty, "w": faulty}
	for name, schema := range map[string]*objchange.Block{
		"through blocks":                          withBlock(inBlocks),
		"through blocks, branching":               withBlock(branching),
		"through nested attributes, branching":    withAttr(inAttributes),
		"branching, with a problem at each level": withBlock(faulty),
	} {
		start := time.Now()
		if schema.Validate() == nil {
			t.Errorf("%s: no problem found", name)
		}
		schema.ImpliedType()
		schema.EmptyValue()
		if _, err := objchange.ProposedNew(schema, noDynamic, noDynamic); err == nil {
			t.Errorf("%s: proposed something", name)
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s: took %s", name, took)
		}
	}
}
