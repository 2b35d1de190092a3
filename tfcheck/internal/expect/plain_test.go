package expect_test

import (
	"fmt"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/tfcheck/internal/expect"
)

// TestPlainDataOfTestsAndOfTheLibrary: data without structs and pointers makes the same value here
// and in ctydata.
func TestPlainDataOfTestsAndOfTheLibrary(t *testing.T) {
	type (
		data = map[string]any
		name string
	)
	schema := &configschema.Block{
		Attributes: map[string]*configschema.Attribute{
			"tags":  {Type: cty.Map(cty.String), Optional: true},
			"zones": {Type: cty.Set(cty.String), Optional: true},
			"any":   {Type: cty.DynamicPseudoType, Optional: true},
		},
		BlockTypes: map[string]*configschema.NestedBlock{"disk": {Nesting: configschema.NestingList, Block: configschema.Block{
			Attributes: map[string]*configschema.Attribute{"size": {Type: cty.Number, Optional: true}},
		}}},
	}
	for _, d := range []any{
		data{"disk": []data{{"size": 1}, {}}},
		data{"disk": []map[string]int{{"size": 1}}},
		data{"disk": []data(nil)},
		data{"disk": [1]data{}},
		data{"tags": map[string]string{"a": "b"}, "zones": []string{"x", "y"}},
		data{"tags": map[name]string{"a": "b"}, "zones": [2]string{"x", "y"}},
		data{"tags": map[string]string(nil), "zones": []string(nil)},
		data{"tags": map[string]any(nil), "zones": []any(nil)},
		data{"any": []map[string][]int{{"a": {1}}}},
		map[string][]data{"disk": {{"size": 2}}},
		map[string]int(nil),
		data{"zones": []int{1}, "tags": []string{"a"}},
	} {
		t.Run(fmt.Sprintf("%#v", d), func(t *testing.T) {
			want, wantErr := expect.ValueOf(schema, d)
			got, err := ctydata.ValueOf(schema, d)
			if (err == nil) != (wantErr == nil) || err == nil && !got.RawEquals(want) {
				t.Errorf("got %#v, %v; want %#v, %v", got, err, want, wantErr)
			}
		})
	}
}
