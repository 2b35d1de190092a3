package tfcheck

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck/internal/told"
	"github.com/objchange/objchange/tfconv"
)

// A Report receives each finding of a checking server and returns the severity of the
// diagnostics that the response gets, one for each violation:
// [tfprotov6.DiagnosticSeverityError], [tfprotov6.DiagnosticSeverityWarning], or
// [tfprotov6.DiagnosticSeverityInvalid] to drop the finding: then there are no diagnostics,
// and a driver of the server does not report it to its test either. It is the same for both
// protocols.
//
// A Report that wraps another returns what the other returns, or drops the finding. It may be
// called by several goroutines at once. A nil Report adds no diagnostics.
type Report func(Finding) tfprotov6.DiagnosticSeverity

// none leaves the response alone, and the finding to others.
const none = told.Left

// Fail returns a Report for a test: the test fails for what is Rejected, and logs what is
// Tolerated or Unchecked. It adds no diagnostics.
//
// With a Driver, it reports a finding at the line of the test that led to it. Requests of
// Terraform have no such line and come more than once: then the same violation of the
// same object is reported once.
func Fail(t testing.TB) Report {
	return failFor(t, Rejected)
}

// FailAll returns a Report like that of Fail: the test fails for what is Rejected, Tolerated
// or Unchecked, and logs what is a LegacyZero.
func FailAll(t testing.TB) Report { return failFor(t, Rejected, Tolerated, Unchecked) }

func failFor(t testing.TB, counting ...Severity) Report {
	var known Collector
	return func(f Finding) tfprotov6.DiagnosticSeverity {
		line := calledFrom()
		if line == "" {
			f.Violations = known.others(f)
		}
		if len(f.Violations) == 0 || f.Severity == LegacyZero && len(counting) == 1 {
			return told.Test
		}
		if !slices.Contains(counting, f.Severity) {
			fmt.Fprintf(t.Output(), "%s%s\n", line, f.Explain())
			return told.Test
		}
		fmt.Fprintf(t.Output(), "%s%s\n", line, f.Explain())
		t.Fail()
		return told.Test
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

// Reject is a Report that makes error diagnostics of what is Rejected, which explain the
// error of Terraform. A perpetual diff is left to acceptance tests, which fail for it
// themselves.
func Reject(f Finding) tfprotov6.DiagnosticSeverity { return rejectFor(f, Rejected) }

// RejectAll is a Report like Reject that makes error diagnostics of what is Tolerated or
// Unchecked, too, so that acceptance tests fail for it.
func RejectAll(f Finding) tfprotov6.DiagnosticSeverity {
	return rejectFor(f, Rejected, Tolerated, Unchecked)
}

func rejectFor(f Finding, counting ...Severity) tfprotov6.DiagnosticSeverity {
	left := f.Severity == Rejected && len(f.Violations.Enforced()) == 0 // a perpetual diff
	if left || !slices.Contains(counting, f.Severity) {
		return none
	}
	return tfprotov6.DiagnosticSeverityError
}

// Warn is a Report that makes warning diagnostics of what is Tolerated or Unchecked, and
// leaves what is Rejected to Terraform. It is for users who run Terraform: acceptance tests
// show no warnings, except in the log with TF_LOG=WARN, and pass.
func Warn(f Finding) tfprotov6.DiagnosticSeverity {
	if f.Severity == Tolerated || f.Severity == Unchecked {
		return tfprotov6.DiagnosticSeverityWarning
	}
	return none
}

var _, _, _ Report = Reject, RejectAll, Warn

// A Collector keeps findings. Its zero value is ready; it is safe for concurrent
// use.
type Collector struct {
	mu    sync.Mutex
	found []Finding
}

// Report is a Report that keeps the finding and leaves the response alone.
func (c *Collector) Report(f Finding) tfprotov6.DiagnosticSeverity {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.found = append(c.found, f)
	return none
}

// others keeps the finding and returns those of its violations that were not kept of
// the same object before.
func (c *Collector) others(f Finding) (others objchange.Violations) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, v := range f.Violations {
		one := f
		one.Violations = objchange.Violations{v}
		if !slices.ContainsFunc(c.found, func(o Finding) bool { return o.Object == f.Object && one.Like(o) }) {
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

// Diagnostics reports the findings and returns the diagnostics that the response gets.
func (report Report) Diagnostics(found ...Finding) (diags []*tfprotov6.Diagnostic) {
	if report == nil {
		return nil
	}
	for _, f := range found {
		diags = append(diags, f.diagnostics(report(f))...)
	}
	return diags
}

// diagnostics returns one of the severity for each violation, at its place.
func (f Finding) diagnostics(severity tfprotov6.DiagnosticSeverity) (diags []*tfprotov6.Diagnostic) {
	if severity != tfprotov6.DiagnosticSeverityError && severity != tfprotov6.DiagnosticSeverityWarning {
		return nil
	}
	for _, v := range f.Violations {
		one := f
		one.Violations = objchange.Violations{v}
		d := &tfprotov6.Diagnostic{Severity: severity, Summary: f.summary(severity, v), Detail: one.Explain()}
		if f.Side == SideResponse {
			// A path that the protocol cannot express is in the detail only.
			d.Attribute, _ = tfconv.PathFromCty(append(cty.Path{}, v.Path...)) // the root is a place, too
		}
		diags = append(diags, d)
	}
	return diags
}

// remedies is where it says how to mend what breaks a rule.
const remedies = "https://github.com/objchange/objchange/blob/main/docs/remedies.md#"

// Explain returns String, what "tolerated" means if the finding is Tolerated, and the
// address of the remedy of each rule that is broken.
func (f Finding) Explain() string {
	lines := []string{f.String()}
	if f.Severity == Tolerated {
		lines = append(lines, "  tolerated: the response has the flag legacy_type_system, so Terraform only logs this at WARN")
	}
	for _, v := range f.Violations {
		if line := "  see: " + remedies + string(v.Rule); !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}
