//lint:file-ignore SA1019 the legacy type system is what is tested

package tfcheck_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/tfcheck/driver"
)

// The rest of the calls: what holds for several answers, and what no instance is
// taken through.
var moreCalls = slices.Concat(
	[]call{
		{does: "plan 2: an answer conforms", fake: plans(func(_ planReq, r planResp) { r.PlannedState = noObject }), steps: creating(config),
			found: []string{"PlanResourceChange response type-mismatch"}, fails: "type-mismatch"},
		{does: "plan 2: and is valid", fake: plans(func(_ planReq, r planResp) {
			r.PlannedState = with(r.PlannedState, map[string]cty.Value{"name": text("A")})
		}), steps: creating(config), found: []string{"PlanResourceChange response .name plan-not-config"}, fails: "plan-not-config"},
		{does: "plan 2: what is deferred need not even conform", fake: plans(func(_ planReq, r planResp) {
			r.PlannedState, r.Deferred = noObject, &tfprotov6.Deferred{Reason: tfprotov6.DeferredReasonAbsentPrereq}
		}), opts: []driver.Option{driver.AllowDeferral()}, steps: creating(config)},
		{does: "plan 2: a deferral at apply is always an error", fake: deferringAtApply(), opts: []driver.Option{driver.AllowDeferral()},
			steps: creating(config), found: []string{"PlanResourceChange response deferral"}, fails: "deferred at apply"},
		{does: "plan 6: identities are known after read", fake: &fake{read: func(_ readReq, r readResp) { r.NewIdentity = unknownIdentity }},
			steps: creating(config), found: []string{"ReadResource identity .id state-unknown"}, fails: "unknown"},
		{does: "plan 6: and after apply", fake: &fake{apply: func(_ applyReq, r applyResp) { r.NewIdentity = unknownIdentity }},
			steps: creating(config), found: []string{"ApplyResourceChange identity .id state-unknown"}, fails: "unknown"},
		{does: "plan 6: and in a plan that updates", fake: planning(func(q planReq, r planResp) {
			if !decoded(q.PriorState).RawEquals(decoded(q.ProposedNewState)) {
				r.PlannedIdentity = unknownIdentity
			}
		}), steps: updating(obj{"name": "a", "size": 2}), found: []string{"PlanResourceChange identity .id state-unknown"}, fails: "unknown"},

		{does: "apply 5: what does not conform leaves the object as it was", fake: &fake{apply: func(q applyReq, r applyResp) {
			if !decoded(q.PriorState).IsNull() {
				r.NewState = noObject
			}
		}}, steps: updating(obj{"name": "a", "size": 2}), fails: "must be an object", asked: []string{"kept name=a, size=1"},
			found: []string{"ApplyResourceChange response type-mismatch"}},
		{does: "apply 5: nothing else than a delete gives null, also for the legacy SDK", fake: legacy(&fake{apply: func(_ applyReq, r applyResp) {
			r.NewState = nothing()
		}}), steps: creating(config), found: []string{"ApplyResourceChange response inconsistent-presence"}, fails: "inconsistent-presence"},
		{does: "apply 5: the new state is consistent with the plan", fake: resizing(), steps: creating(config),
			found: []string{"ApplyResourceChange response .size inconsistent-value"}, fails: "inconsistent-value"},
		{does: "apply 5: which for the legacy SDK is only logged", fake: legacy(resizing()), steps: creating(config), asked: []string{"size=9"},
			found: []string{"ApplyResourceChange response .size inconsistent-value, tolerated", "PlanResourceChange response .size perpetual-diff"}},

		{does: "read 2: what is read is normalised", fake: &fake{read: func(_ readReq, r readResp) {
			r.NewState = with(r.NewState, map[string]cty.Value{"rule": cty.NullVal(thingType.AttributeType("rule"))})
		}}, steps: func(i *driver.Instance) (*driver.Run, error) {
			if run, err := i.Create(ctx, obj{"name": "a"}); err != nil {
				return run, err
			}
			run, err := i.Refresh(ctx)
			if err == nil && i.State().GetAttr("rule").IsNull() {
				err = errors.New("null blocks are left")
			}
			return run, err
		}, found: []string{"ReadResource response .rule state-null-blocks, unchecked"}},
		{does: "read 2: but only where the schema could be the legacy SDK's", by: "TestCouldBeLegacy"},

		{does: "data 1: what is deferred is not checked", fake: &fake{data: func(r *tfprotov6.ReadDataSourceResponse) {
			r.State, r.Deferred = noObject, &tfprotov6.Deferred{}
		}}, asks: func(s tfprotov6.ProviderServer) ([]*tfprotov6.Diagnostic, error) {
			resp, err := s.ReadDataSource(ctx, &tfprotov6.ReadDataSourceRequest{TypeName: "test_thing", Config: dynamic(config),
				ClientCapabilities: &tfprotov6.ReadDataSourceClientCapabilities{DeferralAllowed: true}})
			return diagnostics(resp, err)
		}},
		{does: "data 1: nor is it held to the configuration", fake: &fake{data: func(r *tfprotov6.ReadDataSourceResponse) {
			r.State = with(r.State, map[string]cty.Value{"size": cty.NumberIntVal(2)})
		}}, asks: dataThing, found: []string{"ReadDataSource response .size inconsistent-value, unchecked"}},
		{does: "data 2: every violation is an error", fake: &fake{ephemeral: func(r *tfprotov6.OpenEphemeralResourceResponse) {
			r.Result = with(r.Result, map[string]cty.Value{"size": cty.NumberIntVal(2)})
		}}, asks: ephemeralThing, found: []string{"OpenEphemeralResource response .size plan-not-config"}},
		{does: "data 2: unknown values are not looked for", fake: &fake{ephemeral: func(r *tfprotov6.OpenEphemeralResourceResponse) {
			r.Result = dynamic(planned)
		}}, asks: ephemeralThing},

		{does: "strings 1: any bytes are one", fake: &fake{}, asks: func(s tfprotov6.ProviderServer) ([]*tfprotov6.Diagnostic, error) {
			resp, err := s.ApplyResourceChange(ctx, &tfprotov6.ApplyResourceChangeRequest{TypeName: "test_thing", PriorState: nothing(),
				Config: dynamic(obj{"name": latin}), PlannedState: dynamic(obj{"name": latin, "id": unknown}), PlannedIdentity: identified("i-1")})
			return diagnostics(resp, err)
		}},
		{does: "strings 1: in no phase that is a violation", by: "TestFindingsOfAnyBytes"},
	},
	whole("read 1: an upgraded state", "UpgradeResourceState", upgradeThing, func(state *tfprotov6.DynamicValue) *fake {
		return &fake{upgrade: func(r *tfprotov6.UpgradeResourceStateResponse) { r.UpgradedState = state }}
	}),
	whole("read 1: a moved state", "MoveResourceState", moveThing, func(state *tfprotov6.DynamicValue) *fake {
		return &fake{move: func(r *tfprotov6.MoveResourceStateResponse) { r.TargetState = state }}
	}),
	whole("data 1: what a data source returns", "ReadDataSource", dataThing, func(state *tfprotov6.DynamicValue) *fake {
		return &fake{data: func(r *tfprotov6.ReadDataSourceResponse) { r.State = state }}
	}),
	[]call{{does: "data 1: what a data source returns is not null", fake: &fake{data: func(r *tfprotov6.ReadDataSourceResponse) {
		r.State = nothing()
	}}, asks: dataThing, found: []string{"ReadDataSource response data-null"}}},
)

var noObject = &tfprotov6.DynamicValue{MsgPack: []byte{0x90}} // a list

// whole are the calls that hold an answer to be what a state is.
func whole(what, rpc string, asks asking, answering func(*tfprotov6.DynamicValue) *fake) []call {
	response := rpc + " response "
	return []call{
		{does: what + " conforms", fake: answering(noObject), asks: asks, found: []string{response + "type-mismatch"}},
		{does: what + " is wholly known", fake: answering(dynamic(planned)), asks: asks, found: []string{response + ".id state-unknown"}},
		{does: what + " has null for what is write-only", fake: answering(dynamic(obj{"id": "i-1", "name": "a", "size": 1, "password": "leak"})),
			asks: asks, found: []string{response + ".password write-only-not-null"}},
	}
}

// resizing returns another size than was planned.
func resizing() *fake {
	return &fake{apply: func(_ applyReq, r applyResp) {
		r.NewState = with(r.NewState, map[string]cty.Value{"size": cty.NumberIntVal(9)})
	}}
}

// deferringAtApply defers the second plan.
func deferringAtApply() *fake {
	made := 0
	return plans(func(_ planReq, r planResp) {
		if made++; made > 1 {
			r.Deferred = &tfprotov6.Deferred{Reason: tfprotov6.DeferredReasonAbsentPrereq}
		}
	})
}

// lines is how many calls there are to each line of docs/semantics.md#the-calls.
var lines = map[string]int{
	"plan 1": 5, "plan 2": 8, "plan 3": 1, "plan 4": 3, "plan 5": 1, "plan 6": 8, "plan 7": 1, "plan 8": 1,
	"apply 1": 1, "apply 2": 2, "apply 3": 1, "apply 4": 2, "apply 5": 7, "apply 6": 2,
	"read 1": 7, "read 2": 2, "read 3": 6,
	"data 1": 6, "data 2": 2, "strings 1": 2,
}

// No line is without a call, no call without a line, and what a call leaves to
// another test is a test.
func TestEveryCallIsHeld(t *testing.T) {
	held, seen := map[string]int{}, map[string]bool{}
	for _, c := range slices.Concat(calls, moreCalls) {
		line, _, _ := strings.Cut(c.does, ":")
		held[line]++
		if seen[c.does] {
			t.Errorf("%q is there twice", c.does)
		}
		seen[c.does] = true
		if c.by != "" && !slices.Contains(testNames(t), c.by) {
			t.Errorf("%q is left to %s, which is no test", c.does, c.by)
		}
	}
	if diff := cmp.Diff(lines, held); diff != "" {
		t.Errorf("(-want +held):\n%s", diff)
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(lines)), linesOfTheLaw(t)); diff != "" {
		t.Errorf("(-held +law):\n%s", diff)
	}
}

func testNames(t *testing.T) (names []string) {
	files, err := filepath.Glob("*_test.go")
	inside, insideErr := filepath.Glob("internal/*/*_test.go")
	if err := errors.Join(err, insideErr); err != nil {
		t.Fatal(err)
	}
	files = append(files, inside...)
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllSubmatch(source, -1) {
			names = append(names, string(m[1]))
		}
	}
	return names
}

// linesOfTheLaw names the lines by their subchapter and number.
func linesOfTheLaw(t *testing.T) (names []string) {
	law, err := os.ReadFile(filepath.Join("..", "docs", "semantics.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, chapter, _ := strings.Cut(string(law), "\n## The calls\n")
	chapter, _, _ = strings.Cut(chapter, "\n## ")
	for _, part := range strings.Split(chapter, "\n### ")[1:] {
		title, rest, _ := strings.Cut(part, "\n")
		for _, name := range []string{"plan", "apply", "read", "Data", "Strings"} {
			if strings.Contains(title, name) {
				title = strings.ToLower(name)
				break
			}
		}
		n := len(regexp.MustCompile(`(?m)^\d+\. `).FindAllString(rest, -1))
		for i := range max(n, 1) { // one that is a paragraph is one line
			names = append(names, fmt.Sprintf("%s %d", title, i+1))
		}
	}
	slices.Sort(names)
	return names
}
