package tfcheck

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/objchange/objchange"
	"github.com/zclconf/go-cty/cty"
)

// A Run is what one operation of an Instance did and found.
type Run struct {
	// Action is what was planned to be done with the object: no-op if there was
	// nothing to do. For a refresh, it is what happened to the object since it
	// was last seen.
	Action objchange.Action
	// Lifecycle holds all artifacts of the run. After a replacement it is that
	// of the new object, with a null Prior.
	Lifecycle objchange.Lifecycle
	// RequiresReplace are those of the provider's paths that require
	// replacement, in which what was planned really differs.
	RequiresReplace []cty.Path
	// Deferred is the reason why the provider deferred the change, or "".
	Deferred string
	// Warnings are what the provider told the user beside errors.
	Warnings []Diagnostic
	// Findings are what request and responses broke, in order.
	Findings []Finding
}

// A BrokenError says that Core stops here, because the provider broke a rule
// that Core enforces.
type BrokenError struct{ Finding Finding }

// Error writes the finding.
func (e *BrokenError) Error() string { return e.Finding.String() }

// Unwrap returns the violations, so that errors.As finds a *objchange.Violation.
func (e *BrokenError) Unwrap() []error {
	errs := make([]error, len(e.Finding.Violations))
	for i, v := range e.Finding.Violations {
		errs[i] = v
	}
	return errs
}

// An operation carries out the steps of one run.
type operation struct {
	*Instance
	ctx    context.Context
	server tfprotov6.ProviderServer // checked, and reporting to the run
	run    *Run
	judged int // how many findings have been looked at
}

func (i *Instance) start(ctx context.Context) *operation {
	r := &operation{Instance: i, ctx: ctx, run: &Run{Action: objchange.ActionNoOp}}
	r.run.Lifecycle.Schema = i.schema.block
	r.server = &checked6{i.driver.server, i.driver.catalog, r.report}
	return r
}

func (r *operation) report(f Finding) bool {
	r.run.Findings = append(r.run.Findings, f)
	return false
}

// find reports violations that no single response shows.
func (r *operation) find(rpc string, found objchange.Violations) {
	x := Exchange{RPC: rpc, TypeName: r.typeName, Legacy: r.run.Lifecycle.LegacyTypeSystem}
	r.run.Findings = append(r.run.Findings, x.findings(SideResponse, found)...)
}

// verdict returns an error if Core would stop at what was found since the last
// verdict.
func (r *operation) verdict() error {
	for ; r.judged < len(r.run.Findings); r.judged++ {
		if f := r.run.Findings[r.judged]; f.Enforced() {
			r.judged = len(r.run.Findings)
			return &BrokenError{f}
		}
	}
	return nil
}

// answered looks at a response: the diagnostics, and what the checking server
// found.
func (r *operation) answered(rpc string, diags []*tfprotov6.Diagnostic) error {
	for _, d := range diagnostics6(diags) {
		if !d.Error {
			r.run.Warnings = append(r.run.Warnings, d)
		}
	}
	if err := refusal6(rpc, r.typeName, diags); err != nil {
		return err
	}
	return r.verdict()
}

// deferred notes that the response is deferred, and whether the run ends here.
func (r *operation) deferred(rpc string, d *tfprotov6.Deferred) (bool, error) {
	if d == nil {
		return false, nil
	}
	if !r.driver.deferral {
		return true, fmt.Errorf("%s: the provider deferred, which it was not allowed to", place(rpc, r.typeName))
	}
	r.run.Deferred = d.Reason.String()
	return true, nil
}

func (r *operation) encode(v cty.Value) *tfprotov6.DynamicValue {
	// The value conforms and has no marks, so it can be encoded; if not, the
	// checking server tells of a request that cannot be decoded.
	dynamic, _ := Encode6(v, r.schema.ty)
	return dynamic
}

func (r *operation) decode(v *tfprotov6.DynamicValue) (cty.Value, error) {
	value, err := Decode6(v, r.schema.ty)
	if err != nil { // the checking server has found that as well, unless the response is an error
		return cty.NilVal, fmt.Errorf("the provider's answer for %s: %w", r.typeName, err)
	}
	return value, nil
}

// null is the object that is not there.
func (r *operation) null() cty.Value { return cty.NullVal(r.schema.ty) }
