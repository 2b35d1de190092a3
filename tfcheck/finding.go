package tfcheck

import (
	"fmt"
	"slices"
	"strings"

	"github.com/objchange/objchange"
)

// A Side says whether a finding is about the request, which the caller causes, or about the
// response, which the provider causes.
type Side string

// The sides.
const (
	SideRequest  Side = "request"  // the caller sent a request that Core does not send
	SideResponse Side = "response" // the provider returned an invalid response
	SideIdentity Side = "identity" // the resource identity in the response is invalid; paths are paths of the identity
)

// A Finding lists rules that one request to a provider, or its response, breaks.
type Finding struct {
	RPC      string // the name in the protocol, such as "PlanResourceChange"
	TypeName string // of the resource or data source
	Object   string // the id, as returned by Exchange.Object
	Side     Side
	Severity Severity
	// Violations are the broken rules, at least one, all with this Severity.
	Violations objchange.Violations
}

// A Severity says how Terraform handles a finding, or OpenTofu if that is the Program.
type Severity string

// The severities, most severe first.
const (
	// Rejected: Terraform fails with an error. A perpetual diff is also Rejected: Terraform
	// accepts it, but every acceptance test fails for it.
	Rejected Severity = "rejected"
	// Tolerated: Terraform only logs it, because the response has the flag of the legacy type
	// system. Terraform rejects the same response without the flag.
	Tolerated Severity = "tolerated"
	// Unchecked: Terraform does not check it.
	Unchecked Severity = "unchecked"
	// LegacyZero: the legacy SDK returned a zero value ("", 0, false, or a collection or block of
	// zero values) in place of null, or null in place of a zero value. Terraform tolerates it or
	// does not check it. The legacy SDK cannot represent null, so provider authors can hardly fix
	// it.
	LegacyZero Severity = "legacy-zero"
)

// Severities returns all severities, most severe first.
func Severities() []Severity { return []Severity{Rejected, Tolerated, Unchecked, LegacyZero} }

// SeverityOf returns the severity of a violation. An enforced violation is Tolerated if tolerated
// is true, and otherwise Rejected. A perpetual diff is Rejected. Other violations are Unchecked.
func SeverityOf(v *objchange.Violation, tolerated bool) Severity {
	switch {
	case v.Enforced && tolerated:
		return Tolerated
	case v.Enforced || v.Rule == RulePerpetualDiff:
		return Rejected
	}
	return Unchecked
}

// String returns the finding as text, with one line for each violation.
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

// Note returns the text that messages add to a finding of this severity, with a leading space. It
// returns "" for Rejected.
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

// Like reports whether the other finding has the same violations, ignoring their phases. It
// ignores Object too.
func (f Finding) Like(other Finding) bool {
	return f.RPC == other.RPC && f.TypeName == other.TypeName && f.Side == other.Side && f.Severity == other.Severity &&
		slices.EqualFunc(f.Violations, other.Violations, func(a, b *objchange.Violation) bool {
			return a.Rule == b.Rule && a.PathString() == b.PathString() && a.Message == b.Message
		})
}
