package tfcheck_test

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
)

const oldState = `{"id": "i-1", "name": "a", "size": 1, "rule": []}`

func upgrading(state string, opts ...driver.StateOption) step {
	return func(_ *fake, i *driver.Instance) (*driver.Run, error) {
		return i.UpgradeState(ctx, 3, []byte(state), opts...)
	}
}

// upgradingAndReading upgrades a state and reads the object.
func upgradingAndReading(opts ...driver.StateOption) step {
	return func(_ *fake, i *driver.Instance) (*driver.Run, error) {
		return i.Upgrade(ctx, 3, []byte(oldState), nil, opts...)
	}
}

// identifiedBefore is a state with an identity of an older version.
var identifiedBefore = driver.WithIdentity(0, []byte(oldIdentity))

var oldThing = driver.MoveSource{
	Provider: "registry.terraform.io/acme/old", TypeName: "old_thing", Version: 2, State: []byte(oldState), Private: []byte("o"),
	Identity: []byte(`{"id": "i-0"}`), IdentityVersion: 4,
}

func moving(source driver.MoveSource) step {
	return func(_ *fake, i *driver.Instance) (*driver.Run, error) { return i.MoveState(ctx, source) }
}

// moved sets the private data and the identity of a moved state.
func moved(r *move) { r.TargetPrivate, r.TargetIdentity = []byte("m"), identified("i-1") }

// sent fails if a part of the source is missing in the request.
func sent(q *tfprotov6.MoveResourceStateRequest, r *move) {
	got := fmt.Sprint(q.SourceProviderAddress, q.SourceTypeName, q.TargetTypeName, q.SourceSchemaVersion, string(q.SourceState.JSON), string(q.SourcePrivate),
		string(q.SourceIdentity.JSON), q.SourceIdentitySchemaVersion)
	if want := fmt.Sprint(oldThing.Provider, "old_thing", "test_thing", 2, oldState, "o", `{"id": "i-0"}`, 4); got != want {
		r.Diagnostics = failing
	}
}

// stateRuns are runs that upgrade or move a state without reading the object.
var stateRuns = []run{
	{does: "an upgraded state is kept", fake: on(), steps: []step{upgrading(oldState)}, took: "Upgrade", asked: []string{"kept name=a, size=1"}},
	{does: "a request to upgrade contains the version and the state", fake: on(func(q *tfprotov6.UpgradeResourceStateRequest, r *upgrade) {
		if q.Version != 3 || string(q.RawState.JSON) != oldState {
			r.Diagnostics = failing
		}
	}), steps: []step{upgrading(oldState)}},
	{does: "an upgrade to null leaves no object", fake: on(give[upgrade](nothing())), steps: []step{upgrading(oldState)}, asked: []string{"nothing kept"}},
	{does: "a failed upgrade keeps nothing", fake: on(fail[upgrade]), steps: []step{upgrading(oldState)}, fails: "Out of things", asked: []string{"nothing kept"}},
	{does: "an unknown upgraded state is not kept", fake: on(give[upgrade](dynamic(planned))), steps: []step{upgrading(oldState)},
		found: "UpgradeResourceState response .id state-unknown", fails: "state-unknown", asked: []string{"nothing kept"}},
	{does: "OpenTofu keeps an unknown upgraded state", fake: on(give[upgrade](dynamic(planned))), opts: with1(driver.For(tfcheck.OpenTofu)), steps: []step{upgrading(oldState)},
		found: "UpgradeResourceState response .id state-unknown, unchecked", asked: []string{"kept name=a"}},
	{does: "an older identity is upgraded", fake: on(func(q *tfprotov6.UpgradeResourceIdentityRequest, r *upgradeID) {
		if q.TypeName != "test_thing" || q.Version != 0 || string(q.RawIdentity.JSON) != oldIdentity {
			r.Diagnostics = failing
		}
	}), steps: []step{upgrading(oldState, identifiedBefore), refresh}, asked: []string{"read: private none, identity i-1"}, took: "Upgrade Read"},
	{does: "an older identity is upgraded before the object is read", fake: on(), steps: []step{upgradingAndReading(identifiedBefore)},
		asked: []string{"read: private none, identity i-1"}, took: "Upgrade UpgradeIdentity Read"},
	{does: "an identity of the current version is not upgraded", fake: on(), steps: []step{upgradingAndReading(driver.WithIdentity(1, []byte(`{"id": "i-2"}`)))},
		asked: []string{"read: private none, identity i-2"}, took: "Upgrade Read"},
	{does: "an identity of the current version that does not conform", fake: on(), steps: []step{upgrading(oldState, driver.WithIdentity(1, []byte(`{"zone": 1}`)))},
		fails: "the identity of test_thing", asked: []string{"nothing kept"}},
	{does: "an identity of a type without identities", fake: on(noIdentities), steps: []step{upgrading(oldState, identifiedBefore)}, fails: "no identity schema", asked: []string{"nothing kept"}},
	{does: "Terraform 1.11 ignores an older identity", fake: on(), opts: with1(driver.TerraformVersion("1.11.4")), steps: []step{upgradingAndReading(identifiedBefore)},
		asked: []string{"read: private none, no identity"}, took: "Upgrade Read"},
	{does: "an upgraded state is planned without a refresh", fake: on(), steps: []step{upgrading(oldState), planning(large, driver.WithoutRefresh())},
		took: "Upgrade Validate Plan", did: objchange.ActionUpdate, asked: []string{"prior something, config name=a, size=2"}},
	{does: "an upgraded state is updated without a refresh", fake: on(), steps: []step{upgrading(oldState), update(large, driver.WithoutRefresh())},
		took: "Upgrade Validate Plan Upgrade Validate Plan Apply Upgrade Read Plan", did: objchange.ActionUpdate, asked: []string{"kept name=a, size=2"}},
	{does: "a create without a refresh does not upgrade a state", fake: on(), steps: []step{create(small, driver.WithoutRefresh())},
		took: "Validate Plan Validate Plan Apply Upgrade Read Plan", did: objchange.ActionCreate},

	{does: "a moved state is kept", fake: on(moved, sent), steps: []step{moving(oldThing)}, took: "Move", asked: []string{"kept name=moved, size=null"}},
	{does: "a move without a source identity has no identity", fake: on(func(q *tfprotov6.MoveResourceStateRequest, r *move) {
		if q.SourceIdentity != nil {
			r.Diagnostics = failing
		}
	}), steps: []step{moving(driver.MoveSource{State: []byte(oldState)})}, asked: []string{"no identity"}},
	{does: "a moved state is upgraded and planned", fake: on(moved), steps: []step{moving(oldThing), planning(obj{"name": "moved", "size": 1}, driver.WithoutRefresh())},
		took: "Upgrade Validate Plan", did: objchange.ActionUpdate, asked: []string{"plan: prior something, private m, identity i-1"}},
	{does: "a moved state is read", fake: on(moved), steps: []step{moving(oldThing), planning(obj{"name": "moved"})},
		took: "Upgrade Read Validate Plan", did: objchange.ActionNoOp, asked: []string{"read: private m, identity i-1"}},
	{does: "a move to null leaves no object", fake: on(moved, give[move](nothing())), steps: []step{moving(oldThing), planning(small, driver.WithoutRefresh())},
		took: "Validate Plan", did: objchange.ActionCreate, asked: []string{"plan: prior null, private none, no identity"}},
	{does: "a failed move keeps nothing", fake: on(moved, fail[move]), steps: []step{moving(oldThing)}, fails: "Out of things", asked: []string{"nothing kept"}},
	{does: "a moved state that does not conform is not kept", fake: on(moved, give[move](noObject)), steps: []step{moving(oldThing)},
		found: "MoveResourceState response type-mismatch", fails: "type-mismatch", asked: []string{"nothing kept"}},
	{does: "a move to an object that exists", fake: on(), steps: []step{create(small), moving(oldThing)}, fails: "test_thing exists already"},
}
