package explore

import (
	"context"
	"slices"
	"strings"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck/explore/internal/confirm"
	"github.com/objchange/objchange/tfcheck/explore/internal/hints"
	"github.com/objchange/objchange/tfcheck/explore/internal/session"
)

// Confirm runs each finding that counts with Terraform or OpenTofu. The arguments are two
// executables: Terraform or OpenTofu, and the provider. Terraform or OpenTofu starts the provider
// itself. Both are isolated like a launched provider, with the environment from the hints.
// [Result.Unconfirmed] lists the findings that are not confirmed. Explore returns an error if the
// program does not run.
func Confirm(program, provider string) Option {
	return func(o *options) { o.confirmWith, o.executable = program, provider }
}

// A Confirmation is the result of running a finding: Program, Version, Verdict, Error and Reason.
type Confirmation = confirm.Confirmation

// A Verdict states whether a finding is confirmed.
type Verdict = confirm.Verdict

// The possible verdicts.
const (
	Confirmed   = confirm.Confirmed
	Unconfirmed = confirm.Unconfirmed // the program did not fail, or failed for another reason
	Untried     = confirm.Untried     // the finding could not be run, so it counts
)

// counts reports whether the finding makes a check fail, unless it is not confirmed.
func (c *candidate) counts() bool {
	return !c.unstable && c.finding.Severity == objchange.Rejected && c.finding.Known == ""
}

// confirmers is the number of findings that are confirmed concurrently.
const confirmers = 2

// confirmAll confirms the findings that count.
func (e *explorer) confirmAll(ctx context.Context, all []*candidate) {
	counting := slices.DeleteFunc(slices.Clone(all), func(c *candidate) bool { return !c.counts() })
	e.counts.Confirming = len(counting)
	_ = distribute(counting, confirmers, func(next <-chan *candidate) error {
		for c := range next {
			if ctx.Err() == nil {
				c.finding.Confirmed = e.confirming.Confirm(ctx, c.broken, e.naming)
				e.count(func(p *Progress) { p.Confirmed++ })
			}
		}
		return nil
	})
}

// maxError limits the number of bytes of an error that are shown.
const maxError = 4000

// hideConfirmation hides secrets and shortens the error.
func hideConfirmation(s hints.Secrets, c *Confirmation) {
	if c == nil {
		return
	}
	c.Error, c.Reason = s.Hide(session.StableText(c.Error)), s.Hide(session.StableText(c.Reason))
	if len(c.Error) > maxError {
		c.Error = strings.ToValidUTF8(c.Error[:maxError], "") + "…"
	}
}
