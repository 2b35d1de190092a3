package document_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/document"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck"
)

var exchanged = &configschema.Block{
	Attributes: map[string]*configschema.Attribute{
		"name": {Type: cty.String, Required: true, Description: "goes", DescriptionKind: configschema.StringMarkdown},
		"any":  {Type: cty.DynamicPseudoType, Optional: true, Sensitive: true},
		"rules": {Optional: true, NestedType: &configschema.Object{Nesting: configschema.NestingList, Attributes: map[string]*configschema.Attribute{
			"description": {Type: cty.Number, Optional: true, Deprecated: true, DeprecationMessage: "goes"},
		}}},
	},
	BlockTypes: map[string]*configschema.NestedBlock{"disk": {Nesting: configschema.NestingSet, Block: configschema.Block{
		Description: "goes", Attributes: map[string]*configschema.Attribute{"size": {Type: cty.Number, Computed: true}},
	}}},
}

const exchangedSchema = `{"attributes":{"any":{"optional":true,"sensitive":true,"type":"dynamic"},"name":{"required":true,"type":"string"},` +
	`"rules":{"nested_type":{"attributes":{"description":{"deprecated":true,"optional":true,"type":"number"}},"nesting_mode":"list"},"optional":true}},` +
	`"block_types":{"disk":{"block":{"attributes":{"size":{"computed":true,"type":"number"}}},"nesting_mode":"set"}}}`

func exchangedThing(name string, anything cty.Value) cty.Value {
	types := exchanged.ImpliedType().AttributeTypes()
	return cty.ObjectVal(map[string]cty.Value{
		"name": cty.StringVal(name), "any": anything, "rules": cty.NullVal(types["rules"]), "disk": cty.SetValEmpty(types["disk"].ElementType()),
	})
}

// A document has of an exchange what rules speak of, and what it has not is told.
func TestPacker(t *testing.T) {
	gone, a, b := cty.NullVal(exchanged.ImpliedType()), exchangedThing("a", cty.Zero), exchangedThing("b", cty.UnknownVal(cty.DynamicPseudoType))
	const textA = `{"any":{"$typed":{"type":"number","value":0}},"disk":[],"name":"a","rules":null}`
	const textB = `{"any":{"$unknown":true},"disk":[],"name":"b","rules":null}`
	path := cty.GetAttrPath("rules").IndexInt(1).GetAttr("description")
	for name, test := range map[string]struct {
		x         tfcheck.Exchange
		parts     string // after name and schema
		note, err string
	}{
		"plan": {
			x:     tfcheck.Exchange{RPC: "PlanResourceChange", Prior: gone, Config: a, Proposed: a, Response: b, Legacy: true, RequiresReplace: []cty.Path{path}},
			parts: `,"legacy_type_system":true,"prior":null,"config":` + textA + `,"proposed":` + textA + `,"initial_planned":` + textB + `,"requires_replace":[["rules",1,"description"]]`,
		},
		"plan, refused": {
			x:     tfcheck.Exchange{RPC: "PlanResourceChange", Prior: gone, Config: a, Proposed: a, Failed: true},
			parts: `,"prior":null,"config":` + textA + `,"proposed":` + textA,
			note:  "the provider returned an error: there is no plan",
		},
		"plan, deferred": {
			x:     tfcheck.Exchange{RPC: "PlanResourceChange", Prior: gone, Config: a, Proposed: a, Deferred: true, RequiresReplace: []cty.Path{path}},
			parts: `,"prior":null,"config":` + textA + `,"proposed":` + textA,
			note:  "the response is deferred: there is no plan",
		},
		"apply": {
			x:     tfcheck.Exchange{RPC: "ApplyResourceChange", Prior: a, Config: a, Planned: b, Response: gone},
			parts: `,"prior":` + textA + `,"final_config":` + textA + `,"final_planned":` + textB + `,"new":null`,
		},
		"apply, refused": {
			x:     tfcheck.Exchange{RPC: "ApplyResourceChange", Prior: a, Config: a, Planned: b, Failed: true},
			parts: `,"prior":` + textA + `,"final_config":` + textA + `,"final_planned":` + textB,
			note:  "the provider returned an error: there is no new state",
		},
		"apply, partly": {
			x:     tfcheck.Exchange{RPC: "ApplyResourceChange", Prior: gone, Config: a, Planned: b, Response: a, Failed: true},
			parts: `,"prior":null,"final_config":` + textA + `,"new":` + textA,
			note:  "the provider returned an error: the new state need not be as planned, and the plan is left out",
		},
		"read":    {x: tfcheck.Exchange{RPC: "ReadResource", Prior: a, Response: b}, parts: `,"prior":` + textB},
		"upgrade": {x: tfcheck.Exchange{RPC: "UpgradeResourceState", Response: b}, parts: `,"upgraded":` + textB},
		"move":    {x: tfcheck.Exchange{RPC: "MoveResourceState", Response: b}, parts: `,"upgraded":` + textB},
		"import":  {x: tfcheck.Exchange{RPC: "ImportResourceState", Response: b}, parts: `,"imported":` + textB},

		"read, refused":      {x: tfcheck.Exchange{RPC: "ReadResource", Prior: a, Failed: true}, err: "the provider returned an error"},
		"read, deferred":     {x: tfcheck.Exchange{RPC: "ReadResource", Prior: a, Response: a, Deferred: true}, err: "the response is deferred, which no document can say"},
		"data":               {x: tfcheck.Exchange{RPC: "ReadDataSource", Config: a, Response: a}, err: "a document is about a resource, and no ReadDataSource"},
		"apply, not decoded": {x: tfcheck.Exchange{RPC: "ApplyResourceChange", Prior: a, Config: a, Response: a}, err: document.ErrNotDecoded.Error()},
		"read, wrong answer": {x: tfcheck.Exchange{RPC: "ReadResource", Prior: a}, err: document.ErrNotDecoded.Error()},
	} {
		t.Run(name, func(t *testing.T) {
			var err error
			if test.x.Schema, err = objchange.Compile(exchanged); err != nil {
				t.Fatal(err)
			}
			text, note, err := new(document.Packer).Document("it", test.x)
			if err != nil || test.err != "" {
				if text != nil || err == nil || err.Error() != test.err {
					t.Errorf("%s, %v", text, err)
				}
				return
			}
			want := `{"name":"it","schema":` + exchangedSchema + test.parts + "}\n"
			if diff := cmp.Diff(want, string(text)); diff != "" || note != test.note {
				t.Errorf("%q (-want +made):\n%s", note, diff)
			}
			for _, err := range new(document.Reader).Read("it", bytes.NewReader(text)) {
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	if _, _, err := new(document.Packer).Document("it", tfcheck.Exchange{RPC: "ReadResource", Response: a}); err != document.ErrNotDecoded {
		t.Errorf("without a schema: %v", err)
	}
}
