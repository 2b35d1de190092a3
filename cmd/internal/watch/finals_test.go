package watch

import (
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/exchanges"
	"github.com/objchange/objchange/cmd/internal/testkit"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/encoded"
)

// TestFinalPlansAreComparedWithEarlierOnes checks which plans of a run are compared with earlier ones.
// Each word of a run is an RPC: the number of its connection and what it does. A plan has the planned
// value of the computed attribute id at its end. All plans create an object with the same configuration.
func TestFinalPlansAreComparedWithEarlierOnes(t *testing.T) {
	schema, err := objchange.Compile(&configschema.Block{Attributes: map[string]*configschema.Attribute{
		"id": {Type: cty.String, Computed: true},
	}})
	if err != nil {
		t.Fatal(err)
	}
	rpcs := map[string]string{
		"validate": "ValidateResourceConfig", "configure": "ConfigureProvider", "read": "ReadResource",
		"apply": "ApplyResourceChange", "plan": "PlanResourceChange",
	}
	config := cty.ObjectVal(map[string]cty.Value{"id": cty.NullVal(cty.String)})
	testkit.Parts(t, "testdata/finals.golden", "canary", func(run string) string {
		c := newChecker()
		for _, word := range strings.Fields(run) {
			does, id, _ := strings.Cut(word[1:], "=")
			result := encoded.Result{Exchange: tfcheck.Exchange{RPC: rpcs[does], TypeName: "acme_thing", Schema: schema}}
			if does == "plan" {
				planned := cty.StringVal(id)
				if id == "?" {
					planned = cty.UnknownVal(cty.String)
				}
				result.Config, result.Prior = config, cty.NullVal(config.Type())
				result.Response = cty.ObjectVal(map[string]cty.Value{"id": planned})
			}
			c.enqueue(&rpc{
				exchange: exchanges.RPC{
					Method: "/tfplugin6.Provider/" + rpcs[does], Connection: int(word[0]), Provider: "acme/cloud",
				},
				check: func() ([]encoded.Result, error) { return []encoded.Result{result}, nil },
			})
		}
		got := ""
		for _, s := range c.report().Subjects {
			for _, f := range s.Findings {
				if f.Rule == objchange.RuleInconsistentValue && s.RPC == "PlanResourceChange" {
					got += f.Message[strings.LastIndex(f.Message, `"`)-1:][:1]
				}
			}
		}
		return got
	})
}
