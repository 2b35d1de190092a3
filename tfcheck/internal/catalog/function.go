package catalog

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfconv"
)

// Arguments returns attributes for the arguments of a function with the parameters.
func Arguments(parameters []*tfprotov6.FunctionParameter) (map[string]*configschema.Attribute, error) {
	attrs := map[string]*configschema.Attribute{}
	for i, p := range parameters {
		ty, err := tfconv.TypeToCty(p.Type)
		if err != nil {
			return nil, err
		}
		attrs[Argument(i)] = &configschema.Attribute{
			Type: ty, Required: !p.AllowNullValue, Optional: p.AllowNullValue, Description: p.Name + ": " + p.Description,
		}
	}
	return attrs, nil
}

// Argument returns the name of the attribute for the argument with the index.
func Argument(i int) string { return fmt.Sprintf("argument_%d", i+1) }
