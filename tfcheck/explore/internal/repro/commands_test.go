package repro

import (
	"testing"

	"github.com/objchange/objchange/internal/testcty"
	"github.com/objchange/objchange/tfcheck/explore/internal/exploretest"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
	"github.com/zclconf/go-cty/cty"
)

func TestEachKindHasItsCommands(t *testing.T) {
	schema := testcty.Compiled(exploretest.Server)
	config := exploretest.ValueOf(t, schema, map[string]any{"name": "a"})
	late := exploretest.ValueOf(t, schema, map[string]any{"name": cty.UnknownVal(cty.String)})
	for _, test := range []struct {
		kind  scenario.Kind
		then  cty.Value
		reads bool
		want  string
	}{
		{kind: scenario.Resource, want: "terraform plan"},
		{kind: scenario.Resource, then: config, want: "terraform apply"},
		{kind: scenario.Function, want: "terraform plan"},
		{kind: scenario.Configuration, want: "terraform plan"},
		{kind: scenario.Data, want: "terraform validate"},
		{kind: scenario.Data, reads: true, want: "terraform plan"},
		{kind: scenario.Ephemeral, want: "terraform validate"},
		{kind: scenario.Ephemeral, reads: true, want: "terraform plan"},
	} {
		st := scenario.Step{Config: config, Then: test.then}
		if test.then != cty.NilVal {
			st.Config = late
		}
		sc := scenario.Scenario{Kind: test.kind, TypeName: "cloud_server", Schema: schema, Steps: []scenario.Step{st}, Reads: test.reads}
		text, _, _ := hclOf(sc, sc.Last(), Naming{}, 0)
		if got, _ := Commands(sc, Naming{}); len(got) != 1 || got[0].Command != test.want || got[0].HCL != text {
			t.Errorf("%s: %v", test.kind, got)
		}
	}
}
