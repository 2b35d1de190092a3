package driver

import (
	"fmt"
	"strings"

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

// String returns the action, the changes and the findings as text. It does not show values that
// the schema marks as sensitive.
func (r Run) String() string {
	after := r.Lifecycle.New
	for _, planned := range []cty.Value{r.Lifecycle.FinalPlanned, r.Lifecycle.InitialPlanned, r.Lifecycle.Prior} {
		if !isSet(after) {
			after = planned
		}
	}
	return runText(string(r.Action), r.Deferred, r.Lifecycle.Schema, r.Lifecycle.Prior, after, r.Findings)
}

// runText writes a title, the changes and the findings.
func runText(
	title, deferred string, schema *objchange.Schema, before, after cty.Value, found []tfcheck.Finding,
) string {
	var b strings.Builder
	b.WriteString(title)
	if deferred != "" {
		fmt.Fprintf(&b, " deferred: %s", deferred)
	}
	if isSet(after) {
		if !isSet(before) {
			before = cty.NullVal(cty.DynamicPseudoType)
		}
		changes, _ := objchange.Diff(schema, before, after) // values that cannot be compared are findings
		for _, c := range changes {
			fmt.Fprintf(&b, "\n  %s", c)
		}
	}
	for _, f := range found {
		fmt.Fprintf(&b, "\n%s", f)
	}
	return b.String()
}

func isSet(v cty.Value) bool { return v != cty.NilVal }
