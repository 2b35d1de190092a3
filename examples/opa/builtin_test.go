package opa

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/open-policy-agent/opa/v1/rego"
)

// input is the input of the policy: the documents by the names of their members.
type input map[string]json.RawMessage

// recorded returns the input of a recorded run: its plan, the state after another plan, and the
// schemas. An empty name omits the document.
func recorded(t *testing.T, plan, state string) input {
	t.Helper()
	in := input{}
	for member, name := range map[string]string{"schemas": "schemas.json", "plan": plan, "state": state} {
		if name == "" {
			continue
		}
		text, err := os.ReadFile("../../testdata/recordings/time/" + name)
		if err != nil {
			t.Fatal(err)
		}
		in[member] = text
	}
	return in
}

// with returns the input with another document.
func (in input) with(member, text string) input {
	in[member] = json.RawMessage(text)
	return in
}

// edit returns the input with a text replaced in a document.
func (in input) edit(t *testing.T, member, from, to string) input {
	t.Helper()
	if !strings.Contains(string(in[member]), from) {
		t.Fatalf("the %s has no %s", member, from)
	}
	return in.with(member, strings.ReplaceAll(string(in[member]), from, to))
}

// evaluate returns the reasons why the policy in a file denies the input.
func evaluate(t *testing.T, policy string, in input) (denied []any, err error) {
	t.Helper()
	results, err := rego.New(rego.Load([]string{policy}, nil), rego.Query("data.terraform.deny"), rego.Input(in)).Eval(t.Context())
	if err == nil {
		denied, _ = rego.ResultValue[[]any](results)
	}
	return denied, err
}

// TestAllowed checks that the policy allows real plans, without a state and with the resulting
// state.
func TestAllowed(t *testing.T) {
	for _, run := range []string{"1-create", "2-noop", "3-update", "4-replace", "5-destroy"} {
		for _, state := range []string{"", run + "/state.json"} {
			if denied, err := evaluate(t, "policy.rego", recorded(t, run+"/plan.json", state)); err != nil || denied == nil || len(denied) > 0 {
				t.Errorf("%s with state %q: %q, %v", run, state, denied, err)
			}
		}
	}
}

// TestAllowedDeferred checks that the policy allows a deferred change, which is skipped because
// there is nothing to check.
func TestAllowedDeferred(t *testing.T) {
	plan := `{"format_version": "1.2", "planned_values": {}, "deferred_changes": [{"reason": "x", "resource_change": {"address": "a.b"}}]}`
	if denied, err := evaluate(t, "policy.rego", recorded(t, "", "").with("plan", plan)); err != nil || denied == nil || len(denied) > 0 {
		t.Errorf("%q, %v", denied, err)
	}
}

func TestDenied(t *testing.T) {
	const plan, before, after = "4-replace/plan.json", "3-update/state.json", "4-replace/state.json"
	for name, test := range map[string]struct {
		input input
		want  []any
	}{
		"the state before apply": {recorded(t, plan, before), []any{
			`time_static.start.triggers["label"]: planned "second", but got "first" [inconsistent-value]`,
		}},
		"a plan that is not what is configured": {recorded(t, "1-create/plan.json", "").edit(t, "plan", `"create_duration":"1s"`, `"create_duration":"2s"`), []any{
			`time_sleep.nap.create_duration: planned "2s", but the configuration has "1s" [plan-not-config]`,
		}},
		"no schemas of the provider": {recorded(t, plan, "").with("schemas", `{"format_version": "1.0", "provider_schemas": {}}`), []any{
			`time_offset.later: skipped: no schemas of provider "registry.terraform.io/hashicorp/time"`,
			`time_rotating.rotate: skipped: no schemas of provider "registry.terraform.io/hashicorp/time"`,
			`time_sleep.nap: skipped: no schemas of provider "registry.terraform.io/hashicorp/time"`,
			`time_static.start: skipped: no schemas of provider "registry.terraform.io/hashicorp/time"`,
		}},
		"numbers that differ in the last of many digits": {
			recorded(t, plan, after).edit(t, "plan", `"offset_days":60`, `"offset_days":60000000000000000001`).edit(t, "state", `"offset_days":60`, `"offset_days":60000000000000000002`),
			[]any{`time_offset.later.offset_days: planned 60000000000000000001, but got 60000000000000000002 [inconsistent-value]`},
		},
		"text that JSON and Rego escape differently": {
			recorded(t, plan, after).edit(t, "plan", `"label":"second"`, `"label":"\u0007<\ud83d\ude00"`),
			[]any{`time_static.start.triggers["label"]: planned "\a<😀", but got "second" [inconsistent-value]`},
		},
		"no plan":    {recorded(t, "", after), []any{"the input has no plan or no schemas"}},
		"no schemas": {input{"plan": recorded(t, plan, "")["plan"]}, []any{"the input has no plan or no schemas"}},
		"no input":   {nil, []any{"the input has no plan or no schemas"}},
	} {
		t.Run(name, func(t *testing.T) {
			denied, err := evaluate(t, "policy.rego", test.input)
			if diff := cmp.Diff(test.want, denied); err != nil || diff != "" {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		})
	}
}

// TestErrors checks that input that cannot be evaluated is an error and is not allowed.
func TestErrors(t *testing.T) {
	const plan, after = "4-replace/plan.json", "4-replace/state.json"
	for name, test := range map[string]struct {
		policy string
		input  input
		want   string
	}{
		"a number as plan":  {"policy.rego", recorded(t, "", "").with("plan", `1`), "objchange.check: plan:1: must be an object, not a number"},
		"a state as plan":   {"policy.rego", recorded(t, after, ""), "objchange.check: plan: "},
		"a plan as state":   {"policy.rego", recorded(t, plan, plan), "objchange.check_applied: state: "},
		"null as state":     {"policy.rego", recorded(t, plan, "").with("state", `null`), "objchange.check_applied: state: "},
		"text as schemas":   {"policy.rego", recorded(t, plan, "").with("schemas", `"x"`), "objchange.check: schemas: "},
		"a plan as schemas": {"policy.rego", recorded(t, plan, "").with("schemas", string(recorded(t, plan, "")["plan"])), "objchange.check: schemas: "},
		"no JSON":           {"policy.rego", recorded(t, "", "").with("plan", `{`), "unexpected end of JSON input"},
		"no policy":         {"none.rego", recorded(t, plan, ""), "none.rego"},
		"another file":      {"main.go", recorded(t, plan, ""), "main.go"},
	} {
		t.Run(name, func(t *testing.T) {
			if denied, err := evaluate(t, test.policy, test.input); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%q, %v, want %s", denied, err, test.want)
			}
		})
	}
}
