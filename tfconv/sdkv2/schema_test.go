package sdkv2_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfconv/sdkv2"
)

var byType = cmp.Comparer(cty.Type.Equals)

// diff compares two schemas. It ignores the deprecation message, which the SDK has only since 2.39.
func diff(want, got any) string {
	return cmp.Diff(want, got, byType, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(configschema.Attribute{}, "DeprecationMessage"))
}

var port = &schema.Resource{Schema: map[string]*schema.Schema{"port": {Type: schema.TypeInt, Required: true}}}

func portBlock(nesting configschema.NestingMode, minItems, maxItems int) *configschema.NestedBlock {
	attrs := map[string]*configschema.Attribute{"port": {Type: cty.Number, Required: true}}
	return &configschema.NestedBlock{
		Block: configschema.Block{Attributes: attrs}, Nesting: nesting, MinItems: minItems, MaxItems: maxItems,
	}
}

func TestResourceHasTheSchemaOfTheSDK(t *testing.T) {
	ports := cty.Object(map[string]cty.Type{"port": cty.Number})
	id := &configschema.Attribute{Type: cty.String, Optional: true, Computed: true}
	for name, test := range map[string]struct {
		from   *schema.Schema
		attr   *configschema.Attribute
		nested *configschema.NestedBlock
	}{
		"sensitive": {
			from: &schema.Schema{Type: schema.TypeString, Optional: true, Sensitive: true},
			attr: &configschema.Attribute{Type: cty.String, Optional: true, Sensitive: true},
		},
		"write-only": {
			from: &schema.Schema{Type: schema.TypeString, Optional: true, WriteOnly: true},
			attr: &configschema.Attribute{Type: cty.String, Optional: true, WriteOnly: true},
		},
		"required with a default": {
			from: &schema.Schema{
				Type: schema.TypeString, Required: true, DefaultFunc: func() (any, error) { return "there", nil },
			},
			attr: &configschema.Attribute{Type: cty.String, Optional: true},
		},
		"map of an invalid element": {
			from: &schema.Schema{Type: schema.TypeMap, Optional: true, Elem: port},
			attr: &configschema.Attribute{Type: cty.Map(cty.String), Optional: true},
		},
		"list of blocks": {
			from:   &schema.Schema{Type: schema.TypeList, Required: true, MaxItems: 3, Elem: port},
			nested: portBlock(configschema.NestingList, 1, 3),
		},
		"blocks as an attribute": {
			from: &schema.Schema{Type: schema.TypeList, Optional: true, ConfigMode: schema.SchemaConfigModeAttr, Elem: port},
			attr: &configschema.Attribute{Type: cty.List(ports), Optional: true},
		},
		"computed blocks": {
			from: &schema.Schema{Type: schema.TypeSet, Computed: true, Elem: port},
			attr: &configschema.Attribute{Type: cty.Set(ports), Computed: true},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := must(sdkv2.Resource(&schema.Resource{SchemaVersion: 2, Schema: map[string]*schema.Schema{"it": test.from}}))
			want := &configschema.Schema{Version: 2, Block: &configschema.Block{
				Attributes: map[string]*configschema.Attribute{"id": id}, BlockTypes: map[string]*configschema.NestedBlock{},
			}}
			if test.attr != nil {
				want.Block.Attributes["it"] = test.attr
			} else {
				want.Block.BlockTypes["it"] = test.nested
			}
			if diff := diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			delete(want.Block.Attributes, "id")
			block, err := sdkv2.SchemaMap(map[string]*schema.Schema{"it": test.from})
			if diff := diff(want.Block, block); diff != "" || err != nil {
				t.Errorf("as a provider's: %v (-want +got):\n%s", err, diff)
			}
		})
	}
}

func TestTimeoutsAreABlock(t *testing.T) {
	minute := time.Minute
	got := must(sdkv2.Resource(&schema.Resource{
		Schema: port.Schema, Timeouts: &schema.ResourceTimeout{Create: &minute, Delete: &minute},
	}))
	some := &configschema.Attribute{Type: cty.String, Optional: true}
	want := &configschema.NestedBlock{
		Block:   configschema.Block{Attributes: map[string]*configschema.Attribute{"create": some, "delete": some}},
		Nesting: configschema.NestingSingle,
	}
	if diff := diff(want, got.Block.BlockTypes["timeouts"]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSchemaErrors(t *testing.T) {
	bad := map[string]*schema.Schema{"it": {Type: schema.TypeList, Optional: true, Elem: "nothing"}}
	_, none := sdkv2.Resource(nil)
	_, resource := sdkv2.Resource(&schema.Resource{Schema: bad})
	_, block := sdkv2.SchemaMap(bad)
	_, zero := sdkv2.SchemaMap(map[string]*schema.Schema{"it": {Optional: true}})
	_, missing := sdkv2.SchemaMap(map[string]*schema.Schema{"it": nil})
	_, clash := sdkv2.Resource(&schema.Resource{Schema: map[string]*schema.Schema{
		"e\u0301": {Type: schema.TypeString, Optional: true},
	}})
	for name, test := range map[string]struct {
		err  error
		want string
	}{
		"nil":             {none, "the resource is nil"},
		"resource":        {resource, "the SDK cannot convert the schema: invalid Schema.Elem"},
		"block":           {block, "the SDK cannot convert the schema: invalid Schema.Elem"},
		"no type":         {zero, "the SDK cannot convert the schema: invalid Schema.Type"},
		"nil schema":      {missing, "the SDK cannot convert the schema: "},
		"not normal form": {clash, ".e\u0301: the name"},
	} {
		if test.err == nil || !strings.HasPrefix(test.err.Error(), test.want) {
			t.Errorf("%s: got error %v, want %s", name, test.err, test.want)
		}
	}
	if block, err := sdkv2.SchemaMap(nil); err != nil || !block.ImpliedType().Equals(cty.EmptyObject) {
		t.Errorf("no schemas: got %v, %v", block, err)
	}
}
