package explore

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/explore/internal/hints"
	"github.com/objchange/objchange/tfcheck/explore/internal/repro"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
)

// Confirm runs each finding that counts with Terraform or OpenTofu. The arguments are two
// executables: Terraform or OpenTofu, and the provider. Terraform or OpenTofu starts the provider
// itself. Both run as in driver.RunIsolated, with the environment from the hints.
// [Result.Unconfirmed] lists the findings that are not confirmed. Explore returns an error if the
// program does not run.
func Confirm(program, provider string) Option {
	return func(o *options) { o.confirming = &terraform{path: program, provider: provider} }
}

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
	text := map[Verdict]string{Confirmed: "confirmed by", Unconfirmed: "not confirmed by", Untried: "not tried with"}[c.Verdict]
	text = fmt.Sprintf("%s %s %s", text, c.Program, c.Version)
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

// confirmers is the number of findings that are confirmed concurrently.
const confirmers = 2

// confirmAll confirms the first finding of each cause, if the finding counts.
func (e *explorer) confirmAll(ctx context.Context, all []*found) {
	firsts := firstOfEach(all)
	e.counts.Confirming = len(firsts)
	var workers sync.WaitGroup
	next := make(chan *candidate)
	for range confirmers {
		workers.Go(func() {
			for c := range next {
				if ctx.Err() != nil {
					continue
				}
				c.Confirmed = e.confirming.confirm(ctx, c, e.naming)
				e.mu.Lock()
				e.counts.Confirmed++
				e.report()
				e.mu.Unlock()
			}
		})
	}
	for _, c := range firsts {
		next <- c
	}
	close(next)
	workers.Wait()
}

// firstOfEach returns the first counting finding of each cause.
func firstOfEach(all []*found) (firsts []*candidate) {
	seen := map[string]bool{}
	for _, f := range all {
		if f == nil {
			continue
		}
		for _, c := range f.findings {
			if !c.replayed || c.unstable || c.Severity != tfcheck.Rejected || c.Known != "" || seen[c.cause()] {
				continue
			}
			seen[c.cause()] = true
			firsts = append(firsts, c)
		}
	}
	return firsts
}

// confirm runs the commands of the finding and returns the result. It returns nil if the context
// ended.
func (t *terraform) confirm(ctx context.Context, c *candidate, n repro.Naming) *Confirmation {
	n.Hides = nil // only Terraform reads the configuration
	commands, exact := repro.Commands(c.scenario, n)
	v := verdict{Untried, "", t.untriedReason(c, commands, exact)}
	if v.reason == "" {
		v = t.reproduce(ctx, c, n, commands)
	}
	if ctx.Err() != nil {
		return nil
	}
	return &Confirmation{Program: t.name, Version: t.version, Verdict: v.Verdict, Error: stableText(v.message), Reason: stableText(v.reason)}
}

// untriedReason returns the reason why the program cannot do the same as explore, or "".
func (t *terraform) untriedReason(c *candidate, commands []repro.Step, exact bool) string {
	switch {
	case !exact:
		return "a configuration cannot express it exactly"
	case t.minor < c.since():
		return fmt.Sprintf("version 1.%d or later is needed", c.since())
	case t.missingBarrier != "" && slices.ContainsFunc(commands, changes):
		return "without isolation, nothing is applied (" + t.missingBarrier + ")"
	case len(c.summaries) == 0 && c.Rule != tfcheck.RuleCrash && c.Rule != tfcheck.RulePerpetualDiff:
		return "the error for this rule is not known" // so it cannot be distinguished from other errors
	}
	return ""
}

// A verdict is the result of running the commands of a finding.
type verdict struct {
	Verdict
	message, reason string
}

// reproduce runs the commands. Terraform may reject an earlier step than explore does. Before the
// last command, only the commands that failed in explore may fail.
func (t *terraform) reproduce(ctx context.Context, c *candidate, n repro.Naming, commands []repro.Step) verdict {
	w, err := t.workspace(n, c.scenario)
	if err != nil {
		return verdict{Untried, "", err.Error()}
	}
	defer w.remove()
	var output commandOutput
	for i, command := range commands {
		existed, _ := w.object()
		existed = existed || i > 0 && forgets(commands[i-1])
		if output, err = w.run(ctx, command); err != nil {
			return verdict{Untried, "", command.Command + ": " + err.Error()}
		}
		switch d := c.firstMatch(output.errors, n); {
		case d != nil:
			return verdict{Confirmed, d.text(), ""}
		case existed && output.objectGone(addressOf(c.scenario), command.Command) && !c.isGone():
			return verdict{Untried, "", "the object did not exist any more in the next process, so the provider seems to keep objects in memory"}
		case len(output.errors) > 0 && i < len(commands)-1 && !command.Fails:
			return verdict{Untried, output.errors[0].text(), command.Command + ", an earlier command, fails"}
		}
	}
	return c.last(output, commands[len(commands)-1].Command)
}

// isGone reports whether the finding is that the object no longer exists.
func (c *candidate) isGone() bool {
	return c.Rule == tfcheck.RulePerpetualDiff && strings.HasSuffix(c.Message, "the read returned no object")
}

// last returns the verdict if the expected error did not occur, after the last command.
func (c *candidate) last(output commandOutput, command string) verdict {
	planned := output.changes[addressOf(c.scenario)].message
	switch {
	case len(output.errors) > 0:
		return verdict{Unconfirmed, output.errors[0].text(), command + " fails with another error"}
	case c.Rule == tfcheck.RulePerpetualDiff && planned != "":
		return verdict{Confirmed, planned, ""}
	case c.Rule == tfcheck.RulePerpetualDiff:
		return verdict{Unconfirmed, "", command + " plans no change"}
	}
	return verdict{Unconfirmed, "", command + " does not fail"}
}

// since returns the first minor version of Terraform 1 and OpenTofu 1 that checks the rule.
func (c *candidate) since() int {
	switch {
	case c.identity:
		return 12
	case c.scenario.Kind == Ephemeral || c.Rule == objchange.RuleWriteOnlyNotNull:
		return 11
	case c.scenario.Kind == Function:
		return 8
	case slices.ContainsFunc(c.scenario.LifecycleSteps(), func(st scenario.Step) bool { return st.Does == scenario.Imports }):
		return 5 // first version with import blocks
	}
	return 4 // first version with terraform_data; -replace and -target are older
}

// changes reports whether the command changes objects.
func changes(c repro.Step) bool {
	return strings.HasPrefix(c.Command, "terraform apply") || strings.HasPrefix(c.Command, "terraform destroy")
}

// forgets reports whether the command only removes an object from the state.
func forgets(c repro.Step) bool { return strings.HasPrefix(c.Command, "terraform state rm") }

// maxError limits the number of bytes of an error that are shown.
const maxError = 4000

// hidden returns the confirmation without secrets and with a shortened error.
func (c *Confirmation) hidden(s hints.Secrets) *Confirmation {
	if c == nil {
		return nil
	}
	shown := *c
	shown.Error, shown.Reason = s.Hide(c.Error), s.Hide(c.Reason)
	if len(shown.Error) > maxError {
		shown.Error = strings.ToValidUTF8(shown.Error[:maxError], "") + "…"
	}
	return &shown
}

// separate moves the findings that are not confirmed to Unconfirmed.
func (r *Result) separate() {
	unconfirmed := func(f Finding) bool { return f.Confirmed != nil && f.Confirmed.Verdict == Unconfirmed }
	for _, f := range r.Findings {
		if unconfirmed(f) {
			r.Unconfirmed = append(r.Unconfirmed, f)
		}
	}
	r.Findings = slices.DeleteFunc(r.Findings, unconfirmed)
}
