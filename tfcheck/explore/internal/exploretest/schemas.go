// Package exploretest has schemas and a recording provider for the tests of explore.
package exploretest

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/ctydata"
	. "github.com/objchange/objchange/internal/testcty"
)

// ValueOf converts data to a value of the schema. It returns cty.NilVal for nil.
func ValueOf(t testing.TB, schema *objchange.Schema, data map[string]any) cty.Value {
	t.Helper()
	if data == nil {
		return cty.NilVal
	}
	v, err := ctydata.ValueOf(schema.Block(), data)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

var Server = &configschema.Block{
	Attributes: Attrs{
		"id":       Attr(cty.String, "computed"),
		"name":     Attr(cty.String, "optional"),
		"size":     Attr(cty.Number, "optional"),
		"public":   Attr(cty.Bool, "optional"),
		"zones":    Attr(cty.List(cty.String), "optional"),
		"ports":    Attr(cty.Set(cty.Number), "optional"),
		"tags":     Attr(cty.Map(cty.String), "optional"),
		"pair":     Attr(cty.Object(map[string]cty.Type{"x": cty.String, "y": cty.Number}), "optional"),
		"any":      Attr(cty.DynamicPseudoType, "optional"),
		"password": Attr(cty.String, "optional sensitive"),
		"keys":     Attr(cty.List(cty.String), "optional sensitive"),
		"pin":      Attr(cty.Number, "optional sensitive"),
		"vaults":   Nested(configschema.NestingList, "optional sensitive", DiskAttrs),
		"cards":    Nested(configschema.NestingList, "optional", Attrs{"pin": Attr(cty.Number, "optional sensitive")}),
		"disk":     Nested(configschema.NestingSingle, "optional", DiskAttrs),
		"disks":    Nested(configschema.NestingList, "optional", DiskAttrs),
		"shelf":    Nested(configschema.NestingMap, "optional", DiskAttrs),
	},
	BlockTypes: Blocks{
		"rule":  Block(configschema.NestingList, ruleAttrs, Blocks{"peer": Block(configschema.NestingSet, ruleAttrs)}),
		"peer":  Block(configschema.NestingSet, ruleAttrs),
		"zone":  Block(configschema.NestingMap, ruleAttrs),
		"limit": Block(configschema.NestingSingle, ruleAttrs),
		"group": Block(configschema.NestingGroup, ruleAttrs),
	},
}

var (
	DiskAttrs = Attrs{"kind": Attr(cty.String, "optional"), "gb": Attr(cty.Number, "optional")}
	ruleAttrs = Attrs{"port": Attr(cty.Number, "optional"), "cidr": Attr(cty.String, "optional")}
)

var ProviderBlock = &configschema.Block{
	Attributes: Attrs{"region": Attr(cty.String, "optional"), "token": Attr(cty.String, "optional sensitive")},
	BlockTypes: Blocks{"endpoints": Block(configschema.NestingList, Attrs{"url": Attr(cty.String, "optional")})},
}
