// Package exploretest has schemas and a recording provider for the tests of explore.
package exploretest

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/internal/testcty"
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

// Server is the schema of a resource with each kind of attribute and block.
var Server = &configschema.Block{
	Attributes: testcty.Attrs{
		"id":       testcty.Attr(cty.String, "computed"),
		"name":     testcty.Attr(cty.String, "optional"),
		"size":     testcty.Attr(cty.Number, "optional"),
		"public":   testcty.Attr(cty.Bool, "optional"),
		"zones":    testcty.Attr(cty.List(cty.String), "optional"),
		"ports":    testcty.Attr(cty.Set(cty.Number), "optional"),
		"tags":     testcty.Attr(cty.Map(cty.String), "optional"),
		"pair":     testcty.Attr(cty.Object(map[string]cty.Type{"x": cty.String, "y": cty.Number}), "optional"),
		"any":      testcty.Attr(cty.DynamicPseudoType, "optional"),
		"password": testcty.Attr(cty.String, "optional sensitive"),
		"keys":     testcty.Attr(cty.List(cty.String), "optional sensitive"),
		"pin":      testcty.Attr(cty.Number, "optional sensitive"),
		"vaults":   testcty.Nested(configschema.NestingList, "optional sensitive", DiskAttrs),
		"cards": testcty.Nested(configschema.NestingList, "optional", testcty.Attrs{
			"pin": testcty.Attr(cty.Number, "optional sensitive"),
		}),
		"disk":  testcty.Nested(configschema.NestingSingle, "optional", DiskAttrs),
		"disks": testcty.Nested(configschema.NestingList, "optional", DiskAttrs),
		"shelf": testcty.Nested(configschema.NestingMap, "optional", DiskAttrs),
	},
	BlockTypes: testcty.Blocks{
		"rule": testcty.Block(configschema.NestingList, ruleAttrs, testcty.Blocks{
			"peer": testcty.Block(configschema.NestingSet, ruleAttrs),
		}),
		"peer":  testcty.Block(configschema.NestingSet, ruleAttrs),
		"zone":  testcty.Block(configschema.NestingMap, ruleAttrs),
		"limit": testcty.Block(configschema.NestingSingle, ruleAttrs),
		"group": testcty.Block(configschema.NestingGroup, ruleAttrs),
	},
}

// The attributes inside objects and blocks of Server.
var (
	DiskAttrs = testcty.Attrs{"kind": testcty.Attr(cty.String, "optional"), "gb": testcty.Attr(cty.Number, "optional")}
	ruleAttrs = testcty.Attrs{"port": testcty.Attr(cty.Number, "optional"), "cidr": testcty.Attr(cty.String, "optional")}
)

// ProviderBlock is the schema of the configuration of a provider.
var ProviderBlock = &configschema.Block{
	Attributes: testcty.Attrs{
		"region": testcty.Attr(cty.String, "optional"), "token": testcty.Attr(cty.String, "optional sensitive"),
	},
	BlockTypes: testcty.Blocks{
		"endpoints": testcty.Block(configschema.NestingList, testcty.Attrs{"url": testcty.Attr(cty.String, "optional")}),
	},
}
