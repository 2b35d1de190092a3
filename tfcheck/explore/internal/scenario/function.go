package scenario

import (
	"fmt"
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
	block := &configschema.Block{Attributes: map[string]*configschema.Attribute{}}
	for i, p := range f.Parameters {
		ty, err := tfconv.TypeToCty(p.Type)
		if err != nil {
			return nil, err
		}
		block.Attributes[Parameter(i)] = &configschema.Attribute{
			Type: ty, Required: !p.AllowNullValue, Optional: p.AllowNullValue, Description: p.Name + ": " + p.Description,
		}
	}
	if p := f.VariadicParameter; p != nil {
		ty, err := tfconv.TypeToCty(p.Type)
		if err != nil {
			return nil, err
		}
		block.Attributes[Variadic] = &configschema.Attribute{Type: cty.List(ty), Optional: true, Description: p.Description}
	}
	return block, nil
}

// Parameter returns the attribute for the argument of the parameter with the index.
func Parameter(i int) string { return fmt.Sprintf("argument_%d", i+1) }

// Arguments returns the arguments of a function.
func (s Scenario) Arguments() (all []argument) {
	attrs, config := s.Schema.Block().Attributes, s.Last().Config
	for i := 0; attrs[Parameter(i)] != nil; i++ {
		all = append(all, argument{attrs[Parameter(i)].Type, config.GetAttr(Parameter(i))})
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
