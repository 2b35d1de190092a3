package tfcheck_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
)

// bucketBlock is a schema such as the legacy SDK makes.
var bucketBlock = &configschema.Block{
	Attributes: map[string]*configschema.Attribute{
		"id":    {Type: cty.String, Computed: true},
		"name":  {Type: cty.String, Optional: true},
		"name2": {Type: cty.String, Optional: true},
		"size":  {Type: cty.Number, Optional: true},
		"tags":  {Type: cty.Map(cty.String), Optional: true},
		"zones": {Type: cty.List(cty.String), Optional: true},
		"token": {Type: cty.String, Optional: true, Sensitive: true},
	},
	BlockTypes: map[string]*configschema.NestedBlock{
		"settings": {Nesting: configschema.NestingList, Block: configschema.Block{Attributes: map[string]*configschema.Attribute{
			"days":      {Type: cty.Number, Optional: true},
			"versioned": {Type: cty.Bool, Optional: true},
		}}},
		"port": {Nesting: configschema.NestingSet, Block: configschema.Block{Attributes: map[string]*configschema.Attribute{
			"number": {Type: cty.Number, Required: true},
			"proto":  {Type: cty.String, Optional: true},
			"ref":    {Type: cty.String, Optional: true, Computed: true},
		}}},
	},
}

// zeroCases are values that a legacy provider is given, what it makes of them, and
// the findings about that: of the plan made of such a configuration, and of the
// state after such a plan.
var zeroCases = map[string]struct {
	from, to    obj
	plan, apply []string
}{
	"as it is":          {obj{"name": "a", "id": "1"}, obj{"name": "a", "id": "1"}, nil, nil},
	"string":            {obj{}, obj{"name": ""}, []string{"legacy-zero plan-not-computed"}, []string{"legacy-zero inconsistent-value"}},
	"string not kept":   {obj{"name": ""}, obj{}, []string{"legacy-zero plan-not-config"}, []string{"legacy-zero inconsistent-value"}},
	"number":            {obj{}, obj{"size": 0}, []string{"legacy-zero plan-not-computed"}, []string{"legacy-zero inconsistent-value"}},
	"map":               {obj{}, obj{"tags": obj{}}, []string{"legacy-zero plan-not-computed"}, []string{"legacy-zero inconsistent-value"}},
	"map of zeros":      {obj{"tags": obj{"a": nil}}, obj{}, []string{"legacy-zero plan-not-config"}, []string{"legacy-zero inconsistent-value"}},
	"null in a list":    {obj{"zones": []any{"a", nil}}, obj{"zones": []any{"a", ""}}, []string{"legacy-zero plan-not-config"}, []string{"legacy-zero inconsistent-value"}},
	"empty list":        {obj{}, obj{"zones": []any{}}, []string{"legacy-zero plan-not-computed"}, []string{"legacy-zero inconsistent-value"}},
	"secret":            {obj{}, obj{"token": ""}, []string{"legacy-zero plan-not-computed"}, []string{"legacy-zero inconsistent-sensitive"}},
	"in a block":        {obj{"settings": []any{obj{"days": 7}}}, obj{"settings": []any{obj{"days": 7, "versioned": false}}}, []string{"legacy-zero plan-not-computed"}, []string{"legacy-zero inconsistent-value"}},
	"block of zeros":    {obj{}, obj{"settings": []any{obj{"versioned": false}}}, []string{"legacy-zero plan-count"}, []string{"legacy-zero inconsistent-count"}},
	"empty block":       {obj{"settings": []any{obj{}}}, obj{}, []string{"legacy-zero plan-count"}, []string{"legacy-zero inconsistent-count"}},
	"in a set":          {obj{"port": []any{obj{"number": 80}}}, obj{"port": []any{obj{"number": 80, "proto": ""}}}, []string{"legacy-zero plan-set-element"}, []string{"legacy-zero inconsistent-set-element"}},
	"beside a choice":   {obj{"port": []any{obj{"number": 80}}}, obj{"port": []any{obj{"number": 80, "proto": "", "ref": "x"}}}, []string{"legacy-zero plan-set-element"}, []string{"tolerated inconsistent-set-element"}},
	"a default":         {obj{"port": []any{obj{"number": 80}}}, obj{"port": []any{obj{"number": 80, "proto": "tcp"}}}, []string{"unchecked plan-set-element"}, []string{"tolerated inconsistent-set-element"}},
	"upper case":        {obj{"name": "a"}, obj{"name": "A"}, []string{"tolerated plan-not-config"}, []string{"tolerated inconsistent-value"}},
	"lost":              {obj{"name": "a"}, obj{}, []string{"tolerated plan-not-config"}, []string{"tolerated inconsistent-value"}},
	"made zero":         {obj{"size": 3}, obj{"size": 0}, []string{"tolerated plan-not-config"}, []string{"tolerated inconsistent-value"}},
	"value from nought": {obj{"size": 0}, obj{"size": 3}, []string{"tolerated plan-not-config"}, []string{"tolerated inconsistent-value"}},
	"key lost":          {obj{"tags": obj{"a": "x", "b": ""}}, obj{"tags": obj{"a": "x"}}, []string{"tolerated plan-not-config"}, []string{"tolerated inconsistent-key"}},
	"secret changed":    {obj{"token": "a"}, obj{"token": "b"}, []string{"tolerated plan-not-config"}, []string{"tolerated inconsistent-sensitive"}},
	"block lost":        {obj{"settings": []any{obj{"days": 7}}}, obj{}, []string{"tolerated plan-count"}, []string{"tolerated inconsistent-count"}},
	"both":              {obj{"name2": "a"}, obj{"name": "", "name2": "A"}, []string{"tolerated plan-not-config", "legacy-zero plan-not-computed"}, []string{"tolerated inconsistent-value", "legacy-zero inconsistent-value"}},
	"unknown":           {obj{}, obj{"name": cty.UnknownVal(cty.String)}, []string{"tolerated plan-not-computed"}, []string{"rejected state-unknown"}},
	"all of it":         {obj{"port": []any{obj{"number": 80}}}, obj{"port": []any{obj{"number": 81}}, "name": ""}, []string{"unchecked plan-set-element", "legacy-zero plan-not-computed"}, []string{"tolerated inconsistent-set-element", "legacy-zero inconsistent-value"}},
}

// What is only a zero value of the legacy SDK is told apart, in the plan and after
// apply, and Reject lets it pass.
func TestZeroValues(t *testing.T) {
	made := func(data obj) cty.Value { return must(driver.ValueOf(bucketBlock, data)) }
	for name, test := range zeroCases {
		t.Run(name, func(t *testing.T) {
			for want, x := range map[*[]string]tfcheck.Exchange{
				&test.plan:  {RPC: "PlanResourceChange", Prior: cty.NullVal(bucketBlock.ImpliedType()), Config: made(test.from)},
				&test.apply: {RPC: "ApplyResourceChange", Planned: made(test.from)},
			} {
				x.Schema, x.Response, x.Legacy = must(objchange.Compile(bucketBlock)), made(test.to), true
				var got []string
				for _, f := range x.Findings() {
					kind := string(f.Severity) + " "
					for _, v := range f.Violations {
						got = append(got, kind+string(v.Rule))
					}
					if rejected := tfcheck.Reject(f) == tfprotov6.DiagnosticSeverityError; rejected != (f.Severity == tfcheck.Rejected || f.Severity == tfcheck.Tolerated) {
						t.Errorf("rejected: %v: %v", rejected, f)
					}
				}
				if diff := cmp.Diff(*want, got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", x.RPC, diff)
				}
				x.Legacy = false // nobody else is excused
				for _, f := range x.Findings() {
					if f.Severity == tfcheck.Tolerated || f.Severity == tfcheck.LegacyZero {
						t.Errorf("without the flag: %v", f)
					}
				}
			}
		})
	}
}
