package tfconv_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfconv"
)

// TestSchemaTo checks that a written schema is sorted by name.
func TestSchemaTo(t *testing.T) {
	from := &configschema.Schema{Version: 3, Block: &configschema.Block{
		Attributes: wantAttrs(),
		BlockTypes: map[string]*configschema.NestedBlock{
			"rule": {Block: wantName("port"), Nesting: configschema.NestingList, MinItems: 1, MaxItems: 4},
			"meta": {Block: wantName("key"), Nesting: configschema.NestingGroup},
		},
		Description: "a *thing*", DescriptionKind: configschema.StringMarkdown,
		Deprecated: true, DeprecationMessage: "use another",
	}}
	attrs := slices.SortedFunc(slices.Values(attrs6), func(a, b *tfprotov6.SchemaAttribute) int {
		return strings.Compare(a.Name, b.Name)
	})
	want := &tfprotov6.Schema{Version: 3, Block: &tfprotov6.SchemaBlock{
		Attributes: attrs,
		BlockTypes: []*tfprotov6.SchemaNestedBlock{
			{TypeName: "meta", Block: name6("key"), Nesting: tfprotov6.SchemaNestedBlockNestingModeGroup},
			{TypeName: "rule", Block: name6("port"), Nesting: tfprotov6.SchemaNestedBlockNestingModeList, MinItems: 1, MaxItems: 4},
		},
		Description: "a *thing*", DescriptionKind: tfprotov6.StringKindMarkdown,
		Deprecated: true, DeprecationMessage: "use another",
	}}
	if diff := cmp.Diff(want, must(tfconv.SchemaTo6(from))); diff != "" {
		t.Errorf("protocol 6 (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(schema5(want), must(tfconv.SchemaTo5(from))); diff != "" {
		t.Errorf("protocol 5 (-want +got):\n%s", diff)
	}
	empty := must(tfconv.SchemaTo6(&configschema.Schema{Version: 1}))
	if empty.Version != 1 || empty.Block == nil {
		t.Errorf("without a block: %+v", empty)
	}
}

// TestSchemaRoundTrip checks that a written schema reads back as the same schema, and that a schema
// that is read and written again changes only its order.
func TestSchemaRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schema := &configschema.Schema{Version: rapid.Int64().Draw(t, "version"), Block: drawBlock(t, 2, true, false)}
		six := must(tfconv.SchemaTo6(schema))
		if diff := cmp.Diff(schema, must(tfconv.Schema6(six)), byType, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("protocol 6 (-want +got):\n%s", diff)
		}
		mixed := *six.Block
		mixed.Attributes = rapid.Permutation(mixed.Attributes).Draw(t, "attributes")
		mixed.BlockTypes = rapid.Permutation(mixed.BlockTypes).Draw(t, "blocks")
		again := must(tfconv.BlockTo6(must(tfconv.Block6(&mixed))))
		if diff := cmp.Diff(six.Block, again); diff != "" {
			t.Fatalf("from protocol 6 (-want +got):\n%s", diff)
		}
		schema.Block = drawBlock(t, 2, false, false)
		five := must(tfconv.SchemaTo5(schema))
		if diff := cmp.Diff(schema, must(tfconv.Schema5(five)), byType, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("protocol 5 (-want +got):\n%s", diff)
		}
	})
}

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
		"nil":           {block: nil, six: "the block is nil"},
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
			five:  ".a: has nested attributes, which protocol 5 and identities do not have",
		},
		"nested attributes": {
			block: inList(nested(configschema.NestingMap)),
			five:  ".b.a: has nested attributes, which protocol 5 and identities do not have",
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
			_, six := tfconv.BlockTo6(test.block)
			_, five := tfconv.BlockTo5(test.block)
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

func TestIdentitySchemaTo(t *testing.T) {
	from := &configschema.Schema{Version: 2, Block: &configschema.Block{Attributes: map[string]*configschema.Attribute{
		"region": {Type: cty.String, Optional: true},
		"id":     {Type: cty.String, Required: true, Description: "who"},
		"etag":   {Type: cty.Bool, Computed: true},
	}}}
	six := must(tfconv.IdentitySchemaTo6(from))
	want := &tfprotov6.ResourceIdentitySchema{Version: 2, IdentityAttributes: []*tfprotov6.ResourceIdentitySchemaAttribute{
		{Name: "etag", Type: tftypes.Bool},
		{Name: "id", Type: tftypes.String, RequiredForImport: true, Description: "who"},
		{Name: "region", Type: tftypes.String, OptionalForImport: true},
	}}
	if diff := cmp.Diff(want, six); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(from, must(tfconv.IdentitySchema6(six)), byType); diff != "" {
		t.Errorf("read again (-want +got):\n%s", diff)
	}
	five := must(tfconv.IdentitySchemaTo5(from))
	if diff := cmp.Diff(from, must(tfconv.IdentitySchema5(five)), byType); diff != "" {
		t.Errorf("protocol 5, read again (-want +got):\n%s", diff)
	}

	const one = "in an identity, exactly one of Required, Optional and Computed must be set"
	bad := &configschema.Schema{Block: &configschema.Block{
		Attributes: map[string]*configschema.Attribute{
			"a": {Type: cty.String}, "b": {Type: cty.String, Optional: true, Computed: true},
			"c": {Type: cty.String, Required: true, Sensitive: true},
			"d": {NestedType: &configschema.Object{Nesting: configschema.NestingList}, Required: true},
		},
		BlockTypes:  map[string]*configschema.NestedBlock{"e": {Nesting: configschema.NestingList}},
		Description: "who",
	}}
	_, err := tfconv.IdentitySchemaTo6(bad)
	text := "an identity must not have blocks\n" +
		"the schema of an identity must not have a description, and must not be deprecated or computed\n" +
		".a: " + one + "\n.b: " + one + "\n" +
		".c: an attribute of an identity must not be sensitive, write-only, deprecated or described in Markdown\n" +
		".d: has nested attributes, which protocol 5 and identities do not have"
	if errorText(err) != text {
		t.Errorf("got error\n%v\nwant\n%s", err, text)
	}
	if _, err := tfconv.IdentitySchemaTo6(nil); err == nil {
		t.Error("no error for nil")
	}
}
