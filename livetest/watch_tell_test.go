package livetest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
)

// diagnosticsOf returns the diagnostics in the command's output, with the addresses of their
// resources, sorted.
func diagnosticsOf(t *testing.T, printed []byte) (all []string) {
	t.Helper()
	for line := range bytes.Lines(printed) {
		var m message
		if err := json.Unmarshal(line, &m); err != nil {
			t.Fatalf("printed %s", line)
		}
		if d := m.Diagnostic; m.Type == "diagnostic" {
			all = append(all, fmt.Sprintf("%s: %s: %s\n%s", d.Severity, d.Address, d.Summary, numbers.ReplaceAllString(d.Detail, "1")))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// numbers matches the numbers of objects, which depend on the order of creation.
var numbers = regexp.MustCompile(`\b\d+\b`)

// inProcess runs the program with checking servers in process, and returns its diagnostics.
func (w *workspace) inProcess(t *testing.T, report tfcheck.Report, args ...string) []string {
	t.Helper()
	all := map[string]any{}
	for _, typeName := range []string{"fw_honest", "sdk_honest"} {
		p := providerOf(t, framework, "", typeName)
		p.check(report)
		if err := json.Unmarshal([]byte(p.serve(t, typeName)), &all); err != nil {
			t.Fatal(err)
		}
	}
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	attached := *w
	attached.env = append(slices.Clip(w.env), "TF_REATTACH_PROVIDERS="+string(text))
	out, _ := attached.unwatched(t, args...) // the watched run checks the exit status
	return diagnosticsOf(t, out)
}

// TestWatchTells checks that the command prints the findings at the block of the resource: with
// --warn the findings that Core accepts, with --reject the rejected ones. The diagnostics must
// match those of a checking server in process. Each rule is broken by one resource, because
// Terraform 1.17 prints only one of the warnings with the same summary, for any of the resources.
func TestWatchTells(t *testing.T) {
	w := newWorkspace(t, "terraform")
	w.provideFaults(t)
	resources, broken := map[string]any{}, map[objchange.Rule]bool{}
	for _, b := range breaches {
		steps := b.run(b.typeName)
		if !broken[b.rule] && b.reaction != coreRejects && (b.rpc == plan || b.rpc == apply) && (b.made == framework || b.made == sdk) && len(steps) == 1 && steps[0].late == "" {
			resources[b.typeName] = map[string]any{"it": plain(steps[0].config)}
			broken[b.rule] = true
		}
	}
	w.configure(t, resources)
	forget := (&terraform{dir: w.dir}).forget

	type rules = map[string]objchange.Rule
	for _, test := range []struct {
		flag, severity string
		report         tfcheck.Report
		args           []string
		summary        string
		status         int
		want           rules // by address; a subset
	}{
		{"--warn", "warning", tfcheck.Warn, []string{"plan"}, "Provider violates a rule: ", 0, rules{"sdk_plan_not_config.it": objchange.RulePlanNotConfig, "fw_plan_set_element.it": objchange.RulePlanSetElement}},
		{"--warn", "warning", tfcheck.Warn, []string{"apply", "-auto-approve"}, "Provider violates a rule: ", 0, rules{"sdk_inconsistent_value.it": objchange.RuleInconsistentValue, "sdk_plan_not_config.it": objchange.RulePlanNotConfig}},
		{"--reject --fail-on all", "error", tfcheck.RejectAll, []string{"plan"}, "Provider produced invalid plan", 1, rules{"sdk_plan_not_config.it": objchange.RulePlanNotConfig}},
		{"--reject --fail-on all", "error", tfcheck.RejectAll, []string{"apply", "-auto-approve", "-target=sdk_inconsistent_value.it"}, "Provider produced inconsistent result after apply", 1, rules{"sdk_inconsistent_value.it": objchange.RuleInconsistentValue}},
	} {
		name := test.flag + " " + test.args[0]
		args := append(slices.Clip(test.args), "-json")
		forget(t)
		want := w.inProcess(t, test.report, args...)
		forget(t)
		w.flags = strings.Fields(test.flag)
		_, status := w.run(t, args...)
		got := diagnosticsOf(t, w.out)
		if status != test.status {
			t.Errorf("%s: exit status %d", name, status)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-in process +watched):\n%s", name, diff)
		}
		for address, rule := range test.want {
			if !slices.ContainsFunc(got, func(d string) bool {
				return strings.HasPrefix(d, test.severity+": "+address+": "+test.summary) && strings.Contains(d, " ["+string(rule)+"]\n")
			}) {
				t.Errorf("%s: nothing with the rule is told of %s:\n%s", name, address, strings.Join(got, "\n"))
			}
		}
	}
	if tainted := w.tainted(t); !maps.Equal(tainted, map[string]bool{"sdk_inconsistent_value": true}) {
		t.Errorf("the state that came with the error is not what is kept: %v", tainted)
	}
}

// tainted returns the types that have an object, and whether it is tainted.
func (w *workspace) tainted(t *testing.T) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	for _, s := range (&terraform{dir: w.dir}).state(t) {
		all[s.Type] = s.Instances[0].Status == "tainted"
	}
	return all
}
