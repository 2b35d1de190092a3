package scenario

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	. "github.com/objchange/objchange/internal/testcty"
)

// TestOmittedValueHasTerraformsForm checks that an omitted value has the form that Terraform sends:
// null of the schema's type, or no blocks.
func TestOmittedValueHasTerraformsForm(t *testing.T) {
	block := &configschema.Block{
		Attributes: Attrs{"any": Attr(cty.DynamicPseudoType, "optional"), "name": Attr(cty.String, "optional")},
		BlockTypes: Blocks{"rule": Block(configschema.NestingSet, Attrs{"port": Attr(cty.Number, "optional")})},
	}
	rule := cty.Object(map[string]cty.Type{"port": cty.Number})
	for _, test := range []struct {
		path cty.Path
		v    cty.Value
		want cty.Value
	}{
		{cty.GetAttrPath("name"), Str("a"), cty.NullVal(cty.String)},
		{cty.GetAttrPath("any"), Str("a"), cty.NullVal(cty.DynamicPseudoType)},
		{cty.GetAttrPath("any").GetAttr("a"), Str("a"), cty.NullVal(cty.String)},
		{cty.GetAttrPath("rule"), cty.SetVal([]cty.Value{cty.NullVal(rule)}), cty.SetValEmpty(rule)},
		{cty.GetAttrPath("rule").IndexInt(0).GetAttr("port"), cty.Zero, cty.NullVal(cty.Number)},
	} {
		if got := absent(block, test.path, test.v); !got.RawEquals(test.want) {
			t.Errorf("%#v: %#v", test.path, got)
		}
	}
}

// TestReductionsOfAnyType checks that reductions do not panic, even if the elements of a collection
// could get different types.
func TestReductionsOfAnyType(t *testing.T) {
	schema, err := objchange.Compile(&configschema.Block{Attributes: Attrs{"a": Attr(cty.Map(cty.Object(map[string]cty.Type{"x": cty.DynamicPseudoType})), "required")}})
	if err != nil {
		t.Fatal(err)
	}
	element := Object(Obj{"x": Str("b")})
	sc := Scenario{Kind: Resource, Schema: schema, Steps: []Step{{Config: Object(Obj{"a": cty.MapVal(Obj{"k": element, "l": element})})}}}
	for _, r := range sc.Reductions() {
		sc.Without([]reduction{r})
	}
}

// TestUpdateIsReducedToPlainValues checks that the values of an update become simple although they
// must stay different, so they cannot become the same value in both steps.
func TestUpdateIsReducedToPlainValues(t *testing.T) {
	schema, err := objchange.Compile(&configschema.Block{Attributes: Attrs{"a": Attr(cty.String, "required")}})
	if err != nil {
		t.Fatal(err)
	}
	config := func(text string) cty.Value { return Object(Obj{"a": Str(text)}) }
	sc := Scenario{Kind: Resource, Schema: schema, Steps: []Step{
		{Does: Applies, Config: config("example")}, {Does: Applies, Config: config("example2")},
	}}
	for _, r := range sc.Reductions() {
		smaller, _ := sc.Without([]reduction{r})
		if !smaller.Steps[0].Config.RawEquals(smaller.Steps[1].Config) {
			sc = smaller
		}
	}
	for i, want := range []string{"a", "A"} {
		if got := sc.Steps[i].Config; !got.RawEquals(config(want)) {
			t.Errorf("step %d: %#v, want %q", i, got, want)
		}
	}
}
