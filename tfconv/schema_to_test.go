package tfconv_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
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
	write := func(b *configschema.Block) (*tfprotov6.Schema, error) {
		return tfconv.SchemaTo6(&configschema.Schema{Block: b})
	}
	expectErrors(t, write, map[string]failure[*configschema.Block]{
		"nil attribute": {attr(nil), ".a: the attribute is nil"},
		"no type": {
			in:   inList(attr(&configschema.Attribute{Optional: true})),
			want: ".b.a: exactly one of Type and NestedType must be set",
		},
		"capsule": {
			in:   inList(attr(&configschema.Attribute{Type: cty.List(capsule), Optional: true})),
			want: ".b.a: list element: the protocol does not support the type thing",
		},
		"computed block": {
			in:   inList(&configschema.Block{Computed: true}),
			want: ".b: the block is computed, and the protocol does not support computed blocks",
		},
		"group of attributes": {
			in:   nested(configschema.NestingGroup),
			want: ".a: nested attributes of group nesting, which the protocol does not have",
		},
		"description": {in: &configschema.Block{DescriptionKind: 7}, want: "unknown kind of description 7"},
		"all problems": {
			in: &configschema.Block{Attributes: map[string]*configschema.Attribute{
				"a": {Type: capsule, Optional: true}, "b": {Type: capsule, Optional: true},
			}},
			want: ".a: the protocol does not support the type thing\n.b: the protocol does not support the type thing",
		},
	})
	if _, err := write(cycle); err == nil {
		t.Error("no error for a cycle")
	}
	if _, err := tfconv.SchemaTo6(nil); err == nil {
		t.Error("no error for a nil schema")
	}
}
