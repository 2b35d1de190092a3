package tfconv_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfconv"
)

var byType = cmp.Comparer(func(a, b cty.Type) bool {
	if a == cty.NilType || b == cty.NilType {
		return a == cty.NilType && b == cty.NilType
	}
	return a.Equals(b)
})

// attrs6 contains attributes of every kind that both protocols have.
var attrs6 = []*tfprotov6.SchemaAttribute{
	{Name: "required", Type: tftypes.String, Required: true},
	{Name: "optional", Type: tftypes.Number, Optional: true, Deprecated: true, DeprecationMessage: "use required"},
	{Name: "computed", Type: tftypes.Bool, Computed: true, Description: "*who* knows", DescriptionKind: tfprotov6.StringKindMarkdown},
	{Name: "both", Type: tftypes.List{ElementType: tftypes.String}, Optional: true, Computed: true, Description: "plain"},
	{Name: "secret", Type: tftypes.DynamicPseudoType, Optional: true, Sensitive: true},
	{Name: "never", Type: tftypes.String, Optional: true, WriteOnly: true},
}

func wantAttrs() map[string]*configschema.Attribute {
	return map[string]*configschema.Attribute{
		"required": {Type: cty.String, Required: true},
		"optional": {Type: cty.Number, Optional: true, Deprecated: true, DeprecationMessage: "use required"},
		"computed": {Type: cty.Bool, Computed: true, Description: "*who* knows", DescriptionKind: configschema.StringMarkdown},
		"both":     {Type: cty.List(cty.String), Optional: true, Computed: true, Description: "plain"},
		"secret":   {Type: cty.DynamicPseudoType, Optional: true, Sensitive: true},
		"never":    {Type: cty.String, Optional: true, WriteOnly: true},
	}
}

func name6(name string) *tfprotov6.SchemaBlock {
	return &tfprotov6.SchemaBlock{Attributes: []*tfprotov6.SchemaAttribute{{Name: name, Type: tftypes.String, Optional: true}}}
}

func wantName(name string) configschema.Block {
	return configschema.Block{
		Attributes: map[string]*configschema.Attribute{name: {Type: cty.String, Optional: true}},
		BlockTypes: map[string]*configschema.NestedBlock{},
	}
}

func TestSchema(t *testing.T) {
	from := &tfprotov6.Schema{Version: 3, Block: &tfprotov6.SchemaBlock{
		Version: 7, Attributes: attrs6,
		BlockTypes: []*tfprotov6.SchemaNestedBlock{
			{TypeName: "single", Block: name6("a"), Nesting: tfprotov6.SchemaNestedBlockNestingModeSingle, MinItems: 1, MaxItems: 1},
			{TypeName: "group", Block: name6("b"), Nesting: tfprotov6.SchemaNestedBlockNestingModeGroup},
			{TypeName: "list", Block: name6("c"), Nesting: tfprotov6.SchemaNestedBlockNestingModeList, MinItems: 1, MaxItems: 4},
			{TypeName: "set", Block: name6("d"), Nesting: tfprotov6.SchemaNestedBlockNestingModeSet, MaxItems: 2},
			{TypeName: "map", Block: name6("e"), Nesting: tfprotov6.SchemaNestedBlockNestingModeMap},
			{TypeName: "empty", Nesting: tfprotov6.SchemaNestedBlockNestingModeList},
		},
		Description: "a *thing*", DescriptionKind: tfprotov6.StringKindMarkdown,
		Deprecated: true, DeprecationMessage: "use another",
	}}
	want := &configschema.Schema{Version: 3, Block: &configschema.Block{
		Attributes: wantAttrs(),
		BlockTypes: map[string]*configschema.NestedBlock{
			"single": {Block: wantName("a"), Nesting: configschema.NestingSingle, MinItems: 1, MaxItems: 1},
			"group":  {Block: wantName("b"), Nesting: configschema.NestingGroup},
			"list":   {Block: wantName("c"), Nesting: configschema.NestingList, MinItems: 1, MaxItems: 4},
			"set":    {Block: wantName("d"), Nesting: configschema.NestingSet, MaxItems: 2},
			"map":    {Block: wantName("e"), Nesting: configschema.NestingMap},
			"empty":  {Nesting: configschema.NestingList},
		},
		Description: "a *thing*", DescriptionKind: configschema.StringMarkdown,
		Deprecated: true, DeprecationMessage: "use another",
	}}
	six, err := tfconv.Schema6(from)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, six, byType); diff != "" {
		t.Errorf("protocol 6 (-want +got):\n%s", diff)
	}
	five, err := tfconv.Schema5(schema5(from))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, five, byType); diff != "" {
		t.Errorf("protocol 5 (-want +got):\n%s", diff)
	}
	// The schema must imply the same type as in terraform-plugin-go.
	if ty, err := tfconv.TypeToCty(from.ValueType()); err != nil || !ty.Equals(six.Block.ImpliedType()) {
		t.Errorf("the implied type is %#v, that of the provider %#v, %v", six.Block.ImpliedType(), ty, err)
	}
}

func TestNestedAttributes(t *testing.T) {
	modes := map[configschema.NestingMode]tfprotov6.SchemaObjectNestingMode{
		configschema.NestingSingle: tfprotov6.SchemaObjectNestingModeSingle,
		configschema.NestingList:   tfprotov6.SchemaObjectNestingModeList,
		configschema.NestingSet:    tfprotov6.SchemaObjectNestingModeSet,
		configschema.NestingMap:    tfprotov6.SchemaObjectNestingModeMap,
	}
	for want, mode := range modes {
		t.Run(want.String(), func(t *testing.T) {
			inner := &tfprotov6.SchemaObject{Attributes: []*tfprotov6.SchemaAttribute{{Name: "b", Type: tftypes.Bool, Computed: true}}, Nesting: mode}
			got, err := tfconv.Block6(&tfprotov6.SchemaBlock{Attributes: []*tfprotov6.SchemaAttribute{{Name: "a", NestedType: inner, Optional: true}}})
			if err != nil {
				t.Fatal(err)
			}
			attr := &configschema.Attribute{Optional: true, NestedType: &configschema.Object{
				Attributes: map[string]*configschema.Attribute{"b": {Type: cty.Bool, Computed: true}}, Nesting: want,
			}}
			if diff := cmp.Diff(attr, got.Attributes["a"], byType); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestSchemaWithoutBlock(t *testing.T) {
	got, err := tfconv.Schema6(&tfprotov6.Schema{Version: 1})
	if err != nil || got.Version != 1 || !got.Block.ImpliedType().Equals(cty.EmptyObject) {
		t.Errorf("got %+v, %v", got, err)
	}
}

// TestSchemaAgainstConventions checks that Block6 accepts a schema that Terraform rejects only by
// convention.
func TestSchemaAgainstConventions(t *testing.T) {
	got, err := tfconv.Block6(&tfprotov6.SchemaBlock{Attributes: []*tfprotov6.SchemaAttribute{{Name: "a", Type: tftypes.String}}})
	if err != nil || got.Validate() == nil || !got.ImpliedType().Equals(cty.Object(map[string]cty.Type{"a": cty.String})) {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestSchemaErrors(t *testing.T) {
	cycle := &tfprotov6.SchemaBlock{}
	cycle.BlockTypes = []*tfprotov6.SchemaNestedBlock{{TypeName: "again", Block: cycle, Nesting: tfprotov6.SchemaNestedBlockNestingModeList}}
	attr := func(a *tfprotov6.SchemaAttribute) *tfprotov6.SchemaBlock {
		return &tfprotov6.SchemaBlock{Attributes: []*tfprotov6.SchemaAttribute{a}}
	}
	block := func(nb *tfprotov6.SchemaNestedBlock) *tfprotov6.SchemaBlock {
		return &tfprotov6.SchemaBlock{BlockTypes: []*tfprotov6.SchemaNestedBlock{nb}}
	}
	tests := map[string]struct {
		block *tfprotov6.SchemaBlock
		want  string
	}{
		"nil":           {nil, "the block is nil"},
		"nil attribute": {attr(nil), "attribute 0 is nil"},
		"nil block":     {block(nil), "block type 0 is nil"},
		"no type":       {attr(&tfprotov6.SchemaAttribute{Name: "a", Optional: true}), ".a: the type is nil"},
		"bad type": {
			attr(&tfprotov6.SchemaAttribute{Name: "a", Type: tftypes.List{}, Optional: true}), ".a: list element: the type is nil",
		},
		"both types": {
			attr(&tfprotov6.SchemaAttribute{Name: "a", Type: tftypes.String, Optional: true, NestedType: &tfprotov6.SchemaObject{Nesting: 1}}),
			".a: has both a type and a nested type",
		},
		"twice": {
			&tfprotov6.SchemaBlock{Attributes: []*tfprotov6.SchemaAttribute{
				{Name: "a", Type: tftypes.String, Optional: true}, {Name: "a", Type: tftypes.Bool, Optional: true},
			}}, ".a: duplicate name",
		},
		"nesting":      {block(&tfprotov6.SchemaNestedBlock{TypeName: "b", Nesting: 9}), ".b: unknown nesting mode 9"},
		"no nesting":   {block(&tfprotov6.SchemaNestedBlock{TypeName: "b"}), ".b: unknown nesting mode 0"},
		"attr nesting": {attr(&tfprotov6.SchemaAttribute{Name: "a", Optional: true, NestedType: &tfprotov6.SchemaObject{}}), ".a: unknown nesting mode 0"},
		"description":  {&tfprotov6.SchemaBlock{DescriptionKind: 2}, "unknown kind of description 2"},
		"all problems": {
			&tfprotov6.SchemaBlock{
				Attributes: []*tfprotov6.SchemaAttribute{nil, {Name: "a"}},
				BlockTypes: []*tfprotov6.SchemaNestedBlock{{TypeName: "b", Nesting: 2, Block: attr(&tfprotov6.SchemaAttribute{Name: "c"})}},
			}, "attribute 0 is nil\n.a: the type is nil\n.b.c: the type is nil",
		},
		"invalid schema": {
			block(&tfprotov6.SchemaNestedBlock{
				TypeName: "b", Nesting: tfprotov6.SchemaNestedBlockNestingModeSet,
				Block: attr(&tfprotov6.SchemaAttribute{Name: "a", Type: tftypes.DynamicPseudoType, Optional: true}),
			}), ".b.a: the type is dynamic inside a set",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if _, err := tfconv.Block6(test.block); err == nil || err.Error() != test.want {
				t.Errorf("got error %v, want %q", err, test.want)
			}
		})
	}
	t.Run("cycle", func(t *testing.T) {
		if _, err := tfconv.Block6(cycle); err == nil {
			t.Error("no error")
		}
	})
	t.Run("shared pointers", func(t *testing.T) {
		shared := &tfprotov6.SchemaBlock{}
		for range 40 {
			half := func(name string) *tfprotov6.SchemaNestedBlock {
				return &tfprotov6.SchemaNestedBlock{TypeName: name, Block: shared, Nesting: tfprotov6.SchemaNestedBlockNestingModeList}
			}
			shared = &tfprotov6.SchemaBlock{BlockTypes: []*tfprotov6.SchemaNestedBlock{half("a"), half("b")}}
		}
		if _, err := tfconv.Block6(shared); err == nil {
			t.Error("no error")
		}
	})
	t.Run("nil schemas", func(t *testing.T) {
		_, six := tfconv.Schema6(nil)
		_, five := tfconv.Schema5(nil)
		_, identity := tfconv.IdentitySchema6(nil)
		if six == nil || five == nil || identity == nil {
			t.Errorf("got errors %v, %v, %v", six, five, identity)
		}
	})
}

func TestIdentitySchema(t *testing.T) {
	from := []*tfprotov6.ResourceIdentitySchemaAttribute{
		{Name: "id", Type: tftypes.String, RequiredForImport: true, Description: "who"},
		{Name: "region", Type: tftypes.String, OptionalForImport: true},
		{Name: "zone", Type: tftypes.List{ElementType: tftypes.Number}, RequiredForImport: true, OptionalForImport: true},
		{Name: "etag", Type: tftypes.Bool},
	}
	want := &configschema.Schema{Version: 2, Block: &configschema.Block{Attributes: map[string]*configschema.Attribute{
		"id":     {Type: cty.String, Required: true, Description: "who"},
		"region": {Type: cty.String, Optional: true},
		"zone":   {Type: cty.List(cty.Number), Optional: true},
		"etag":   {Type: cty.Bool, Computed: true},
	}}}
	six, err := tfconv.IdentitySchema6(&tfprotov6.ResourceIdentitySchema{Version: 2, IdentityAttributes: from})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, six, byType); diff != "" {
		t.Errorf("protocol 6 (-want +got):\n%s", diff)
	}
	var from5 []*tfprotov5.ResourceIdentitySchemaAttribute
	for _, a := range from {
		from5 = append(from5, (*tfprotov5.ResourceIdentitySchemaAttribute)(a))
	}
	five, err := tfconv.IdentitySchema5(&tfprotov5.ResourceIdentitySchema{Version: 2, IdentityAttributes: from5})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, five, byType); diff != "" {
		t.Errorf("protocol 5 (-want +got):\n%s", diff)
	}
	bad := &tfprotov6.ResourceIdentitySchema{IdentityAttributes: []*tfprotov6.ResourceIdentitySchemaAttribute{nil, {Name: "id"}, from[0], from[0]}}
	_, err = tfconv.IdentitySchema6(bad)
	if want := "attribute 0 is nil\n.id: the type is nil\n.id: duplicate name\n.id: duplicate name"; err == nil || err.Error() != want {
		t.Errorf("got error %v, want %q", err, want)
	}
}
