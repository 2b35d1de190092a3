package scenario

import (
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
	"github.com/objchange/objchange/tfconv"
)

// Functions are explored like resources. Their parameters are the attributes of a schema. Their
// arguments are a configuration.

// Variadic is the attribute for the arguments of a variadic parameter.
const Variadic = "variadic"

// Functions returns the functions of a provider, sorted by name.
func Functions(all map[string]*tfprotov6.Function) (targets []Target) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		block, err := parameters(all[name])
		targets = append(targets, Target{Function, name, catalog.SchemaOf(&configschema.Schema{Block: block}, err)})
	}
	return targets
}

// parameters returns a schema for the arguments of a function.
func parameters(f *tfprotov6.Function) (*configschema.Block, error) {
	attrs, err := catalog.Arguments(f.Parameters)
	if err != nil {
		return nil, err
	}
	if p := f.VariadicParameter; p != nil {
		ty, err := tfconv.TypeToCty(p.Type)
		if err != nil {
			return nil, err
		}
		attrs[Variadic] = &configschema.Attribute{Type: cty.List(ty), Optional: true, Description: p.Description}
	}
	return &configschema.Block{Attributes: attrs}, nil
}

// Arguments returns the arguments of a function.
func (s Scenario) Arguments() (all []argument) {
	attrs, config := s.Schema.Block().Attributes, s.Last().Config
	for i := 0; attrs[catalog.Argument(i)] != nil; i++ {
		all = append(all, argument{attrs[catalog.Argument(i)].Type, config.GetAttr(catalog.Argument(i))})
	}
	if attrs[Variadic] == nil {
		return all
	}
	if more := config.GetAttr(Variadic); more.IsKnown() && !more.IsNull() {
		for _, v := range more.AsValueSlice() {
			all = append(all, argument{attrs[Variadic].Type.ElementType(), v})
		}
	}
	return all
}

// An argument is a value for a parameter of a function.
type argument struct {
	Type  cty.Type // of the parameter
	Value cty.Value
}
