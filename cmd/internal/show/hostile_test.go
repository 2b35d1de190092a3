package show_test

import (
	"bytes"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/show"
	"github.com/objchange/objchange/cmd/internal/terminal"
	"github.com/objchange/objchange/configschema"
)

func compiled(block *configschema.Block) *objchange.Schema {
	schema, err := objchange.Compile(block)
	if err != nil {
		panic(err)
	}
	return schema
}

// TestHostile checks that invalid input causes an error or is ignored, without a panic.
func TestHostile(t *testing.T) {
	schema := compiled(&configschema.Block{Attributes: map[string]*configschema.Attribute{
		"list": {Type: cty.List(cty.String), Optional: true},
	}})
	null := cty.NullVal(cty.DynamicPseudoType)
	some := cty.ObjectVal(map[string]cty.Value{"list": cty.ListVal([]cty.Value{cty.StringVal("a")})})
	for _, test := range []struct {
		name    string
		c       show.Resource
		wantErr bool
	}{
		{"no schema", show.Resource{Before: null, After: some}, true},
		{"no values", show.Resource{Schema: schema}, true},
		{"another type", show.Resource{Schema: schema, Before: null, After: cty.True}, true},
		{"no action", show.Resource{Schema: schema, Before: null, After: some}, false},
		{"paths to nowhere", show.Resource{Schema: schema, Before: null, After: some, Replace: []cty.Path{
			nil, cty.GetAttrPath("none"), cty.GetAttrPath("list").Index(cty.NilVal), cty.GetAttrPath("list").IndexInt(7),
			cty.GetAttrPath("list").Index(cty.UnknownVal(cty.Number).Mark("m")), cty.GetAttrPath("list").GetAttr("x"),
			{cty.IndexStep{}}, {nil},
		}}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out bytes.Buffer
			err := show.Change(&out, terminal.New(nil, &out, nil), test.c)
			if (err != nil) != test.wantErr || err != nil && out.Len() > 0 {
				t.Errorf("%v; %s", err, &out)
			}
		})
	}
}

// TestBytes checks that invalid bytes in names and keys are escaped.
func TestBytes(t *testing.T) {
	schema := compiled(&configschema.Block{
		Attributes: map[string]*configschema.Attribute{
			"map": {Type: cty.Map(cty.String), Optional: true},
			"any": {Type: cty.DynamicPseudoType, Optional: true},
		},
		BlockTypes: map[string]*configschema.NestedBlock{"zone": {Nesting: configschema.NestingMap}},
	})
	value := func(s string) cty.Value {
		return cty.ObjectVal(map[string]cty.Value{
			"map":  cty.MapVal(map[string]cty.Value{"a\xff": cty.StringVal(s)}),
			"any":  cty.ObjectVal(map[string]cty.Value{"b\xff": cty.TupleVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{"c\xff": cty.StringVal(s)})})}),
			"zone": cty.MapVal(map[string]cty.Value{s: cty.EmptyObjectVal}),
		})
	}
	var out bytes.Buffer
	err := show.Change(&out, terminal.New(nil, &out, nil), show.Resource{
		Address: "\xff", Schema: schema, Before: value("d\xff"), After: value("e\xff"), Action: objchange.ActionUpdate,
	})
	const want = `~ \xff (update)
    ~ any = {
        ~ b\xff = [
            ~ [0] = {
                ~ c\xff = "d\xff" -> "e\xff"
              }
          ]
      }
    ~ map = {
        ~ "a\xff" = "d\xff" -> "e\xff"
      }
    - zone["d\xff"] {}
    + zone["e\xff"] {}
`
	if got := out.String(); err != nil || got != want {
		t.Errorf("%v, got\n%swant\n%s", err, got, want)
	}
}
