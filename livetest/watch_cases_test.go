package livetest_test

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
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
)

// notInExchanges lists findings that cannot be found in single exchanges, with the reason.
var notInExchanges = map[string]struct {
	why    string
	unseen []seen
}{
	"inconsistent-unknown/fw_inconsistent_unknown":  {ofTwoPlans, []seen{{plan, objchange.RuleInconsistentUnknown, tfcheck.Rejected}}},
	"inconsistent-unknown/sdk_inconsistent_unknown": {ofTwoPlans, []seen{{plan, objchange.RuleInconsistentUnknown, tfcheck.Rejected}}},
	"inconsistent-key/sdk_tags_all":                 {ofTwoPlans, []seen{{plan, objchange.RuleInconsistentKey, tfcheck.Rejected}}},
	"action-changed/fw_action_changed":              {ofTwoPlans, []seen{{plan, tfcheck.RuleActionChanged, tfcheck.Rejected}, {plan, objchange.RuleInconsistentUnknown, tfcheck.Rejected}, {plan, objchange.RuleInconsistentSetElement, tfcheck.Rejected}}},
	"perpetual-diff/fw_perpetual_diff":              {ofTwoRuns, again},
	"perpetual-diff/sdk_perpetual_diff":             {ofTwoRuns, again},
	"plan-set-element/fw_plan_set_element":          {ofTwoRuns, again},
	"plan-set-element/sdk_plan_set_element":         {ofTwoRuns, drifts},
	"plan-unknown-blocks/sdk_plan_unknown_blocks":   {ofTwoRuns, again},
	"state-null-blocks/fw_honest/" + handmade:       {ofTwoRuns, append(drifts, again...)},
}

// ofTwoRuns is a difference between two runs without changes in between. The exchanges do not
// show that there were no changes.
const ofTwoRuns = "a plan right after apply"

// TestWatchCases runs each faulty provider with a driver, in process and behind watch. It checks
// that the driver finds the same in both cases, and that watch finds the same.
func TestWatchCases(t *testing.T) {
	w := newWorkspace(t, "")
	var handmades []string
	for n, b := range breaches {
		if b.made != framework && b.made != sdk {
			handmades = append(handmades, fmt.Sprint(n))
		}
	}
	w.provideFaults(t, handmades...)
	text, end := w.wait(t)
	var variable map[string]running
	if err := json.Unmarshal([]byte(text), &variable); err != nil {
		t.Fatal(err)
	}

	results := map[string]result{} // by provider and type
	for n, b := range breaches {
		name, _, _ := strings.Cut(b.typeName, "_")
		if b.made != framework && b.made != sdk {
			name = fmt.Sprint(n)
		}
		t.Run(b.name(), func(t *testing.T) {
			in, inErr := b.run.drive(t, providerOf(t, b.made, b.rule, b.typeName), b.typeName)
			behind, behindErr := b.run.drive(t, connect(t, variable[registry+name]), b.typeName)
			if diff := cmp.Diff(texts(in), texts(behind)); diff != "" {
				t.Errorf("a driver finds (-in process +behind watch):\n%s", diff)
			}
			if fmt.Sprint(inErr) != fmt.Sprint(behindErr) {
				t.Errorf("ended with %v, behind watch with %v", inErr, behindErr)
			}
			key := registry + name + " " + b.typeName
			if _, twice := results[key]; twice {
				t.Fatalf("%s is listed twice", key)
			}
			results[key] = result{b, summaries(in)}
		})
	}
	found := map[string][]seen{}
	for _, s := range end().Subjects {
		for _, f := range s.Findings {
			if one := (seen{s.RPC, f.Rule, f.Severity}); !slices.Contains(found[s.Group+" "+s.Type], one) {
				found[s.Group+" "+s.Type] = append(found[s.Group+" "+s.Type], one)
			}
		}
	}
	for key, r := range results {
		b := notInExchanges[r.name()]
		want := slices.DeleteFunc(slices.Clone(r.found), func(s seen) bool { return slices.Contains(b.unseen, s) })
		if diff := cmp.Diff(want, found[key], cmpopts.EquateEmpty()); diff != "" || len(want)+len(b.unseen) != len(r.found) {
			t.Errorf("%s: found, but for %v, which shows by %q (-driver +watch):\n%s", r.name(), b.unseen, b.why, diff)
		}
	}
	for name := range notInExchanges {
		if !slices.ContainsFunc(breaches, func(b breach) bool { return b.name() == name }) {
			t.Errorf("%s is no breach", name)
		}
	}
}

// A result is a breach with the findings of a driver.
type result struct {
	breach
	found []seen
}

func texts(found []tfcheck.Finding) (all []string) {
	for _, f := range found {
		all = append(all, f.String())
	}
	return all
}

// A running is a provider in TF_REATTACH_PROVIDERS.
type running struct {
	ProtocolVersion, Pid int
	Addr                 struct{ Network, String string }
}

// connect connects to a running provider as Core does.
func connect(t *testing.T, r running) *provider {
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
	return &provider{server6: driver.Client(conn, r.ProtocolVersion)}
}

// connector returns connections.
type connector struct{ plugin.NetRPCUnsupportedPlugin }

func (connector) GRPCServer(*plugin.GRPCBroker, *grpc.Server) error {
	return errors.New("only a client")
}

func (connector) GRPCClient(_ context.Context, _ *plugin.GRPCBroker, conn *grpc.ClientConn) (any, error) {
	return conn, nil
}
