package spectest

import (
	"slices"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/spectest/generate"
	. "github.com/objchange/objchange/internal/testcty"
)

// This file tests schemas that Validate rejects.

// A rejectedSchema is a schema that Validate rejects, with the path of the problem and a word in its
// message. If word is several, Validate reports more than one problem.
type rejectedSchema struct {
	name   string
	schema *configschema.Block
	path   string
	word   string
}

const (
	several    = ""
	decomposed = "e\u0301" // é as two code points
)

// validAttrs contains a valid attribute.
var validAttrs = Attrs{"a": LeafAttr}

func cyclicObject() *configschema.Block {
	a := Nested(configschema.NestingSingle, "optional", Attrs{})
	a.NestedType.Attributes["v"] = a
	return SchemaOf(a)
}

// attributeWithTwoTypes returns an attribute that has both a type and a nested type.
func attributeWithTwoTypes() *configschema.Attribute {
	a := Nested(configschema.NestingSingle, "optional", validAttrs)
	a.Type = cty.String
	return a
}

// invalidSchemas lists schemas that Compile rejects.
var invalidSchemas = []rejectedSchema{
	{"nil", nil, "", "nil"},
	{"a nil attribute", SchemaOf(nil), ".v", "nil"},
	{"a nil block type", SchemaOfBlock(nil), ".v", "nil"},
	{"neither Type nor NestedType", SchemaOf(&configschema.Attribute{Optional: true}), ".v", "NestedType"},
	{"both Type and NestedType", SchemaOf(attributeWithTwoTypes()), ".v", "NestedType"},
	{"a type with an invalid part", SchemaOf(Attr(cty.List(cty.NilType), "optional")), ".v", "type"},
	{"both attribute and block", &configschema.Block{Attributes: Attrs{"v": LeafAttr}, BlockTypes: Blocks{"v": Block(configschema.NestingList, validAttrs)}}, ".v", "both"},
	{"a block without a mode", SchemaOfBlock(Block(0, validAttrs)), ".v", "mode"},
	{"a nested attribute without a mode", SchemaOf(Nested(0, "optional", validAttrs)), ".v", "mode"},
	{"dynamic in a set block", SchemaOfBlock(Block(configschema.NestingSet, Attrs{"a": DynamicLeaf})), ".v.a", "dynamic"},
	{"dynamic deep inside a set", SchemaOfBlock(Block(configschema.NestingSet, nil, Blocks{
		"w": Block(configschema.NestingList, Attrs{"a": Nested(configschema.NestingMap, "optional", Attrs{"b": DynamicLeaf})}),
	})), ".v.w.a.b", "dynamic"},
	{"an attribute's name not in NFC", &configschema.Block{Attributes: Attrs{decomposed: LeafAttr}}, "." + decomposed, "NFC"},
	{"a nested attribute's name not in NFC", SchemaOf(Nested(configschema.NestingSingle, "optional", Attrs{decomposed: LeafAttr})), ".v." + decomposed, "NFC"},
	{"65 levels of blocks", Levels(65), strings.Repeat(".v", 65), "64"},
	{"65 levels of nested attributes", NestedLevels(65), strings.Repeat(".v", 65), "64"},
	{"a nested attribute without a mode in a block", SchemaOfBlock(Block(configschema.NestingList, Attrs{"a": Nested(0, "optional", validAttrs)})), ".v.a", "mode"},
	{"dynamic inside a type in a set-nested attribute", SchemaOf(Nested(configschema.NestingSet, "optional", Attrs{"a": Attr(cty.List(cty.DynamicPseudoType), "optional")})), ".v.a", "dynamic"},
	{"a cycle of blocks", SchemaOfBlock(Cyclic(configschema.NestingList, "v", "w")), "", several},
	{"a cycle of attributes", cyclicObject(), "", several},
}

// unconventionalSchemas lists schemas that Validate rejects and Compile accepts.
var unconventionalSchemas = []rejectedSchema{
	{"no flag", SchemaOf(Attr(cty.String, "")), ".v", "Optional"},
	{"no flag but write-only", SchemaOf(Attr(cty.String, "writeonly")), ".v", "Optional"},
	{"no flag in a block", SchemaOfBlock(Block(configschema.NestingSet, Attrs{"a": Attr(cty.String, "")})), ".v.a", "Optional"},
	{"required and optional", SchemaOf(Attr(cty.String, "required optional")), ".v", "Required"},
	{"required and computed", SchemaOf(Attr(cty.String, "required computed")), ".v", "Required"},
	{"a block's name in upper case", &configschema.Block{BlockTypes: Blocks{"Rule": Block(configschema.NestingList, validAttrs)}}, ".Rule", "name"},
	{"a block's name that is empty", &configschema.Block{BlockTypes: Blocks{"": Block(configschema.NestingList, validAttrs)}}, ".", "name"},
	{"single 0, 1", SchemaOfBlock(Bounded(Block(configschema.NestingSingle, validAttrs), 0, 1)), ".v", "MinItems"},
	{"single 2, 2", SchemaOfBlock(Bounded(Block(configschema.NestingSingle, validAttrs), 2, 2)), ".v", "MinItems"},
	{"group 1, 1", SchemaOfBlock(Bounded(Block(configschema.NestingGroup, validAttrs), 1, 1)), ".v", "MinItems"},
	{"map 1, 0", SchemaOfBlock(Bounded(Block(configschema.NestingMap, validAttrs), 1, 0)), ".v", "MinItems"},
	{"list 2, 1", SchemaOfBlock(Bounded(Block(configschema.NestingList, validAttrs), 2, 1)), ".v", "MinItems"},
	{"list 0, -1", SchemaOfBlock(Bounded(Block(configschema.NestingList, validAttrs), 0, -1)), ".v", "MaxItems"},
	{"write-only in a set-nested attribute", SchemaOf(Nested(configschema.NestingSet, "optional", Attrs{"a": WriteLeaf})), ".v.a", "WriteOnly"},
	{"write-only deep inside a set", SchemaOfBlock(Block(configschema.NestingSet, nil, Blocks{
		"w": Block(configschema.NestingGroup, Attrs{"a": Nested(configschema.NestingSingle, "optional", Attrs{"b": WriteLeaf})}),
	})), ".v.w.a.b", "WriteOnly"},
	{"an attribute that is not computed in a computed block", SchemaOfBlock(Computed(Block(configschema.NestingList, validAttrs))), ".v.a", "Computed"},
	{"a block that is not computed in a computed block",
		SchemaOfBlock(Computed(Block(configschema.NestingList, nil, Blocks{"w": Block(configschema.NestingList, nil)}))), ".v.w", "Computed"},
	{"a group block that is computed", SchemaOfBlock(Computed(Block(configschema.NestingGroup, nil))), ".v", "group"},
	{"MinItems of a computed list block", SchemaOfBlock(Computed(Bounded(Block(configschema.NestingList, nil), 1, 0))), ".v", "MinItems"},
	{"set -2, -1", SchemaOfBlock(Bounded(Block(configschema.NestingSet, validAttrs), -2, -1)), ".v", several},
	{"a message for an attribute that is not deprecated", SchemaOf(&configschema.Attribute{Type: cty.String, Optional: true, DeprecationMessage: "no more"}), ".v", "Deprecat"},
	{"a message for a block that is not deprecated", SchemaOfBlock(&configschema.NestedBlock{Block: configschema.Block{DeprecationMessage: "no more"}, Nesting: configschema.NestingList}), ".v", "Deprecat"},
	{"a message for a root that is not deprecated", &configschema.Block{DeprecationMessage: "no more", Attributes: validAttrs}, "", "Deprecat"},
	{"an attribute that is not computed in a computed root", &configschema.Block{Computed: true, Attributes: validAttrs}, ".a", "Computed"},
}

func TestValidateFindsTheProblem(t *testing.T) {
	for _, bad := range slices.Concat(invalidSchemas, unconventionalSchemas) {
		t.Run(bad.name, func(t *testing.T) {
			err := bad.schema.Validate()
			if err == nil {
				t.Fatal("no problem found")
			}
			problem := err.Error()
			if bad.word == several {
				return
			}
			if strings.Contains(problem, "\n") {
				t.Fatalf("more than one problem:\n%s", problem)
			}
			place, message, _ := strings.Cut(problem, ": ")
			if bad.path == "" {
				place, message = "", problem
			}
			if place != bad.path || !strings.Contains(message, bad.word) {
				t.Errorf("got %q, want the path %q and a message about %q", problem, bad.path, bad.word)
			}
		})
	}
}

// TestValidateOfPartsFindsTheProblem checks that Validate of a part reports the problem with a path
// that starts at the part.
func TestValidateOfPartsFindsTheProblem(t *testing.T) {
	without := Attrs{"a": Attr(cty.String, "")}
	for _, test := range []struct {
		part  interface{ Validate() error }
		start string // of the error, or "" if the part is valid
	}{
		{without["a"], "none of Required, Optional and Computed"},
		{Nested(configschema.NestingList, "optional", without), ".a: none of"},
		{Block(configschema.NestingSet, without), ".a: none of"},
		{Block(0, validAttrs), "invalid nesting mode"},
		{LeafAttr, ""}, {Nested(configschema.NestingSet, "optional", validAttrs), ""}, {Block(configschema.NestingList, validAttrs), ""},
	} {
		err := test.part.Validate()
		if (err == nil) != (test.start == "") || err != nil && !strings.HasPrefix(err.Error(), test.start) {
			t.Errorf("%#v: %v, want %q", test.part, err, test.start)
		}
	}
}

// TestUnconventionalSchemasWork checks specification.md#23-valid-schemas: the functions accept all
// schemas that Compile accepts.
func TestUnconventionalSchemasWork(t *testing.T) {
	for _, odd := range unconventionalSchemas {
		t.Run(odd.name, func(t *testing.T) {
			schema := odd.schema
			empty := schema.EmptyValue()
			if ty := schema.ImpliedType(); !ty.IsObjectType() || !empty.Type().Equals(ty) || empty.IsNull() {
				t.Errorf("implied type %#v, empty value %#v", ty, empty)
			}
			for _, f := range functions {
				for _, v := range runSafely(t, f, schema, empty, empty, empty).found {
					if v.Rule == objchange.RuleInvalidInput || v.Rule == objchange.RuleTypeMismatch {
						t.Errorf("%s: %v", f.name, v)
					}
				}
			}
		})
	}
}

func TestInvalidSchemasAreRejected(t *testing.T) {
	for _, bad := range invalidSchemas {
		t.Run(bad.name, func(t *testing.T) {
			schema := bad.schema
			if compiled, err := objchange.Compile(schema); compiled != nil || err == nil || !strings.Contains(err.Error(), bad.path) {
				t.Errorf("the error of Compile does not contain the path: %v", err)
			}
			if ty := schema.ImpliedType(); ty != cty.DynamicPseudoType {
				t.Errorf("implied type %s", ty.FriendlyName())
			}
			if empty := schema.EmptyValue(); !empty.RawEquals(generate.NoValue) {
				t.Errorf("empty value %#v", empty)
			}
			for _, path := range []cty.Path{cty.GetAttrPath("v").GetAttr("v").IndexInt(0).GetAttr("w"), cty.GetAttrPath("v").GetAttr("k").GetAttr("a")} {
				schema.AttributeByPath(path)
			}
		})
	}
}

// TestNilSchemaIsRejected checks that each function reports a nil schema.
func TestNilSchemaIsRejected(t *testing.T) {
	for _, v := range []cty.Value{Object(Obj{"v": NoDynamic}), ObjectOf(Str("a")), NoDynamic, cty.NilVal} {
		for _, f := range functions {
			if f.name == planAction {
				continue
			}
			expectRejected(t, runSafely(t, f, nil, v, v, v), " invalid-input")
		}
	}
	for _, none := range []*objchange.Schema{nil, {}} {
		if none.Block() != nil || none.ImpliedType() != cty.DynamicPseudoType || !none.EmptyValue().RawEquals(NoDynamic) || none.PathString(PathToV) != "[(sensitive)]" {
			t.Errorf("%#v does not behave like a nil schema", none)
		}
		Expect(t, objchange.AssertStateValid(none, NoDynamic), " invalid-input")
	}
}

// TestSchemasOf64LevelsWork checks that the functions accept 64 levels of nesting, which is the
// limit.
func TestSchemasOf64LevelsWork(t *testing.T) {
	schema := Levels(64)
	if err := schema.Validate(); err != nil {
		t.Fatal(err)
	}
	for _, f := range functions {
		empty := schema.EmptyValue()
		if found := f.run(schema, empty, empty, empty).found; len(found) > 0 {
			t.Errorf("%s: %v", f.name, found.Err())
		}
	}
}
