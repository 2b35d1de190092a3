package explore

import (
	"slices"
	"testing"

	"github.com/objchange/objchange/internal/testcty"
	"github.com/objchange/objchange/tfcheck/explore/internal/exploretest"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
	"github.com/zclconf/go-cty/cty"
)

func TestSteps(t *testing.T) {
	schema := testcty.Compiled(exploretest.Server)
	config := exploretest.ValueOf(t, schema, map[string]any{"name": "a"})
	late := exploretest.ValueOf(t, schema, map[string]any{"name": cty.UnknownVal(cty.String)})
	for _, test := range []struct {
		kind  Kind
		then  cty.Value
		reads bool
		want  string
	}{
		{kind: Resource, want: "terraform plan"},
		{kind: Resource, then: config, want: "terraform apply"},
		{kind: Function, want: "terraform plan"},
		{kind: Configuration, want: "terraform plan"},
		{kind: Data, want: "terraform validate"},
		{kind: Data, reads: true, want: "terraform plan"},
		{kind: Ephemeral, want: "terraform validate"},
		{kind: Ephemeral, reads: true, want: "terraform plan"},
	} {
		sc := scenario.Scenario{Kind: test.kind, TypeName: "cloud_server", Schema: schema, Config: config, Then: test.then, Reads: test.reads}
		if test.then != cty.NilVal {
			sc.Config = late
		}
		text, _ := hclOf(sc, naming{})
		if got, _ := stepsOf(sc, naming{}); !slices.Equal(got, []Step{{test.want, text}}) {
			t.Errorf("%s: %v", test.kind, got)
		}
	}
}
