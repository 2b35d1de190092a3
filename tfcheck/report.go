package tfcheck

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A Report is told of each finding of a checking server, as it is made. If it
// returns true, the response gets an error diagnostic that tells of the finding,
// and whoever called the provider sees it fail. It may be called by several
// goroutines at once. A nil Report is told nothing.
type Report func(Finding) (reject bool)

// Fail reports to a test: what Core would reject is an error, and so is a
// perpetual diff, which no acceptance test lets pass. The rest, which Core
// excuses or does not see, is only logged.
func Fail(t testing.TB) Report {
	return func(f Finding) bool {
		t.Helper()
		if f.Counts() {
			t.Errorf("%s%v", calledFrom(), f)
		} else {
			t.Logf("%s%v", calledFrom(), f)
		}
		return false
	}
}

// FailStrict reports to a test: every finding is an error.
func FailStrict(t testing.TB) Report {
	return func(f Finding) bool {
		t.Helper()
		t.Errorf("%s%v", calledFrom(), f)
		return false
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
func Reject(f Finding) bool { return f.Wrong() }

var _ Report = Reject

// A Collector keeps findings. Its zero value is ready; it is safe for concurrent
// use.
type Collector struct {
	mu    sync.Mutex
	found []Finding
}

// Report is a Report that keeps the finding and rejects nothing.
func (c *Collector) Report(f Finding) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.found = append(c.found, f)
	return false
}

// Findings returns what was found so far, in order.
func (c *Collector) Findings() []Finding {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.found)
}

// tell reports the findings and returns those to reject.
func (report Report) tell(found []Finding) (rejected []Finding) {
	if report == nil {
		return nil
	}
	for _, f := range found {
		if report(f) {
			rejected = append(rejected, f)
		}
	}
	return rejected
}

// summary and detail are the texts of an error diagnostic for a finding.
func (f Finding) summary() string {
	if f.Side == SideRequest {
		return fmt.Sprintf("The request %s of %s is not one of Terraform's", f.RPC, f.TypeName)
	}
	return fmt.Sprintf("The provider broke its contract in %s of %s", f.RPC, f.TypeName)
}
