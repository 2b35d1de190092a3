package plantest

import (
	"encoding/json"
	"fmt"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/objchange/objchange/configschema"
)

// TestExactly checks that a plan is checked without its configuration if terraform-json may not
// have decoded all of it.
func TestExactly(t *testing.T) {
	schemas := &configschema.ProviderSchemas{Providers: map[string]*configschema.ProviderSchema{"cloud": {ResourceSchemas: map[string]*configschema.Schema{}}}}
	for _, outer := range []configschema.NestingMode{configschema.NestingSingle, configschema.NestingGroup, configschema.NestingMap, configschema.NestingList, configschema.NestingSet} {
		for _, inner := range []configschema.NestingMode{configschema.NestingSingle, configschema.NestingList} {
			schemas.Providers["cloud"].ResourceSchemas[fmt.Sprintf("%s_%s", outer, inner)] = &configschema.Schema{Block: &configschema.Block{
				BlockTypes: map[string]*configschema.NestedBlock{"outer": {Nesting: outer, Block: configschema.Block{
					BlockTypes: map[string]*configschema.NestedBlock{"inner": {Nesting: inner}},
				}}},
			}}
		}
	}
	for typeName, want := range map[string]bool{
		"list_list": true, "set_list": true, "list_single": false, "set_single": false, "single_list": false, "group_list": false, "map_list": false,
		"unknown_type": true,
	} {
		plan := &tfjson.Plan{Config: &tfjson.Config{}, ResourceChanges: []*tfjson.ResourceChange{{ProviderName: "random"}, {ProviderName: "cloud", Type: typeName}}}
		if got := exactly(plan, schemas); (got.Config != nil) != want || plan.Config == nil {
			t.Errorf("%s: the configuration is kept: %v", typeName, !want)
		}
	}
	for expressions, want := range map[string]bool{
		`{}`: true,
		`{"a": {"constant_value": null}, "b": {}, "c": {"references": ["var.c"]}, "d": {"constant_value": {"e": ["123456789012345678"]}}}`: true,
		`{"a": {"constant_value": 123456789012345}}`:                    true,
		`{"a": {"constant_value": -0.00123456789012345}}`:               true,
		`{"a": {"constant_value": [{"b": 9007199254740993}]}}`:          false,
		`{"a": {"constant_value": 1.2345678901234567}}`:                 false,
		`{"a": {"constant_value": 1000000000000000000001}}`:             false,
		`{"disk": [{"size": {"constant_value": 1}}], "rule": [{}, {}]}`: true,
		`{"disk": [{"size": {"constant_value": 9007199254740993}}]}`:    false,
	} {
		plan := new(tfjson.Plan)
		plan.UseJSONNumber(true)
		text := `{"format_version": "1.2", "planned_values": {}, "configuration": {"root_module": {"resources": [{"expressions": ` + expressions + `}]}}}`
		if err := json.Unmarshal([]byte(text), plan); err != nil {
			t.Fatal(err)
		}
		if got := exactly(plan, schemas); (got.Config != nil) != want {
			t.Errorf("%s: the configuration is kept: %v", text, !want)
		}
	}
}
