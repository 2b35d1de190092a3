package livetest_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
)

// An explained is an error in the output of objchange explain.
type explained struct {
	Rule                         objchange.Rule
	Address, Provider, Path, SDK string
	Phase                        objchange.Phase
	Enforced                     bool
	Summary, Sentence            string
	Steps                        []string
}

// explainText runs objchange explain with a text.
func explainText(t *testing.T, text []byte) []explained {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), filepath.Join(buildCommand(t), "objchange"), "explain", "--format", "json", "-")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(text), os.Stderr
	out, err := cmd.Output()
	var found struct{ Errors []explained }
	if err == nil {
		err = json.Unmarshal(out, &found)
	}
	if err != nil {
		t.Fatalf("explain: %v\n%s", err, out)
	}
	return found.Errors
}

// TestExplainBreaches explains Terraform's errors and log about each breach, as text and as JSON.
// It checks that the rule, the path and whether Terraform enforces it match the findings of a
// driver in the same responses.
func TestExplainBreaches(t *testing.T) {
	programsOnly(t)
	for _, b := range breaches {
		if supportedSince[b.typeName] != "" {
			continue
		}
		t.Run(b.name(), func(t *testing.T) {
			for _, flag := range []string{"-no-color", "-json"} {
				b.explain(t, flag)
			}
		})
	}
}

func (b breach) explain(t *testing.T, flag string) {
	t.Helper()
	found, _ := b.run.drive(t, providerOf(t, b.made, b.rule, b.typeName), b.typeName)
	tf, printed := b.printed(t, flag)
	var want []foundAt
	for _, f := range found {
		for _, v := range f.Violations {
			want = append(want, foundAt{v.Rule, v.PathString(), f.Severity == tfcheck.Rejected})
		}
	}
	var seen bool
	for _, e := range explainText(t, printed) {
		if !slices.ContainsFunc(want, e.is) {
			t.Errorf("%s: explained %+v, want one of %+v", flag, e, want)
		}
		if e.Address != "" && !strings.HasSuffix(e.Address, tf.address()) || e.Address == "" && strings.Contains(e.Sentence, tf.address()) {
			t.Errorf("%s: the address is %q: %s", flag, e.Address, e.Sentence)
		}
		name, _, _ := strings.Cut(b.typeName, "_")
		if e.Provider != registry+name && (e.Provider != "" || strings.Contains(e.Sentence, registry)) && e.Summary != "Invalid resource state upgrade" {
			t.Errorf("%s: the provider is %q: %s", flag, e.Provider, e.Sentence)
		}
		if e.SDK != "" && (e.SDK == "SDK v2") != (name == "sdk") {
			t.Errorf("%s: the SDK is %q: %s", flag, e.SDK, e.Sentence)
		}
		seen = seen || e.Rule == b.rule
	}
	// For an object that does not conform, Terraform's message contains no more details.
	if b.reaction != coreIgnores && !seen && b.made != leaks && b.made != leaksUpdated {
		t.Errorf("%s: nothing of %s is explained in\n%s", flag, b.rule, printed)
	}
}

// is reports whether the error is about the violation. Some errors have no path.
func (e explained) is(f foundAt) bool {
	return e.Rule == f.rule && e.Enforced == f.enforced && (e.Path == "" && f.nameless(e) || withoutKeys(e.Path) == withoutKeys(f.path))
}

// A foundAt is a violation that a driver found.
type foundAt struct {
	rule     objchange.Rule
	path     string
	enforced bool
}

// nameless reports whether Terraform's error about the rule has no path.
func (f foundAt) nameless(e explained) bool {
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

// printed makes Terraform run the steps of the breach, and returns its output and log.
func (b breach) printed(t *testing.T, flag string) (*terraform, []byte) {
	t.Helper()
	p := providerOf(t, b.made, b.rule, b.typeName)
	d := newDriven(t, providerOf(t, b.made, b.rule, b.typeName), b.typeName)
	o := &oracle{terraform: newTerraform(t, p, b.typeName, d.schema()), collector: new(tfcheck.Collector)}
	steps := b.run(b.typeName)
	for _, s := range steps[:len(steps)-1] {
		object, _ := o.object(t, d.ty())
		o.command(t, s, text(object, "id"))
	}
	last := steps[len(steps)-1]
	var all []byte
	command := func(args ...string) {
		out, _ := o.exec(t, append(args, flag, "-input=false")...)
		log, _ := os.ReadFile(o.path("log"))
		all = slices.Concat(all, out, log)
	}
	if object, _ := o.object(t, d.ty()); last.stepKind == importing {
		id := text(object, "id")
		o.forget(t)
		o.configure(t, last, id)
		command("import", o.address(), id)
	} else {
		o.configure(t, last, "")
		command(o.args(last)...)
	}
	if b.rpc == upgrade || b.rpc == read || b.rule == objchange.RuleReplacePath {
		command("plan")
	}
	return o.terraform, all
}
