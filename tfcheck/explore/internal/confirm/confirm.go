// Package confirm runs scenarios with Terraform or OpenTofu, and decides whether they confirm a
// finding.
package confirm

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck/explore/internal/repro"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
)

// A Confirmation is the result of running a finding with Terraform or OpenTofu.
type Confirmation struct {
	Program string  `json:"program"` // Terraform or OpenTofu
	Version string  `json:"version"`
	Verdict Verdict `json:"verdict"`
	Error   string  `json:"error,omitempty"`  // the program's error message
	Reason  string  `json:"reason,omitempty"` // why the finding is not confirmed
}

// String returns the verdict and the reason, followed by the error on separate lines. It returns ""
// for nil.
func (c *Confirmation) String() string {
	if c == nil {
		return ""
	}
	verdicts := map[Verdict]string{
		Confirmed: "confirmed by", Unconfirmed: "not confirmed by", Untried: "not tried with",
	}
	text := fmt.Sprintf("%s %s %s", verdicts[c.Verdict], c.Program, c.Version)
	if c.Reason != "" {
		text += ": " + c.Reason
	}
	return strings.TrimSpace(text + "\n\n" + c.Error)
}

// A Verdict states whether a finding is confirmed.
type Verdict string

// The possible verdicts.
const (
	Confirmed   Verdict = "confirmed"
	Unconfirmed Verdict = "unconfirmed" // the program did not fail, or failed for another reason
	Untried     Verdict = "untried"     // the finding could not be run, so it counts
)

// A Finding is a broken rule that a scenario reproduces.
type Finding struct {
	Scenario  scenario.Scenario
	Rule      objchange.Rule
	Path      cty.Path        // where the rule is broken, for display
	Phase     objchange.Phase // when it is broken
	Summaries []string        // of Terraform's errors for the finding, if known
	Identity  bool            // whether the fault is in the identity
}

// Confirm runs the commands of the finding and returns the result. It returns nil if the context
// ended.
func (p *Program) Confirm(ctx context.Context, f Finding, n repro.Naming) *Confirmation {
	n.Hides, n.Hide = nil, nil // only Terraform reads the configuration
	commands, exact := repro.Commands(f.Scenario, n)
	c := Confirmation{Verdict: Untried, Reason: p.untriedReason(f, commands, exact)}
	if c.Reason == "" {
		c = p.reproduce(ctx, f, n, commands)
	}
	if c.Verdict == Unconfirmed && f.Rule == objchange.RuleCrash { // Terraform may end before it has read the stack trace
		c = p.reproduce(ctx, f, n, commands)
	}
	if ctx.Err() != nil {
		return nil
	}
	c.Program, c.Version = p.name, p.version
	return &c
}

// untriedReason returns the reason why the program cannot do the same as explore, or "".
func (p *Program) untriedReason(f Finding, commands []repro.Step, exact bool) string {
	switch {
	case !exact:
		return "a configuration cannot express it exactly"
	case p.minor < f.since():
		return fmt.Sprintf("version 1.%d or later is needed", f.since())
	case p.MissingBarrier != "" && slices.ContainsFunc(commands, changes):
		return "without isolation, nothing is applied (" + p.MissingBarrier + ")"
	case len(f.Summaries) == 0 && f.Rule != objchange.RuleCrash && f.Rule != objchange.RulePerpetualDiff:
		return "the error for this rule is not known" // so it cannot be distinguished from other errors
	}
	return ""
}

// reproduce runs the commands. Terraform may reject an earlier step than explore does. Before the
// last command, only the commands that failed in explore may fail.
func (p *Program) reproduce(ctx context.Context, f Finding, n repro.Naming, commands []repro.Step) Confirmation {
	dir, err := os.MkdirTemp("", "objchange-")
	if err != nil {
		return Confirmation{Verdict: Untried, Reason: err.Error()}
	}
	defer func() { _ = os.RemoveAll(dir) }() // an error does not matter in a folder for temporary files
	w, err := p.workspace(dir, n, f.Scenario)
	if err != nil {
		return Confirmation{Verdict: Untried, Reason: err.Error()}
	}
	var output commandOutput
	existed := false
	for i, command := range commands {
		if output, err = w.run(ctx, command); err != nil {
			return Confirmation{Verdict: Untried, Reason: command.Command + ": " + err.Error()}
		}
		switch d := f.firstMatch(output, n); {
		case d != nil:
			return Confirmation{Verdict: Confirmed, Error: d.text()}
		case existed && output.objectGone(command) && !f.isGone():
			return Confirmation{Verdict: Untried, Reason: inMemory}
		case len(output.errors) > 0 && i < len(commands)-1 && !command.Fails:
			reason := command.Command + ", an earlier command, fails"
			return Confirmation{Verdict: Untried, Error: output.errors[0].text(), Reason: reason}
		}
		existed = existed || output.applied
	}
	return f.last(output, commands[len(commands)-1].Command)
}

// inMemory is the reason for a finding about an object that the next process does not have.
const inMemory = "the object did not exist any more in the next process, " +
	"so the provider seems to keep objects in memory"

// isGone reports whether the finding is that the object no longer exists.
func (f Finding) isGone() bool {
	return f.Rule == objchange.RulePerpetualDiff && f.Phase == objchange.PhaseReread && len(f.Path) == 0
}

// last returns the result if the expected error did not occur, after the last command.
func (f Finding) last(output commandOutput, command string) Confirmation {
	switch {
	case len(output.errors) > 0:
		reason := command + " fails with another error"
		return Confirmation{Verdict: Unconfirmed, Error: output.errors[0].text(), Reason: reason}
	case f.Rule == objchange.RulePerpetualDiff && output.message != "":
		return Confirmation{Verdict: Confirmed, Error: output.message}
	case f.Rule == objchange.RulePerpetualDiff:
		return Confirmation{Verdict: Unconfirmed, Reason: command + " plans no change"}
	}
	return Confirmation{Verdict: Unconfirmed, Reason: command + " does not fail"}
}

// since returns the first minor version of Terraform 1 and OpenTofu 1 that checks the rule.
func (f Finding) since() int {
	switch {
	case f.Identity:
		return 12
	case f.Scenario.Kind == scenario.Ephemeral || f.Rule == objchange.RuleWriteOnlyNotNull:
		return 11
	case f.Scenario.Kind == scenario.Function:
		return 8
	case slices.ContainsFunc(f.Scenario.Steps, func(st scenario.Step) bool { return st.Does == scenario.Imports }):
		return 6 // first version with variables in import blocks
	}
	return 4 // first version with terraform_data; -replace and -target are older
}

// changes reports whether the command changes objects.
func changes(c repro.Step) bool { return c.Args[0] == "apply" || c.Args[0] == "destroy" }
