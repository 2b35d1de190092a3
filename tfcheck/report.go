package tfcheck

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/objchange/objchange"
	"github.com/zclconf/go-cty/cty"
)

// A Report is told of each finding of a checking server, as it is made, and says
// what becomes of the response. It may be called by several goroutines at once. A
// nil Report is told nothing.
type Report func(Finding) Verdict

// A Verdict is what becomes of a response in which something was found.
type Verdict int

// The verdicts.
const (
	Untouched Verdict = iota // the response passes as it is
	Warned                   // a warning diagnostic tells each violation that Core itself does not reject
	Rejected                 // an error diagnostic tells each that is enforced, or each if none is

	toldTest // as Untouched, and a test was told
)

// Fail reports to a test: what Core would reject is an error, and so is a
// perpetual diff, which no acceptance test lets pass. The rest, which Core
// excuses or does not see, is only logged.
//
// It is told at the line of the test that led to it, where that can be known: with
// a Driver. Terraform asks from elsewhere, and more than once: then there is no
// line, and the same of the same object is told once.
func Fail(t testing.TB) Report { return failIf(t, Finding.Counts) }

// FailStrict reports to a test, as Fail does: every finding is an error.
func FailStrict(t testing.TB) Report { return failIf(t, func(Finding) bool { return true }) }

func failIf(t testing.TB, counts func(Finding) bool) Report {
	var known Collector
	return func(f Finding) Verdict {
		line := calledFrom()
		if line == "" {
			f.Violations = known.others(f)
		}
		if len(f.Violations) == 0 {
			return toldTest
		}
		if !counts(f) {
			fmt.Fprintf(t.Output(), "%s%s\n", line, f)
			return toldTest
		}
		fmt.Fprintf(t.Output(), "%s%s\n%s\n", line, f, f.see())
		t.Fail()
		return toldTest
	}
}

// calledFrom returns the line of the test in which what is being reported came up,
// if it was this goroutine: the testing package would show a line of this one.
func calledFrom() string {
	callers := make([]uintptr, 64)
	frames := runtime.CallersFrames(callers[:runtime.Callers(2, callers)])
	for {
		frame, more := frames.Next()
		if strings.HasSuffix(frame.File, "_test.go") {
			return fmt.Sprintf("%s:%d: ", filepath.Base(frame.File), frame.Line)
		}
		if !more {
			return ""
		}
	}
}

// Reject is a Report that turns into error diagnostics whatever Core enforces
// for a provider that does not ask to be excused, so that an acceptance test
// fails where a provider of the legacy SDK is wrong, too. That SDK's zero values in
// place of null (Finding.Zero) pass, and so does what Core never enforces: nobody is
// told of them.
func Reject(f Finding) Verdict {
	if f.Wrong() {
		return Rejected
	}
	return Untouched
}

// Warn is a Report that turns into warning diagnostics what Core excuses or does not
// see, but for zero values in place of null (Finding.Zero), and leaves the rest to
// Core, which tells it in its own words. It is for who runs Terraform: acceptance
// tests show no warnings, except in the log with TF_LOG=WARN, and pass.
func Warn(Finding) Verdict { return Warned }

var _, _ Report = Reject, Warn

// A Collector keeps findings. Its zero value is ready; it is safe for concurrent
// use.
type Collector struct {
	mu    sync.Mutex
	found []Finding
}

// Report is a Report that keeps the finding and leaves the response untouched.
func (c *Collector) Report(f Finding) Verdict {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.found = append(c.found, f)
	return Untouched
}

// others keeps the finding and returns those of its violations that were not kept of
// the same object before.
func (c *Collector) others(f Finding) (others objchange.Violations) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, v := range f.Violations {
		one := f
		one.Violations = objchange.Violations{v}
		if !slices.ContainsFunc(c.found, func(o Finding) bool { return o.Object == f.Object && one.like(o) }) {
			others, c.found = append(others, v), append(c.found, one)
		}
	}
	return others
}

// Findings returns what was found so far, in order.
func (c *Collector) Findings() []Finding {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.found)
}

// tell reports the findings and returns the diagnostics that the response gets.
func (report Report) tell(found []Finding) (diags []Diagnostic) {
	if report == nil {
		return nil
	}
	for _, f := range found {
		diags = append(diags, f.diagnostics(report(f))...)
	}
	return diags
}

// diagnostics has one for each violation that the verdict tells, at its place.
func (f Finding) diagnostics(verdict Verdict) (diags []Diagnostic) {
	if verdict != Warned && verdict != Rejected {
		return nil
	}
	for _, v := range f.Violations {
		switch {
		case verdict == Warned && (f.Zero || v.Enforced && !f.Excused):
			continue
		case verdict == Rejected && !v.Enforced && f.Wrong():
			continue
		}
		one := f
		one.Violations = objchange.Violations{v}
		d := Diagnostic{Error: verdict == Rejected, Summary: one.summary(), Detail: one.String() + "\n" + one.see()}
		if f.Side == SideResponse {
			d.Path = append(cty.Path{}, v.Path...) // the root is a place, too
		}
		diags = append(diags, d)
	}
	return diags
}

// summary is the first line of the diagnostic of one violation.
func (f Finding) summary() string {
	if f.Side == SideRequest {
		return fmt.Sprintf("Request is not one of Terraform's: %s", f.Violations[0].Rule)
	}
	return fmt.Sprintf("Provider broke its contract: %s", f.Violations[0].Rule)
}

// remedies is where it says how to mend what breaks a rule.
const remedies = "https://github.com/objchange/objchange/blob/main/docs/remedies.md#"

// see points to the remedy of each rule that is broken.
func (f Finding) see() string {
	var lines []string
	for _, v := range f.Violations {
		if line := "  see: " + remedies + string(v.Rule); !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}
