package tfconv_test

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfconv"
)

func TestSchemaToErrors(t *testing.T) {
	attr := func(a *configschema.Attribute) *configschema.Block {
		return &configschema.Block{Attributes: map[string]*configschema.Attribute{"a": a}}
	}
	inList := func(b *configschema.Block) *configschema.Block {
		nested := &configschema.NestedBlock{Block: *b, Nesting: configschema.NestingList}
		return &configschema.Block{BlockTypes: map[string]*configschema.NestedBlock{"b": nested}}
	}
	nested := func(mode configschema.NestingMode) *configschema.Block {
		inner := map[string]*configschema.Attribute{"c": {Type: cty.String, Optional: true}}
		return attr(&configschema.Attribute{Optional: true, NestedType: &configschema.Object{Attributes: inner, Nesting: mode}})
	}
	cycle := inList(&configschema.Block{})
	cycle.BlockTypes["b"].BlockTypes = cycle.BlockTypes
	for name, test := range map[string]struct {
		block     *configschema.Block
		six, five string
	}{
		"nil attribute": {block: attr(nil), six: ".a: the attribute is nil"},
		"cycle":         {block: cycle, six: "any"},
		"no type": {
			block: inList(attr(&configschema.Attribute{Optional: true})),
			six:   ".b.a: exactly one of Type and NestedType must be set",
		},
		"capsule": {
			block: inList(attr(&configschema.Attribute{Type: cty.List(capsule), Optional: true})),
			six:   ".b.a: list element: the protocol does not support the type thing",
		},
		"computed block": {
			block: inList(&configschema.Block{Computed: true}),
			six:   ".b: the block is computed, and the protocol does not support computed blocks",
		},
		"group of attributes": {
			block: nested(configschema.NestingGroup),
			six:   ".a: nested attributes of group nesting, which the protocol does not have",
			five:  ".a: has nested attributes, which protocol 5 does not have",
		},
		"nested attributes": {
			block: inList(nested(configschema.NestingMap)),
			five:  ".b.a: has nested attributes, which protocol 5 does not have",
		},
		"description": {block: &configschema.Block{DescriptionKind: 7}, six: "unknown kind of description 7"},
		"all problems": {
			block: &configschema.Block{Attributes: map[string]*configschema.Attribute{
				"a": {Type: capsule, Optional: true}, "b": {Type: capsule, Optional: true},
			}},
			six: ".a: the protocol does not support the type thing\n.b: the protocol does not support the type thing",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if test.five == "" {
				test.five = test.six
			}
			_, six := tfconv.SchemaTo6(&configschema.Schema{Block: test.block})
			_, five := tfconv.SchemaTo5(&configschema.Schema{Block: test.block})
			for protocol, got := range map[string]struct {
				err  error
				want string
			}{"6": {six, test.six}, "5": {five, test.five}} {
				if text := errorText(got.err); text != got.want && (got.want != "any" || text == "") {
					t.Errorf("protocol %s: got error %q, want %q", protocol, text, got.want)
				}
			}
		})
	}
	if _, err := tfconv.SchemaTo6(nil); err == nil {
		t.Error("no error for a nil schema")
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
