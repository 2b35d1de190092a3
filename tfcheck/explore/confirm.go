package explore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
)

// Confirm runs each finding that counts with Terraform or OpenTofu: program is the executable of
// one of them, and provider that of the provider, which a Provider such as Launched cannot pass on.
// Both run like driver.RunIsolated, with the environment of the hints. What is not confirmed is in
// Result.Unconfirmed. Explore returns an error if the program does not run.
func Confirm(program, provider string) Option {
	return func(o *options) { o.confirming = &terraform{path: program, provider: provider} }
}

// A Confirmation is what Terraform or OpenTofu said about a finding.
type Confirmation struct {
	Program string  `json:"program"` // Terraform or OpenTofu
	Version string  `json:"version"`
	Verdict Verdict `json:"verdict"`
	Error   string  `json:"error,omitempty"`  // as the program says it
	Reason  string  `json:"reason,omitempty"` // why the finding is not confirmed
}

// String returns what came of it, and the error in lines below; "" for nil.
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

// A Verdict says whether a finding is confirmed.
type Verdict string

// The verdicts.
const (
	Confirmed   Verdict = "confirmed"
	Unconfirmed Verdict = "unconfirmed" // the program did not fail, or for another reason
	Untried     Verdict = "untried"     // it could not be run, so the finding counts
)

// confirmers is how many findings are confirmed at a time.
const confirmers = 2

// confirmAll confirms the first finding of each cause that counts.
func (e *explorer) confirmAll(ctx context.Context, all []*found) {
	firsts := firstOfEach(all)
	e.so.Confirming = len(firsts)
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
				e.so.Confirmed++
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

// firstOfEach returns the first finding of each cause that counts.
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

// confirm runs the commands of the finding, and returns what came of it; nil if the context ended.
// Terraform may find it earlier than explore, and steps before the last one may fail.
func (t *terraform) confirm(ctx context.Context, c *candidate, n naming) *Confirmation {
	verdict := func(v Verdict, said, reason string) *Confirmation {
		return &Confirmation{Program: t.name, Version: t.version, Verdict: v, Error: lasting(said), Reason: lasting(reason)}
	}
	n.hides = nil // only Terraform reads the configuration
	steps, exact := c.scenario.steps(n)
	switch {
	case !exact:
		return verdict(Untried, "", "HCL cannot write exactly what reproduces it")
	case t.minor < c.since():
		return verdict(Untried, "", fmt.Sprintf("it needs version 1.%d", c.since()))
	case t.network != "" && slices.ContainsFunc(steps, Step.changes):
		return verdict(Untried, "", "apply needs isolation from the network: "+t.network)
	}
	w, err := t.workspace(n, c.scenario)
	if err != nil {
		return verdict(Untried, "", err.Error())
	}
	defer w.remove()
	var said said
	for _, step := range steps {
		if said, err = w.run(ctx, step); ctx.Err() != nil {
			return nil
		} else if err != nil {
			return verdict(Untried, "", step.Command+": "+err.Error())
		}
		if d := c.among(said.errors, n); d != nil {
			return verdict(Confirmed, d.text(), "")
		}
	}
	last := steps[len(steps)-1].Command
	if planned := said.changes[c.scenario.example()]; c.Rule == tfcheck.RulePerpetualDiff && planned != "" {
		return verdict(Confirmed, planned, "")
	}
	if len(said.errors) > 0 {
		return verdict(Unconfirmed, said.errors[0].text(), last+" fails with another error")
	}
	return verdict(Unconfirmed, "", last+" has no error")
}

// since returns the minor version of Terraform and OpenTofu 1 that checks this.
func (c *candidate) since() int {
	switch {
	case c.identity:
		return 12
	case c.scenario.kind == Ephemeral || c.Rule == objchange.RuleWriteOnlyNotNull:
		return 11
	case c.scenario.kind == Function:
		return 8
	}
	return 4 // which has terraform_data
}

// changes reports whether the command changes objects.
func (s Step) changes() bool {
	return strings.HasPrefix(s.Command, "terraform apply") || strings.HasPrefix(s.Command, "terraform destroy")
}

// among returns the error that is that of the finding, preferably one with its attribute, or nil.
func (c *candidate) among(errors []diagnostic, n naming) (expected *diagnostic) {
	name := attribute(c.Places[0].Path)
	for i, d := range errors {
		if !c.expects(d, n) {
			continue
		}
		if strings.Contains(d.text(), "."+name) {
			return &errors[i]
		}
		expected = cmp.Or(expected, &errors[i])
	}
	return expected
}

// expects reports whether Terraform's error is that of the finding: with its summary, and about
// its type. Errors about crashes and imports do not name it, and the configuration has no other
// provider and no other import.
func (c *candidate) expects(d diagnostic, n naming) bool {
	if c.Rule == tfcheck.RuleCrash {
		return strings.Contains(d.Summary+"\n"+d.Detail, "Plugin did not respond")
	}
	hasSummary := func(summary string) bool { return strings.HasPrefix(d.Summary, summary) }
	about := strings.Join([]string{d.Address, d.Summary, d.Detail}, "\n")
	return c.Rule != tfcheck.RulePerpetualDiff && (len(c.summaries) == 0 || slices.ContainsFunc(c.summaries, hasSummary)) &&
		(c.scenario.kind == Configuration || c.Rule == tfcheck.RuleImportCount || strings.Contains(about, c.scenario.reference(n)))
}

// example returns the address of the resource in the configuration.
func (s scenario) example() string {
	address := s.typeName + "." + exampleName
	if s.kind != Resource {
		address = string(s.kind) + "." + address
	}
	return address
}

// reference returns how Terraform refers to what the scenario is about.
func (s scenario) reference(n naming) string {
	if s.kind == Function {
		return fmt.Sprintf("provider::%s::%s", n.local(s.typeName), s.typeName)
	}
	return s.example()
}

// maxError is how many bytes of an error are shown.
const maxError = 4000

// hidden returns the confirmation without secrets.
func (c *Confirmation) hidden(s secrets) *Confirmation {
	if c == nil {
		return nil
	}
	shown := *c
	shown.Error, shown.Reason = s.hide(c.Error), s.hide(c.Reason)
	if len(shown.Error) > maxError {
		shown.Error = strings.ToValidUTF8(shown.Error[:maxError], "") + "…"
	}
	return &shown
}

// separate moves findings that are not confirmed to a list of their own.
func (r *Result) separate() {
	unconfirmed := func(f Finding) bool { return f.Confirmed != nil && f.Confirmed.Verdict == Unconfirmed }
	for _, f := range r.Findings {
		if unconfirmed(f) {
			r.Unconfirmed = append(r.Unconfirmed, f)
		}
	}
	r.Findings = slices.DeleteFunc(r.Findings, unconfirmed)
}
