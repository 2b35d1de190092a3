package driver

import (
	"errors"
	"fmt"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
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
	// Findings lists the findings about requests and responses, in order. Equal findings of
	// several calls of an RPC are listed once.
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

// A BrokenError says that Core stops, because the provider broke a rule that Core enforces or
// that a Report rejects.
type BrokenError struct {
	Finding tfcheck.Finding
	// Reported says that Fail or FailAll reported the finding to a test.
	Reported bool
	// Ignored is the reason of tfcheck.Ignore if the finding is ignored. Terraform stops anyway.
	Ignored string
}

// Error returns the finding, and says whether Terraform or a Report rejects it. If the finding
// was already reported, Error only names the RPC and the resource type.
func (e *BrokenError) Error() string {
	text, who := e.Finding.Explain(), "Terraform stops here"
	if e.Finding.Severity != objchange.Rejected {
		who = "the Report of the factories or of the driver rejects this, but Terraform does not"
		text += "\n  " + who
	}
	if e.Ignored != "" {
		text += fmt.Sprintf("\n  ignored: %s; Terraform rejects it", e.Ignored)
	}
	if e.Reported {
		return fmt.Sprintf("%s: %s (see the reported finding)", catalog.Place(e.Finding.RPC, e.Finding.TypeName), who)
	}
	return text
}

// Unwrap returns the violations, to allow errors.As with a *objchange.Violation.
func (e *BrokenError) Unwrap() []error {
	errs := make([]error, len(e.Finding.Violations))
	for i, v := range e.Finding.Violations {
		errs[i] = v
	}
	return errs
}

// isBroken reports whether the error is a BrokenError about that rule.
func isBroken(err error, rule objchange.Rule) bool {
	var broken *BrokenError
	return errors.As(err, &broken) && broken.Finding.Violations[0].Rule == rule
}

func isSet(v cty.Value) bool { return v != cty.NilVal }
