package objchange_test

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
)

// schemaOf is a schema of one attribute or block type named x.
func schemaOf(a *objchange.Attribute) *objchange.Block {
	return &objchange.Block{Attributes: attrs{"x": a}}
}

func schemaOfBlock(nb *objchange.NestedBlock) *objchange.Block {
	return &objchange.Block{BlockTypes: blocks{"x": nb}}
}

// limited gives a block type limits.
func limited(nb *objchange.NestedBlock, lo, hi int) *objchange.Block {
	nb.MinItems, nb.MaxItems = lo, hi
	return schemaOfBlock(nb)
}

// cyclic is a schema that holds itself.
func cyclic() *objchange.Block {
	nb := block(objchange.NestingList, nil)
	nb.BlockTypes = blocks{"x": nb, "y": nb}
	return schemaOfBlock(nb)
}

func cyclicMap() *objchange.Block {
	nb := block(objchange.NestingMap, nil)
	nb.BlockTypes = blocks{"x": nb}
	return schemaOfBlock(nb)
}

func cyclicObject() *objchange.Block {
	a := nested(objchange.NestingSingle, "optional", attrs{})
	a.NestedType.Attributes["x"] = a
	return schemaOf(a)
}

// stacked is a schema with that many levels of blocks.
func stacked(levels int) *objchange.Block {
	nb := block(objchange.NestingSingle, attrs{"a": attr(cty.String, "optional")})
	for range levels - 1 {
		nb = block(objchange.NestingSingle, nil, blocks{"x": nb})
	}
	return schemaOfBlock(nb)
}

var simple = attrs{"a": attr(cty.String, "optional")}

// nastySchemas have no meaning.
var nastySchemas = map[string]*objchange.Block{
	"nil":                    nil,
	"nil attribute":          schemaOf(nil),
	"nil block type":         schemaOfBlock(nil),
	"no type":                schemaOf(attr(cty.NilType, "optional")),
	"two types":              schemaOf(&objchange.Attribute{Type: cty.String, NestedType: &objchange.Object{Nesting: objchange.NestingSingle}, Optional: true}),
	"type with a hole":       schemaOf(attr(cty.List(cty.NilType), "optional")),
	"no mode":                schemaOf(nested(0, "optional", simple)),
	"negative mode":          schemaOf(nested(-1, "optional", simple)),
	"unknown block mode":     schemaOfBlock(block(6, simple)),
	"dynamic in a set":       schemaOf(nested(objchange.NestingSet, "optional", attrs{"a": attr(cty.List(cty.DynamicPseudoType), "optional")})),
	"attribute and block":    {Attributes: attrs{"x": attr(cty.String, "optional")}, BlockTypes: blocks{"x": block(objchange.NestingList, nil)}},
	"attribute name not NFC": {Attributes: attrs{"u\u0308": attr(cty.String, "optional")}},
	"a cycle of blocks":      cyclic(),
	"a cycle of attributes":  cyclicObject(),
	"65 levels":              stacked(65),
	"a cycle of maps":        cyclicMap(),
	"nothing in a map":       schemaOfBlock(block(objchange.NestingMap, attrs{"a": nil})),
	"no type in a map":       schemaOfBlock(block(objchange.NestingMap, attrs{"a": {}})),
	"no block in a map":      schemaOfBlock(block(objchange.NestingMap, nil, blocks{"a": nil})),
}

// oddSchemas are not what Terraform takes from a provider, and have a meaning.
var oddSchemas = map[string]*objchange.Block{
	"no flags":                    schemaOf(attr(cty.String, "")),
	"required and optional":       schemaOf(attr(cty.String, "required optional")),
	"required and computed":       schemaOf(attr(cty.String, "required computed")),
	"write-only in a set":         schemaOfBlock(block(objchange.NestingSet, attrs{"a": attr(cty.String, "optional writeonly")})),
	"write-only deep in a set":    schemaOfBlock(block(objchange.NestingSet, attrs{"a": nested(objchange.NestingList, "optional", attrs{"a": attr(cty.String, "optional writeonly")})})),
	"computed group":              schemaOfBlock(computed(block(objchange.NestingGroup, nil))),
	"optional in computed block":  schemaOfBlock(computed(block(objchange.NestingList, simple))),
	"block in computed block":     schemaOfBlock(computed(block(objchange.NestingList, nil, blocks{"y": block(objchange.NestingList, nil)}))),
	"required computed block":     limited(computed(block(objchange.NestingList, nil)), 1, 1),
	"block name in capitals":      {BlockTypes: blocks{"X": block(objchange.NestingList, nil)}},
	"empty block name":            {BlockTypes: blocks{"": block(objchange.NestingList, nil)}},
	"single at least 1 of 2":      limited(block(objchange.NestingSingle, simple), 1, 2),
	"two of a single":             limited(block(objchange.NestingSingle, simple), 2, 2),
	"map with a limit":            limited(block(objchange.NestingMap, simple), 0, 1),
	"group with a limit":          limited(block(objchange.NestingGroup, simple), 1, 1),
	"more than the most":          limited(block(objchange.NestingList, simple), 3, 2),
	"negative limits":             limited(block(objchange.NestingSet, simple), -2, -1),
	"deprecation of an attribute": schemaOf(&objchange.Attribute{Type: cty.String, Optional: true, DeprecationMessage: "no more"}),
	"deprecation of a block":      schemaOfBlock(&objchange.NestedBlock{Block: objchange.Block{DeprecationMessage: "no more"}, Nesting: objchange.NestingList}),
	"deprecation of all":          {DeprecationMessage: "no more", Attributes: attrs{"x": attr(cty.String, "optional")}},
	"optional in a computed root": {Computed: true, Attributes: attrs{"x": attr(cty.String, "optional")}},
	"a block in a computed root":  {Computed: true, BlockTypes: blocks{"x": block(objchange.NestingList, nil)}},
}

// semantics.md#validity: the functions work with whatever has a meaning.
func TestOddSchemas(t *testing.T) {
	for name, schema := range oddSchemas {
		t.Run(name, func(t *testing.T) {
			if schema.Validate() == nil {
				t.Error("the schema is valid")
			}
			empty := schema.EmptyValue()
			if ty := schema.ImpliedType(); !ty.IsObjectType() || !empty.Type().Equals(ty) || empty.IsNull() {
				t.Errorf("implied type %#v, empty value %#v", ty, empty)
			}
			for _, f := range functions {
				for _, v := range survive(t, f, schema, empty, empty, empty).found {
					if v.Rule == objchange.RuleInvalidInput || v.Rule == objchange.RuleTypeMismatch {
						t.Errorf("%s: %v", f.name, v)
					}
				}
			}
		})
	}
}

func TestNastySchemas(t *testing.T) {
	for name, schema := range nastySchemas {
		t.Run(name, func(t *testing.T) {
			if schema.Validate() == nil {
				t.Error("the schema is valid")
			}
			v := object(obj{"x": cty.NullVal(cty.DynamicPseudoType)})
			for _, f := range functions {
				if f.name == "PlanAction" {
					continue // takes no schema
				}
				found := survive(t, f, schema, v, v, v).found
				if len(found) != 1 || found[0].Rule != objchange.RuleInvalidInput || found[0].Message == internalError || !found[0].Enforced {
					t.Errorf("%s: %v", f.name, found.Err())
				}
			}
			if ty := schema.ImpliedType(); ty != cty.DynamicPseudoType {
				t.Errorf("implied type %s", ty.FriendlyName())
			}
			if empty := schema.EmptyValue(); !empty.RawEquals(noValue) {
				t.Errorf("empty value %#v", empty)
			}
			for _, path := range []cty.Path{cty.GetAttrPath("x").GetAttr("x").IndexInt(0).GetAttr("y"), cty.GetAttrPath("x").GetAttr("k").GetAttr("a")} {
				schema.AttributeByPath(path)
				schema.PathString(path)
			}
		})
	}
}

// The limit is 64 levels, and that many are fine.
func TestDeepestSchema(t *testing.T) {
	schema := stacked(64)
	if err := schema.Validate(); err != nil {
		t.Fatal(err)
	}
	for _, f := range functions {
		empty := schema.EmptyValue()
		if found := f.ask(schema, empty, empty, empty).found; len(found) > 0 {
			t.Errorf("%s: %v", f.name, found.Err())
		}
	}
}
