package objchange_test

import (
	"encoding/json"
	"fmt"

	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/ctydata"
)

// The examples follow the lifecycle of one resource, a server with disks.

// server is the schema of the resource, as in `terraform providers schema -json`.
var server = mustSchema(`{
	"attributes": {
		"id":    {"type": "string", "computed": true},
		"name":  {"type": "string", "required": true},
		"image": {"type": "string", "optional": true, "computed": true},
		"token": {"type": "string", "optional": true, "sensitive": true}
	},
	"block_types": {
		"disk": {"nesting_mode": "set", "block": {"attributes": {
			"size":   {"type": "number", "required": true},
			"device": {"type": "string", "computed": true}
		}}}
	}
}`)

func mustSchema(text string) *objchange.Schema {
	block := &configschema.Block{}
	if err := json.Unmarshal([]byte(text), block); err != nil {
		panic(err)
	}
	return must(objchange.Compile(block))
}

// serverValue reads a server from JSON. "?" means an unknown value.
func serverValue(text string) cty.Value {
	v := must(ctydata.ValueOfJSON(server.Block(), []byte(text)))
	return replace(v, cty.StringVal("?"), cty.UnknownVal(cty.String))
}

// show prints a server as JSON on one line.
func show(v cty.Value, err error) {
	v = replace(must(v, err), cty.UnknownVal(cty.String), cty.StringVal("?"))
	fmt.Println(string(must(ctyjson.Marshal(v, v.Type()))))
}

func replace(v, from, to cty.Value) cty.Value {
	return must(cty.Transform(v, func(_ cty.Path, v cty.Value) (cty.Value, error) {
		if v.RawEquals(from) {
			return to, nil
		}
		return v, nil
	}))
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

var nothing = cty.NullVal(cty.DynamicPseudoType)

// The configuration of a server is checked first.
func ExampleAssertConfigValid() {
	config := serverValue(`{"name": "web", "disk": [{"size": 10, "device": null}]}`)
	fmt.Println(objchange.AssertConfigValid(server, config).Err())

	broken := serverValue(`{"id": "i-1", "disk": [{"size": 10, "device": "sda"}]}`)
	fmt.Println(objchange.AssertConfigValid(server, broken).Err())
	// Output:
	// <nil>
	// .disk[*].device: only the provider may set the attribute [config-computed-only]
	// .id: only the provider may set the attribute [config-computed-only]
	// .name: the required attribute is not set [config-required]
}

// A server is created. There is no prior state, so the proposed state is the configuration.
func ExampleProposedNew_create() {
	config := serverValue(`{"name": "web", "disk": [{"size": 10, "device": null}]}`)
	show(objchange.ProposedNew(server, nothing, config))
	// Output: {"disk":[{"device":null,"size":10}],"id":null,"image":null,"name":"web","token":null}
}

// A provider that makes no decisions plans all computed values as unknown.
func ExamplePlanComputed() {
	config := serverValue(`{"name": "web", "disk": [{"size": 10, "device": null}]}`)
	proposed, err := objchange.ProposedNew(server, nothing, config)
	if err != nil {
		panic(err)
	}
	planned, err := objchange.PlanComputed(server, proposed)
	show(planned, err)
	fmt.Println(objchange.AssertPlanValid(server, nothing, config, planned).Err())
	// Output:
	// {"disk":[{"device":"?","size":10}],"id":"?","image":"?","name":"web","token":null}
	// <nil>
}

// At apply, the configuration must be wholly known, and values that were known at plan must not
// change.
func ExampleAssertConfigConsistent() {
	atPlan := serverValue(`{"name": "?", "image": "debian"}`)
	atApply := serverValue(`{"name": "web", "image": "debian"}`)
	fmt.Println(objchange.AssertConfigConsistent(server, atPlan, atApply).Err())

	broken := serverValue(`{"name": "?", "image": "ubuntu"}`)
	fmt.Println(objchange.AssertConfigConsistent(server, atPlan, broken).Err())
	// Output:
	// <nil>
	// .image: configured "debian" at plan, but "ubuntu" at apply [inconsistent-value]
	// .name: the value is still unknown, but a configuration must be wholly known at apply [config-unknown]
}

// At apply, the provider must return the planned values, and the state must be wholly known.
func ExampleAssertApplyConsistent() {
	planned := serverValue(`{"name": "web", "id": "?", "image": "?", "disk": [{"size": 10, "device": "?"}]}`)
	applied := serverValue(`{"name": "web", "id": "i-1", "image": "debian", "disk": [{"size": 10, "device": "sda"}]}`)
	fmt.Println(objchange.AssertApplyConsistent(server, planned, applied).Err())

	broken := serverValue(`{"name": "WEB", "id": "?", "image": "debian", "disk": [{"size": 20, "device": "sda"}]}`)
	fmt.Println(objchange.AssertApplyConsistent(server, planned, broken).Err())
	// Output:
	// <nil>
	// .disk: the planned element {device = (unknown), size = 10} is missing; the closest returned element has size = 20 instead of 10 [inconsistent-set-element]
	// .id: the value is unknown, but a state must be wholly known [state-unknown]
	// .name: planned "web", but got "WEB" [inconsistent-value]
}

// The apply fails while the server is being created. The state keeps the values that the
// provider returned. The object is tainted, so the next apply replaces it.
func ExamplePartialState() {
	planned := serverValue(`{"name": "web", "id": "?", "image": "?", "disk": [{"size": 10, "device": "?"}]}`)
	returned := serverValue(`{"name": "web", "id": "i-1", "image": "?", "disk": [{"size": 10, "device": "?"}]}`)
	state, tainted, err := objchange.PartialState(server, nothing, planned, returned)
	show(state, err)
	fmt.Println("tainted:", tainted)
	// Output:
	// {"disk":[{"device":null,"size":10}],"id":"i-1","image":null,"name":"web","token":null}
	// tainted: true
}

// The server is refreshed. The state that the provider reads must be wholly known.
func ExampleAssertStateValid() {
	refreshed := serverValue(`{"name": "web", "id": "i-1", "image": "?"}`)
	fmt.Println(objchange.AssertStateValid(server, refreshed).Err())
	// Output: .image: the value is unknown, but a state must be wholly known [state-unknown]
}

// The server is updated with one more disk. The proposed state keeps the values that the
// provider chose before, also in the set element that they belong to.
func ExampleProposedNew_update() {
	prior := serverValue(`{"name": "web", "id": "i-1", "image": "debian", "disk": [{"size": 10, "device": "sda"}]}`)
	config := serverValue(`{"name": "web", "disk": [{"size": 10, "device": null}, {"size": 50, "device": null}]}`)
	show(objchange.ProposedNew(server, prior, config))
	// Output: {"disk":[{"device":"sda","size":10},{"device":null,"size":50}],"id":"i-1","image":"debian","name":"web","token":null}
}

// Another user renamed the server outside of Terraform, and the configuration ignores this
// change. The proposed state for the next plan is made from the result of IgnoreChanges.
func ExampleIgnoreChanges() {
	prior := serverValue(`{"name": "renamed", "id": "i-1", "image": "debian"}`)
	config := serverValue(`{"name": "web", "image": "ubuntu"}`)
	show(objchange.IgnoreChanges(server, prior, config, []cty.Path{cty.GetAttrPath("name")}))
	// Output: {"disk":[],"id":null,"image":"ubuntu","name":"renamed","token":null}
}

// The configuration ignores all changes.
func ExampleIgnoreAllChanges() {
	prior := serverValue(`{"name": "web", "id": "i-1", "image": "debian", "disk": [{"size": 10, "device": "sda"}]}`)
	show(objchange.IgnoreAllChanges(server, prior))
	// Output: {"disk":[{"device":null,"size":10}],"id":null,"image":"debian","name":"web","token":null}
}

// The plan is shown to the user for approval.
func ExampleDiff() {
	prior := serverValue(`{"name": "web", "id": "i-1", "image": "debian", "token": "s3cret", "disk": [{"size": 10, "device": "sda"}]}`)
	planned := serverValue(`{"name": "db", "id": "i-1", "image": "?", "token": "other", "disk": [{"size": 10, "device": "sda"}, {"size": 50, "device": "?"}]}`)
	changes, err := objchange.Diff(server, prior, planned)
	if err != nil {
		panic(err)
	}
	for _, change := range changes {
		fmt.Println(change)
	}
	// Output:
	// + .disk[*] = {device = (unknown), size = 50}
	// ~ .image: "debian" -> (known after apply)
	// ~ .name: "web" -> "db"
	// ~ .token: (sensitive)
}

// PlanAction returns the action of a plan in one word.
func ExamplePlanAction() {
	web, db := serverValue(`{"name": "web", "id": "i-1"}`), serverValue(`{"name": "db", "id": "i-1"}`)
	fmt.Println(objchange.PlanAction(nothing, web, false))
	fmt.Println(objchange.PlanAction(web, web, false))
	fmt.Println(objchange.PlanAction(web, db, false))
	fmt.Println(objchange.PlanAction(web, db, true))
	fmt.Println(objchange.PlanAction(web, nothing, false))
	// Output:
	// create
	// no-op
	// update
	// replace
	// delete
}

// The provider says that a change of the image or the name requires replacement. Only the image
// changes.
func ExampleRequiredReplace() {
	prior := serverValue(`{"name": "web", "id": "i-1", "image": "debian"}`)
	planned := serverValue(`{"name": "web", "id": "?", "image": "ubuntu"}`)
	paths := []cty.Path{cty.GetAttrPath("image"), cty.GetAttrPath("name")}
	required, found := objchange.RequiredReplace(server, prior, planned, paths)
	for _, path := range required {
		fmt.Println(objchange.PathString(path))
	}
	fmt.Println(found.Err())
	fmt.Println(objchange.PlanAction(prior, planned, len(required) > 0))
	// Output:
	// .image
	// <nil>
	// replace
}

// A provider plans values that are neither configured nor allowed. Terraform Core rejects the
// name. It does not check set elements, but this package does.
func ExampleAssertPlanValid() {
	prior := serverValue(`{"name": "web", "id": "i-1", "image": "debian", "token": "s3cret", "disk": [{"size": 10, "device": "sda"}]}`)
	config := serverValue(`{"name": "web", "token": "s3cret", "disk": [{"size": 10, "device": null}]}`)
	planned := serverValue(`{"name": "Web", "id": "i-1", "image": "debian", "token": "other", "disk": [{"size": 16, "device": "sda"}]}`)
	for _, v := range objchange.AssertPlanValid(server, prior, config, planned) {
		fmt.Println(v.Severity, v)
	}
	// Output:
	// unchecked .disk: a planned element matches no configured element: {device = "sda", size = 16}; the closest configured element has size = 10 instead of 16 [plan-set-element]
	// rejected .name: planned "Web", but the configuration has "web" and the prior state has "web" [plan-not-config]
	// rejected .token: the planned value differs from the configuration and from the prior state [plan-not-config]
}

// After more values become known, the provider plans again at apply. The final plan may fill in
// unknown values, but must not change others.
func ExampleAssertPlanConsistent() {
	initial := serverValue(`{"name": "?", "id": "i-1", "image": "debian"}`)
	final := serverValue(`{"name": "web", "id": "i-2", "image": "debian"}`)
	fmt.Println(objchange.AssertPlanConsistent(server, initial, final).Err())
	// Output: .id: planned "i-1", but got "i-2" [inconsistent-value]
}

// The server is deleted. Without a configuration, the proposed state is null, and the plan must
// be null.
func ExampleProposedNew_delete() {
	prior := serverValue(`{"name": "web", "id": "i-1"}`)
	proposed, err := objchange.ProposedNew(server, prior, nothing)
	fmt.Println(proposed.IsNull(), err)
	fmt.Println(objchange.AssertPlanValid(server, prior, nothing, prior).Err())
	// Output:
	// true <nil>
	// the plan has an object that is not configured [plan-present]
}

// A data source that cannot be read before apply has unknown values.
func ExamplePlannedDataResource() {
	config := serverValue(`{"name": "web"}`)
	show(objchange.PlannedDataResource(server, config))
	// Output: {"disk":[],"id":"?","image":"?","name":"web","token":null}
}

// Blocks that the provider may supply are null instead of empty if the configuration has none.
func ExamplePrepareComputedBlocks() {
	schema := mustSchema(`{"block_types": {"disk": {"nesting_mode": "list", "block": {
		"computed": true, "attributes": {"size": {"type": "number", "optional": true, "computed": true}}}}}}`)
	prepared, err := objchange.PrepareComputedBlocks(schema, schema.EmptyValue())
	fmt.Println(prepared.GetAttr("disk").IsNull(), err)
	// Output: true <nil>
}

// The legacy SDK does not distinguish null blocks from empty blocks.
func ExampleNormalizeLegacySDK() {
	returned := serverValue(`{"name": "web", "disk": null}`)
	show(objchange.NormalizeLegacySDK(server, returned))
	// Output: {"disk":[],"id":null,"image":null,"name":"web","token":null}
}

// All artifacts of one change are checked together. The provider of the server breaks its plan.
func ExampleLifecycle_Check() {
	run := objchange.Lifecycle{
		Schema:         server,
		Prior:          nothing,
		Config:         serverValue(`{"name": "?", "image": "debian"}`),
		InitialPlanned: serverValue(`{"name": "?", "image": "debian", "id": "?"}`),
		FinalConfig:    serverValue(`{"name": "web", "image": "debian"}`),
		FinalPlanned:   serverValue(`{"name": "WEB", "image": "debian", "id": "?"}`),
		New:            serverValue(`{"name": "WEB", "image": "debian 13", "id": "?"}`),
	}
	for _, v := range run.Check() {
		fmt.Println(v.Severity, v)
	}
	// For the legacy SDK, Core tolerates some violations, but not unknown values.
	run.LegacyTypeSystem = true
	fmt.Println(run.Check().Rejected().Err())
	// Output:
	// rejected replan: .name: planned "WEB", but the configuration has "web" [plan-not-config]
	// rejected apply: .id: the value is unknown, but a state must be wholly known [state-unknown]
	// rejected apply: .image: planned "debian", but got "debian 13" [inconsistent-value]
	// apply: .id: the value is unknown, but a state must be wholly known [state-unknown]
}

// PathString writes all paths in the same format.
func ExamplePathString() {
	fmt.Println(objchange.PathString(cty.GetAttrPath("tags").IndexString("env")))
	// Output: .tags["env"]
}

// Rejected returns only the violations that Terraform Core rejects.
func ExampleViolations_Rejected() {
	prior := serverValue(`{"name": "web", "disk": [{"size": 10, "device": "sda"}]}`)
	config := serverValue(`{"name": "web", "disk": [{"size": 10, "device": null}]}`)
	planned := serverValue(`{"name": "web", "disk": [{"size": 16, "device": "sda"}]}`)
	found := objchange.AssertPlanValid(server, prior, config, planned)
	fmt.Println(len(found), len(found.Rejected()))
	// Output: 1 0
}

// A violation is encoded as JSON for other tools.
func ExampleViolation_MarshalJSON() {
	found := objchange.AssertStateValid(server, serverValue(`{"name": "?"}`))
	doc, err := json.Marshal(found)
	fmt.Println(string(doc), err)
	// Output: [{"rule":"state-unknown","path":".name","message":"the value is unknown, but a state must be wholly known","severity":"rejected"}] <nil>
}

// Info describes each rule.
func ExampleRules() {
	for _, rule := range objchange.Rules()[:3] {
		fmt.Printf("%s: %s\n", rule, rule.Info().Meaning)
	}
	// Output:
	// invalid-input: the schema and the values must be usable
	// type-mismatch: a value must conform to the type that its schema implies
	// config-required: a configuration must set every required attribute
}
