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
	"github.com/objchange/objchange/tfcheck/internal/values"
	"github.com/objchange/objchange/tfconv"
)

// A Report receives each finding of a checking server, and returns what the server adds to the
// response. A Report that wraps another Report returns the other's result, or NoDiagnostic to drop
// the finding. Several goroutines may call a Report at the same time. A nil Report adds no diagnostics.
type Report func(Finding) Reaction

// A Reaction says what a checking server adds to a response because of a finding.
type Reaction int

// The reactions.
const (
	NoDiagnostic      Reaction = iota
	Reported                   // no diagnostic, and a driver does not repeat the finding to its test
	WarningDiagnostic          // for each violation
	ErrorDiagnostic            // for each violation
)

// Fail returns a Report for a test. The test fails for findings that are Rejected, and logs
// findings that are Tolerated or Unchecked. Findings that are LegacySDK are ignored. The Report
// adds no diagnostics.
//
// With a Driver, it reports a finding at the line of the test that caused it. Requests from
// Terraform have no such line and are repeated: then it reports the same violation of the same
// object once.
func Fail(t testing.TB) Report {
	return failFor(t, objchange.Rejected)
}

// FailAll returns a Report like Fail. The test fails for findings that are Rejected, Tolerated or
// Unchecked, and logs findings that are LegacySDK.
func FailAll(t testing.TB) Report {
	return failFor(t, objchange.Rejected, objchange.Tolerated, objchange.Unchecked)
}

func failFor(t testing.TB, counting ...objchange.Severity) Report {
	var known Collector
	return func(f Finding) Reaction {
		line := calledFrom()
		if line == "" {
			f.Violations = known.others(f)
		}
		if len(f.Violations) == 0 || f.Severity == objchange.LegacySDK && len(counting) == 1 {
			return Reported
		}
		fmt.Fprintf(t.Output(), "%s%s\n", line, f.Explain())
		if slices.Contains(counting, f.Severity) {
			t.Fail()
		}
		return Reported
	}
}

// calledFrom returns the file and line of the test that is on this goroutine's call stack, or "".
// The testing package would print a line of this file.
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

// Reject is a Report that adds error diagnostics for findings that are Rejected. The
// diagnostics explain Terraform's error. A perpetual diff gets no diagnostic, because acceptance
// tests fail for it without a report.
func Reject(f Finding) Reaction { return rejectFor(f, objchange.Rejected) }

// RejectAll is a Report like Reject. It also adds error diagnostics for findings that are
// Tolerated or Unchecked, so acceptance tests fail for them.
func RejectAll(f Finding) Reaction {
	return rejectFor(f, objchange.Rejected, objchange.Tolerated, objchange.Unchecked)
}

func rejectFor(f Finding, counting ...objchange.Severity) Reaction {
	left := f.Severity == objchange.Rejected && !values.Stop(f.Violations)
	if left || !slices.Contains(counting, f.Severity) {
		return NoDiagnostic
	}
	return ErrorDiagnostic
}

// Warn is a Report that adds warning diagnostics for findings that are Tolerated or Unchecked. It
// leaves findings that are Rejected to Terraform. It is for users who run Terraform: acceptance
// tests pass, and show warnings only in the log with TF_LOG=WARN.
func Warn(f Finding) Reaction {
	if f.Severity == objchange.Tolerated || f.Severity == objchange.Unchecked {
		return WarningDiagnostic
	}
	return NoDiagnostic
}

// A Collector stores findings. Its zero value is ready to use. It is safe for concurrent use.
type Collector struct {
	mu    sync.Mutex
	found []Finding
}

// Report is a Report that stores the finding and does not change the response.
func (c *Collector) Report(f Finding) Reaction {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.found = append(c.found, f)
	return NoDiagnostic
}

// others stores the finding and returns its violations that were not stored for the same object
// before.
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

// Findings returns the findings so far, in order.
func (c *Collector) Findings() []Finding {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.found)
}

// diagnostics calls the report with each finding and returns the diagnostics to add to the
// response.
func (report Report) diagnostics(found []Finding) (diags []*tfprotov6.Diagnostic) {
	if report == nil {
		return nil
	}
	for _, f := range found {
		diags = append(diags, f.diagnostics(report(f))...)
	}
	return diags
}

// diagnostics returns the diagnostics of the reaction, with their paths if the finding is about the
// response.
func (f Finding) diagnostics(reaction Reaction) (diags []*tfprotov6.Diagnostic) {
	severity, adds := map[Reaction]tfprotov6.DiagnosticSeverity{
		WarningDiagnostic: tfprotov6.DiagnosticSeverityWarning, ErrorDiagnostic: tfprotov6.DiagnosticSeverityError,
	}[reaction]
	if !adds {
		return nil
	}
	for _, v := range f.Violations {
		one := f
		one.Violations = objchange.Violations{v}
		d := &tfprotov6.Diagnostic{Severity: severity, Summary: f.summary(severity, v), Detail: one.Explain()}
		if f.Side == SideResponse {
			// A path that the protocol cannot express is only in the detail.
			d.Attribute, _ = tfconv.PathFromCty(append(cty.Path{}, v.Path...)) // not nil: the path of the root is empty
		}
		diags = append(diags, d)
	}
	return diags
}

// Explain returns the text of String, an explanation of "tolerated" if the finding is Tolerated,
// and the address of the remedy for each broken rule.
func (f Finding) Explain() string {
	lines := []string{f.String()}
	if f.Severity == objchange.Tolerated {
		lines = append(lines,
			"  tolerated: the response has the flag legacy_type_system, so Terraform only logs this at WARN")
	}
	for _, v := range f.Violations {
		if line := "  see: " + v.Rule.Info().URL; !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}
