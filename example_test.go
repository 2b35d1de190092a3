package objchange_test

import (
	"encoding/json"
	"fmt"

	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/objchange/objchange"
)

// The examples tell the life of one resource, a server with disks.

// server is its schema, as `terraform providers schema -json` has it.
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

func mustSchema(text string) *objchange.Block {
	var block objchange.Block
	if err := json.Unmarshal([]byte(text), &block); err != nil {
		panic(err)
	}
	if err := block.Validate(); err != nil {
		panic(err)
	}
	return &block
}

// serverValue reads a server from JSON; what is not mentioned is null. The
// string "?" stands for an unknown value.
func serverValue(text string) cty.Value {
	var given map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &given); err != nil {
		panic(err)
	}
	all := map[string]json.RawMessage{"id": nil, "name": nil, "image": nil, "token": nil, "disk": json.RawMessage("[]")}
	for name := range all {
		if raw, ok := given[name]; ok {
			all[name] = raw
		}
	}
	doc, err := json.Marshal(all)
	if err != nil {
		panic(err)
	}
	v, err := ctyjson.Unmarshal(doc, server.ImpliedType())
	if err != nil {
		panic(err)
	}
	v, err = cty.Transform(v, func(_ cty.Path, v cty.Value) (cty.Value, error) {
		if v.RawEquals(cty.StringVal("?")) {
			return cty.UnknownVal(cty.String), nil
		}
		return v, nil
	})
	if err != nil {
		panic(err)
	}
	return v
}

// show prints a server on one line, unknown values as "?".
func show(v cty.Value, err error) {
	if err != nil {
		fmt.Println("error:", err)
		return
	}
	v, _ = cty.Transform(v, func(_ cty.Path, v cty.Value) (cty.Value, error) {
		if v.IsKnown() || v.Type() != cty.String {
			return v, nil
		}
		return cty.StringVal("?"), nil
	})
	doc, err := ctyjson.Marshal(v, v.Type())
	fmt.Println(string(doc), err)
}

var nothing = cty.NullVal(cty.DynamicPseudoType)

// A server is created: there is nothing to take over, so the proposal is the
// configuration.
func ExampleProposedNew_create() {
	config := serverValue(`{"name": "web", "disk": [{"size": 10, "device": null}]}`)
	show(objchange.ProposedNew(server, nothing, config))
	// Output: {"disk":[{"device":null,"size":10}],"id":null,"image":null,"name":"web","token":null} <nil>
}

// A provider without opinions plans to choose all that is left to it.
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
	// {"disk":[{"device":"?","size":10}],"id":"?","image":"?","name":"web","token":null} <nil>
	// <nil>
}

// At apply, the provider must keep the promises of its plan, and return values
// that are wholly known.
func ExampleAssertApplyConsistent() {
	planned := serverValue(`{"name": "web", "id": "?", "image": "?", "disk": [{"size": 10, "device": "?"}]}`)
	applied := serverValue(`{"name": "web", "id": "i-1", "image": "debian", "disk": [{"size": 10, "device": "sda"}]}`)
	fmt.Println(objchange.AssertApplyConsistent(server, planned, applied).Err())

	broken := serverValue(`{"name": "WEB", "id": "?", "image": "debian", "disk": [{"size": 20, "device": "sda"}]}`)
	fmt.Println(objchange.AssertApplyConsistent(server, planned, broken).Err())
	// Output:
	// <nil>
	// .disk: the planned element {device = (unknown), size = 10} is gone or has changed [inconsistent-set-element]
	// .id: the value is unknown, but a state must be wholly known [state-unknown]
	// .name: was planned to be "web" and is "WEB" [inconsistent-value]
}

// The server is refreshed: what is read must describe reality.
func ExampleAssertStateValid() {
	refreshed := serverValue(`{"name": "web", "id": "i-1", "image": "?"}`)
	fmt.Println(objchange.AssertStateValid(server, refreshed).Err())
	// Output: .image: the value is unknown, but a state must be wholly known [state-unknown]
}

// The server is updated: one more disk. What the provider chose before is
// carried over, also into the set element that it belongs to.
func ExampleProposedNew_update() {
	prior := serverValue(`{"name": "web", "id": "i-1", "image": "debian", "disk": [{"size": 10, "device": "sda"}]}`)
	config := serverValue(`{"name": "web", "disk": [{"size": 10, "device": null}, {"size": 50, "device": null}]}`)
	show(objchange.ProposedNew(server, prior, config))
	// Output: {"disk":[{"device":"sda","size":10},{"device":null,"size":50}],"id":"i-1","image":"debian","name":"web","token":null} <nil>
}

// A broken provider plans what nobody asked for. Terraform Core rejects the
// name; it does not look into sets, but this package does.
func ExampleAssertPlanValid() {
	prior := serverValue(`{"name": "web", "id": "i-1", "image": "debian", "token": "s3cret", "disk": [{"size": 10, "device": "sda"}]}`)
	config := serverValue(`{"name": "web", "token": "s3cret", "disk": [{"size": 10, "device": null}]}`)
	planned := serverValue(`{"name": "Web", "id": "i-1", "image": "debian", "token": "other", "disk": [{"size": 16, "device": "sda"}]}`)
	for _, v := range objchange.AssertPlanValid(server, prior, config, planned) {
		fmt.Println(v.Enforced, v)
	}
	// Output:
	// false .disk: an element is planned that comes from no configured one: {device = "sda", size = 16} [plan-set-element]
	// true .name: "Web" is planned, which is neither "web" as configured nor "web" as before [plan-not-config]
	// true .token: the planned value is not the configured one, nor the prior one [plan-not-config]
}

// Between plan and apply more becomes known, and the provider plans again. It
// may fill in unknown values, and change nothing else.
func ExampleAssertPlanConsistent() {
	initial := serverValue(`{"name": "?", "id": "i-1", "image": "debian"}`)
	final := serverValue(`{"name": "web", "id": "i-2", "image": "debian"}`)
	fmt.Println(objchange.AssertPlanConsistent(server, initial, final).Err())
	// Output: .id: was planned to be "i-1" and is "i-2" [inconsistent-value]
}

// The server is deleted: no configuration, so nothing is proposed, and nothing
// may be planned.
func ExampleProposedNew_delete() {
	prior := serverValue(`{"name": "web", "id": "i-1"}`)
	proposed, err := objchange.ProposedNew(server, prior, nothing)
	fmt.Println(proposed.IsNull(), err)
	fmt.Println(objchange.AssertPlanValid(server, prior, nothing, prior).Err())
	// Output:
	// true <nil>
	// the plan has an object that is not configured [plan-present]
}

// A data source that cannot be read before apply.
func ExamplePlannedDataResource() {
	config := serverValue(`{"name": "web"}`)
	show(objchange.PlannedDataResource(server, config))
	// Output: {"disk":[],"id":"?","image":"?","name":"web","token":null} <nil>
}

// Blocks that the provider may supply are null, not empty, where the
// configuration has none.
func ExamplePrepareComputedBlocks() {
	schema := mustSchema(`{"block_types": {"disk": {"nesting_mode": "list", "block": {
		"computed": true, "attributes": {"size": {"type": "number", "optional": true, "computed": true}}}}}}`)
	prepared, err := objchange.PrepareComputedBlocks(schema, schema.EmptyValue())
	fmt.Println(prepared.GetAttr("disk").IsNull(), err)
	// Output: true <nil>
}

// The legacy SDK cannot tell null blocks from empty ones.
func ExampleNormalizeLegacySDK() {
	returned := serverValue(`{"name": "web", "disk": null}`)
	show(objchange.NormalizeLegacySDK(server, returned))
	// Output: {"disk":[],"id":null,"image":null,"name":"web","token":null} <nil>
}

// The implied type is the type of every value of the block.
func ExampleBlock_ImpliedType() {
	fmt.Println(server.ImpliedType().AttributeType("disk").FriendlyName())
	// Output: set of object
}

// The empty value has null attributes and empty collections of blocks.
func ExampleBlock_EmptyValue() {
	show(server.EmptyValue(), nil)
	// Output: {"disk":[],"id":null,"image":null,"name":null,"token":null} <nil>
}

// Validate tells every problem with its place.
func ExampleBlock_Validate() {
	schema := &objchange.Block{Attributes: map[string]*objchange.Attribute{
		"id":   {Type: cty.String},
		"name": {Type: cty.String, Required: true, Optional: true},
	}}
	fmt.Println(schema.Validate())
	// Output:
	// .id: none of Required, Optional and Computed is set
	// .name: Required is set together with Optional or Computed
}

// A path of a violation leads to the attribute in the schema.
func ExampleBlock_AttributeByPath() {
	path := cty.GetAttrPath("token")
	fmt.Println(server.AttributeByPath(path).Sensitive)
	// Output: true
}

// Only what Terraform Core itself would reject.
func ExampleViolations_Enforced() {
	prior := serverValue(`{"name": "web", "disk": [{"size": 10, "device": "sda"}]}`)
	config := serverValue(`{"name": "web", "disk": [{"size": 10, "device": null}]}`)
	planned := serverValue(`{"name": "web", "disk": [{"size": 16, "device": "sda"}]}`)
	found := objchange.AssertPlanValid(server, prior, config, planned)
	fmt.Println(len(found), len(found.Enforced()))
	// Output: 1 0
}

// A violation as JSON, for other tools.
func ExampleViolation_MarshalJSON() {
	found := objchange.AssertStateValid(server, serverValue(`{"name": "?"}`))
	doc, err := json.Marshal(found)
	fmt.Println(string(doc), err)
	// Output: [{"rule":"state-unknown","path":".name","message":"the value is unknown, but a state must be wholly known","enforced":true}] <nil>
}

// Every rule can say what it asks for.
func ExampleRules() {
	for _, rule := range objchange.Rules()[:3] {
		fmt.Printf("%s: %s\n", rule, rule.Law().Meaning)
	}
	// Output:
	// invalid-input: the schema and the values must be usable
	// type-mismatch: a value must conform to the type that its schema implies
	// config-required: a configuration must set every required attribute
}
