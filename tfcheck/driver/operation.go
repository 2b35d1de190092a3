package driver

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

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

// An operation executes the steps of one run.
type operation struct {
	ctx      context.Context
	driver   *Driver
	typeName string
	schema   *catalog.Schema
	reportTo tfcheck.Report
	server   tfprotov6.ProviderServer // a checking server that reports to the run
	instance *Instance                // nil for a data source, an ephemeral resource or a function
	object   *object                  // of the instance

	run    *Run
	broken error                               // a *BrokenError for the first finding, since the last stopError
	phases map[objchange.Phase]objchange.Phase // replaces phases of violations in the current step
	unsent error                               // why a request cannot be sent
}

func (d *Driver) start(
	ctx context.Context, typeName string, schema *catalog.Schema, report tfcheck.Report,
) *operation {
	r := &operation{
		ctx: d.capable(ctx), driver: d, typeName: typeName, schema: schema, reportTo: report, run: &Run{},
	}
	if !d.configured.Load() {
		r.unsent = ErrNotConfigured
	}
	r.run.Lifecycle.Schema = schema.Compiled
	r.server = tfcheck.Server6(d.server, r.keepFinding, d.program)
	check.Share[tfcheck.Exchange, tfcheck.Finding](r.server, d.catalog, d.version, nil)
	return r
}

// end returns the run. The action is no-op if there is no error, no action and no deferral. If
// the object is gone, end discards its private data, identity and taint.
func (r *operation) end(err error) (*Run, error) {
	if r.object.state.IsNull() {
		*r.object = object{state: r.object.state}
	}
	switch {
	case err == errDeferred:
		err = nil
	case err == nil && r.run.Action == "":
		r.run.Action = objchange.ActionNoOp
	}
	return r.run, err
}

// errDeferred ends a run, because the provider deferred a response. It is not returned to the user.
var errDeferred = errors.New("deferred")

// keepFinding adds a finding to the run, unless the run already contains it, and reports it. It
// adds no diagnostics to the response, because the run contains the findings.
func (r *operation) keepFinding(f tfcheck.Finding) tfcheck.Reaction {
	for _, v := range f.Violations {
		if phase, other := r.phases[v.Phase]; other {
			v.Phase = phase
		}
	}
	rest := f
	rest.Violations = r.driver.filter.Rest(f.TypeName, f.Violations)
	broken, reaction := &BrokenError{Finding: rest}, tfcheck.NoDiagnostic
	switch {
	case len(rest.Violations) == 0:
		v := f.Violations[0]
		broken.Finding, broken.Ignored = f, r.driver.filter.Reason(f.TypeName, v.Rule, v.PathString(), v.Severity)
	case slices.ContainsFunc(r.run.Findings, rest.Like):
		return reaction
	default:
		r.run.Findings = append(r.run.Findings, rest)
		if r.reportTo != nil {
			reaction = r.reportTo(rest)
		}
	}
	broken.Reported = reaction == tfcheck.Reported
	if r.broken == nil && (reaction == tfcheck.ErrorDiagnostic || values.Stop(broken.Finding.Violations)) {
		r.broken = broken
	}
	return tfcheck.NoDiagnostic
}

// find reports violations that no single response shows. Core tolerates none of them.
func (r *operation) find(rpc string, phase objchange.Phase, found objchange.Violations) {
	for _, v := range found {
		v.Phase = phase
	}
	for s, vs := range severity.Groups(found) {
		r.keepFinding(tfcheck.Finding{
			RPC: rpc, TypeName: r.typeName, Side: tfcheck.SideResponse, Severity: s, Violations: vs,
		})
	}
}

// stopError returns an error if there was, since its last call, a finding at which Core would stop
// or which a report rejects.
func (r *operation) stopError() error {
	broken := r.broken
	r.broken = nil
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

// deferred returns errDeferred if the response is deferred, and records the reason.
func (r *operation) deferred(d *tfprotov6.Deferred) error {
	if d == nil {
		return nil
	}
	r.run.Deferred = d.Reason.String()
	return errDeferred
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
	rpc := wire.RPCOf[Q]()
	err := r.unsent
	if err == nil && r.ctx.Err() != nil {
		err = fmt.Errorf("not sent: %w", context.Cause(r.ctx))
	}
	var resp *A
	if err == nil {
		resp, err = method(r.ctx, req)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", catalog.Place(rpc, r.typeName), err)
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
