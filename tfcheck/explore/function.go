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
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
	"github.com/objchange/objchange/tfconv"
)

// Functions are explored like resources. Their parameters are the attributes of a schema. Their
// arguments are a configuration.

// variadic is the attribute for the arguments of a variadic parameter.
const variadic = "variadic"

// functions returns the functions of a provider, sorted by name.
func functions(all map[string]*tfprotov6.Function) (targets []target) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		schema := &catalog.Schema{}
		block, err := parameters(all[name])
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

// parameters returns a schema for the arguments of a function.
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

// call calls a function. A result that does not conform to the return type is a finding.
func (s *session) call(ctx context.Context, sc scenario) (o outcome, err error) {
	var arguments []any
	for _, a := range sc.arguments() {
		arguments = append(arguments, a.v)
	}
	run, err := s.driver.CallFunction(ctx, sc.typeName, arguments...)
	o.add(run.Findings)
	if refused := new(driver.RefusedError); errors.As(err, &refused) {
		for i, d := range refused.Diagnostics {
			if len(d.Path) == 1 && !sc.config.Type().HasAttribute(d.Path[0].(cty.GetAttrStep).Name) {
				refused.Diagnostics[i].Path = cty.GetAttrPath(variadic)
			}
		}
	}
	return o, err
}

// arguments returns the arguments of a function.
func (s scenario) arguments() (all []leaf) {
	attrs := s.schema.Block().Attributes
	for i := 0; attrs[parameter(i)] != nil; i++ {
		all = append(all, leaf{attrs[parameter(i)].Type, s.config.GetAttr(parameter(i))})
	}
	if more := part(s.config, variadic); more != cty.NilVal && more.IsKnown() && !more.IsNull() {
		for _, v := range more.AsValueSlice() {
			all = append(all, leaf{attrs[variadic].Type.ElementType(), v})
		}
	}
	return all
}
