package framework_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	data "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	provider "github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfconv"
	"github.com/objchange/objchange/tfconv/framework"
)

var byType = cmp.Comparer(cty.Type.Equals)

// diff compares two schemas. It ignores the deprecation message, which the framework has only since
// 1.18.
func diff(want, got *configschema.Schema) string {
	return cmp.Diff(want, got, byType, cmpopts.EquateEmpty(),
		cmpopts.IgnoreFields(configschema.Attribute{}, "DeprecationMessage"),
		cmpopts.IgnoreFields(configschema.Block{}, "DeprecationMessage"))
}

func wantAttr(name string, attr *configschema.Attribute) *configschema.Schema {
	return &configschema.Schema{Block: &configschema.Block{Attributes: map[string]*configschema.Attribute{name: attr}}}
}

var (
	ports     = map[string]schema.Attribute{"port": schema.Int32Attribute{Required: true}}
	wantPorts = map[string]*configschema.Attribute{"port": {Type: cty.Number, Required: true}}
)

func TestResourceAttributes(t *testing.T) {
	nested := schema.NestedAttributeObject{Attributes: ports}
	wantNested := func(mode configschema.NestingMode) *configschema.Object {
		return &configschema.Object{Attributes: wantPorts, Nesting: mode}
	}
	for name, test := range map[string]struct {
		from schema.Attribute
		want *configschema.Attribute
	}{
		"described in Markdown": {
			schema.BoolAttribute{Optional: true, Description: "who", MarkdownDescription: "*who*"},
			&configschema.Attribute{Type: cty.Bool, Optional: true, Description: "*who*", DescriptionKind: configschema.StringMarkdown},
		},
		"write-only": {
			schema.StringAttribute{Optional: true, WriteOnly: true},
			&configschema.Attribute{Type: cty.String, Optional: true, WriteOnly: true},
		},
		"deprecated": {
			schema.StringAttribute{Optional: true, DeprecationMessage: "use another"},
			&configschema.Attribute{Type: cty.String, Optional: true, Deprecated: true},
		},
		"dynamic": {
			schema.DynamicAttribute{Optional: true},
			&configschema.Attribute{Type: cty.DynamicPseudoType, Optional: true},
		},
		"nested, single": {
			schema.SingleNestedAttribute{Attributes: ports, Optional: true},
			&configschema.Attribute{NestedType: wantNested(configschema.NestingSingle), Optional: true},
		},
		"nested, set": {
			schema.SetNestedAttribute{NestedObject: nested, Required: true},
			&configschema.Attribute{NestedType: wantNested(configschema.NestingSet), Required: true},
		},
	} {
		t.Run(name, func(t *testing.T) {
			from := schema.Schema{Attributes: map[string]schema.Attribute{"it": test.from}}
			got, err := framework.Resource(t.Context(), from)
			if d := diff(wantAttr("it", test.want), got); d != "" || err != nil {
				t.Fatalf("%v (-want +got):\n%s", err, d)
			}
			own, err := tfconv.TypeToCty(from.Type().TerraformType(t.Context()))
			if err != nil || !own.Equals(got.Block.ImpliedType()) {
				t.Errorf("implies %#v, and the framework has %#v, %v", got.Block.ImpliedType(), own, err)
			}
		})
	}
}

func TestResourceBlocks(t *testing.T) {
	inner := schema.NestedBlockObject{Attributes: ports}
	got, err := framework.Resource(t.Context(), schema.Schema{
		Version: 3, MarkdownDescription: "a *thing*", DeprecationMessage: "use another",
		Blocks: map[string]schema.Block{
			"list":   schema.ListNestedBlock{NestedObject: inner, Description: "some"},
			"set":    schema.SetNestedBlock{NestedObject: inner},
			"single": schema.SingleNestedBlock{Attributes: ports, Blocks: map[string]schema.Block{"list": schema.ListNestedBlock{NestedObject: inner}}},
		},
	})
	port := configschema.Block{Attributes: wantPorts}
	some, deep := port, port
	some.Description = "some"
	deep.BlockTypes = map[string]*configschema.NestedBlock{"list": {Block: port, Nesting: configschema.NestingList}}
	want := &configschema.Schema{Version: 3, Block: &configschema.Block{
		BlockTypes: map[string]*configschema.NestedBlock{
			"list":   {Block: some, Nesting: configschema.NestingList},
			"set":    {Block: port, Nesting: configschema.NestingSet},
			"single": {Block: deep, Nesting: configschema.NestingSingle},
		},
		Description: "a *thing*", DescriptionKind: configschema.StringMarkdown, Deprecated: true,
	}}
	if d := diff(want, got); d != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
}

func TestSchemasOfOtherKinds(t *testing.T) {
	ctx := t.Context()
	want := wantAttr("name", &configschema.Attribute{Type: cty.String, Optional: true})
	source, err := framework.DataSource(ctx, data.Schema{Attributes: map[string]data.Attribute{"name": data.StringAttribute{Optional: true}}})
	if d := diff(want, source); d != "" || err != nil {
		t.Errorf("data source: %v (-want +got):\n%s", err, d)
	}
	cloud, err := framework.Provider(ctx, provider.Schema{Attributes: map[string]provider.Attribute{"name": provider.StringAttribute{Optional: true}}})
	if d := diff(want, cloud); d != "" || err != nil {
		t.Errorf("provider: %v (-want +got):\n%s", err, d)
	}
}

func TestSchemaErrors(t *testing.T) {
	if got, err := framework.Provider(t.Context(), provider.Schema{}); err != nil || !got.Block.ImpliedType().Equals(cty.EmptyObject) {
		t.Errorf("an empty schema became %v, %v", got, err)
	}
	for name, test := range map[string]struct {
		attr string
		from schema.Attribute
		want string
	}{
		"reserved name":     {"count", schema.StringAttribute{Optional: true}, "Reserved Root Attribute/Block Name: "},
		"invalid name":      {"No Name", schema.StringAttribute{Optional: true}, "Invalid Attribute/Block Name: "},
		"no type":           {"it", schema.ListAttribute{Optional: true}, "Invalid Attribute Implementation: "},
		"nil":               {"it", nil, "the framework cannot convert the schema: "},
		"dynamic in a list": {"it", schema.ListAttribute{ElementType: types.DynamicType, Optional: true}, "Invalid Schema Implementation: "},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := framework.Resource(t.Context(), schema.Schema{Attributes: map[string]schema.Attribute{test.attr: test.from}})
			if err == nil || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("got error %v, want %s", err, test.want)
			}
		})
	}
	_, err := framework.Provider(t.Context(), provider.Schema{Attributes: map[string]provider.Attribute{"version": provider.StringAttribute{Optional: true}}})
	if err == nil {
		t.Error("provider: no error")
	}
}
