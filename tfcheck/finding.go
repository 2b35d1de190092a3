package tfcheck

import (
	"fmt"
	"slices"
	"strings"

	"github.com/objchange/objchange"
)

// A Side says whose fault a finding is.
type Side string

// The sides.
const (
	SideRequest  Side = "request"  // the caller sent what Core would not
	SideResponse Side = "response" // the provider answered what it may not
	SideIdentity Side = "identity" // the resource identity of the answer; paths lead into it
)

// A Finding is what one request to a provider or its response breaks.
type Finding struct {
	RPC      string // as the protocol names it: "PlanResourceChange"
	TypeName string // of the resource or data source
	Object   string // its id, as Exchange.Object has it
	Side     Side
	// Violations are the rules that are broken, at least one. Those that are
	// enforced Core itself would reject.
	Violations objchange.Violations
	// Excused says that Core only logs the enforced ones of these violations,
	// because the response has the flag of the legacy type system.
	Excused bool
	// Zero says that all of these violations are only zero values of the legacy SDK
	// ("", 0, false, a collection or block of such) in place of null, or null in place
	// of those. That SDK has no null, so its authors can hardly mend them.
	Zero bool
}

// Enforced reports whether Core itself rejects any of the violations, the legacy
// type system's excuse considered.
func (f Finding) Enforced() bool {
	return !f.Excused && len(f.Violations.Enforced()) > 0
}

// Counts reports whether a test fails for the violation: what Core enforces, and
// a perpetual diff, which no acceptance test lets pass.
func Counts(v *objchange.Violation) bool {
	return v != nil && (v.Enforced || v.Rule == RulePerpetualDiff)
}

// Counts reports whether a test fails for any of the violations, the legacy type
// system's excuse considered.
func (f Finding) Counts() bool { return !f.Excused && slices.ContainsFunc(f.Violations, Counts) }

// Wrong reports whether any of the violations is enforced for providers that do
// not ask to be excused, and is more than a zero value in place of null.
func (f Finding) Wrong() bool { return !f.Zero && len(f.Violations.Enforced()) > 0 }

// String writes the finding with a line for each violation.
func (f Finding) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %s", f.RPC, f.TypeName)
	if f.Object != "" {
		fmt.Fprintf(&b, " %q", f.Object)
	}
	if f.Side != SideResponse {
		fmt.Fprintf(&b, ", %s", f.Side)
	}
	switch {
	case f.Zero:
		b.WriteString(" (excused: zero values of the legacy type system)")
	case f.Excused:
		b.WriteString(" (excused: legacy type system)")
	}
	for _, line := range f.lines() {
		b.WriteString("\n  " + line)
	}
	return b.String()
}

// lines has one for each violation.
func (f Finding) lines() (lines []string) {
	for _, v := range f.Violations {
		line := v.Error()
		switch {
		case v.Enforced:
		case Counts(v):
			line += " (not enforced by Core, but counts)"
		default:
			line += " (not enforced)"
		}
		lines = append(lines, line)
	}
	return lines
}

// like reports whether the other finding tells the same, perhaps of another
// phase.
func (f Finding) like(other Finding) bool {
	return f.RPC == other.RPC && f.TypeName == other.TypeName && f.Side == other.Side && f.Excused == other.Excused && f.Zero == other.Zero &&
		slices.EqualFunc(f.Violations, other.Violations, func(a, b *objchange.Violation) bool {
			return a.Rule == b.Rule && a.PathString() == b.PathString() && a.Message == b.Message
		})
}
