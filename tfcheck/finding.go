package tfcheck

import (
	"fmt"
	"slices"
	"strings"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/internal/severity"
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
	Severity objchange.Severity
	// Violations are the broken rules, at least one, all with this Severity.
	Violations objchange.Violations

	special map[*objchange.Violation][]string // see Exchange.special
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
	b.WriteString(severity.Note(f.Severity))
	for _, v := range f.Violations {
		b.WriteString("\n  " + v.Error())
	}
	return b.String()
}

// Like reports whether the other finding has the same violations, ignoring their phases. It
// ignores Object too.
func (f Finding) Like(other Finding) bool {
	return f.RPC == other.RPC && f.TypeName == other.TypeName && f.Side == other.Side && f.Severity == other.Severity &&
		slices.EqualFunc(f.Violations, other.Violations, func(a, b *objchange.Violation) bool {
			return a.Rule == b.Rule && a.PathString() == b.PathString() && a.Message == b.Message
		})
}
