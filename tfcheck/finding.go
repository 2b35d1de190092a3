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
	Severity Severity
	// Violations are the broken rules, at least one, all of the same severity.
	Violations objchange.Violations
}

// A Severity says what Terraform does about a finding, or OpenTofu if that is the
// Program.
type Severity string

// The severities, from the most severe one.
const (
	// Rejected: Terraform fails with an error. A perpetual diff is Rejected, too: Terraform
	// accepts it, but every acceptance test fails for it.
	Rejected Severity = "rejected"
	// Tolerated: Terraform only logs it, because the response has the flag of the legacy
	// type system. It rejects the same from other providers.
	Tolerated Severity = "tolerated"
	// Unchecked: Terraform does not check it.
	Unchecked Severity = "unchecked"
	// LegacyZero: the legacy SDK returned a zero value ("", 0, false, a collection or
	// block of such) in place of null, or null in place of one. Terraform tolerates it or does
	// not check it. That SDK has no null, so provider authors can hardly fix it.
	LegacyZero Severity = "legacy-zero"
)

// Severities returns all severities, from the most severe one.
func Severities() []Severity { return []Severity{Rejected, Tolerated, Unchecked, LegacyZero} }

// SeverityOf returns the severity of a violation: Tolerated if Terraform rejects it and
// tolerated says that it does not reject it here, else Rejected or Unchecked.
func SeverityOf(v *objchange.Violation, tolerated bool) Severity {
	switch {
	case v.Enforced && tolerated:
		return Tolerated
	case v.Enforced || v.Rule == RulePerpetualDiff:
		return Rejected
	}
	return Unchecked
}

// String returns the finding as text, with a line for each violation.
func (f Finding) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %s", f.RPC, f.TypeName)
	if f.Object != "" {
		fmt.Fprintf(&b, " %q", f.Object)
	}
	if f.Side != SideResponse {
		fmt.Fprintf(&b, ", %s", f.Side)
	}
	b.WriteString(f.Severity.Note())
	for _, v := range f.Violations {
		b.WriteString("\n  " + v.Error())
	}
	return b.String()
}

// Note returns what texts add to a finding of the severity, with a space before it:
// nothing if it is Rejected.
func (s Severity) Note() string {
	switch s {
	case Tolerated:
		return " (tolerated: legacy type system)"
	case Unchecked:
		return " (unchecked)"
	case LegacyZero:
		return " (zero value of the legacy SDK)"
	}
	return ""
}

// Like reports whether the other finding has the same violations, perhaps in another
// phase.
func (f Finding) Like(other Finding) bool {
	return f.RPC == other.RPC && f.TypeName == other.TypeName && f.Side == other.Side && f.Severity == other.Severity &&
		slices.EqualFunc(f.Violations, other.Violations, func(a, b *objchange.Violation) bool {
			return a.Rule == b.Rule && a.PathString() == b.PathString() && a.Message == b.Message
		})
}
