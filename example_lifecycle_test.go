package objchange_test

import (
	"fmt"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
)

// The server's configuration is checked before anything else.
func ExampleAssertConfigValid() {
	config := serverValue(`{"name": "web", "disk": [{"size": 10, "device": null}]}`)
	fmt.Println(objchange.AssertConfigValid(server, config).Err())

	broken := serverValue(`{"id": "i-1", "disk": [{"size": 10, "device": "sda"}]}`)
	fmt.Println(objchange.AssertConfigValid(server, broken).Err())
	// Output:
	// <nil>
	// .disk[*].device: only the provider may set the attribute [config-computed-only]
	// .id: only the provider may set the attribute [config-computed-only]
	// .name: the attribute is required and not set [config-required]
}

// At apply, all of the configuration is known, and what was known before has
// not changed.
func ExampleAssertConfigConsistent() {
	atPlan := serverValue(`{"name": "?", "image": "debian"}`)
	atApply := serverValue(`{"name": "web", "image": "debian"}`)
	fmt.Println(objchange.AssertConfigConsistent(server, atPlan, atApply).Err())

	broken := serverValue(`{"name": "?", "image": "ubuntu"}`)
	fmt.Println(objchange.AssertConfigConsistent(server, atPlan, broken).Err())
	// Output:
	// <nil>
	// .image: was planned to be "debian" and is "ubuntu" [inconsistent-value]
	// .name: the value is still unknown, but a configuration must be wholly known at apply [config-unknown]
}

// Somebody renamed the server by hand, and the user lets that be. The
// proposal for the next plan is made from what IgnoreChanges returns.
func ExampleIgnoreChanges() {
	prior := serverValue(`{"name": "renamed", "id": "i-1", "image": "debian"}`)
	config := serverValue(`{"name": "web", "image": "ubuntu"}`)
	show(objchange.IgnoreChanges(server, prior, config, []cty.Path{cty.GetAttrPath("name")}))
	// Output: {"disk":[],"id":null,"image":"ubuntu","name":"renamed","token":null} <nil>
}

// The user lets everything be.
func ExampleIgnoreAllChanges() {
	prior := serverValue(`{"name": "web", "id": "i-1", "image": "debian", "disk": [{"size": 10, "device": "sda"}]}`)
	show(objchange.IgnoreAllChanges(server, prior))
	// Output: {"disk":[{"device":null,"size":10}],"id":null,"image":"debian","name":"web","token":null} <nil>
}

// The plan is shown to the user, who is to approve it.
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
	// ~ .token: (sensitive) -> (sensitive)
}

// What the plan does to the server, in a word.
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

// The provider says that a server with another image or name is another server.
// Only the image changes.
func ExampleRequiredReplace() {
	prior := serverValue(`{"name": "web", "id": "i-1", "image": "debian"}`)
	planned := serverValue(`{"name": "web", "id": "?", "image": "ubuntu"}`)
	paths := []cty.Path{cty.GetAttrPath("image"), cty.GetAttrPath("name")}
	required, found := objchange.RequiredReplace(server, prior, planned, paths)
	for _, path := range required {
		fmt.Println(path[0].(cty.GetAttrStep).Name)
	}
	fmt.Println(found.Err())
	fmt.Println(objchange.PlanAction(prior, planned, len(required) > 0))
	// Output:
	// image
	// <nil>
	// replace
}

// The server was being created when something went wrong. What is there of it
// is kept, and replaced with the next apply.
func ExamplePartialState() {
	planned := serverValue(`{"name": "web", "id": "?", "image": "?", "disk": [{"size": 10, "device": "?"}]}`)
	returned := serverValue(`{"name": "web", "id": "i-1", "image": "?", "disk": [{"size": 10, "device": "?"}]}`)
	state, tainted, err := objchange.PartialState(server, nothing, planned, returned)
	show(state, err)
	fmt.Println("tainted:", tainted)
	// Output:
	// {"disk":[{"device":null,"size":10}],"id":"i-1","image":null,"name":"web","token":null} <nil>
	// tainted: true
}

// All of one run: the server is created by a provider that breaks its promises.
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
		fmt.Println(v.Enforced, v)
	}
	// The legacy SDK may get away with that, but not with unknown values.
	run.LegacyTypeSystem = true
	fmt.Println(run.Check().Enforced().Err())
	// Output:
	// true replan: .name: "WEB" is planned, which is not "web" as configured [plan-not-config]
	// true apply: .id: the value is unknown, but a state must be wholly known [state-unknown]
	// true apply: .image: was planned to be "debian" and is "debian 13" [inconsistent-value]
	// apply: .id: the value is unknown, but a state must be wholly known [state-unknown]
}
