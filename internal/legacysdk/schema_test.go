package legacysdk

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
)

// TestPossibleSchemasOfLegacySDK checks which schemas the legacy SDK could have created.
func TestPossibleSchemasOfLegacySDK(t *testing.T) {
	object := cty.Object(map[string]cty.Type{"a": cty.String})
	of := func(ty cty.Type) *configschema.Block {
		return &configschema.Block{Attributes: map[string]*configschema.Attribute{"a": {Type: ty, Optional: true}}}
	}
	in := func(b *configschema.Block, computed bool) *configschema.Block {
		nb := &configschema.NestedBlock{Block: *b, Nesting: configschema.NestingList}
		nb.Computed = computed
		return &configschema.Block{BlockTypes: map[string]*configschema.NestedBlock{"b": nb}}
	}
	nested := &configschema.Block{Attributes: map[string]*configschema.Attribute{
		"a": {NestedType: &configschema.Object{Nesting: configschema.NestingSingle}, Optional: true},
	}}
	for name, test := range map[string]struct {
		schema *configschema.Block
		want   bool
	}{
		"nothing":                       {&configschema.Block{}, true},
		"a string":                      {of(cty.String), true},
		"a list of objects":             {of(cty.List(object)), true},
		"a set of objects":              {of(cty.Set(object)), true},
		"a map of strings":              {of(cty.Map(cty.String)), true},
		"a list of lists of numbers":    {of(cty.List(cty.List(cty.Number))), true},
		"blocks":                        {in(of(cty.String), false), true},
		"an object":                     {of(object), false},
		"a tuple":                       {of(cty.Tuple([]cty.Type{cty.String})), false},
		"a map of objects":              {of(cty.Map(object)), false},
		"a list of lists of objects":    {of(cty.List(cty.List(object))), false},
		"a list of lists of lists":      {of(cty.List(cty.List(cty.List(cty.String)))), false},
		"a nested attribute":            {nested, false},
		"a nested attribute in a block": {in(nested, false), false},
		"an object deep in blocks":      {in(in(of(object), false), false), false},
		"computed blocks":               {in(of(cty.String), true), false},
	} {
		if got := Possible(test.schema); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
