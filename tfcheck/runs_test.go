package tfcheck_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfconv"
)

// A step is an operation of a driver on a thing, or a change of the fake.
type step func(*fake, *driver.Instance) (*driver.Run, error)

func create(config any, opts ...driver.RunOption) step {
	return func(_ *fake, i *driver.Instance) (*driver.Run, error) { return i.Create(ctx, config, opts...) }
}

func update(config any, opts ...driver.RunOption) step {
	return func(_ *fake, i *driver.Instance) (*driver.Run, error) { return i.Update(ctx, config, opts...) }
}

func replace(config any) step {
	return func(_ *fake, i *driver.Instance) (*driver.Run, error) { return i.Replace(ctx, config) }
}

func planning(config any, opts ...driver.RunOption) step {
	return func(_ *fake, i *driver.Instance) (*driver.Run, error) { return i.Plan(ctx, config, opts...) }
}

func refresh(_ *fake, i *driver.Instance) (*driver.Run, error) { return i.Refresh(ctx) }
func destroy(_ *fake, i *driver.Instance) (*driver.Run, error) { return i.Destroy(ctx) }
func byItsID(_ *fake, i *driver.Instance) (*driver.Run, error) { return i.Import(ctx, "i-1") }
func byIdentity(_ *fake, i *driver.Instance) (*driver.Run, error) {
	return i.ImportIdentity(ctx, obj{"id": "i-1"})
}

// now replaces the fake's edits.
func now(edits ...any) step {
	return func(f *fake, _ *driver.Instance) (*driver.Run, error) {
		f.edits = edits
		return &driver.Run{}, nil
	}
}

// fails expects the step to fail.
func fails(s step) step {
	return func(f *fake, i *driver.Instance) (*driver.Run, error) {
		if run, err := s(f, i); err == nil {
			return run, errors.New("the step did not fail")
		}
		return &driver.Run{}, nil
	}
}

// small and large are configurations of the same thing. An update changes one to the other.
var (
	small = obj{"name": "a", "size": 1}
	large = obj{"name": "a", "size": 2}
	later = obj{"name": "a", "size": cty.DynamicVal}
)

func ignoring(attrs ...string) driver.RunOption {
	var paths []cty.Path
	for _, attr := range attrs {
		paths = append(paths, cty.GetAttrPath(attr))
	}
	return driver.IgnoreChanges(paths...)
}

// destroying edits plans to destroy.
func destroying(edit func(planReq, planResp)) func(planReq, planResp) {
	return func(q planReq, r planResp) {
		if decoded(q.ProposedNewState).IsNull() {
			edit(q, r)
		}
	}
}

// updating edits plans that neither create nor destroy the object.
func updating(edit func(planReq, planResp)) func(planReq, planResp) {
	return func(q planReq, r planResp) {
		if !decoded(q.PriorState).IsNull() && !decoded(q.ProposedNewState).IsNull() {
			edit(q, r)
		}
	}
}

// again edits the response to an apply if the object already existed.
func again(edits ...func(applyResp)) func(applyReq, applyResp) {
	return func(q applyReq, r applyResp) {
		for _, edit := range edits {
			if !decoded(q.PriorState).IsNull() {
				edit(r)
			}
		}
	}
}

// nth edits the nth plan.
func nth(n int, edit func(planResp)) func(planResp) {
	made := 0
	return func(r planResp) {
		if made++; made == n {
			edit(r)
		}
	}
}

// once fails the first apply, which still returns the object.
func once() func(applyResp) {
	failed := false
	return func(r applyResp) {
		if !failed {
			failed, r.Diagnostics, r.Private = true, failing, []byte("old")
		}
	}
}

// A run lists steps and the expected results. All steps except the last one succeed.
type run struct {
	does  string // begins with a line of docs/specification.md#14-requests-around-the-functions, if it is about one
	fake  *fake
	opts  []driver.Option
	steps []step
	asked []string         // parts of the notes about requests and about the final state
	found string           // in the last step
	fails string           // a part of the error of the last step
	plans int              // the total number of plans, if it matters
	took  string           // the RPCs of the last step, if they matter
	did   objchange.Action // the action of the last step, if it matters
}

func with1(opts ...driver.Option) []driver.Option { return opts }

var deferring = with1(driver.AllowDeferral())

var runs = []run{
	{does: "P-14.1: an invalid configuration is rejected", fake: on(), steps: []step{create(obj{"size": 1})}, fails: "config-required", asked: []string{"nothing kept"}},
	{does: "P-14.1: ignored attributes of the configuration get their prior values", fake: on(),
		steps: []step{create(small), update(large, ignoring("size"))}, asked: []string{"prior something, config name=a, size=1"}},
	{does: "P-14.1: if all changes are ignored, the configuration is the prior state", fake: on(),
		steps: []step{create(small), update(obj{"name": "b", "size": 2}, driver.IgnoreAllChanges())}, asked: []string{"prior something, config name=a, size=1"}},
	{does: "P-14.1: a create ignores no changes", fake: on(),
		steps: []step{create(large, driver.IgnoreAllChanges())}, asked: []string{"prior null, config name=a, size=2"}},
	{does: "P-14.1: a tainted object is planned without prior state and private data", fake: on(once()), steps: []step{fails(create(small)), update(small)},
		asked: []string{"apply: create, private p, no identity\ncreates: 1\nread: private old, identity i-1\nplan: prior null, private none, no identity", "kept name=a, size=1"},
		took:  "Upgrade Read Validate Plan Upgrade Apply Validate Plan Apply Upgrade Read Plan", did: objchange.ActionReplace},
	{does: "P-14.1: a tainted object that is absent after a read is planned without private data", fake: on(once(), func(q readReq, r readResp) {
		if string(q.Private) == "old" {
			r.NewState = nothing()
		}
	}), steps: []step{fails(create(small)), update(small)}, asked: []string{"read: private old, identity i-1\nplan: prior null, private none, no identity"}, did: objchange.ActionCreate},
	{does: "P-14.3: a deferred plan is not checked and ends the run", fake: on(set[plan](obj{"size": 9, "password": "leak"}), putOff[plan]), opts: deferring,
		steps: []step{create(config)}, asked: []string{"nothing kept", "deferred ABSENT_PREREQ"}},
	{does: "P-14.3: a deferral at apply is always an error", fake: on(nth(2, putOff[plan])), opts: deferring, steps: []step{create(config)},
		found: "PlanResourceChange response deferral", fails: "deferred at apply"},
	{does: "P-14.2: a rejected plan ends the run", fake: on(set[plan](obj{"size": 2})), steps: []step{create(config)},
		found: "PlanResourceChange response .size plan-not-config", fails: "plan-not-config", asked: []string{"nothing kept"}, took: "Validate Plan"},
	{does: "P-14.2: a tolerated finding does not end the run", fake: on(set[plan](obj{"name": "A"})).legacy(), steps: []step{create(config)},
		found: "PlanResourceChange response .name plan-not-config, tolerated"},
	{does: "P-14.4: ignored attributes are ignored again in a plan of the legacy SDK", fake: on(updating(func(_ planReq, r planResp) {
		set[plan](obj{"size": 3, "token": "x"})(r)
	})).legacy(), steps: []step{create(small), update(small, ignoring("size", "token"))}, found: "PlanResourceChange response .size plan-not-config, tolerated; PlanResourceChange response .token plan-not-computed, legacy-sdk"},
	{does: "P-14.4: if all changes are ignored, they are ignored again in a plan of the legacy SDK", fake: on(updating(func(_ planReq, r planResp) { set[plan](obj{"size": 3})(r) })).legacy(),
		steps: []step{create(small), update(small, driver.IgnoreAllChanges())}, did: objchange.ActionNoOp,
		found: "PlanResourceChange response .size plan-not-config, tolerated"},
	{does: "P-14.5: the paths are not checked in a plan to destroy", fake: on(destroying(func(_ planReq, r planResp) {
		r.RequiresReplace = []*tftypes.AttributePath{nowhere}
	})), steps: []step{create(small), destroy}},
	{does: "P-14.5: a path into a set is accepted as a path of the set", fake: on(updating(func(_ planReq, r planResp) {
		r.RequiresReplace = []*tftypes.AttributePath{intoSet}
	})), steps: []step{create(obj{"name": "a", "rule": []any{obj{"port": 80}}}), update(obj{"name": "a", "rule": []any{obj{"port": 81}}})}, did: objchange.ActionReplace},
	{does: "P-14.5: a replacement ignores no changes", fake: on(), steps: []step{create(small), update(obj{"name": "b", "size": 2}, ignoring("size"))},
		asked: []string{"prior null, config name=b, size=2"}},
	{does: "P-14.6: a replacement is planned with the private data and identity of the first response", fake: on(identify[plan](identified("i-9"))),
		steps: []step{create(small), update(obj{"name": "b"})}, asked: []string{"plan: prior null, private pap, identity i-9"},
		found: "PlanResourceChange identity .id inconsistent-value, unchecked; ApplyResourceChange identity .id inconsistent-value, unchecked"},
	{does: "P-14.7: an identity may be unknown in a plan to create or replace", fake: on(func(q planReq, r planResp) {
		if new := decoded(q.ProposedNewState); decoded(q.PriorState).IsNull() || !new.IsNull() && new.GetAttr("name").AsString() == "b" {
			r.PlannedIdentity = unknownIdentity
		}
	}), steps: []step{create(obj{"name": "a"}), planning(obj{"name": "b"})}},
	{does: "P-14.8: a plan to destroy must be null, also for the legacy SDK", fake: on(destroying(func(q planReq, r planResp) { r.PlannedState = q.PriorState })).legacy(),
		steps: []step{create(small), destroy}, found: "PlanResourceChange response plan-present", fails: "not configured"},
	{does: "P-14.9: a planned null of the legacy SDK is tolerated, and the apply fails", fake: on(give[plan](nothing())).legacy(), steps: []step{create(config)},
		fails: "an object was to be created", found: "PlanResourceChange response plan-absent, tolerated; ApplyResourceChange response inconsistent-presence"},

	{does: "P-14.10: a no-op is not planned again", fake: on(), steps: []step{create(small), update(small)}, plans: 4, did: objchange.ActionNoOp},
	{does: "P-14.11: an update may become a no-op in the final plan", fake: on(), steps: []step{create(small), update(small, driver.Initially(later))}, did: objchange.ActionNoOp,
		took: "Upgrade Read Validate Plan Upgrade Validate Plan"},
	{does: "P-14.11: an update must not become a replacement in the final plan", fake: on(updating(func(q planReq, r planResp) {
		r.RequiresReplace = nil
		if size := decoded(q.Config).GetAttr("size"); size.IsKnown() && !size.RawEquals(decoded(q.PriorState).GetAttr("size")) {
			r.RequiresReplace = []*tftypes.AttributePath{tftypes.NewAttributePath().WithAttributeName("size")}
		}
	})), steps: []step{create(small), update(large, driver.Initially(later))}, fails: "replace",
		found: "PlanResourceChange response action-changed; PlanResourceChange response .id inconsistent-unknown",
		asked: []string{"plan: prior null, private pap, no identity\nprior null, config name=a, size=2\nkept name=a, size=1"}},
	{does: "P-14.12: the initial and the final plan must be consistent", fake: on(nth(1, set[plan](obj{"id": "i-8"})), nth(2, set[plan](obj{"id": "i-9"}))), steps: []step{create(config)},
		found: "PlanResourceChange response .id inconsistent-value", fails: "replan: .id", asked: []string{"nothing kept"}},
	{does: "P-14.12: the plans must be consistent, also for the legacy SDK", fake: on(nth(1, set[plan](obj{"token": "promised"}))).legacy(), steps: []step{create(small, driver.Initially(later))},
		found: "PlanResourceChange response .token plan-not-computed, legacy-sdk; PlanResourceChange response .token inconsistent-sensitive", fails: "replan: .token"},
	{does: "P-14.13: a replacement destroys the old object with the private data of its own plan and no identity", fake: on(),
		steps: []step{create(small), update(obj{"name": "b"})}, asked: []string{"apply: destroy, private papp, no identity"}},
	{does: "P-14.13: a destroy sends the private data and the identity of its plan", fake: on(destroying(func(_ planReq, r planResp) { r.PlannedIdentity = identified("i-7") })),
		steps: []step{create(small), destroy}, asked: []string{"apply: destroy, private pap, identity i-7"},
		found: "PlanResourceChange identity .id inconsistent-value, unchecked; ApplyResourceChange identity .id inconsistent-value, unchecked"},
	{does: "P-14.14: the prior state is kept if the new state has a write-only value", fake: on(again(set[apply](leak))), steps: []step{create(small), update(large)},
		fails: "write-only", asked: []string{"kept name=a, size=1"},
		found: "ApplyResourceChange response .password inconsistent-value; ApplyResourceChange response .password write-only-not-null"},
	{does: "P-14.14: the prior state is kept if the new state has an infinite number", fake: on(again(set[apply](infinite))), steps: []step{create(small), update(large)},
		fails: "infinite", asked: []string{"kept name=a, size=1"},
		found: "ApplyResourceChange response .size inconsistent-value; ApplyResourceChange response .size type-mismatch"},
	{does: "P-14.14: the prior state is kept if the new state does not conform", fake: on(again(give[apply](noObject))), steps: []step{create(small), update(large)},
		fails: "must be an object", asked: []string{"kept name=a, size=1"}, found: "ApplyResourceChange response type-mismatch"},
	{does: "P-14.14: unknown values become null in the kept state", fake: on(again(set[apply](obj{"size": cty.UnknownVal(cty.Number)}))), steps: []step{create(small), update(large)},
		fails: "state-unknown", asked: []string{"kept name=a, size=null"}, found: "ApplyResourceChange response .size state-unknown"},
	{does: "P-14.14: a delete must return null, also for the legacy SDK", fake: on(func(q applyReq, r applyResp) {
		if decoded(q.PlannedState).IsNull() {
			r.NewState = q.PriorState
		}
	}).legacy(), steps: []step{create(small), destroy}, found: "ApplyResourceChange response inconsistent-presence", fails: "none was planned"},
	{does: "P-14.14: an inconsistent new state is kept and the new object is tainted", fake: on(set[apply](obj{"size": 9})), steps: []step{create(config)},
		found: "ApplyResourceChange response .size inconsistent-value", fails: "inconsistent-value", asked: []string{"kept name=a, size=9, tainted"}},
	{does: "P-14.14: an inconsistent new state of the legacy SDK is tolerated", fake: on(set[apply](obj{"size": 9})).legacy(), steps: []step{create(config)}, asked: []string{"kept name=a, size=9\n"},
		found: "ApplyResourceChange response .size inconsistent-value, tolerated; PlanResourceChange response .size perpetual-diff"},
	{does: "P-14.15: the returned state and the null identity of a failed apply are kept", fake: on(again(fail[apply], identify[apply](nil))),
		steps: []step{create(small), update(large)}, fails: "Out of things", asked: []string{"kept name=a, size=2, no identity"}},
	{does: "P-14.15: the object of a failed create is tainted", fake: on(once()), steps: []step{create(config)}, fails: "Out of things", asked: []string{"kept name=a, size=1, tainted"}},
	{does: "P-14.15: unknown values of a failed create become null", fake: on(give[apply](dynamic(obj{"name": "a", "size": cty.UnknownVal(cty.Number)})), fail[apply]), steps: []step{create(config)},
		found: "ApplyResourceChange response .size state-unknown", fails: "ApplyResourceChange of test_thing: Out of things", asked: []string{"kept name=a, size=null, tainted"}},
	{does: "P-14.15: the prior state, private data and identity are kept if a failed apply returns none", fake: on(again(func(r applyResp) { *r = apply{Diagnostics: failing} })),
		steps: []step{create(small), fails(update(large)), refresh}, asked: []string{"read: private pa, identity i-1\nkept name=a, size=1"}},
	{does: "P-14.15: the old object is kept if its deletion fails in a replacement", fake: on(again(give[apply](dynamic(exists)), fail[apply])),
		steps: []step{create(small), update(obj{"name": "b"})}, fails: "Out of things", did: objchange.ActionReplace, asked: []string{"kept name=a, size=1"}},

	{does: "P-14.16: an object whose upgrade returns null is created", fake: on(give[upgrade](nothing())), steps: []step{create(config), update(config)}, asked: []string{"creates: 2"},
		found: "ReadResource response perpetual-diff"},
	{does: "P-14.17: a read state is normalized", fake: on(set[read](obj{"rule": cty.NullVal(thingType.AttributeType("rule"))})),
		steps: []step{create(small), func(_ *fake, i *driver.Instance) (*driver.Run, error) {
			run, err := i.Refresh(ctx)
			if i.State().GetAttr("rule").IsNull() {
				err = errors.New("null blocks are left")
			}
			return run, err
		}}, found: "ReadResource response .rule state-null-blocks, unchecked"},
	{does: "P-14.18: an imported state may be unknown if the read returns a known state", fake: on(give[imports](dynamic(planned)), give[read](dynamic(exists))),
		steps: []step{byItsID}, found: "ImportResourceState response .id state-unknown, unchecked"},
	{does: "P-14.18: an import must not return more than one object", fake: on(func(r *imports) { r.ImportedResources = append(r.ImportedResources, r.ImportedResources[0]) }),
		steps: []step{byItsID}, found: "ImportResourceState response import-count", fails: "returned 2", asked: []string{"nothing kept"}},
	{does: "P-14.18: a null state from an import by ID is not read", fake: on(give[imports](nothing())), steps: []step{byItsID}, found: "ImportResourceState response import-count", fails: "returned null", took: "Import"},
	{does: "P-14.18: a null state from an import by identity is read", fake: on(give[imports](nothing()), give[read](dynamic(exists))), steps: []step{byIdentity}, asked: []string{"kept name=a"}},

	{does: "a perpetual diff", fake: on(set[read](obj{"size": 2})), steps: []step{create(config)}, found: "ReadResource response .size perpetual-diff", asked: []string{"kept name=a, size=1"}},
	{does: "an object that is absent after its create", fake: on(give[read](nothing())), steps: []step{create(config)}, found: "ReadResource response perpetual-diff", asked: []string{"kept name=a"}},
	{does: "a configuration with marks", fake: on(), steps: []step{create(small), update(obj{"name": text("b").Mark("sensitive")})}, asked: []string{"kept name=b"}},
	{does: "a number that the protocol cannot encode", fake: on(), steps: []step{create(small), update(obj{"name": "a", "size": cty.MustParseNumberVal("1e5000")})}, fails: "2^4096", asked: []string{"kept name=a, size=1"}},
	{does: "strings with any bytes", fake: on(set[apply](obj{"name": text(latin)})), steps: []step{create(obj{"name": "caf\xe8"})}, fails: `planned "caf\xe8", but got "caf\xe9"`,
		found: "ApplyResourceChange response .name inconsistent-value"},
	{does: "a plan without an apply", fake: on(), steps: []step{planning(config)}, did: objchange.ActionCreate, asked: []string{"nothing kept"}, took: "Validate Plan"},
	{does: "a null configuration to update", fake: on(), steps: []step{create(small), update(cty.NullVal(thingType))}, fails: "null", asked: []string{"kept name=a"}},
	{does: "an unknown configuration to update", fake: on(), steps: []step{create(small), update(cty.UnknownVal(thingType))}, fails: "unknown", asked: []string{"kept name=a"}},
	{does: "a null initial configuration to update", fake: on(), steps: []step{create(small), update(small, driver.Initially(cty.NullVal(thingType)))}, fails: "null", asked: []string{"kept name=a"}},
	{does: "a read deferred before a destroy", fake: on(), opts: deferring, steps: []step{create(small), now(putOff[read]), destroy}, asked: []string{"deferred ABSENT_PREREQ", "kept name=a"}},
	{does: "a read deferred before an update", fake: on(), opts: deferring, steps: []step{create(small), now(putOff[read]), update(large)}, asked: []string{"deferred ABSENT_PREREQ", "kept name=a, size=1"}},
	{does: "a read deferred after an import", fake: on(putOff[read]), opts: deferring, steps: []step{byItsID}, asked: []string{"deferred ABSENT_PREREQ"}},
	{does: "a read deferred after an apply", fake: on(putOff[read]), opts: deferring, steps: []step{create(small)}, did: objchange.ActionCreate, asked: []string{"kept name=a"}},
	{does: "a final configuration that differs from the initial configuration", fake: on(), steps: []step{create(config, driver.Initially(obj{"name": "b"}))}, fails: "the configuration at apply is inconsistent with the configuration at plan: "},
	{does: "a number instead of a configuration", fake: on(), steps: []step{create(3)}, fails: "the configuration is not valid: "},
	{does: "an update of an object that does not exist", fake: on(), steps: []step{update(config)}, fails: "test_thing does not exist: create it first"},
	{does: "a create of an object that exists", fake: on(), steps: []step{create(small), create(small)}, fails: "test_thing exists already"},
	{does: "OpenTofu keeps a write-only value of a failed apply, and its next plan fails", fake: on(), opts: with1(driver.For(tfcheck.OpenTofu)),
		steps: []step{create(small), now(set[apply](leak), fail[apply]), fails(update(large)), now(), planning(small)},
		found: "UpgradeResourceState response .password write-only-not-null", fails: "write-only"},
	{does: "Terraform does not keep a write-only value of a failed apply", fake: on(), steps: []step{create(small), now(set[apply](leak), fail[apply]), fails(update(large)), now(), planning(small)}},
	{does: "Terraform 1.17 does not plan to destroy an object that is absent after a read", fake: on(), opts: with1(driver.TerraformVersion("1.17.0")), steps: []step{byItsID, now(give[read](nothing())), destroy},
		took: "Upgrade Read", did: objchange.ActionNoOp, asked: []string{"nothing kept"}},
	{does: "the requests of a create", fake: on(), steps: []step{create(config)}, took: "Validate Plan Validate Plan Apply Upgrade Read Plan", did: objchange.ActionCreate,
		asked: []string{"kept name=a, size=1\n"}},
	{does: "the requests of a refresh", fake: on(), steps: []step{create(config), refresh}, took: "Upgrade Read", did: objchange.ActionNoOp, asked: []string{"kept name=a, size=1\n"}},
	{does: "the requests of an update", fake: on(), steps: []step{create(small), update(large)}, took: "Upgrade Read Validate Plan Upgrade Validate Plan Apply Upgrade Read Plan",
		did: objchange.ActionUpdate, asked: []string{"kept name=a, size=2\n"}},
	{does: "the requests of an update that needs replacement", fake: on(), steps: []step{create(small), update(obj{"name": "b"})},
		took: "Upgrade Read Validate Plan Plan Upgrade Apply Validate Plan Apply Upgrade Read Plan", did: objchange.ActionReplace, asked: []string{"kept name=b, size=null\n"}},
	{does: "the requests of a forced replacement", fake: on(), steps: []step{create(small), replace(small)},
		took: "Upgrade Read Validate Plan Plan Upgrade Apply Validate Plan Apply Upgrade Read Plan", did: objchange.ActionReplace, asked: []string{"kept name=a, size=1\n"}},
	{does: "the requests of a destroy", fake: on(), steps: []step{create(small), destroy}, took: "Upgrade Read Validate Plan Upgrade Plan Upgrade Apply", did: objchange.ActionDelete,
		asked: []string{"nothing kept"}},
	{does: "a destroy of an object that does not exist", fake: on(), steps: []step{destroy}, did: objchange.ActionNoOp, asked: []string{"nothing kept"}},
	{does: "the requests of an import", fake: on(), steps: []step{byItsID}, took: "Import Read", did: objchange.ActionNoOp, asked: []string{"kept name=found, size=null\n"}},
	{does: "an object is read after the plan to destroy it", fake: on(), steps: []step{byItsID, destroy}, took: "Upgrade Plan Read Upgrade Apply", asked: []string{"nothing kept"}},
	{does: "Terraform 1.17 reads an object before the plan to destroy it", fake: on(), opts: with1(driver.TerraformVersion("1.17.0-alpha20260812")), steps: []step{byItsID, destroy}, took: "Upgrade Read Plan Upgrade Apply"},
	{does: "Terraform 2.0 reads an object before the plan to destroy it", fake: on(), opts: with1(driver.TerraformVersion("2.0.0")), steps: []step{byItsID, destroy}, took: "Upgrade Read Plan Upgrade Apply"},
	{does: "an invalid version counts as the newest", fake: on(), opts: with1(driver.TerraformVersion("dev")), steps: []step{byItsID, destroy}, took: "Upgrade Read Plan Upgrade Apply"},
	{does: "OpenTofu reads an object after the plan to destroy it", fake: on(), opts: with1(driver.TerraformVersion("1.17.0"), driver.For(tfcheck.OpenTofu)), steps: []step{byItsID, destroy}, took: "Upgrade Plan Read Upgrade Apply"},
}

func TestRunsReportWhatCoreWould(t *testing.T) {
	for _, test := range slices.Concat(runs, stateRuns, removeRuns) {
		t.Run(test.does, func(t *testing.T) {
			notes := test.fake.note()
			_, thing := drive(t, test.fake, test.opts...)
			for _, before := range test.steps[:len(test.steps)-1] {
				if run, err := before(test.fake, thing); err != nil {
					t.Fatalf("a step before the last failed: %v, %v", run, err)
				}
			}
			test.fake.took()
			run, err := test.steps[len(test.steps)-1](test.fake, thing)
			if (err == nil) != (test.fails == "") || err != nil && !strings.Contains(err.Error(), test.fails) {
				t.Errorf("ended with %v", err)
			}
			if diff := cmp.Diff(test.found, strings.Join(brief(run.Findings), "; ")); diff != "" {
				t.Errorf("found (-want +got):\n%s", diff)
			}
			if found := run.Lifecycle.Check(); run.Lifecycle.New != cty.NilVal && test.fails == "" && test.found == "" && len(found) > 0 {
				t.Errorf("violations of the lifecycle: %v", found)
			}
			if took := test.fake.took(); test.took != "" && took != test.took {
				t.Errorf("RPCs: got\n%s\nwant\n%s", took, test.took)
			}
			if test.did != "" && run.Action != test.did {
				t.Errorf("action: got %s, want %s", run.Action, test.did)
			}
			output := strings.Join(*notes, "\n") + "\n" + kept(thing) + "\ndeferred " + run.Deferred
			if made := strings.Count(output, "plan: "); test.plans > 0 && made != test.plans {
				t.Errorf("number of plans: got %d, want %d", made, test.plans)
			}
			for _, want := range test.asked {
				if !strings.Contains(output, want) {
					t.Errorf("%q is missing in the notes:\n%s", want, output)
				}
			}
		})
	}
}

// note makes the fake record the contents of its requests.
func (f *fake) note() *[]string {
	var notes []string
	say := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	creates := 0
	f.edits = append(f.edits, func(q planReq, _ planResp) {
		prior, config := "something", decoded(q.Config)
		if decoded(q.PriorState).IsNull() {
			prior = "null"
		}
		say("plan: prior %s, private %s, %s", prior, shown(q.PriorPrivate), identityOf(q.PriorIdentity))
		if !config.IsNull() {
			say("prior %s, config name=%s, size=%s", prior, plain(config, "name"), plain(config, "size"))
		}
	}, func(q applyReq, _ applyResp) {
		does := "change"
		if decoded(q.PlannedState).IsNull() {
			does = "destroy"
		} else if decoded(q.PriorState).IsNull() {
			does = "create"
			creates++
		}
		say("apply: %s, private %s, %s", does, shown(q.PlannedPrivate), identityOf(q.PlannedIdentity))
		say("creates: %d", creates)
	}, func(q readReq, _ readResp) {
		say("read: private %s, %s", shown(q.Private), identityOf(q.CurrentIdentity))
	})
	return &notes
}

func shown(private []byte) string {
	if len(private) == 0 {
		return "none"
	}
	return string(private)
}

func identityOf(data *tfprotov6.ResourceIdentityData) string {
	if data == nil {
		return "no identity"
	}
	id := must(tfconv.Decode6(data.IdentityData, cty.Object(map[string]cty.Type{"id": cty.String}))).GetAttr("id")
	if !id.IsKnown() {
		return "an unknown identity"
	}
	return "identity " + id.AsString()
}

// plain returns an attribute of a thing as text.
func plain(thing cty.Value, name string) string {
	switch v := thing.GetAttr(name); {
	case !v.IsKnown():
		return "unknown"
	case v.IsNull():
		return "null"
	case v.Type() == cty.Number:
		return v.AsBigFloat().String()
	default:
		return v.AsString()
	}
}

// kept returns the final state of a thing as text.
func kept(thing *driver.Instance) string {
	if thing.State().IsNull() && thing.Identity() == cty.NilVal {
		return "nothing kept"
	}
	text := "kept name=" + plain(thing.State(), "name") + ", size=" + plain(thing.State(), "size")
	if thing.Tainted() {
		text += ", tainted"
	}
	if thing.Identity() == cty.NilVal {
		text += ", no identity"
	}
	return text
}

// TestParagraphsAboutRequestsHaveTests checks that each paragraph of section 14 of
// docs/specification.md, except the tables about OpenTofu and identities, has a row in exchanges or
// runs. TestServersAndEncodedFindTheSame and TestIdentitiesAreReportedAsRejected cover the tables.
func TestParagraphsAboutRequestsHaveTests(t *testing.T) {
	tested := map[string]bool{}
	add := func(does string) {
		if paragraph, _, named := strings.Cut(does, ": "); named {
			tested[paragraph] = true
		}
	}
	for _, x := range exchanges {
		add(x.does)
	}
	for _, r := range runs {
		add(r.does)
	}
	text, err := os.ReadFile(filepath.Join("..", "docs", "specification.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## 14. ")
	section, _, _ = strings.Cut(section, "\n### 14.6 ")
	documented := map[string]bool{}
	for _, p := range regexp.MustCompile(`(?m)^\*\*(P-14\.\d+)\.\*\*`).FindAllStringSubmatch(section, -1) {
		documented[p[1]] = true
	}
	if diff := cmp.Diff(documented, tested); diff != "" || len(documented) < 20 {
		t.Errorf("%d paragraphs (-documented +tested):\n%s", len(documented), diff)
	}
}
