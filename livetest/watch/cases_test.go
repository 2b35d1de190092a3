package watch_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/livetest/internal/live"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
)

// notInExchanges lists findings that cannot be found in single exchanges, with the reason.
var notInExchanges = map[string]struct {
	why    string
	unseen []live.Summary
}{
	"inconsistent-unknown/fw_inconsistent_unknown":  {live.OfTwoPlans, []live.Summary{live.Saw(live.Plan, objchange.RuleInconsistentUnknown, objchange.Rejected)}},
	"inconsistent-unknown/sdk_inconsistent_unknown": {live.OfTwoPlans, []live.Summary{live.Saw(live.Plan, objchange.RuleInconsistentUnknown, objchange.Rejected)}},
	"inconsistent-key/sdk_tags_all":                 {live.OfTwoPlans, []live.Summary{live.Saw(live.Plan, objchange.RuleInconsistentKey, objchange.Rejected)}},
	"action-changed/fw_action_changed":              {live.OfTwoPlans, []live.Summary{live.Saw(live.Plan, objchange.RuleActionChanged, objchange.Rejected), live.Saw(live.Plan, objchange.RuleInconsistentUnknown, objchange.Rejected), live.Saw(live.Plan, objchange.RuleInconsistentSetElement, objchange.Rejected)}},
	"perpetual-diff/fw_perpetual_diff":              {ofTwoRuns, live.Again},
	"perpetual-diff/sdk_perpetual_diff":             {ofTwoRuns, live.Again},
	"plan-set-element/fw_plan_set_element":          {ofTwoRuns, live.Again},
	"plan-set-element/sdk_plan_set_element":         {ofTwoRuns, live.Drifts},
	"plan-unknown-blocks/sdk_plan_unknown_blocks":   {ofTwoRuns, live.Again},
	"state-null-blocks/fw_honest/hand-made":         {ofTwoRuns, append(live.Drifts, live.Again...)},
}

// ofTwoRuns is a difference between two runs without changes in between. The exchanges do not
// show that there were no changes.
const ofTwoRuns = "a plan right after apply"

// TestWatchFindsWhatADriverFinds runs each faulty provider with a driver, in process and behind watch. It checks
// that the driver finds the same in both cases, and that watch finds the same.
func TestWatchFindsWhatADriverFinds(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, "")
	var handmades []string
	for n, b := range live.Breaches {
		if b.Change != nil {
			handmades = append(handmades, fmt.Sprint(n))
		}
	}
	w.provideFaults(t, handmades...)
	text, end := w.wait(t)
	var variable map[string]runningProvider
	if err := json.Unmarshal([]byte(text), &variable); err != nil {
		t.Fatal(err)
	}

	results := map[string]result{} // by provider and type
	for n, b := range live.Breaches {
		name, _, _ := strings.Cut(b.TypeName, "_")
		if b.Change != nil {
			name = fmt.Sprint(n)
		}
		t.Run(b.Name(), func(t *testing.T) {
			in, inErr := b.Run.Drive(t, live.ProviderOf(t, b.Change, b.TypeName), b.TypeName)
			behind, behindErr := b.Run.Drive(t, connect(t, variable[live.Registry+name]), b.TypeName)
			if diff := cmp.Diff(texts(in), texts(behind)); diff != "" {
				t.Errorf("a driver finds (-in process +behind watch):\n%s", diff)
			}
			if fmt.Sprint(inErr) != fmt.Sprint(behindErr) {
				t.Errorf("ended with %v, behind watch with %v", inErr, behindErr)
			}
			key := live.Registry + name + " " + b.TypeName
			if _, twice := results[key]; twice {
				t.Fatalf("%s is listed twice", key)
			}
			results[key] = result{b, live.Summaries(in)}
		})
	}
	found := map[string][]live.Summary{}
	for _, s := range end().Subjects {
		for _, f := range s.Findings {
			if one := (live.Saw(s.RPC, f.Rule, f.Severity)); !slices.Contains(found[s.Group+" "+s.Type], one) {
				found[s.Group+" "+s.Type] = append(found[s.Group+" "+s.Type], one)
			}
		}
	}
	for key, r := range results {
		b := notInExchanges[r.Name()]
		want := slices.DeleteFunc(slices.Clone(r.found), func(s live.Summary) bool { return slices.Contains(b.unseen, s) })
		if diff := cmp.Diff(want, found[key], cmpopts.EquateEmpty()); diff != "" || len(want)+len(b.unseen) != len(r.found) {
			t.Errorf("%s: found, but for %v, which shows by %q (-driver +watch):\n%s", r.Name(), b.unseen, b.why, diff)
		}
	}
	for name := range notInExchanges {
		if !slices.ContainsFunc(live.Breaches, func(b live.Breach) bool { return b.Name() == name }) {
			t.Errorf("%s is no breach", name)
		}
	}
}

// A result is a breach with the findings of a driver.
type result struct {
	live.Breach
	found []live.Summary
}

func texts(found []tfcheck.Finding) (all []string) {
	for _, f := range found {
		all = append(all, f.String())
	}
	return all
}

// A runningProvider is a provider in TF_REATTACH_PROVIDERS.
type runningProvider struct {
	ProtocolVersion, Pid int
	Addr                 struct{ Network, String string }
}

// connect connects to a running provider as Core does.
func connect(t *testing.T, r runningProvider) *live.Provider {
	t.Helper()
	client := plugin.NewClient(&plugin.ClientConfig{
		Reattach: &plugin.ReattachConfig{
			Protocol: plugin.ProtocolGRPC, ProtocolVersion: r.ProtocolVersion, Pid: r.Pid, Test: true,
			Addr: &net.UnixAddr{Net: r.Addr.Network, Name: r.Addr.String},
		},
		Plugins:          plugin.PluginSet{"provider": connector{}},
		AllowedProtocols: []plugin.Protocol{plugin.ProtocolGRPC},
		Logger:           hclog.NewNullLogger(),
	})
	protocol, err := client.Client()
	if err != nil {
		t.Fatal(err)
	}
	made, err := protocol.Dispense("provider")
	if err != nil {
		t.Fatal(err)
	}
	conn := made.(*grpc.ClientConn)
	t.Cleanup(func() { _ = conn.Close() })
	return &live.Provider{Server6: driver.Client(conn, r.ProtocolVersion)}
}

// connector returns connections.
type connector struct{ plugin.NetRPCUnsupportedPlugin }

func (connector) GRPCServer(*plugin.GRPCBroker, *grpc.Server) error {
	return errors.New("only a client")
}

func (connector) GRPCClient(_ context.Context, _ *plugin.GRPCBroker, conn *grpc.ClientConn) (any, error) {
	return conn, nil
}
