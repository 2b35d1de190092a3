package expect_test

import (
	"fmt"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/tfcheck/internal/expect"
)

// TestPlainDataIsTheSameForBoth checks that packages ctydata and driver convert slices, arrays,
// maps and numbers to the same values, and that only driver accepts pointers, models and named
// strings.
func TestPlainDataIsTheSameForBoth(t *testing.T) {
	type named string
	schema := &configschema.Block{
		Attributes: map[string]*configschema.Attribute{
			"text":   {Type: cty.String, Optional: true},
			"number": {Type: cty.Number, Optional: true},
			"bool":   {Type: cty.Bool, Optional: true},
			"list":   {Type: cty.List(cty.String), Optional: true},
			"map":    {Type: cty.Map(cty.Number), Optional: true},
			"open":   {Type: cty.DynamicPseudoType, Optional: true},
		},
		BlockTypes: map[string]*configschema.NestedBlock{"rule": {Nesting: configschema.NestingList, Block: configschema.Block{
			Attributes: map[string]*configschema.Attribute{"port": {Type: cty.Number, Optional: true}},
		}}},
	}
	for _, data := range []map[string]any{
		{"rule": []map[string]any{{"port": 1}, {"port": 2}}},
		{"rule": []any{map[string]int{"port": 1}}},
		{"rule": [1]map[string]any{{"port": 1}}},
		{"list": []string(nil), "map": map[string]int(nil), "rule": []map[string]any(nil)},
		{"map": map[named]int{"a": 1}},
		{"number": uint8(7)}, {"number": float32(0.1)}, {"number": int64(-1)},
		{"list": []string{"a"}, "map": map[string]float64{"a": 0.5}},
		{"list": [2]string{"a", "b"}},
		{"open": []map[string]any{{"a": 1}}},
		{"open": map[string][]string{"a": {"b"}}},
	} {
		t.Run(fmt.Sprint(data), func(t *testing.T) {
			want, wantErr := expect.ValueOf(schema, data)
			got, err := ctydata.ValueOf(schema, data)
			if wantErr != nil || err != nil || !got.RawEquals(want) {
				t.Errorf("ctydata: %#v, %v; driver: %#v, %v", got, err, want, wantErr)
			}
		})
	}
}
