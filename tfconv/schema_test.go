package tfconv_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfconv"
)

var byType = cmp.Comparer(cty.Type.Equals)

// want6 and want5 return a schema with every feature of a protocol.
func want6() *configschema.Schema {
	want := want5()
	for mode := range objectModes {
		want.Block.Attributes["in "+mode.String()] = &configschema.Attribute{Optional: true, NestedType: &configschema.Object{
			Attributes: map[string]*configschema.Attribute{"port": {Type: cty.Number, Required: true}}, Nesting: mode,
		}}
	}
	return want
}

func want5() *configschema.Schema {
	port := configschema.Block{
		Attributes: map[string]*configschema.Attribute{"port": {Type: cty.Number, Required: true}},
		BlockTypes: map[string]*configschema.NestedBlock{},
	}
	return &configschema.Schema{Version: 3, Block: &configschema.Block{
		Attributes: map[string]*configschema.Attribute{
			"a": {Type: cty.Bool, Computed: true, Description: "*who*", DescriptionKind: configschema.StringMarkdown},
			"b": {Type: cty.DynamicPseudoType, Optional: true, Computed: true, Sensitive: true},
			"c": {Type: cty.String, Optional: true, WriteOnly: true, Deprecated: true, DeprecationMessage: "use b"},
		},
		BlockTypes: map[string]*configschema.NestedBlock{
			"group":  {Block: port, Nesting: configschema.NestingGroup},
			"list":   {Block: port, Nesting: configschema.NestingList, MinItems: 1, MaxItems: 4},
			"map":    {Block: port, Nesting: configschema.NestingMap},
			"set":    {Block: port, Nesting: configschema.NestingSet},
			"single": {Block: port, Nesting: configschema.NestingSingle},
		},
		Description: "a *thing*", DescriptionKind: configschema.StringMarkdown, Deprecated: true, DeprecationMessage: "use another",
	}}
}

var objectModes = map[configschema.NestingMode]tfprotov6.SchemaObjectNestingMode{
	configschema.NestingSingle: tfprotov6.SchemaObjectNestingModeSingle,
	configschema.NestingList:   tfprotov6.SchemaObjectNestingModeList,
	configschema.NestingSet:    tfprotov6.SchemaObjectNestingModeSet,
	configschema.NestingMap:    tfprotov6.SchemaObjectNestingModeMap,
}

// TestSchema6LosesNothing checks that reading and writing a schema of protocol 6 loses nothing.
func TestSchema6LosesNothing(t *testing.T) {
	ports := []*tfprotov6.SchemaAttribute{{Name: "port", Type: tftypes.Number, Required: true}}
	port := &tfprotov6.SchemaBlock{Attributes: ports}
	six := &tfprotov6.Schema{Version: 3, Block: &tfprotov6.SchemaBlock{
		Attributes: []*tfprotov6.SchemaAttribute{
			{Name: "a", Type: tftypes.Bool, Computed: true, Description: "*who*", DescriptionKind: tfprotov6.StringKindMarkdown},
			{Name: "b", Type: tftypes.DynamicPseudoType, Optional: true, Computed: true, Sensitive: true},
			{Name: "c", Type: tftypes.String, Optional: true, WriteOnly: true, Deprecated: true, DeprecationMessage: "use b"},
		},
		BlockTypes: []*tfprotov6.SchemaNestedBlock{
			{TypeName: "group", Block: port, Nesting: tfprotov6.SchemaNestedBlockNestingModeGroup},
			{TypeName: "list", Block: port, Nesting: tfprotov6.SchemaNestedBlockNestingModeList, MinItems: 1, MaxItems: 4},
			{TypeName: "map", Block: port, Nesting: tfprotov6.SchemaNestedBlockNestingModeMap},
			{TypeName: "set", Block: port, Nesting: tfprotov6.SchemaNestedBlockNestingModeSet},
			{TypeName: "single", Block: port, Nesting: tfprotov6.SchemaNestedBlockNestingModeSingle},
		},
		Description: "a *thing*", DescriptionKind: tfprotov6.StringKindMarkdown, Deprecated: true, DeprecationMessage: "use another",
	}}
	for _, mode := range []configschema.NestingMode{configschema.NestingList, configschema.NestingMap, configschema.NestingSet, configschema.NestingSingle} {
		six.Block.Attributes = append(six.Block.Attributes, &tfprotov6.SchemaAttribute{
			Name: "in " + mode.String(), Optional: true, NestedType: &tfprotov6.SchemaObject{Attributes: ports, Nesting: objectModes[mode]},
		})
	}
	if diff := cmp.Diff(want6(), must(tfconv.Schema6(six)), byType); diff != "" {
		t.Errorf("read (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(six, must(tfconv.SchemaTo6(want6()))); diff != "" {
		t.Errorf("written (-want +got):\n%s", diff)
	}
	// The schema must imply the same type as in terraform-plugin-go.
	if ty, err := tfconv.TypeToCty(six.ValueType()); err != nil || !ty.Equals(want6().Block.ImpliedType()) {
		t.Errorf("terraform-plugin-go implies %#v, %v", ty, err)
	}
}

// TestSchema5LosesNothing checks that reading a schema of protocol 5 loses nothing.
func TestSchema5LosesNothing(t *testing.T) {
	port := &tfprotov5.SchemaBlock{Attributes: []*tfprotov5.SchemaAttribute{{Name: "port", Type: tftypes.Number, Required: true}}}
	five := &tfprotov5.Schema{Version: 3, Block: &tfprotov5.SchemaBlock{
		Attributes: []*tfprotov5.SchemaAttribute{
			{Name: "a", Type: tftypes.Bool, Computed: true, Description: "*who*", DescriptionKind: tfprotov5.StringKindMarkdown},
			{Name: "b", Type: tftypes.DynamicPseudoType, Optional: true, Computed: true, Sensitive: true},
			{Name: "c", Type: tftypes.String, Optional: true, WriteOnly: true, Deprecated: true, DeprecationMessage: "use b"},
		},
		BlockTypes: []*tfprotov5.SchemaNestedBlock{
			{TypeName: "group", Block: port, Nesting: tfprotov5.SchemaNestedBlockNestingModeGroup},
			{TypeName: "list", Block: port, Nesting: tfprotov5.SchemaNestedBlockNestingModeList, MinItems: 1, MaxItems: 4},
			{TypeName: "map", Block: port, Nesting: tfprotov5.SchemaNestedBlockNestingModeMap},
			{TypeName: "set", Block: port, Nesting: tfprotov5.SchemaNestedBlockNestingModeSet},
			{TypeName: "single", Block: port, Nesting: tfprotov5.SchemaNestedBlockNestingModeSingle},
		},
		Description: "a *thing*", DescriptionKind: tfprotov5.StringKindMarkdown, Deprecated: true, DeprecationMessage: "use another",
	}}
	if diff := cmp.Diff(want5(), must(tfconv.Schema5(five)), byType); diff != "" {
		t.Errorf("read (-want +got):\n%s", diff)
	}
	cycle := &tfprotov5.SchemaBlock{}
	cycle.BlockTypes = []*tfprotov5.SchemaNestedBlock{nil, {TypeName: "again", Block: cycle, Nesting: 2}}
	if _, err := tfconv.Block5(cycle); err == nil || !strings.Contains(err.Error(), "block type 0 is nil\n") {
		t.Errorf("of a cycle: %v", err)
	}
}

// TestSchemaWithoutBlockIsEmpty checks that a schema without a block is a schema with an empty block.
func TestSchemaWithoutBlockIsEmpty(t *testing.T) {
	six, five := must(tfconv.Schema6(&tfprotov6.Schema{Version: 1})), must(tfconv.Schema5(&tfprotov5.Schema{Version: 1}))
	for _, got := range []*configschema.Schema{six, five} {
		if got.Version != 1 || !got.Block.ImpliedType().Equals(cty.EmptyObject) {
			t.Errorf("got %+v", got)
		}
	}
	if written := must(tfconv.SchemaTo6(&configschema.Schema{Version: 1})); written.Version != 1 || written.Block == nil {
		t.Errorf("written: %+v", written)
	}
}

// TestAttributesWithoutFlagsAreAccepted checks that attributes without flags are accepted, which
// Terraform rejects only by convention, and that they can be written again.
func TestAttributesWithoutFlagsAreAccepted(t *testing.T) {
	inner := &tfprotov6.SchemaObject{Nesting: 1, Attributes: []*tfprotov6.SchemaAttribute{{Name: "b", Type: tftypes.String}}}
	from := &tfprotov6.Schema{Block: &tfprotov6.SchemaBlock{
		Attributes: []*tfprotov6.SchemaAttribute{{Name: "a", Type: tftypes.String}, {Name: "n", NestedType: inner}},
	}}
	got := must(tfconv.Schema6(from))
	if got.Block.Validate() == nil {
		t.Error("the schema follows the conventions")
	}
	if diff := cmp.Diff(from, must(tfconv.SchemaTo6(got))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
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
	expectErrors(t, tfconv.Block6, map[string]failure[*tfprotov6.SchemaBlock]{
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
	})
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
	six := must(tfconv.IdentitySchema6(&tfprotov6.ResourceIdentitySchema{Version: 2, IdentityAttributes: from}))
	if diff := cmp.Diff(want, six, byType); diff != "" {
		t.Errorf("protocol 6 (-want +got):\n%s", diff)
	}
	expectErrors(t, tfconv.IdentitySchema6, map[string]failure[*tfprotov6.ResourceIdentitySchema]{"bad": {
		&tfprotov6.ResourceIdentitySchema{IdentityAttributes: []*tfprotov6.ResourceIdentitySchemaAttribute{nil, {Name: "id"}, from[0], from[0]}},
		"attribute 0 is nil\n.id: the type is nil\n.id: duplicate name\n.id: duplicate name",
	}})
}
