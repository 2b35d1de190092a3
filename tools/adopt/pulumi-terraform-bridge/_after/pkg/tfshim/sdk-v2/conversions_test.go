package sdkv2

import (
	hcty "github.com/hashicorp/go-cty/cty"
	"github.com/objchange/objchange/tfconv/sdkv2"
	"github.com/zclconf/go-cty/cty"
)

// The tests of the bridge call the conversions by these names.

func hcty2cty(v hcty.Value) cty.Value {
	converted, err := sdkv2.ValueToCty(v)
	if err != nil {
		panic(err)
	}
	return converted
}

func cty2hcty(v cty.Value) hcty.Value {
	converted, err := sdkv2.ValueFromCty(v)
	if err != nil {
		panic(err)
	}
	return converted
}
