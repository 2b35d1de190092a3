package explain_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/livetest/internal/live"
	"github.com/objchange/objchange/tfcheck"
)

// A group selects breaches that can occur in one run, each with its own resource type.
type group struct {
	provider string
	rpc      string // Terraform applies nothing after an invalid plan
}

// groups are the breaches of each group, with the findings of a driver.
type groups struct {
	mu  sync.Mutex
	all map[group][]foundBreach
}

type foundBreach struct {
	live.Breach
	found []tfcheck.Finding
}

func newGroups() *groups { return &groups{all: map[group][]foundBreach{}} }

// add adds a breach that takes one apply of known values. It returns false for other breaches.
func (g *groups) add(b live.Breach, found []tfcheck.Finding) bool {
	steps := b.Run(b.TypeName)
	step := steps[0]
	alone := b.Change != nil || b.RPC != live.Plan && b.RPC != live.Apply || b.Rule == objchange.RuleReplacePath
	if alone || len(steps) > 1 || step.StepKind != live.Applying || step.Late != "" {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	provider, _, _ := strings.Cut(b.TypeName, "_")
	key := group{provider, b.RPC}
	if !b.Stops() {
		key.rpc = live.Apply
	}
	if slices.ContainsFunc(g.all[key], func(other foundBreach) bool { return other.TypeName == b.TypeName }) {
		return false
	}
	g.all[key] = append(g.all[key], foundBreach{b, found})
	return true
}

// explain runs each group, and explains what Terraform prints as text.
func (g *groups) explain(t *testing.T) {
	for key, breaches := range g.all {
		t.Run("together "+key.provider+" "+key.rpc, func(t *testing.T) {
			tf := live.NewTerraform(t, live.ProviderOf(t, nil, key.provider), key.provider, nil)
			resources := map[string]any{}
			for _, b := range breaches {
				resources[b.TypeName] = map[string]any{"it": live.Plain(b.Run(b.TypeName)[0].Config)}
			}
			tf.WriteJSON(t, "main.tf.json", map[string]any{"resource": resources})
			out := printedByCommand(t, tf, "apply", "-auto-approve", "-no-color", "-input=false")
			of := map[string][]errorEntry{}
			for _, e := range explainText(t, out) {
				of[e.Address] = append(of[e.Address], e)
			}
			for _, b := range breaches {
				address := b.TypeName + ".it"
				checkEntries(t, b.Breach, b.found, address, out, of[address])
				delete(of, address)
			}
			if len(of) > 0 {
				t.Errorf("no breach has these addresses: %+v", of)
			}
		})
	}
}
