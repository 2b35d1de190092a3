package driver

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/print"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
	"github.com/objchange/objchange/tfcheck/internal/expect"
	"github.com/objchange/objchange/tfconv"
)

// A FunctionRun is the result of a call of a provider function, with the findings.
type FunctionRun struct {
	Arguments []cty.Value
	Result    cty.Value // the zero cty.Value if the call failed
	Findings  []tfcheck.Finding

	schema *objchange.Schema
}

// CallFunction calls a provider function. It does not need Configure. An argument may be any data
// that ValueOf accepts for an attribute. If an argument is not wholly known, the function is
// called only if the parameter allows unknown values. Otherwise the result is unknown, as in
// Terraform. The run is never nil.
//
// The error is a *ConfigError if Terraform would not accept the arguments, a *RefusedError if the
// function returns an error, a *BrokenError if the result does not have the declared type, or the
// error of the request.
func (d *Driver) CallFunction(ctx context.Context, name string, arguments ...any) (*FunctionRun, error) {
	return d.function(ctx, name, arguments, d.report)
}

// Function calls CallFunction for the test. It ends the test at once if CallFunction returns an
// error.
func (d *Driver) Function(t testing.TB, name string, arguments ...any) *FunctionRun {
	t.Helper()
	run, err := d.function(t.Context(), name, arguments, d.reportFor(t))
	failOnError(t, name, err)
	return run
}

// Expect checks the result, as described at Lifecycle.Expect. If the result differs, the test fails
// but continues.
func (r FunctionRun) Expect(t testing.TB, want any) {
	t.Helper()
	if r.Result == cty.NilVal {
		t.Error("the function returned no result")
		return
	}
	call := map[string]cty.Value{resultName: r.Result}
	for i, argument := range r.Arguments {
		call[catalog.Argument(i)] = argument
	}
	expect.Check(t, "the function's result", r.schema, cty.ObjectVal(call), map[string]any{resultName: want})
}

// resultName is the attribute for the result in the schema that Expect uses.
const resultName = "result"

func (d *Driver) function(
	ctx context.Context, name string, arguments []any, report tfcheck.Report,
) (*FunctionRun, error) {
	run, f := &FunctionRun{}, d.schemas.Functions[name]
	if f == nil {
		names := slices.Sorted(maps.Keys(d.schemas.Functions))
		return run, fmt.Errorf("the provider has no function %q%s", name, catalog.Meant(name, names))
	}
	parameters, data := slices.Clone(f.Parameters), map[string]any{}
	for i, argument := range arguments {
		data[catalog.Argument(i)] = argument
		if i >= len(parameters) && f.VariadicParameter != nil {
			parameters = append(parameters, f.VariadicParameter)
		}
	}
	if len(parameters) != len(arguments) {
		got, want := print.Plural(len(arguments), "argument"), print.Plural(len(f.Parameters), "parameter")
		return run, &ConfigError{"call", fmt.Errorf("got %s for %s", got, want)}
	}
	schema, err := functionSchema(f.Return, parameters)
	if err != nil {
		return run, fmt.Errorf("the function %s: %w", name, err)
	}
	r := d.start(ctx, name, schema, report)
	r.unsent = nil // a function needs no configured provider
	run.schema = schema.Compiled
	call, err := configOf(schema, "call", data)
	if err != nil {
		return run, err
	}
	known := true
	for i, p := range parameters {
		v := call.GetAttr(catalog.Argument(i))
		run.Arguments = append(run.Arguments, v)
		known = known && (p.AllowUnknownValues || v.IsWhollyKnown())
	}
	run.Result = cty.UnknownVal(schema.Type.AttributeType(resultName))
	if known {
		run.Result, err = r.callFunction(run.Arguments)
	}
	run.Findings = r.run.Findings
	return run, err
}

// functionSchema returns a schema with the arguments and the result as attributes.
func functionSchema(
	result *tfprotov6.FunctionReturn, parameters []*tfprotov6.FunctionParameter,
) (*catalog.Schema, error) {
	if result == nil {
		return nil, errors.New("its result has no type")
	}
	ty, err := tfconv.TypeToCty(result.Type)
	if err != nil {
		return nil, err
	}
	attrs, err := catalog.Arguments(parameters)
	if err != nil {
		return nil, err
	}
	attrs[resultName] = &configschema.Attribute{Type: ty, Optional: true}
	schema := catalog.SchemaOf(&configschema.Schema{Block: &configschema.Block{Attributes: attrs}}, nil)
	return schema, schema.Err
}

// callFunction calls the function and checks the result.
func (r *operation) callFunction(arguments []cty.Value) (cty.Value, error) {
	req := &tfprotov6.CallFunctionRequest{Name: r.typeName}
	for i, v := range arguments {
		argument, err := tfconv.Encode6(v, r.schema.Type.AttributeType(catalog.Argument(i)))
		if err != nil {
			return cty.NilVal, &ConfigError{"call", err}
		}
		req.Arguments = append(req.Arguments, argument)
	}
	const rpc = "CallFunction"
	resp, err := call(r, r.server.CallFunction, req)
	if err != nil {
		return cty.NilVal, err
	}
	if resp.Error != nil {
		return cty.NilVal, catalog.Refusal(rpc, r.typeName, catalog.Diagnostics(functionError(resp.Error), r.schema.Compiled))
	}
	result, err := tfconv.Decode6(resp.Result, r.schema.Type.AttributeType(resultName))
	if err != nil {
		r.find(rpc, "", objchange.Violations{{
			Rule: objchange.RuleTypeMismatch, Severity: objchange.Rejected, Message: "the result: " + err.Error(),
		}})
		return cty.NilVal, r.stopError()
	}
	return result, nil
}

// functionError converts the error of a function to a diagnostic.
func functionError(e *tfprotov6.FunctionError) []*tfprotov6.Diagnostic {
	d := &tfprotov6.Diagnostic{Severity: tfprotov6.DiagnosticSeverityError, Summary: e.Text}
	if i := e.FunctionArgument; i != nil && *i >= 0 {
		d.Attribute = tftypes.NewAttributePath().WithAttributeName(catalog.Argument(int(*i)))
	}
	return []*tfprotov6.Diagnostic{d}
}
