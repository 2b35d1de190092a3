package livetest_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/explore"
	"github.com/objchange/objchange/tfcheck/livetest/frameworkprovider"
	"github.com/objchange/objchange/tfcheck/livetest/sdkprovider"
)

func frameworkServer() (tfprotov6.ProviderServer, error) {
	return new(frameworkprovider.Provider).Server(), nil
}

func sdkServer() (tfprotov5.ProviderServer, error) {
	s, _ := sdkprovider.New()
	return s.GRPCProvider(), nil
}

// seeded are the faults that show when an object is planned that does not exist yet, whatever it
// is called.
var seeded = map[string]objchange.Rule{
	"fw_plan_absent": objchange.RulePlanAbsent, "fw_plan_present": objchange.RulePlanPresent,
	"fw_plan_not_config":   objchange.RulePlanNotConfig,
	"fw_plan_not_computed": objchange.RulePlanNotComputed, "fw_plan_unknown_nested": objchange.RulePlanUnknownNested,
	"fw_plan_unknown_block": objchange.RulePlanUnknownBlock, "fw_plan_unknown_blocks": objchange.RulePlanUnknownBlocks,
	"fw_plan_dynamic_block": objchange.RulePlanDynamicBlock, "fw_plan_count": objchange.RulePlanCount,
	"fw_plan_key": objchange.RulePlanKey, "fw_plan_set_element": objchange.RulePlanSetElement,
	"fw_inconsistent_unknown": objchange.RuleInconsistentUnknown, "fw_infinite_planned": objchange.RuleTypeMismatch,
	"fw_write_only_not_null": objchange.RuleWriteOnlyNotNull, "fw_deferred": tfcheck.RuleDeferral,
	"sdk_plan_not_config": objchange.RulePlanNotConfig, "sdk_plan_not_computed": objchange.RulePlanNotComputed,
	"sdk_plan_set_element": objchange.RulePlanSetElement, "sdk_plan_unknown_blocks": objchange.RulePlanUnknownBlocks,
	"sdk_inconsistent_unknown": objchange.RuleInconsistentUnknown,
}

// Explore finds every fault that shows in a plan, and accuses no type without one. The tests
// that it prints fail, and half of the configurations have 10 lines at most.
func TestExploreFindsSeededFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("some ten thousand requests")
	}
	framework, err := explore.Explore(t.Context(), explore.InProcess(frameworkServer),
		explore.Types("fw_plan_*", "fw_honest", "fw_inconsistent_unknown", "fw_infinite_planned", "fw_write_only_not_null", "fw_deferred", "fw_server", "fw_firewall"))
	if err != nil {
		t.Fatal(err)
	}
	sdk, err := explore.Explore(t.Context(), explore.InProcess5(sdkServer),
		explore.Types("sdk_plan_*", "sdk_honest", "sdk_inconsistent_unknown", "sdk_bucket"))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]objchange.Rule{}
	var requests, lines []int
	for _, f := range slices.Concat(framework.Findings, sdk.Findings) {
		for _, p := range f.Places {
			found[p.Type] = append(found[p.Type], f.Rule)
			if _, faulty := seeded[p.Type]; !faulty && f.Severity == tfcheck.Rejected {
				t.Errorf("%s has no such fault: %s", p.Type, f.String())
			}
		}
		lines = append(lines, strings.Count(f.HCL, "\n"))
		if seeded[f.Places[0].Type] == f.Rule {
			requests = append(requests, f.Requests)
		}
	}
	for _, typ := range slices.Concat(framework.Types, sdk.Types) {
		if rule, faulty := seeded[typ.Name]; faulty && !slices.Contains(found[typ.Name], rule) {
			t.Errorf("%s: %s was not found, but %s (%d requests)", typ.Name, rule, found[typ.Name], typ.Requests)
		}
		if !typ.Reached {
			t.Logf("%s %s was not reached: %s", typ.Kind, typ.Name, typ.Unreached)
		}
	}
	mustReproduce(t, fmt.Sprintf(theFactories, 6, "framework", "fw"), framework.Findings)
	mustReproduce(t, fmt.Sprintf(theFactories, 5, "sdk", "sdk"), sdk.Findings)
	slices.Sort(lines)
	if median := lines[len(lines)/2]; median > 10 {
		t.Errorf("the median is %d lines", median)
	}
	slices.Sort(requests)
	if median := requests[len(requests)/2]; median > 20 {
		t.Errorf("the median is %d requests", median)
	}
	t.Logf("%v requests until each; %d and %d in all; %v lines", requests, framework.Requests, sdk.Requests, lines)
}

// The same provider and seed give the same result, however many types are explored at once.
func TestExploreIsDeterministic(t *testing.T) {
	times := 20
	if testing.Short() {
		times = 3
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var first *explore.Result
	for i := range times {
		runtime.GOMAXPROCS([]int{2, 1, 8}[i%3])
		r, err := explore.Explore(t.Context(), explore.InProcess5(sdkServer), explore.Types("sdk_bucket", "sdk_plan_*", "sdk_region", "sdk_nowhere"), explore.Requests(60))
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = r
		}
		if diff := cmp.Diff(first, r); diff != "" {
			t.Fatal(diff)
		}
	}
	if len(first.Findings) == 0 {
		t.Error("nothing was found")
	}
}
