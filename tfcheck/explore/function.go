package explore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
	"github.com/objchange/objchange/tfconv"
)

// Functions are explored like resources: their parameters are the attributes of a schema,
// and their arguments are a configuration.

// variadic is the attribute with the arguments of a variadic parameter.
const variadic = "variadic"

// functions returns the functions of the provider, in order of their names.
func (g *guard) functions() (targets []target) {
	if g.schemas == nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(g.schemas.Functions)) {
		schema := &catalog.Schema{}
		block, err := parameters(g.schemas.Functions[name])
		if err == nil {
			schema.Compiled, err = objchange.Compile(block)
		}
		if schema.Err = err; err == nil {
			schema.Type = schema.Compiled.ImpliedType()
		}
		targets = append(targets, target{Function, name, schema})
	}
	return targets
}

// parameters returns the schema of a function's arguments.
func parameters(f *tfprotov6.Function) (*configschema.Block, error) {
	block := &configschema.Block{Attributes: map[string]*configschema.Attribute{}}
	for i, p := range f.Parameters {
		ty, err := tfconv.TypeToCty(p.Type)
		if err != nil {
			return nil, err
		}
		block.Attributes[parameter(i)] = &configschema.Attribute{Type: ty, Required: !p.AllowNullValue, Optional: p.AllowNullValue, Description: p.Name + ": " + p.Description}
	}
	if p := f.VariadicParameter; p != nil {
		ty, err := tfconv.TypeToCty(p.Type)
		if err != nil {
			return nil, err
		}
		block.Attributes[variadic] = &configschema.Attribute{Type: cty.List(ty), Optional: true, Description: p.Description}
	}
	return block, nil
}

func parameter(i int) string { return fmt.Sprintf("argument_%d", i+1) }

// call calls a function. A result that does not have the type is a finding.
func (s *session) call(ctx context.Context, sc scenario) (o outcome, err error) {
	f := s.guard.schemas.Functions[sc.typeName]
	var arguments []*tfprotov6.DynamicValue
	add := func(v cty.Value, ty cty.Type) {
		argument, wrong := tfconv.Encode6(v, ty)
		err = errors.Join(err, wrong)
		arguments = append(arguments, argument)
	}
	for i := range f.Parameters {
		name := parameter(i)
		add(sc.config.GetAttr(name), sc.config.Type().AttributeType(name))
	}
	if f.VariadicParameter != nil {
		if list := sc.config.GetAttr(variadic); list.IsKnown() && !list.IsNull() {
			for _, v := range list.Elements() {
				add(v, v.Type())
			}
		}
	}
	if err != nil {
		return o, &driver.ConfigError{What: "arguments", Err: err}
	}
	resp, err := catalog.Ask(ctx, "CallFunction", sc.typeName, s.guard.CallFunction, &tfprotov6.CallFunctionRequest{Name: sc.typeName, Arguments: arguments})
	if err != nil {
		return o, err
	}
	if resp.Error != nil {
		return o, refusedCall(sc.typeName, resp.Error)
	}
	returns, err := tfconv.TypeToCty(f.Return.Type)
	if err != nil {
		return o, err
	}
	if _, err := tfconv.Decode6(resp.Result, returns); err != nil {
		o.found = append(o.found, tfcheck.Finding{RPC: "CallFunction", TypeName: sc.typeName, Side: tfcheck.SideResponse, Severity: tfcheck.Rejected,
			Violations: objchange.Violations{{Rule: objchange.RuleTypeMismatch, Enforced: true, Message: "the result: " + err.Error()}}})
	}
	return o, nil
}

// refusedCall returns the error of a function as that of any request.
func refusedCall(name string, e *tfprotov6.FunctionError) error {
	d := &tfprotov6.Diagnostic{Severity: tfprotov6.DiagnosticSeverityError, Summary: e.Text}
	diags := catalog.Diagnostics([]*tfprotov6.Diagnostic{d}, nil)
	if e.FunctionArgument != nil {
		diags[0].Path = cty.GetAttrPath(parameter(int(*e.FunctionArgument)))
	}
	return &driver.RefusedError{RPC: "CallFunction", TypeName: name, Diagnostics: diags}
}
