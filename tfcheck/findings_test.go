package tfcheck_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
)

type attrs = map[string]*configschema.Attribute

// loads has numbers of all kinds, some of them sensitive.
var loads = &configschema.Block{Attributes: attrs{
	"loads":  {Type: cty.Map(cty.Number), Optional: true, Computed: true, Sensitive: true},
	"counts": {Type: cty.Set(cty.Object(map[string]cty.Type{"n": cty.Number})), Optional: true, Computed: true},
	"any":    {Type: cty.DynamicPseudoType, Optional: true, Computed: true},
}}

// keyed has a map of objects.
var keyed = &configschema.Block{Attributes: attrs{
	"m": {Optional: true, NestedType: &configschema.Object{Nesting: configschema.NestingMap, Attributes: attrs{
		"x": {Type: cty.String, Optional: true, Computed: true},
	}}},
	"n": {Type: cty.String, Optional: true},
}}

func compiled(block *configschema.Block) *objchange.Schema { return must(objchange.Compile(block)) }

// elements returns a value of keyed.
func elements(element cty.Value, n string) cty.Value {
	return cty.ObjectVal(map[string]cty.Value{"m": cty.MapVal(map[string]cty.Value{"k": element}), "n": text(n)})
}

// proposing returns an Exchange with a plan for an unknown element, and the proposed state.
func proposing(program tfcheck.Program, version string, proposed cty.Value) tfcheck.Exchange {
	config := elements(cty.UnknownVal(keyed.ImpliedType().AttributeType("m").ElementType()), "a")
	return tfcheck.Exchange{RPC: "PlanResourceChange", Schema: compiled(keyed), Program: program, Version: version, Config: config,
		Prior: cty.NullVal(keyed.ImpliedType()), Proposed: proposed, Response: config}
}

// TestExchangeFindings checks findings of exchanges that no call of a server creates, or that
// have other schemas.
func TestExchangeFindings(t *testing.T) {
	unknownElement := cty.UnknownVal(keyed.ImpliedType().AttributeType("m").ElementType())
	unknowns := cty.ObjectVal(map[string]cty.Value{"x": unknown})
	infinities := must(driver.ValueOf(loads, obj{
		"loads":  obj{"hunter2": cty.PositiveInfinity},
		"counts": []any{obj{"n": cty.PositiveInfinity}, obj{"n": 1}},
		"any":    cty.TupleVal([]cty.Value{cty.True, cty.NegativeInfinity}),
	}))
	for name, test := range map[string]struct {
		exchange tfcheck.Exchange
		want     string
	}{
		"no RPC":      {tfcheck.Exchange{RPC: "PlanResource"}, "PlanResource request invalid-input"},
		"no response": {tfcheck.Exchange{RPC: "ReadResource", Schema: thingSchema}, "ReadResource response invalid-input"},
		"no schema":   {tfcheck.Exchange{RPC: "ReadResource", Response: value(exists)}, "ReadResource response invalid-input"},
		"failed":      {tfcheck.Exchange{RPC: "ReadResource", Schema: thingSchema, Failed: true}, ""},

		"ephemeral result alone": {tfcheck.Exchange{RPC: "OpenEphemeralResource", Schema: thingSchema, Response: value(planned)},
			"OpenEphemeralResource response invalid-input"},

		// OpenTofu and Terraform 1.11 propose an unknown element of a map as configured. Terraform
		// 1.12 expands it to an object.
		"the proposal of Terraform 1.11":    {proposing(tfcheck.Terraform, "1.11.4", elements(unknownElement, "a")), ""},
		"a proposal not of Terraform 1.11":  {proposing(tfcheck.Terraform, "1.11.4", elements(unknownElement, "b")), "PlanResourceChange request .n proposed-not-core"},
		"Terraform's proposal to Terraform": {proposing(tfcheck.Terraform, "", elements(unknowns, "a")), ""},
		"OpenTofu's proposal to Terraform":  {proposing(tfcheck.Terraform, "", elements(unknownElement, "a")), `PlanResourceChange request .m["k"] proposed-not-core`},
		"OpenTofu's proposal":               {proposing(tfcheck.OpenTofu, "", elements(unknownElement, "a")), ""},
		"a proposal of neither program":     {proposing(tfcheck.OpenTofu, "", elements(unknownElement, "b")), "PlanResourceChange request .n proposed-not-core"},
		"a known element proposed": {proposing(tfcheck.OpenTofu, "", elements(cty.ObjectVal(map[string]cty.Value{"x": text("y")}), "a")),
			`PlanResourceChange request .m["k"].x proposed-not-core`},

		"infinite numbers, without secret keys": {
			tfcheck.Exchange{RPC: "PlanResourceChange", Schema: compiled(loads), Config: loads.EmptyValue(), Prior: cty.NullVal(loads.ImpliedType()), Response: infinities},
			"PlanResourceChange response .any[1] type-mismatch; PlanResourceChange response .counts[*] type-mismatch; PlanResourceChange response .loads[(sensitive)] type-mismatch"},
		"a number without a value, on which cty panics, is not infinite": {tfcheck.Exchange{RPC: "ReadResource", Schema: thingSchema, Response: value(obj{"size": cty.NumberVal(nil)})}, ""},
		"a default that comes back for an attribute that is no longer configured": {
			tfcheck.Exchange{RPC: "PlanResourceChange", Schema: thingSchema, Legacy: true, Prior: value(large), Config: value(obj{"name": "a"}), Response: value(small)},
			"PlanResourceChange response .size plan-not-computed, legacy-sdk"},
	} {
		if got := strings.Join(brief(test.exchange.Findings()), "; "); got != test.want {
			t.Errorf("%s: found\n%s, want\n%s", name, got, test.want)
		}
	}
	if tfcheck.Checks("PlanResource") || !tfcheck.Checks("PlanResourceChange") {
		t.Error("Judged is wrong for PlanResource or PlanResourceChange")
	}
}

// TestFindingOmitsAnIDThatMayBeSecret checks that a finding does not contain an id that may be a secret.
func TestFindingOmitsAnIDThatMayBeSecret(t *testing.T) {
	thing := func(sensitive bool) *configschema.Block {
		return &configschema.Block{Attributes: attrs{"id": {Type: cty.String, Computed: true, Sensitive: sensitive}, "name": {Type: cty.String, Optional: true}}}
	}
	value := func(id, name cty.Value) cty.Value {
		return cty.ObjectVal(map[string]cty.Value{"id": id, "name": name})
	}
	none, absent := cty.NullVal(cty.String), cty.NullVal(thing(false).ImpliedType())
	for name, test := range map[string]struct {
		schema          *configschema.Block
		prior, response cty.Value
		want            string
	}{
		"as the prior value":   {thing(false), value(text("a"), none), value(text("a"), text("x")), "a"},
		"as the planned value": {thing(false), absent, value(text("b"), text("x")), "b"},
		"unknown":              {thing(false), absent, value(unknown, text("x")), ""},
		"sensitive":            {thing(true), value(text("a"), none), value(text("a"), text("x")), ""},
		"marked":               {thing(false), value(text("a").Mark("m"), none), value(text("a").Mark("m"), text("x")), ""},
	} {
		x := tfcheck.Exchange{RPC: "PlanResourceChange", TypeName: "t", Schema: compiled(test.schema), Prior: test.prior, Config: value(none, none), Response: test.response}
		if found := x.Findings(); len(found) == 0 || found[0].Object != test.want {
			t.Errorf("%s: %v", name, found)
		}
	}
}

// bucketBlock is a schema that the legacy SDK could create.
var bucketBlock = &configschema.Block{
	Attributes: attrs{
		"id":    {Type: cty.String, Computed: true},
		"name":  {Type: cty.String, Optional: true},
		"name2": {Type: cty.String, Optional: true},
		"size":  {Type: cty.Number, Optional: true},
		"tags":  {Type: cty.Map(cty.String), Optional: true},
		"zones": {Type: cty.List(cty.String), Optional: true},
		"token": {Type: cty.String, Optional: true, Sensitive: true},
	},
	BlockTypes: map[string]*configschema.NestedBlock{
		"settings": {Nesting: configschema.NestingList, Block: configschema.Block{Attributes: attrs{
			"days":      {Type: cty.Number, Optional: true},
			"versioned": {Type: cty.Bool, Optional: true},
		}}},
		"port": {Nesting: configschema.NestingSet, Block: configschema.Block{Attributes: attrs{
			"number": {Type: cty.Number, Required: true},
			"proto":  {Type: cty.String, Optional: true},
			"ref":    {Type: cty.String, Optional: true, Computed: true},
		}}},
	},
}

// legacyCases lists values that a legacy provider receives and the values that it returns, with the
// findings for a plan of that configuration and for an apply of that plan.
var legacyCases = map[string]struct {
	from, to    obj
	plan, apply []string
}{
	"string":          {obj{}, obj{"name": ""}, []string{"legacy-sdk plan-not-computed"}, []string{"legacy-sdk inconsistent-value"}},
	"string not kept": {obj{"name": ""}, obj{}, []string{"legacy-sdk plan-not-config"}, []string{"legacy-sdk inconsistent-value"}},
	"number":          {obj{}, obj{"size": 0}, []string{"legacy-sdk plan-not-computed"}, []string{"legacy-sdk inconsistent-value"}},
	"map":             {obj{}, obj{"tags": obj{}}, []string{"legacy-sdk plan-not-computed"}, []string{"legacy-sdk inconsistent-value"}},
	"map of zeros":    {obj{"tags": obj{"a": nil}}, obj{}, []string{"legacy-sdk plan-not-config"}, []string{"legacy-sdk inconsistent-value"}},
	"null in a list":  {obj{"zones": []any{"a", nil}}, obj{"zones": []any{"a", ""}}, []string{"legacy-sdk plan-not-config"}, []string{"legacy-sdk inconsistent-value"}},
	"empty list":      {obj{}, obj{"zones": []any{}}, []string{"legacy-sdk plan-not-computed"}, []string{"legacy-sdk inconsistent-value"}},
	"secret":          {obj{}, obj{"token": ""}, []string{"legacy-sdk plan-not-computed"}, []string{"legacy-sdk inconsistent-sensitive"}},
	"in a block":      {obj{"settings": []any{obj{"days": 7}}}, obj{"settings": []any{obj{"days": 7, "versioned": false}}}, []string{"legacy-sdk plan-not-computed"}, []string{"legacy-sdk inconsistent-value"}},
	"block of zeros":  {obj{}, obj{"settings": []any{obj{"versioned": false}}}, []string{"legacy-sdk plan-count"}, []string{"legacy-sdk inconsistent-count"}},
	"empty block":     {obj{"settings": []any{obj{}}}, obj{}, []string{"legacy-sdk plan-count"}, []string{"legacy-sdk inconsistent-count"}},
	"in a set":        {obj{"port": []any{obj{"number": 80}}}, obj{"port": []any{obj{"number": 80, "proto": ""}}}, []string{"legacy-sdk plan-set-element"}, []string{"legacy-sdk inconsistent-set-element"}},
	"beside a value that the provider chooses": {obj{"port": []any{obj{"number": 80}}}, obj{"port": []any{obj{"number": 80, "proto": "", "ref": "x"}}}, []string{"legacy-sdk plan-set-element"}, []string{"tolerated inconsistent-set-element"}},
	"a default":              {obj{"port": []any{obj{"number": 80}}}, obj{"port": []any{obj{"number": 80, "proto": "tcp"}}}, []string{"legacy-sdk plan-set-element"}, []string{"tolerated inconsistent-set-element"}},
	"a default attribute":    {obj{}, obj{"size": 3}, []string{"legacy-sdk plan-not-computed"}, []string{"tolerated inconsistent-value"}},
	"upper case":             {obj{"name": "a"}, obj{"name": "A"}, []string{"tolerated plan-not-config"}, []string{"tolerated inconsistent-value"}},
	"value replaced by zero": {obj{"size": 3}, obj{"size": 0}, []string{"tolerated plan-not-config"}, []string{"tolerated inconsistent-value"}},
	"key lost":               {obj{"tags": obj{"a": "x", "b": ""}}, obj{"tags": obj{"a": "x"}}, []string{"tolerated plan-not-config"}, []string{"tolerated inconsistent-key"}},
	"block lost":             {obj{"settings": []any{obj{"days": 7}}}, obj{}, []string{"tolerated plan-count"}, []string{"tolerated inconsistent-count"}},
	"tolerated and a zero":   {obj{"name2": "a"}, obj{"name": "", "name2": "A"}, []string{"tolerated plan-not-config", "legacy-sdk plan-not-computed"}, []string{"tolerated inconsistent-value", "legacy-sdk inconsistent-value"}},
	"unknown":                {obj{}, obj{"name": cty.UnknownVal(cty.String)}, []string{"tolerated plan-not-computed"}, []string{"rejected state-unknown"}},
	"unchecked and a zero":   {obj{"port": []any{obj{"number": 80}}}, obj{"port": []any{obj{"number": 81}}, "name": ""}, []string{"unchecked plan-set-element", "legacy-sdk plan-not-computed"}, []string{"tolerated inconsistent-set-element", "legacy-sdk inconsistent-value"}},
}

// TestZeroValuesHaveSeverityLegacySDK checks that zero values and defaults of the legacy SDK have
// severity LegacySDK, in the plan and after apply.
func TestZeroValuesHaveSeverityLegacySDK(t *testing.T) {
	made := func(data obj) cty.Value { return must(driver.ValueOf(bucketBlock, data)) }
	for name, test := range legacyCases {
		t.Run(name, func(t *testing.T) {
			for want, x := range map[*[]string]tfcheck.Exchange{
				&test.plan:  {RPC: "PlanResourceChange", Prior: cty.NullVal(bucketBlock.ImpliedType()), Config: made(test.from)},
				&test.apply: {RPC: "ApplyResourceChange", Planned: made(test.from)},
			} {
				x.Schema, x.Response, x.Legacy = compiled(bucketBlock), made(test.to), true
				var got []string
				for _, f := range x.Findings() {
					kind := string(f.Severity) + " "
					for _, v := range f.Violations {
						got = append(got, kind+string(v.Rule))
					}
				}
				if diff := cmp.Diff(*want, got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", x.RPC, diff)
				}
				x.Legacy = false // only the flag makes it tolerated
				for _, f := range x.Findings() {
					if f.Severity == objchange.Tolerated || f.Severity == objchange.LegacySDK {
						t.Errorf("without the flag of the legacy type system: %v", f)
					}
				}
			}
		})
	}
}

// TestDataResultIsComparedWithTheConfiguration checks the message about a result that differs from the configuration
// of a data source.
func TestDataResultIsComparedWithTheConfiguration(t *testing.T) {
	found := tfcheck.Exchange{RPC: "ReadDataSource", Schema: thingSchema, Config: value(small), Response: value(large)}.Findings()
	if len(found) != 1 || found[0].Violations[0].Message != "the configuration has 1, the result has 2" {
		t.Errorf("found %v", found)
	}
}
