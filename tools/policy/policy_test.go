// Package policy_test tests the policy in livetest/examples/opa with the engine of Open Policy
// Agent.
package policy_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/rego"
)

const root = "../.."

// denied returns the reasons why the policy denies the input.
func denied(t *testing.T, input []byte) []any {
	t.Helper()
	var data any
	if err := json.Unmarshal(input, &data); err != nil {
		t.Fatal(err)
	}
	policy := rego.Load([]string{filepath.Join(root, "livetest/examples/opa/policy.rego")}, nil)
	results, err := rego.New(policy, rego.Query("data.terraform.deny"), rego.Input(data)).Eval(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	reasons, ok := rego.ResultValue[[]any](results)
	if !ok {
		t.Fatal("the policy has no result")
	}
	return reasons
}

// TestPolicyDeniesFindings checks which reports the policy denies.
func TestPolicyDeniesFindings(t *testing.T) {
	const noReport = "the input is not a report of objchange audit"
	report := func(fields string) string {
		return `{"format_version": "1.0", "command": "audit", ` + fields + `}`
	}
	for name, test := range map[string]struct {
		input string
		want  []any
	}{
		"nothing to check": {report(`"subjects": []`), []any{}},
		"checked":          {report(`"subjects": [{"name": "a.b update", "address": "a.b", "status": "checked", "findings": []}]`), []any{}},
		"findings": {report(`"subjects": [{"name": "a.b update", "address": "a.b", "status": "checked", "findings": [
			{"rule": "plan-count", "path": ".c", "message": "planned 1", "counts": true},
			{"rule": "plan-action", "path": "", "message": "contradicts \"d\"", "counts": true},
			{"rule": "plan-key", "path": ".e", "message": "tolerated", "counts": false},
			{"rule": "plan-key", "path": ".f", "message": "ignored", "counts": false, "ignored": "known"}]}]`),
			[]any{`a.b.c: planned 1 [plan-count]`, `a.b: contradicts "d" [plan-action]`}},
		"skipped": {report(`"subjects": [
			{"name": "a.b update", "address": "a.b", "status": "skipped", "reason": "no schemas", "findings": []},
			{"name": "a.c update", "address": "a.c", "status": "failed", "findings": []},
			{"name": "a.d update", "address": "a.d", "status": "skipped", "reason": "no schemas", "ignored": "known", "findings": []},
			{"name": "a.e deferred", "address": "a.e", "status": "skipped", "reason": "deferred", "idle": true, "findings": []}]`),
			[]any{"a.b update: skipped: no schemas", "a.c update: failed: "}},
		"an error":          {report(`"subjects": [], "error": "no such file"`), []any{"no such file"}},
		"several errors":    {report(`"subjects": [], "error": "2 errors", "errors": ["one", "two"]`), []any{"2 errors", "one", "two"}},
		"another command":   {`{"format_version": "1.0", "command": "watch", "subjects": []}`, []any{noReport}},
		"a later version":   {`{"format_version": "2.0", "command": "audit", "subjects": []}`, []any{noReport}},
		"no subjects":       {report(`"summary": {}`), []any{noReport}},
		"a plan":            {`{"format_version": "1.2", "planned_values": {}, "resource_changes": []}`, []any{noReport}},
		"null":              {`null`, []any{noReport}},
		"a list of reports": {`[` + report(`"subjects": []`) + `]`, []any{noReport}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := denied(t, []byte(test.input)); !reflect.DeepEqual(got, test.want) {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

// TestREADMEShowsReasons checks that the commands in the README of the examples give the reasons that the
// README shows.
func TestREADMEShowsReasons(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "livetest/examples/README.md"))
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?s)```sh\n(go run [^\n]*) -o report.json ([^\n]*)\nopa eval .*?```json\n(.*?)```").FindSubmatch(text)
	if found == nil {
		t.Fatal("the README has no such commands")
	}
	args := strings.Fields(string(found[1]) + " " + string(found[2]))
	audit := exec.Command(args[0], args[1:]...)
	audit.Dir, audit.Env = root, append(os.Environ(), "GOWORK=")
	report, _ := audit.Output() // it fails because of the finding
	shown, err := json.MarshalIndent(denied(t, report), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if got := string(shown) + "\n"; got != string(found[3]) {
		t.Errorf("got:\n%s\nthe README shows:\n%s", got, found[3])
	}
}
