package sdkv2

import (
	hcty "github.com/hashicorp/go-cty/cty"
	"github.com/objchange/objchange/tfconv/internal/carry"
	"github.com/zclconf/go-cty/cty"
)

// TypeToCty converts a type of the SDK's cty to a type of cty.
//
// It returns an error with the path for the zero Type, capsule types, and nesting deeper than 500
// levels. The cost is proportional to the size of the type.
func TypeToCty(ty hcty.Type) (cty.Type, error) { return carry.Type(ty, toCty) }

// TypeFromCty converts a type of cty to a type of the SDK's cty. Optional attributes become
// ordinary attributes, because the SDK's cty has no optional attributes. It returns the errors of
// [TypeToCty].
func TypeFromCty(ty cty.Type) (hcty.Type, error) { return carry.Type(ty, fromCty) }

var toCty = carry.Maker[hcty.Type, cty.Type]{
	Plain: map[hcty.Type]cty.Type{
		hcty.String: cty.String, hcty.Number: cty.Number, hcty.Bool: cty.Bool,
		hcty.DynamicPseudoType: cty.DynamicPseudoType,
	},
	List: cty.List, Set: cty.Set, Map: cty.Map, Tuple: cty.Tuple,
	Object: func(_ hcty.Type, attrs map[string]cty.Type) cty.Type { return cty.Object(attrs) },
}

var fromCty = carry.Maker[cty.Type, hcty.Type]{
	Plain: map[cty.Type]hcty.Type{
		cty.String: hcty.String, cty.Number: hcty.Number, cty.Bool: hcty.Bool,
		cty.DynamicPseudoType: hcty.DynamicPseudoType,
	},
	List: hcty.List, Set: hcty.Set, Map: hcty.Map, Tuple: hcty.Tuple,
	Object: func(_ cty.Type, attrs map[string]hcty.Type) hcty.Type { return hcty.Object(attrs) },
}
