package recording

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/tfcheck"
	"github.com/zclconf/go-cty/cty"
)

// A life of a thing, from the first plan to its destruction.
func TestLife(t *testing.T) {
	one, two := sized(1, a), sized(2, a)

	r := newRecorder(t)
	r.plan(none, sized(1, noID), sized(1, noID), sized(1, unknownID))
	r.apply(none, sized(1, unknownID), one)
	r.upgrade(one)
	r.read(one)
	r.plan(one, sized(1, noID), one, one)
	r.plan(one, sized(2, noID), two, two)
	r.apply(one, two, two)
	r.plan(two, none, none, none)
	r.apply(two, none, none)
	r.request("MoveResourceState", field{"Response_TargetState", one})
	r.request("ImportResourceState",
		field{"Response_ImportedResource_State", one},
		field{"Response_ImportedResource_State", two})

	expect(t, r, `
PlanResourceChange test_thing create: judged
ApplyResourceChange test_thing create: judged
UpgradeResourceState test_thing -: judged
ReadResource test_thing -: judged
PlanResourceChange test_thing no-op: judged
PlanResourceChange test_thing update: judged
ApplyResourceChange test_thing update: judged
PlanResourceChange test_thing delete: judged
ApplyResourceChange test_thing delete: judged
MoveResourceState test_thing -: judged
ImportResourceState test_thing -: judged
`)
}

// A data source must be known and be there. An ephemeral resource may hold what is
// not known, and must be a valid plan for its configuration.
func TestDataSources(t *testing.T) {
	for _, test := range []struct{ key, rpc, field, want string }{
		{"tf_data_source_type", "ReadDataSource", "Response_State", `
RPC test_thing -: judged
RPC test_thing -: judged
  state-unknown .id: ...
RPC test_thing -: judged
  inconsistent-value .size: ... (not enforced)
RPC test_thing -: judged
  data-null : ...
`},
		{"tf_ephemeral_resource_type", "OpenEphemeralResource", "Response_Result", `
RPC test_thing -: judged
RPC test_thing -: judged
RPC test_thing -: judged
  plan-not-config .size: ...
RPC test_thing -: judged
  data-null : ...
`},
	} {
		r := newRecorder(t)
		r.typeKey = test.key
		read := func(result cty.Value) {
			r.request(test.rpc, field{"Request_Config", sized(1, noID)}, field{test.field, result})
		}
		read(sized(1, a))
		read(sized(1, unknownID))
		read(sized(2, a))
		read(none)

		expect(t, r, strings.ReplaceAll(test.want, "RPC", test.rpc))
	}
}

// What is read of a resource that is deferred need not be known yet.
func TestDeferred(t *testing.T) {
	r := newRecorder(t)
	r.read(sized(1, unknownID))
	r.logLine("ReadResource", `"@message": "Received downstream deferred response", "tf_deferred_reason": "RESOURCE_CONFIG_UNKNOWN"`)

	expect(t, r, `
ReadResource test_thing -: judged
`)
}

// Core proposed something else than ProposedNew does.
func TestProposalDiffers(t *testing.T) {
	config := thing(map[string]cty.Value{
		"secret": cty.StringVal("hunter2"),
		"users": cty.MapVal(map[string]cty.Value{
			"alice": cty.ObjectVal(map[string]cty.Value{"token": cty.StringVal("hunter3")}),
		}),
	})
	altered := thing(map[string]cty.Value{
		"secret": cty.StringVal("hunter4"),
		"size":   cty.NumberIntVal(5),
		"users": cty.MapVal(map[string]cty.Value{
			"alice": cty.ObjectVal(map[string]cty.Value{"token": cty.StringVal("hunter5")}),
		}),
	})

	r := newRecorder(t)
	r.plan(none, config, altered, config)

	expect(t, r, `
PlanResourceChange test_thing create: judged
  proposed-not-core .secret: ...
  proposed-not-core .size: ...
  proposed-not-core .users["alice"].token: ...
`)
}

// A proposal may differ in nothing but what it promises of an unknown value.
func TestProposalDiffersInRefinement(t *testing.T) {
	config := thing(map[string]cty.Value{"secret": cty.UnknownVal(cty.String)})
	altered := thing(map[string]cty.Value{"secret": cty.UnknownVal(cty.String).RefineNotNull()})

	r := newRecorder(t)
	r.plan(none, config, altered, config)

	expect(t, r, `
PlanResourceChange test_thing create: judged
  proposed-not-core : an unknown value in the proposed state promises something else than in Core's
`)
}

// Violations follow what they are of. What Core does not enforce is told too,
// and what is wrong with the request.
func TestViolations(t *testing.T) {
	one := sized(1, a)

	r := newRecorder(t)
	r.plan(one, sized(2, noID), sized(2, a), sized(3, a))
	r.apply(one, sized(2, unknownID), sized(3, unknownID))
	r.read(sized(1, unknownID))
	r.read(thing(map[string]cty.Value{"rule": cty.NullVal(thingType.AttributeType("rule"))}))
	r.request("ReadResource", field{"Request_CurrentState", sized(1, unknownID)}, field{"Response_NewState", one}) // as imported
	r.apply(sized(1, unknownID), one, one)

	expect(t, r, `
PlanResourceChange test_thing update: judged
  plan-not-config .size: ...
ApplyResourceChange test_thing update: judged
  state-unknown .id: ...
  inconsistent-value .size: ...
ReadResource test_thing -: judged
  state-unknown .id: ...
ReadResource test_thing -: judged
  state-null-blocks .rule: ... (not enforced)
ReadResource test_thing -: judged
ApplyResourceChange test_thing update: judged
  state-unknown .id: in the request: ...
`)
}

// Of what was to be created there is something, even if nothing was planned.
func TestNothingMade(t *testing.T) {
	r := newRecorder(t)
	r.request("ApplyResourceChange",
		field{"Request_Config", sized(1, noID)},
		field{"Request_PlannedState", none},
		field{"Request_PriorState", none},
		field{"Response_NewState", none})

	expect(t, r, `
ApplyResourceChange test_thing no-op: judged
  inconsistent-presence : ...
`)
}

// A value that is one, of another type, is a finding; in the request it is one
// of the request. Core looks at no response that came with an error.
func TestTypeMismatch(t *testing.T) {
	other := cty.ObjectVal(map[string]cty.Value{"name": a})

	r := newRecorder(t)
	r.read(sized(1, a))
	r.read(other)
	r.request("ReadResource", field{"Request_CurrentState", other}, field{"Response_NewState", sized(1, a)})
	r.plan(none, sized(1, noID), sized(1, noID), other)
	r.plan(none, sized(1, noID), sized(1, noID), other)
	r.answered("PlanResourceChange", 1)

	expect(t, r, `
ReadResource test_thing -: judged
ReadResource test_thing -: judged
  type-mismatch : ...
ReadResource test_thing -: judged
  type-mismatch : in the request: ...
PlanResourceChange test_thing -: judged
  type-mismatch : ...
PlanResourceChange test_thing -: failed: the provider returned an error
`)
}

// Of providers that are said to use the legacy SDK, what Core only logs is excused, but
// not what it rejects all the same.
func TestLegacyTypeSystem(t *testing.T) {
	r := newRecorder(t)
	r.plan(none, sized(1, noID), sized(1, noID), sized(2, noID))
	r.plan(none, thing(nil), thing(nil), sized(0, noID))
	r.apply(sized(1, a), sized(1, a), sized(2, unknownID))
	const want = `
PlanResourceChange test_thing create: judged
  plan-not-config .size: ...LOGGED
PlanResourceChange test_thing create: judged
  plan-not-computed .size: ...LOGGED
ApplyResourceChange test_thing no-op: judged
  state-unknown .id: ...
  inconsistent-value .size: ...LOGGED
`
	expect(t, r, strings.ReplaceAll(want, "LOGGED", ""))
	r.legacy = true
	expect(t, r, strings.ReplaceAll(want, "LOGGED", " (excused)"))
	if found, _ := r.replay(); len(found.Subjects[0].Findings) > 0 && found.Subjects[0].Findings[0].Counts(false) {
		t.Error("what is excused counts")
	}
}

// Sensitive values are nowhere in the report, whatever is wrong with them.
func TestHidesSensitiveValues(t *testing.T) {
	secret := func(s string) cty.Value { return thing(map[string]cty.Value{"secret": cty.StringVal(s)}) }

	r := newRecorder(t)
	r.plan(none, secret("hunter2"), secret("hunter3"), secret("hunter4"))
	r.apply(none, secret("hunter2"), secret("hunter3"))
	r.requests++
	r.wrote("ReadResource", "8_ReadResource_Response_NewState.msgpack", []byte("\x81\xa6secret\xa7hunter5"))
	r.requests++
	r.wrote("ReadResource", "9_ReadResource_Response_NewState.msgpack", []byte("\x82\xa6secret\xa7hunter5"))

	found, err := r.replay()
	all, _ := json.Marshal(found)
	if !found.Wrong(report.Options{}) || err == nil || strings.Contains(string(all)+err.Error(), "hunter") {
		t.Errorf("%s\n%v", all, err)
	}
}

// Requests that no rule speaks of are counted, as either protocol names them.
func TestNotJudged(t *testing.T) {
	r := newRecorder(t)
	for _, rpc := range []string{"ValidateResourceTypeConfig", "ValidateResourceConfig", "ValidateResourceConfig"} {
		r.request(rpc, field{"Request_Config", sized(1, a)})
	}
	r.requests++
	r.logLine("GetProviderSchema", `"@message": "Received request"`)
	r.read(sized(1, a))

	expect(t, r, `
ReadResource test_thing -: judged
note: 4 requests that no rule speaks of: GetProviderSchema 1, ValidateResourceConfig 2, ValidateResourceTypeConfig 1
`)
}

// All that there are rules for is judged, and there are rules for all that is.
func TestJudgedRPCs(t *testing.T) {
	for rpc := range judgements {
		if !tfcheck.Judged(rpc) {
			t.Errorf("%s has no rules", rpc)
		}
	}
	if len(judgements) != 8 {
		t.Errorf("%d RPCs are judged", len(judgements))
	}
}

// The providers of a run are told apart by their addresses, which need not be
// those that the configuration has for them.
func TestSeveralProviders(t *testing.T) {
	other := cty.ObjectVal(map[string]cty.Value{"name": a})

	for _, address := range []string{"example.com/test/other", "registry.terraform.io/test/other", "its/own", ""} {
		r := newRecorder(t)
		r.read(sized(1, a))
		r.provider, r.typeName = address, "other_thing"
		r.read(other)
		r.provider, r.typeName = "example.com/test/test", "test_thing"
		r.read(sized(1, unknownID))

		expect(t, r, `
ReadResource test_thing -: judged
ReadResource other_thing -: judged
ReadResource test_thing -: judged
  state-unknown .id: ...
`)
	}
}

// Two providers may have a type of one name. Then the provider's own name must
// tell which it is.
func TestTypeOfSeveralProviders(t *testing.T) {
	name := cty.ObjectVal(map[string]cty.Value{"name": a})

	r := newRecorder(t)
	r.schemas = strings.ReplaceAll(schemasJSON, "other_thing", "test_thing")
	r.provider = "registry.terraform.io/test/other"
	r.read(name)
	r.provider = "registry.terraform.io/its/own"
	r.read(name)

	expect(t, r, `
ReadResource test_thing -: judged
ReadResource test_thing -: skipped: no schema for this type
`)
}

// The provider that terraform-plugin-testing brings is not judged, and does not count
// as skipped.
func TestEcho(t *testing.T) {
	r := newRecorder(t)
	r.read(sized(1, a))
	first := r.log.String()
	r.read(sized(1, a))
	second := strings.TrimPrefix(r.log.String(), first)
	r.log.Reset()
	r.log.WriteString(first + strings.ReplaceAll(second, "test_thing", "echo"))

	expect(t, r, `
ReadResource test_thing -: judged
note: 1 request of terraform-plugin-testing's echo provider, passed over
`)
}

func TestNoSchema(t *testing.T) {
	r := newRecorder(t)
	r.schemas = `{"format_version": "1.0", "provider_schemas": {}}`
	r.read(sized(1, a))

	expect(t, r, `
ReadResource test_thing -: skipped: no schema for this type
error: run/log.jsonl: no request could be judged, of 1: the first, in line 1: no schema for this type
`)
}

// Only a schema without a meaning is refused, not one that Terraform would not take.
func TestInvalidSchema(t *testing.T) {
	schemas := func(more string) string {
		return `{"format_version": "1.0", "provider_schemas": {"a": {
			"resource_schemas": {"test_thing": {"version": 0, "block": {"attributes": {"size": {"type": "number"}}` + more + `}}}}}}`
	}
	r := newRecorder(t)
	r.schemas = schemas("")
	r.read(cty.ObjectVal(map[string]cty.Value{"size": cty.Zero}))
	expect(t, r, `
ReadResource test_thing -: judged
`)
	r.schemas = schemas(`, "block_types": {"size": {"nesting_mode": "list", "block": {}}}`)
	expect(t, r, `
ReadResource test_thing -: skipped: invalid schema: .size: ...
error: run/log.jsonl: no request could be judged, of 1: the first, in line 1: invalid schema: .size: ...
`)
}
