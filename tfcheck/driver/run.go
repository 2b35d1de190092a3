package driver

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
)

// A Run is the result of one operation of an Instance, with the findings.
type Run struct {
	// Action is the planned action: no-op if there was nothing to do, and "" if nothing was
	// planned. For a refresh, it is the change of the object since it was last read.
	Action objchange.Action
	// Lifecycle contains all values of the run. After a replacement, they are the values of the
	// new object, with a null Prior.
	Lifecycle objchange.Lifecycle
	// RequiresReplace lists the paths that require replacement, according to the provider, and
	// whose planned value differs.
	RequiresReplace []cty.Path
	// Deferred is the provider's reason for deferral, or "".
	Deferred string
	// Warnings are the provider's warnings to the user.
	Warnings []Diagnostic
	// Findings lists the findings about requests and responses, in order. Equal findings of several
	// calls of an RPC are listed once.
	Findings []tfcheck.Finding
}

// String returns the action and the findings as text. It does not show values that the schema marks
// as sensitive.
func (r Run) String() string { return runText(string(r.Action), r.Deferred, r.Findings) }

// runText writes a title, the reason for deferral and the findings.
func runText(title, deferred string, found []tfcheck.Finding) string {
	if deferred != "" {
		title += " deferred: " + deferred
	}
	for _, f := range found {
		title += "\n" + f.String()
	}
	return title
}

func isSet(v cty.Value) bool { return v != cty.NilVal }
