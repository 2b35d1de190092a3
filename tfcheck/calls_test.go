//lint:file-ignore SA1019 the legacy type system is what is tested

package tfcheck_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
)

// What Core does around the functions, docs/semantics.md#the-calls line by line, and what proves that driver,
// judge and checking server do it. The package livetest holds most of it against
// the real command, too.

// A call is one thing that Core does.
type call struct {
	does  string
	fake  *fake
	opts  []driver.Option
	steps func(*driver.Instance) (*driver.Run, error)
	asked []string // what some requests hold, as the fake notes it
	found []string // in the last run
	fails string   // what its error says
	plans int      // how many are made, if that matters

	asks asking // instead of steps: one request to a checking server
	by   string // instead of all that: the test that holds it
}

type asking = func(tfprotov6.ProviderServer) ([]*tfprotov6.Diagnostic, error)

// Steps that are taken with a thing.
type steps = func(*driver.Instance) (*driver.Run, error)

func creating(config any, opts ...driver.RunOption) steps {
	return func(i *driver.Instance) (*driver.Run, error) { return i.Create(ctx, config, opts...) }
}

func updating(config any, opts ...driver.RunOption) steps {
	return func(i *driver.Instance) (*driver.Run, error) {
		if run, err := i.Create(ctx, obj{"name": "a", "size": 1}); err != nil {
			return run, fmt.Errorf("before: %w", err)
		}
		return i.Update(ctx, config, opts...)
	}
}

func destroying(i *driver.Instance) (*driver.Run, error) {
	if run, err := i.Create(ctx, obj{"name": "a", "size": 1}); err != nil {
		return run, fmt.Errorf("before: %w", err)
	}
	return i.Destroy(ctx)
}

func importing(i *driver.Instance) (*driver.Run, error) { return i.Import(ctx, "i-1") }

// failing once, a create leaves a tainted object.
func replacingTainted(i *driver.Instance) (*driver.Run, error) {
	if run, err := i.Create(ctx, obj{"name": "a"}); err == nil || !i.Tainted() {
		return run, fmt.Errorf("nothing is tainted: %w", err)
	}
	return i.Update(ctx, obj{"name": "a"})
}

// Edits of the fake's answers.
var (
	legacy = func(f *fake) *fake {
		before := f.plan
		f.plan = func(q planReq, r planResp) {
			edit(before, q, r)
			r.UnsafeToUseLegacyTypeSystem = true
		}
		apply := f.apply
		f.apply = func(q applyReq, r applyResp) {
			edit(apply, q, r)
			r.UnsafeToUseLegacyTypeSystem = true
		}
		return f
	}
	plans = func(edit func(planReq, planResp)) *fake { return &fake{plan: edit} }
	// once fails the first apply, but returns the object.
	once = func() *fake {
		failed := false
		return &fake{apply: func(_ applyReq, r applyResp) {
			if !failed {
				failed, r.Diagnostics, r.Private = true, failing, []byte("old")
			}
		}}
	}
	deferred = func(q planReq, r planResp) {
		r.Deferred = &tfprotov6.Deferred{Reason: tfprotov6.DeferredReasonAbsentPrereq}
		r.PlannedState = with(r.PlannedState, map[string]cty.Value{"size": cty.NumberIntVal(9), "password": text("leak")})
	}
	nowhere = tftypes.NewAttributePath().WithAttributeName("nowhere")
)

// planning calls edit for plans of an object that is neither created nor
// destroyed.
func planning(edit func(planReq, planResp)) *fake {
	return plans(func(q planReq, r planResp) {
		if !decoded(q.PriorState).IsNull() && !decoded(q.ProposedNewState).IsNull() {
			edit(q, r)
		}
	})
}

var unknownIdentity = identified(cty.UnknownVal(cty.String))

var calls = []call{
	{does: "plan 1: the configuration is held to be valid", fake: &fake{}, steps: creating(obj{"size": 1}), fails: "config-required"},
	{does: "plan 1: ignore_changes is applied to the configuration, with the prior state", fake: &fake{},
		steps: updating(obj{"name": "a", "size": 2}, driver.IgnoreChanges(cty.GetAttrPath("size"))), asked: []string{"prior something, config name=a, size=1"}},
	{does: "plan 1: ignore_changes = all is the prior state", fake: &fake{},
		steps: updating(obj{"name": "b", "size": 2}, driver.IgnoreAllChanges()), asked: []string{"prior something, config name=a, size=1"}},
	{does: "plan 1: nothing is ignored where nothing was", fake: &fake{},
		steps: creating(obj{"name": "a", "size": 2}, driver.IgnoreAllChanges()), asked: []string{"prior null, config name=a, size=2"}},
	{does: "plan 1: of a tainted object prior state and private data are empty", fake: once(), steps: replacingTainted, asked: []string{"apply: create, private p, no identity\ncreates: 1\nplan: prior null, private none, no identity"}},
	{does: "plan 2: what is deferred is not judged", fake: plans(deferred), opts: []driver.Option{driver.AllowDeferral()}, steps: creating(config)},
	{does: "plan 2: to defer must be allowed", fake: plans(deferred), steps: creating(config),
		found: []string{"PlanResourceChange response deferral"}, fails: "not allowed"},
	{does: "plan 2: the legacy SDK is excused what a plan may hold", fake: legacy(plans(func(_ planReq, r planResp) {
		r.PlannedState = with(r.PlannedState, map[string]cty.Value{"name": text("A")})
	})), steps: creating(config), found: []string{"PlanResourceChange response .name plan-not-config, tolerated"}},
	{does: "plan 2: and nothing that is write-only", fake: legacy(plans(func(_ planReq, r planResp) {
		r.PlannedState = with(r.PlannedState, map[string]cty.Value{"password": text("leak")})
	})), steps: creating(config), found: []string{"PlanResourceChange response .password write-only-not-null"}, fails: "write-only"},
	{does: "plan 3: in a plan of the legacy SDK changes are ignored once more", fake: legacy(planning(func(_ planReq, r planResp) {
		r.PlannedState = with(r.PlannedState, map[string]cty.Value{"size": cty.NumberIntVal(3), "token": text("x")})
	})), steps: updating(obj{"name": "a", "size": 1}, driver.IgnoreChanges(cty.GetAttrPath("size"), cty.GetAttrPath("token"))),
		found: []string{"PlanResourceChange response .size plan-not-config, tolerated", "PlanResourceChange response .token plan-not-computed, tolerated"}},
	{does: "plan 4: paths that require replacement lead to something, also for the legacy SDK", fake: legacy(planning(func(_ planReq, r planResp) {
		r.RequiresReplace = append(r.RequiresReplace, nowhere)
	})), steps: updating(config), found: []string{"PlanResourceChange response .nowhere replace-path"}, fails: "nothing here"},
	{does: "plan 4: in a plan to destroy nobody looks at them", fake: plans(func(q planReq, r planResp) {
		if decoded(q.ProposedNewState).IsNull() {
			r.RequiresReplace = []*tftypes.AttributePath{nowhere}
		}
	}), steps: destroying},
	{does: "plan 4: a replacement ignores no changes", fake: &fake{},
		steps: updating(obj{"name": "b", "size": 2}, driver.IgnoreChanges(cty.GetAttrPath("size"))), asked: []string{"prior null, config name=b, size=2"}},
	{does: "plan 5: a replacement is planned with the private data and identity of the first answer", fake: plans(func(_ planReq, r planResp) {
		r.PlannedIdentity = identified("i-9")
	}), steps: updating(obj{"name": "b"}), asked: []string{"plan: prior null, private pap, identity i-9"},
		found: []string{"PlanResourceChange identity .id inconsistent-value, unchecked", "ApplyResourceChange identity .id inconsistent-value, unchecked"}},
	{does: "plan 6: identities conform to their schema", fake: plans(func(_ planReq, r planResp) {
		r.PlannedIdentity = &tfprotov6.ResourceIdentityData{IdentityData: dynamic(config)}
	}), steps: creating(config), found: []string{"PlanResourceChange identity type-mismatch"}, fails: "id"},
	{does: "plan 6: they may be unknown in a plan to create or replace", fake: plans(func(q planReq, r planResp) {
		if decoded(q.PriorState).IsNull() || !decoded(q.ProposedNewState).IsNull() && decoded(q.ProposedNewState).GetAttr("name").AsString() == "b" {
			r.PlannedIdentity = unknownIdentity
		}
	}), steps: func(i *driver.Instance) (*driver.Run, error) {
		if run, err := i.Create(ctx, obj{"name": "a"}); err != nil {
			return run, err
		}
		return i.Plan(ctx, obj{"name": "b"})
	}},
	{does: "plan 6: and not in one that does nothing", fake: planning(func(_ planReq, r planResp) { r.PlannedIdentity = unknownIdentity }),
		steps: creating(config), found: []string{"PlanResourceChange identity .id state-unknown"}, fails: "unknown"},
	{does: "plan 6: nor to delete", fake: plans(func(q planReq, r planResp) {
		if decoded(q.ProposedNewState).IsNull() {
			r.PlannedIdentity = unknownIdentity
		}
	}), steps: destroying, found: []string{"PlanResourceChange identity .id state-unknown"}, fails: "unknown"},
	{does: "plan 6: that one differs is told", fake: planning(func(_ planReq, r planResp) { r.PlannedIdentity = identified("i-2") }),
		steps: creating(config), found: []string{"PlanResourceChange identity .id inconsistent-value, unchecked"}},
	{does: "plan 7: a plan to destroy is null, also for the legacy SDK", fake: legacy(plans(func(q planReq, r planResp) {
		if decoded(q.ProposedNewState).IsNull() {
			r.PlannedState = q.PriorState
		}
	})), steps: destroying, found: []string{"PlanResourceChange response plan-present"}, fails: "not configured"},
	{does: "plan 8: the legacy SDK may plan nothing, and fails after apply", fake: legacy(plans(func(_ planReq, r planResp) { r.PlannedState = nothing() })),
		steps: creating(config), fails: "no object where one was to be created",
		found: []string{"PlanResourceChange response plan-absent, tolerated", "ApplyResourceChange response inconsistent-presence"}},

	{does: "apply 1: a no-op is not planned again", fake: &fake{}, steps: updating(obj{"name": "a", "size": 1}), plans: 4},
	{does: "apply 2: an update may come to nothing", fake: &fake{},
		steps: updating(obj{"name": "a", "size": 1}, driver.Initially(obj{"name": "a", "size": cty.DynamicVal}))},
	{does: "apply 2: and to nothing else", fake: &fake{}, steps: updating(obj{"name": "b", "size": 1}, driver.Initially(obj{"name": "a", "size": cty.DynamicVal})),
		fails: "does not follow"},
	{does: "apply 3: both plans are consistent, also for the legacy SDK", fake: legacy(plans(func(q planReq, r planResp) {
		if !decoded(q.Config).IsNull() && !decoded(q.Config).GetAttr("size").IsKnown() {
			r.PlannedState = with(r.PlannedState, map[string]cty.Value{"token": text("promised")})
		}
	})), steps: creating(obj{"name": "a", "size": 1}, driver.Initially(obj{"name": "a", "size": cty.DynamicVal})),
		found: []string{"PlanResourceChange response .token plan-not-computed, tolerated", "PlanResourceChange response .token inconsistent-sensitive"}, fails: "replan: .token"},
	{does: "apply 4: the old object of a replacement goes with the private data of the replacement's plan, and no identity", fake: &fake{},
		steps: updating(obj{"name": "b"}), asked: []string{"apply: destroy, private papp, no identity"}},
	{does: "apply 4: a destroy sends its plan's own", fake: plans(func(q planReq, r planResp) {
		if decoded(q.ProposedNewState).IsNull() {
			r.PlannedIdentity = identified("i-7")
		}
	}), steps: destroying, asked: []string{"apply: destroy, private pap, identity i-7"}, found: []string{
		"PlanResourceChange identity .id inconsistent-value, unchecked", "ApplyResourceChange identity .id inconsistent-value, unchecked"}},
	{does: "apply 5: a new state that cannot be used leaves the object as it was", fake: &fake{apply: func(q applyReq, r applyResp) {
		if !decoded(q.PriorState).IsNull() {
			r.NewState = with(r.NewState, map[string]cty.Value{"password": text("leak")})
		}
	}}, steps: updating(obj{"name": "a", "size": 2}), fails: "write-only", asked: []string{"kept name=a, size=1"},
		found: []string{"ApplyResourceChange response .password inconsistent-value", "ApplyResourceChange response .password write-only-not-null"}},
	{does: "apply 5: unknown becomes null in what is kept", fake: &fake{apply: func(q applyReq, r applyResp) {
		if !decoded(q.PriorState).IsNull() {
			r.NewState = with(r.NewState, map[string]cty.Value{"size": cty.UnknownVal(cty.Number)})
		}
	}}, steps: updating(obj{"name": "a", "size": 2}), fails: "state-unknown", asked: []string{"kept name=a, size=null"},
		found: []string{"ApplyResourceChange response .size state-unknown"}},
	{does: "apply 5: a delete gives null, also for the legacy SDK", fake: legacy(&fake{apply: func(q applyReq, r applyResp) {
		if decoded(q.PlannedState).IsNull() {
			r.NewState = q.PriorState
		}
	}}), steps: destroying, found: []string{"ApplyResourceChange response inconsistent-presence"}, fails: "none was planned"},
	{does: "apply 6: a failed apply keeps the object as returned, with its identity, even none", fake: &fake{apply: func(q applyReq, r applyResp) {
		if !decoded(q.PriorState).IsNull() {
			r.Diagnostics, r.NewIdentity = failing, nil
		}
	}}, steps: updating(obj{"name": "a", "size": 2}), fails: "Out of things", asked: []string{"kept name=a, size=2, no identity"}},
	{does: "apply 6: a failed create is tainted", fake: once(), steps: creating(config), fails: "Out of things", asked: []string{"kept name=a, size=1, tainted"}},

	{does: "read 1: an upgrade to null leads to a create", fake: &fake{upgrade: func(r *tfprotov6.UpgradeResourceStateResponse) { r.UpgradedState = nothing() }},
		steps: updating(config), asked: []string{"creates: 2"},
		found: []string{"ReadResource response perpetual-diff"}},
	{does: "read 3: an import stub may hold unknown values, which reading makes known", steps: importing,
		fake: &fake{
			imports: func(r *tfprotov6.ImportResourceStateResponse) { r.ImportedResources[0].State = dynamic(planned) },
			read:    func(_ readReq, r readResp) { r.NewState = dynamic(exists) },
		},
		found: []string{"ImportResourceState response .id state-unknown, unchecked"}},
	{does: "read 3: and nothing that is write-only", steps: importing, fake: &fake{imports: func(r *tfprotov6.ImportResourceStateResponse) {
		r.ImportedResources[0].State = dynamic(obj{"id": "i-1", "name": "a", "password": "leak"})
	}}, found: []string{"ImportResourceState response .password write-only-not-null"}, fails: "write-only"},
	{does: "read 3: more than one object is an error", steps: importing, fake: &fake{imports: func(r *tfprotov6.ImportResourceStateResponse) {
		r.ImportedResources = append(r.ImportedResources, r.ImportedResources[0])
	}}, found: []string{"ImportResourceState response import-count"}, fails: "returned 2"},
	{does: "read 3: none is one, too", steps: importing, fake: &fake{imports: func(r *tfprotov6.ImportResourceStateResponse) { r.ImportedResources = nil }},
		found: []string{"ImportResourceState response import-count"}, fails: "returned 0"},
	{does: "read 3: an import by identity may return null, which is read", steps: importingIdentity, fake: &fake{
		imports: func(r *tfprotov6.ImportResourceStateResponse) { r.ImportedResources[0].State = nothing() },
		read:    func(_ readReq, r readResp) { r.NewState = dynamic(exists) },
	}},
	{does: "read 3: and must return the identity", steps: importingIdentity, fake: &fake{imports: func(r *tfprotov6.ImportResourceStateResponse) {
		r.ImportedResources[0].Identity = nil
	}}, found: []string{"ImportResourceState identity import-identity"}, fails: "without one"},
}

func importingIdentity(i *driver.Instance) (*driver.Run, error) {
	return i.ImportIdentity(ctx, obj{"id": "i-1"})
}

func TestCalls(t *testing.T) {
	for _, c := range slices.Concat(calls, moreCalls) {
		t.Run(c.does, func(t *testing.T) {
			if c.by != "" {
				return
			}
			if c.asks != nil {
				var found tfcheck.Collector
				if _, err := c.asks(tfcheck.Server6(c.fake, found.Report)); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(c.found, brief(found.Findings())); diff != "" {
					t.Errorf("found (-want +got):\n%s", diff)
				}
				return
			}
			notes := c.fake.note()
			_, thing := drive(t, c.fake, c.opts...)
			run, err := c.steps(thing)
			if (err == nil) != (c.fails == "") || err != nil && !strings.Contains(err.Error(), c.fails) {
				t.Errorf("ended with %v", err)
			}
			if diff := cmp.Diff(c.found, brief(run.Findings)); diff != "" {
				t.Errorf("found (-want +got):\n%s", diff)
			}
			if made := strings.Count(strings.Join(*notes, "\n"), "plan: "); c.plans > 0 && made != c.plans {
				t.Errorf("%d plans are made, not %d", made, c.plans)
			}
			said := strings.Join(*notes, "\n") + "\n" + kept(thing)
			for _, want := range c.asked {
				if !strings.Contains(said, want) {
					t.Errorf("nothing says %q in\n%s", want, said)
				}
			}
		})
	}
}
