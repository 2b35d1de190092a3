package tfcheck

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

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
	Warned                   // a warning diagnostic tells what Core itself does not reject
	Rejected                 // an error diagnostic tells all, and whoever asked sees it fail
)

// Fail reports to a test: what Core would reject is an error, and so is a
// perpetual diff, which no acceptance test lets pass. The rest, which Core
// excuses or does not see, is only logged.
func Fail(t testing.TB) Report {
	return func(f Finding) Verdict {
		t.Helper()
		if f.Counts() {
			t.Errorf("%s%v", calledFrom(), f)
		} else {
			t.Logf("%s%v", calledFrom(), f)
		}
		return Untouched
	}
}

// FailStrict reports to a test: every finding is an error.
func FailStrict(t testing.TB) Report {
	return func(f Finding) Verdict {
		t.Helper()
		t.Errorf("%s%v", calledFrom(), f)
		return Untouched
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
// fails where a provider of the legacy SDK is wrong, too.
func Reject(f Finding) Verdict {
	if f.Wrong() {
		return Rejected
	}
	return Untouched
}

// Warn is a Report that turns into warning diagnostics what Core excuses or does not
// see, and leaves the rest to Core, which tells it in its own words: so that one
// line in the factories of a whole suite adds what a user of the provider should
// know, with the address of the resource and the line of the configuration.
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
		verdict := report(f)
		if verdict == Untouched {
			continue
		}
		if d := f.diagnostic(verdict); d.Detail != "" {
			diags = append(diags, d)
		}
	}
	return diags
}

// diagnostic tells of a finding: of all of it or, to warn, of what Core does not
// reject.
func (f Finding) diagnostic(verdict Verdict) Diagnostic {
	told := f
	if verdict == Warned && !f.Excused {
		told.Violations = nil
		for _, v := range f.Violations {
			if !v.Enforced {
				told.Violations = append(told.Violations, v)
			}
		}
	}
	d := Diagnostic{Error: verdict == Rejected, Summary: f.summary(), Detail: strings.Join(told.lines(), "\n")}
	if f.Side == SideResponse && len(told.Violations) > 0 {
		d.Path = append(cty.Path{}, told.Violations[0].Path...) // the root is a place, too
	}
	return d
}

// summary is the first line of a diagnostic.
func (f Finding) summary() string {
	if f.Side == SideRequest {
		return fmt.Sprintf("The request %s of %s is not one of Terraform's", f.RPC, f.TypeName)
	}
	return fmt.Sprintf("The provider broke its contract in %s of %s", f.RPC, f.TypeName)
}
