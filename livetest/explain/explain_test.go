package explain_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/livetest/internal/live"
	"github.com/objchange/objchange/tfcheck"
)

// An errorEntry is an error in the output of objchange explain.
type errorEntry struct {
	Rule                         objchange.Rule
	Address, Provider, Path, SDK string
	Phase                        objchange.Phase
	Severity                     objchange.Severity
	Summary, Sentence            string
	Steps                        []string
}

// explainText runs objchange explain with a text.
func explainText(t *testing.T, text []byte) []errorEntry {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), live.Build(t, live.Command), "explain", "--format", "json", "-")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(text), os.Stderr
	out, err := cmd.Output()
	var found struct{ Errors []errorEntry }
	if err == nil {
		err = json.Unmarshal(out, &found)
	}
	if err != nil {
		t.Fatalf("explain: %v\n%s", err, out)
	}
	return found.Errors
}

// A result is what Terraform printed about a breach that it rejects.
type result struct {
	errors   []string // Terraform's errors about the rule
	followed bool     // whether the steps for users were followed
}

// TestEachBreachIsExplained explains Terraform's errors and log about each breach, as text and as JSON. Breaches
// that can occur in one run are explained together as text. For the breaches that Terraform rejects, it follows the
// steps for users, and compares Terraform's errors with the pages of the rules.
func TestEachBreachIsExplained(t *testing.T) {
	live.ProgramsOnly(t)
	results := make([]*result, len(live.Breaches))
	together := newGroups()
	t.Run("breach", func(t *testing.T) {
		for n, b := range live.Breaches {
			if live.SupportedSince[b.TypeName] != "" {
				results[n] = &result{}
				continue
			}
			t.Run(b.Name(), func(t *testing.T) {
				t.Parallel()
				r := &result{}
				found, _ := b.Run.Drive(t, live.ProviderOf(t, b.Change, b.TypeName), b.TypeName)
				if !together.add(b, found) {
					explainBreach(t, b, found, "-no-color")
				}
				tf, printed, all := explainBreach(t, b, found, "-json")
				if b.Stops() {
					r.errors = errorsAbout(b, tf, printed, all)
					r.followed = followSteps(t, b, tf, all)
				}
				results[n] = r
			})
		}
	})
	together.explain(t)
	if t.Failed() || slices.Contains(results, nil) { // not all breaches were run
		return
	}
	checkFixes(t, results)
	checkPages(t, results)
}

// explainBreach explains what Terraform prints with the flag.
func explainBreach(
	t *testing.T, b live.Breach, found []tfcheck.Finding, flag string,
) (tf *live.Terraform, printed []byte, all []errorEntry) {
	t.Helper()
	tf, printed = printedBy(t, b, flag)
	all = explainText(t, printed)
	checkEntries(t, b, found, tf.Address(), printed, all)
	if t.Failed() {
		t.Log("with", flag)
	}
	return tf, printed, all
}

// checkEntries checks that the rule, the path and whether Terraform enforces it match the findings of a driver in
// the same responses.
func checkEntries(
	t *testing.T, b live.Breach, found []tfcheck.Finding, address string, printed []byte, all []errorEntry,
) {
	t.Helper()
	var want []foundAt
	for _, f := range found {
		for _, v := range f.Violations {
			want = append(want, foundAt{v.Rule, v.PathString(), f.Severity == objchange.Rejected})
		}
	}
	var seen bool
	for _, e := range all {
		if !slices.ContainsFunc(want, e.is) {
			t.Errorf("explained %+v, want one of %+v", e, want)
		}
		lost := e.Address == "" && strings.Contains(e.Sentence, address)
		if lost || e.Address != "" && !strings.HasSuffix(e.Address, address) {
			t.Errorf("the address is %q: %s", e.Address, e.Sentence)
		}
		name, _, _ := strings.Cut(b.TypeName, "_")
		if e.Provider != live.Registry+name && (e.Provider != "" || strings.Contains(e.Sentence, live.Registry)) && e.Summary != "Invalid resource state upgrade" {
			t.Errorf("the provider is %q: %s", e.Provider, e.Sentence)
		}
		if e.SDK != "" && (e.SDK == "SDK v2") != (name == "sdk") {
			t.Errorf("the SDK is %q: %s", e.SDK, e.Sentence)
		}
		seen = seen || e.Rule == b.Rule
	}
	// For an object that does not conform, Terraform's message contains no more details.
	ignored := b.Severity == objchange.Unchecked || b.Rule == objchange.RulePerpetualDiff
	if !ignored && !seen && b.Change != live.Leaks && b.Change != live.LeaksUpdated {
		t.Errorf("nothing of %s is explained in\n%s", b.Rule, printed)
	}
}

// is reports whether the error is about the violation. Some errors have no path.
func (e errorEntry) is(f foundAt) bool {
	samePath := e.Path == "" && f.nameless(e) || withoutKeys(e.Path) == withoutKeys(f.path)
	return e.Rule == f.rule && (e.Severity == objchange.Rejected) == f.enforced && samePath
}

// A foundAt is a violation that a driver found.
type foundAt struct {
	rule     objchange.Rule
	path     string
	enforced bool
}

// nameless reports whether Terraform's error about the rule has no path.
func (f foundAt) nameless(e errorEntry) bool {
	switch f.rule {
	case objchange.RuleStateUnknown:
		return e.Summary != "Provider returned invalid result object after apply"
	case objchange.RuleTypeMismatch, objchange.RuleStateNullBlocks:
		return true
	}
	return f.path == ""
}

// withoutKeys returns the path as Terraform writes it in plans, where keys of maps of nested
// attributes look like attribute names.
func withoutKeys(path string) string {
	return strings.NewReplacer(`["`, ".", `"]`, "").Replace(path)
}

// printedBy makes Terraform run the steps of the breach, and returns its output and log.
func printedBy(t *testing.T, b live.Breach, flag string) (*live.Terraform, []byte) {
	t.Helper()
	p := live.ProviderOf(t, b.Change, b.TypeName)
	d := live.NewDriven(t, live.ProviderOf(t, b.Change, b.TypeName), b.TypeName, "")
	tf := live.NewTerraform(t, p, b.TypeName, d.Block)
	steps := b.Run(b.TypeName)
	for _, s := range steps[:len(steps)-1] {
		object, _ := tf.Object(t, d.Type())
		tf.Command(t, s, live.Text(object, "id"))
	}
	last := steps[len(steps)-1]
	var all []byte
	command := func(args ...string) {
		all = append(all, printedByCommand(t, tf, append(args, flag, "-input=false")...)...)
	}
	if object, _ := tf.Object(t, d.Type()); last.StepKind == live.Importing {
		id := live.Text(object, "id")
		tf.Forget(t)
		tf.Configure(t, last, id)
		command("import", tf.Address(), id)
	} else {
		tf.Configure(t, last, "")
		command(tf.Args(last)...)
	}
	if b.RPC == live.Upgrade || b.RPC == live.Read || b.Rule == objchange.RuleReplacePath {
		command("plan")
	}
	return tf, all
}

// printedByCommand runs a command, and returns its output and log.
func printedByCommand(t *testing.T, tf *live.Terraform, args ...string) []byte {
	t.Helper()
	out, _ := tf.Exec(t, args...)
	log, _ := os.ReadFile(tf.Path("log"))
	return slices.Concat(out, log)
}
