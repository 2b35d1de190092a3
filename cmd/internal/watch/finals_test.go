package watch

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/encoded"
)

// TestFinalPlansAreComparedWithEarlierOnes checks which plans of a run are compared with earlier ones. Each word of a run is an
// RPC: the number of its connection and what it does. A plan has the planned value of the computed
// attribute id at its end. All plans create an object with the same configuration.
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
	for name, test := range map[string]struct{ run, want string }{
		"consistent":               {"1validate 2configure 2plan=? 3configure 3plan=a 3apply", ""},
		"changed":                  {"1validate 2configure 2plan=a 3configure 3plan=b 3apply", "b"},
		"rejected, so not applied": {"1validate 2configure 2plan=a 3configure 3plan=b", "b"},
		"equal instances":          {"1validate 2configure 2plan=a 2plan=b 3configure 3plan=b 3plan=a 3apply", ""},
		"one of equal instances":   {"1validate 2configure 2plan=a 2plan=b 3configure 3plan=c 3plan=a 3apply", "c"},
		"two plans":                {"1validate 2configure 2plan=a 3validate 4configure 4plan=b", ""},
		"a plan without validation, as terraform test makes": {"1validate 2configure 2plan=a 3configure 3read 3plan=b", ""},
		"a saved plan":            {"1configure 1plan=a 1apply 2configure 2plan=b 2apply", ""},
		"two aliases at a time":   {"1validate 2configure 3configure 2plan=a 3plan=b 2read", ""},
		"a plan and a saved plan": {"1validate 2configure 2plan=a 3configure 3plan=b 3apply", "b"},
		"an older saved plan":     {"1validate 2configure 2plan=a 3validate 4configure 4plan=b 5configure 5plan=a 5apply", ""},
	} {
		t.Run(name, func(t *testing.T) {
			c := newChecker()
			for _, word := range strings.Fields(test.run) {
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
					method: "/tfplugin6.Provider/" + rpcs[does], connection: int(word[0]), address: "acme/cloud",
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
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("planned values with a finding (-want +got):\n%s", diff)
			}
		})
	}
}
