package explore_test

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
	"github.com/objchange/objchange/livetest/frameworkprovider"
	"github.com/objchange/objchange/livetest/internal/live"
	"github.com/objchange/objchange/livetest/sdkprovider"
	"github.com/objchange/objchange/tfcheck/explore"
)

func sdkServer() (tfprotov5.ProviderServer, error) {
	s, _ := sdkprovider.New()
	return s.GRPCProvider(), nil
}

// seeded returns the faults of the test providers, with their types.
func seeded() (all []live.Breach) {
	for _, b := range live.Breaches {
		if b.Change == nil {
			all = append(all, b)
		}
	}
	return append(all, live.Breach{Rule: objchange.RuleDeferral, TypeName: "fw_deferred"},
		live.Breach{Rule: objchange.RuleImportCount, TypeName: "sdk_twins"})
}

// faultless lists types without findings that Terraform rejects.
var faultless = []string{
	"fw_honest", "fw_server", "fw_firewall", "sdk_honest", "sdk_bucket", "sdk_plain",
}

// lateReplace is a fault of RequiresReplace inside a set that becomes known during apply. Explore
// finds it with the requests of the lifecycle.
var lateReplace = live.Breach{Rule: objchange.RuleActionChanged, TypeName: "fw_link"}

// providerOf returns the name of the provider of a type.
func providerOf(typ string) string {
	name, _, _ := strings.Cut(typ, "_")
	return name
}

// lost lists the types whose objects may remain, because the returned state is faulty: three
// objects when the fault is found, and one when it is replayed.
var lost = map[string][]string{
	"fw": {"fw_infinite_applied", "fw_nothing_applied"}, "sdk": {"sdk_inconsistent_presence"},
}

func typesOf(all []explore.Leftover) (types []string) {
	for _, left := range all {
		types = append(types, left.Type)
	}
	return types
}

// TestExploreFindsSeededFaults checks that explore finds each fault, and has no findings for
// types without faults. The printed tests must fail, and Terraform must confirm each fault that it
// rejects. Half of the configurations must have at most 10 lines. All objects must be destroyed or
// listed.
func TestExploreFindsSeededFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("some ten thousand requests")
	}
	types := map[string][]string{}
	for _, b := range seeded() {
		types[providerOf(b.TypeName)] = append(types[providerOf(b.TypeName)], b.TypeName)
	}
	types["fw"] = append(types["fw"], "fw_nothing_applied", lateReplace.TypeName)
	for _, typ := range faultless {
		types[providerOf(typ)] = append(types[providerOf(typ)], typ)
	}
	ours, theirs := new(frameworkprovider.Provider), new(sdkprovider.Cloud)
	for name, c := range map[string]struct {
		provider  explore.Provider
		requests  int // sufficient for the faults that are not in late
		ids       func() []string
		factories string
	}{
		"fw": {
			explore.InProcess(func() (tfprotov6.ProviderServer, error) { return ours.Server(), nil }),
			70, ours.Cloud.IDs,
			fmt.Sprintf(theFactories, 6, "framework", "fw"),
		},
		"sdk": {
			explore.InProcess5(func() (tfprotov5.ProviderServer, error) {
				return sdkprovider.In(theirs).GRPCProvider(), nil
			}),
			100, theirs.IDs,
			fmt.Sprintf(theFactories, 5, "sdk", "sdk"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := mustExplore(t, c.provider, c.requests, types[name], confirmation(t, name)...)
			left := slices.Compact(typesOf(r.Left))
			many := len(r.Left) > 4*len(lost[name])
			if !slices.Equal(left, lost[name]) || many || len(c.ids()) > len(r.Left) {
				t.Errorf("%q are left, and listed is %+v", c.ids(), r.Left)
			}
			mustFind(t, name, r.Findings)
			mustConfirm(t, name, slices.Concat(r.Findings, r.Unconfirmed))
			mustReproduce(t, c.factories, r.Findings)
		})
	}
}

// late lists the types whose faults take many requests. Explore finds them with the default limit.
var late = []string{
	lateReplace.TypeName, "fw_action_changed", "fw_plan_not_config_anew", "sdk_plan_set_element", "sdk_tags_all",
}

// mustExplore explores the types with all phases: those in late with the default limit of requests,
// and the others with the given number.
func mustExplore(
	t *testing.T, provider explore.Provider, requests int, types []string, options ...explore.Option,
) *explore.Result {
	t.Helper()
	isLate := func(typ string) bool { return slices.Contains(late, typ) }
	early := slices.DeleteFunc(slices.Clone(types), isLate)
	late := slices.DeleteFunc(slices.Clone(types), func(typ string) bool { return !isLate(typ) })
	all := &explore.Result{}
	for _, limited := range [][]explore.Option{
		{explore.Types(early...), explore.Requests(requests)}, {explore.Types(late...)},
	} {
		options := slices.Concat(options, limited, []explore.Option{explore.Apply("*")})
		r, err := explore.Explore(t.Context(), provider, options...)
		if err != nil {
			t.Fatal(err)
		}
		all.Findings, all.Unconfirmed = append(all.Findings, r.Findings...), append(all.Unconfirmed, r.Unconfirmed...)
		all.Left = append(all.Left, r.Left...)
	}
	return all
}

// mustFind fails the test unless the findings are the findings of the seeded faults of the provider.
func mustFind(t *testing.T, name string, findings []explore.Finding) {
	t.Helper()
	found := map[string][]objchange.Rule{}
	first := map[string]int{}
	var requests, lines []int
	for _, f := range findings {
		for _, p := range f.Places {
			found[p.Type] = append(found[p.Type], f.Rule)
			if slices.Contains(faultless, p.Type) && f.Severity == objchange.Rejected {
				t.Errorf("%s has no such fault: %s", p.Type, f.String())
			}
		}
		first[f.Places[0].Type+string(f.Rule)] = f.Requests
		lines = append(lines, strings.Count(f.HCL, "\n"))
	}
	faults := slices.DeleteFunc(append(seeded(), lateReplace), func(b live.Breach) bool {
		return providerOf(b.TypeName) != name
	})
	for _, b := range faults {
		if !slices.Contains(found[b.TypeName], b.Rule) {
			t.Errorf("%s: %s was not found, but %s", b.TypeName, b.Rule, found[b.TypeName])
		}
		if n := first[b.TypeName+string(b.Rule)]; n > 0 {
			requests = append(requests, n)
		}
	}
	slices.Sort(lines)
	slices.Sort(requests)
	if median := lines[len(lines)/2]; median > 10 {
		t.Errorf("the median is %d lines", median)
	}
	t.Logf("%d faults; %v requests until each; %v lines", len(faults), requests, lines)
}

// TestExploreIsDeterministic checks that the same provider and seed give the same result,
// independent of the number of types that are explored at the same time.
func TestExploreIsDeterministic(t *testing.T) {
	const times = 6 // each number of processors twice
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var first *explore.Result
	for i := range times {
		runtime.GOMAXPROCS([]int{2, 1, 8}[i%3])
		r, err := explore.Explore(t.Context(), explore.InProcess5(sdkServer),
			explore.Types("sdk_bucket", "sdk_plan_*", "sdk_region", "sdk_nowhere"), explore.Requests(60))
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

// TestRun5ExploresProtocol5 checks that Run5 explores a provider of protocol 5. A finding that
// Terraform rejects would fail the test.
func TestRun5ExploresProtocol5(t *testing.T) {
	t.Parallel()
	factories := map[string]func() (tfprotov5.ProviderServer, error){"sdk": sdkServer}
	r := explore.Run5(t, factories, "sdk", explore.Types("sdk_honest"), explore.Requests(60))
	if reached, of := r.Reached(); reached != 1 || of != 1 {
		t.Errorf("%d of %d types are reached", reached, of)
	}
}
