package document_test

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/document"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck"
)

// TestExchangeBecomesDocument checks which fields the document of an exchange has, that reading it gives the same
// values, and the note about missing ones.
func TestExchangeBecomesDocument(t *testing.T) {
	schema, err := objchange.Compile(&configschema.Block{Attributes: map[string]*configschema.Attribute{"any": {Type: cty.DynamicPseudoType, Optional: true}}})
	if err != nil {
		t.Fatal(err)
	}
	thing := func(v cty.Value) cty.Value { return cty.ObjectVal(map[string]cty.Value{"any": v}) }
	gone, a, b := cty.NullVal(schema.Block().ImpliedType()), thing(cty.Zero), thing(cty.UnknownVal(cty.DynamicPseudoType))
	path := []cty.Path{cty.GetAttrPath("any").IndexInt(1).GetAttr("x")}
	const failed = "the provider returned an error"
	for name, test := range map[string]struct {
		x               tfcheck.Exchange
		parts           string // after name and schema
		note, wantedErr string
	}{
		"plan": {tfcheck.Exchange{RPC: "PlanResourceChange", Prior: gone, Config: a, Proposed: a, Response: b, Legacy: true, RequiresReplace: path},
			"config initial_planned legacy_type_system prior proposed requires_replace", "", ""},
		"plan, refused":  {tfcheck.Exchange{RPC: "PlanResourceChange", Prior: gone, Config: a, Proposed: a, Failed: true}, "config prior proposed", failed + ", so there is no plan", ""},
		"plan, deferred": {tfcheck.Exchange{RPC: "PlanResourceChange", Prior: gone, Config: a, Proposed: a, Deferred: true, RequiresReplace: path}, "config prior proposed", "the response is deferred, so there is no plan", ""},
		"apply":          {tfcheck.Exchange{RPC: "ApplyResourceChange", Prior: a, Config: a, Planned: b, Response: gone}, "final_config final_planned new prior", "", ""},
		"apply, refused": {tfcheck.Exchange{RPC: "ApplyResourceChange", Prior: a, Config: a, Planned: b, Failed: true}, "final_config final_planned prior", failed + ", so there is no new state", ""},
		"apply, partly": {tfcheck.Exchange{RPC: "ApplyResourceChange", Prior: gone, Config: a, Planned: b, Response: a, Failed: true},
			"final_config new prior", failed + ", so the new state may differ from the plan, and the document omits the plan", ""},
		"read":          {tfcheck.Exchange{RPC: "ReadResource", Prior: a, Response: b}, "prior", "", ""},
		"upgrade":       {tfcheck.Exchange{RPC: "UpgradeResourceState", Response: b}, "upgraded", "", ""},
		"move":          {tfcheck.Exchange{RPC: "MoveResourceState", Response: b}, "upgraded", "", ""},
		"import":        {tfcheck.Exchange{RPC: "ImportResourceState", Response: b}, "imported", "", ""},
		"read, refused": {tfcheck.Exchange{RPC: "ReadResource", Prior: a, Failed: true}, "", "", failed},
		"read, deferred": {tfcheck.Exchange{RPC: "ReadResource", Prior: a, Response: a, Deferred: true},
			"", "", "the response is deferred"},
		"data":               {tfcheck.Exchange{RPC: "ReadDataSource", Config: a, Response: a}, "", "", "documents do not support ReadDataSource"},
		"apply, not decoded": {tfcheck.Exchange{RPC: "ApplyResourceChange", Prior: a, Config: a, Response: a}, "", "", document.ErrNotDecoded.Error()},
		"read, wrong answer": {tfcheck.Exchange{RPC: "ReadResource", Prior: a}, "", "", document.ErrNotDecoded.Error()},
	} {
		test.x.Schema = schema
		text, note, err := new(document.Packer).Document("it", test.x)
		if test.wantedErr != "" {
			if text != nil || err == nil || err.Error() != test.wantedErr {
				t.Errorf("%s: %s, %v", name, text, err)
			}
			continue
		}
		var parts map[string]json.RawMessage
		if err := errors.Join(err, json.Unmarshal(text, &parts)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		maps.DeleteFunc(parts, func(part string, _ json.RawMessage) bool { return part == "name" || part == "schema" })
		if got := strings.Join(slices.Sorted(maps.Keys(parts)), " "); got != test.parts || note != test.note || strings.Count(string(text), "\n") != 1 {
			t.Errorf("%s: %s with the note %q, want %s", name, text, note, test.parts)
		}
		docs, errs := read(t, "it", string(text))
		if errs != nil {
			t.Fatalf("%s: %s", name, errs)
		}
		l := docs[0].Lifecycle
		for _, got := range []cty.Value{l.Upgraded, l.Imported, l.Prior, l.Config, l.FinalConfig, docs[0].Proposed, l.InitialPlanned, l.FinalPlanned, l.New} {
			same := func(v cty.Value) bool { return v.RawEquals(got) }
			if all := []cty.Value{test.x.Prior, test.x.Config, test.x.Proposed, test.x.Planned, test.x.Response}; got != cty.NilVal && !slices.ContainsFunc(all, same) {
				t.Errorf("%s: %#v is not in the exchange", name, got)
			}
		}
	}
	if _, _, err := new(document.Packer).Document("it", tfcheck.Exchange{RPC: "ReadResource", Response: a}); err != document.ErrNotDecoded {
		t.Errorf("without a schema: %v", err)
	}
}
