package watch_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/livetest/internal/live"
)

// TestWatchFindsContradictingFinalPlans applies resources whose final plan contradicts the initial one, and an honest
// resource that also depends on a value that is known late. Watch must find what Terraform rejects.
func TestWatchFindsContradictingFinalPlans(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, "terraform")
	w.provideFaults(t)
	before, resources, want := map[string]any{}, map[string]any{}, map[string][]live.Summary{}
	for _, b := range live.Breaches {
		missing := notInExchanges[b.Name()]
		if missing.why != live.OfTwoPlans {
			continue
		}
		want[b.TypeName] = missing.unseen
		if b.Rule == objchange.RuleActionChanged {
			want[b.TypeName] = missing.unseen[:1] // Core plans the new object in another request
		}
		steps := b.Run(b.TypeName)
		if len(steps) > 1 {
			before[b.TypeName] = map[string]any{"it": live.Plain(steps[0].Config)}
		}
		last := steps[len(steps)-1]
		resources[b.TypeName] = map[string]any{"it": lateIn(t, last)}
	}
	before["sdk_honest"] = map[string]any{"it": live.Plain(live.Full("sdk_honest"))}
	resources["sdk_honest"] = before["sdk_honest"] // so Terraform applies nothing of this provider
	resources["fw_honest"] = map[string]any{"it": lateIn(t, live.Do(live.Applying, live.Full("fw_honest"), "name"))}
	resources["terraform_data"] = map[string]any{"late": map[string]any{"input": "x"}}

	w.configure(t, before)
	r, status := w.run(t, "apply", "-auto-approve")
	r.clean(t, "before", status)
	w.configure(t, resources)
	r, status = w.run(t, "apply", "-auto-approve", "-refresh=false") // the providers keep no objects
	if status != 1 {
		t.Errorf("exit status %d", status)
	}
	got := map[string][]live.Summary{}
	for _, s := range r.Subjects {
		for _, f := range s.Findings {
			one := live.Saw(s.RPC, f.Rule, f.Severity)
			if s.RPC == live.Plan && !slices.Contains(got[s.Type], one) {
				got[s.Type] = append(got[s.Type], one)
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +found):\n%s\n%s", diff, w.out)
	}
}

// lateIn returns the configuration of the last step. The late argument of the step waits for another resource.
func lateIn(t *testing.T, s live.Step) map[string]any {
	t.Helper()
	config := live.Plain(s.Config).(map[string]any)
	late, err := json.Marshal(config[s.Late])
	if err != nil {
		t.Fatal(err)
	}
	encoded, _ := json.Marshal(string(late)) // as a string of HCL
	config[s.Late] = "${jsondecode(terraform_data.late.id == \"\" ? \"\" : " + string(encoded) + ")}"
	return config
}
