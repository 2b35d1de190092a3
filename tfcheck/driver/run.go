package driver

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/internal/severity"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
	"github.com/objchange/objchange/tfcheck/internal/check"
	"github.com/objchange/objchange/tfcheck/internal/values"
	"github.com/objchange/objchange/tfcheck/internal/wire"
	"github.com/objchange/objchange/tfconv"
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
func runText(title, deferred string, schema *objchange.Schema, before, after cty.Value, found []tfcheck.Finding) string {
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

// An operation executes the steps of one run.
type operation struct {
	*Instance
	ctx    context.Context
	server tfprotov6.ProviderServer // a checking server that reports to the run
	run    *Run
	broken *BrokenError                        // the first finding at which Core stops, since the last stopError
	phases map[objchange.Phase]objchange.Phase // replaces phases of violations in the current step
	unsent error                               // why a request cannot be sent
}

func (i *Instance) start(ctx context.Context) *operation {
	r := &operation{Instance: i, ctx: i.driver.capable(ctx), run: &Run{}}
	r.run.Lifecycle.Schema = i.schema.Compiled
	r.server = tfcheck.Server6(i.driver.server, r.keepFinding, i.driver.program)
	check.Share[tfcheck.Exchange, tfcheck.Finding](r.server, i.driver.catalog, i.driver.version, nil)
	return r
}

// end returns the run. The action is no-op if there is no error, no action and no deferral. If
// the object is gone, end discards its private data, identity and taint.
func (r *operation) end(err error) (*Run, error) {
	if r.state.IsNull() {
		r.private, r.identity, r.tainted = nil, nil, false
	}
	if err == nil && r.run.Action == "" && r.run.Deferred == "" {
		r.run.Action = objchange.ActionNoOp
	}
	return r.run, err
}

// keepFinding adds a finding to the run, unless the run already contains it, and reports it. It
// adds no diagnostics to the response, because the run contains the findings.
func (r *operation) keepFinding(f tfcheck.Finding) tfprotov6.DiagnosticSeverity {
	for _, v := range f.Violations {
		if phase, other := r.phases[v.Phase]; other {
			v.Phase = phase
		}
	}
	rest := f
	rest.Violations = r.driver.filter.Rest(f.TypeName, f.Violations)
	known := len(rest.Violations) == 0
	if !known && slices.ContainsFunc(r.run.Findings, rest.Like) {
		return tfprotov6.DiagnosticSeverityInvalid
	}
	rejected, reported := false, false
	if !known {
		r.run.Findings = append(r.run.Findings, rest)
		rejected, reported = r.report(rest)
		f = rest
	}
	if r.broken == nil && (rejected || values.Stop(f.Violations)) {
		r.broken = &BrokenError{Finding: f, Reported: reported}
		if known {
			v := f.Violations[0]
			r.broken.Ignored = r.driver.filter.Reason(f.TypeName, v.Rule, v.PathString())
		}
	}
	return tfprotov6.DiagnosticSeverityInvalid
}

// report passes a finding to the reports. At most one of them reports to a test. If a report
// drops the finding, the next ones do not receive it.
func (i *Instance) report(f tfcheck.Finding) (rejected, reported bool) {
	for _, report := range append(slices.Clip(i.driver.reports), i.reportTo) {
		if report == nil || reported {
			continue
		}
		severity := report(f)
		if severity == tfprotov6.DiagnosticSeverityInvalid {
			return rejected, false
		}
		reported = severity == check.Done
		rejected = rejected || severity == tfprotov6.DiagnosticSeverityError
	}
	return rejected, reported
}

// find reports violations that no single response shows. Core tolerates none of them.
func (r *operation) find(rpc string, found objchange.Violations) {
	for s, vs := range severity.Groups(found) {
		r.keepFinding(tfcheck.Finding{RPC: rpc, TypeName: r.typeName, Side: tfcheck.SideResponse, Severity: s, Violations: vs})
	}
}

// stopError returns an error if there was, since its last call, a finding at which Core would stop
// or which a report rejects.
func (r *operation) stopError() error {
	broken := r.broken
	r.broken = nil
	if broken == nil {
		return nil
	}
	return broken
}

// check returns an error if Core stops at the diagnostics of a response or at the findings of the
// checking server. It stores the warnings.
func (r *operation) check(rpc string, diags []*tfprotov6.Diagnostic) error {
	all := catalog.Diagnostics(diags, r.schema.Compiled)
	for _, d := range all {
		if !d.Error {
			r.run.Warnings = append(r.run.Warnings, d)
		}
	}
	refused, broken := catalog.Refusal(rpc, r.typeName, all), r.stopError()
	switch {
	case refused == nil:
		return broken
	case broken == nil:
		return refused
	}
	return errors.Join(refused, broken)
}

// deferred records whether the response is deferred. A deferred response ends the run.
func (r *operation) deferred(d *tfprotov6.Deferred) bool {
	if d != nil {
		r.run.Deferred = d.Reason.String()
	}
	return d != nil
}

// encode encodes a value for the next request. If that fails, the request is not sent.
func (r *operation) encode(v cty.Value) *tfprotov6.DynamicValue {
	dynamic, err := tfconv.Encode6(v, r.schema.Type)
	if err != nil && r.unsent == nil {
		r.unsent = err
	}
	return dynamic
}

// call sends a request, unless a value could not be encoded. It returns both the response and an
// error if Core stops at diagnostics or findings of the response.
func call[Q, A any](r *operation, method func(context.Context, *Q) (*A, error), req *Q) (*A, error) {
	rpc := catalog.RPCOf[Q]()
	if !r.driver.configured.Load() {
		r.unsent = ErrNotConfigured
	}
	if r.unsent != nil {
		return nil, fmt.Errorf("%s: %w", catalog.Place(rpc, r.typeName), r.unsent)
	}
	resp, err := catalog.Ask(r.ctx, r.typeName, method, req)
	if err != nil {
		return nil, err
	}
	return resp, r.check(rpc, wire.Field[[]*tfprotov6.Diagnostic](reflect.ValueOf(resp).Elem(), "Diagnostics"))
}

func (r *operation) decode(v *tfprotov6.DynamicValue) (cty.Value, error) {
	value, err := tfconv.Decode6(v, r.schema.Type)
	if err != nil { // also a finding of the checking server, unless the response is an error
		return cty.NilVal, fmt.Errorf("the provider's response for %s: %w", r.typeName, err)
	}
	return value, nil
}

// null returns the null object.
func (r *operation) null() cty.Value { return cty.NullVal(r.schema.Type) }

func isSet(v cty.Value) bool { return v != cty.NilVal }
