// Package check has what the checking servers of package tfcheck share with packages driver, encoded
// and explore.
package check

import (
	"cmp"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/objchange/objchange/tfcheck/internal/catalog"
)

// Results of a Report that adds no diagnostics and does not drop the finding.
const (
	Done tfprotov6.DiagnosticSeverity = -1 // a test has already received the finding
	Open tfprotov6.DiagnosticSeverity = -2 // a driver may report the finding to its test
)

// Share makes a checking server share a catalog and pass the exchanges to a function. X and F are
// the types Exchange and Finding of package tfcheck.
func Share[X, F any](server any, schemas *catalog.Catalog, version string, seen func(X, []F, error)) {
	server.(interface {
		Share(schemas *catalog.Catalog, version string, seen func(X, []F, error))
	}).Share(schemas, version, seen)
}

// A checking is a checking server of package tfcheck, of either protocol. R and P are its types
// Report and Program.
type checking[S, R, P any] interface {
	Unwrap() (inner S, report R, program P, filter Filter)
}

// Unwrap returns the server inside a checking server, with the reports, the program and the filter
// of the checking server. It returns any other server unchanged.
func Unwrap[S, R any, P comparable](server S) (inner S, reports []R, program P, filter Filter) {
	for {
		outer, is := any(server).(checking[S, R, P])
		if !is {
			return server, reports, program, filter
		}
		inner, report, p, f := outer.Unwrap()
		server, reports, program, filter = inner, append(reports, report), cmp.Or(program, p), append(filter, f...)
	}
}
