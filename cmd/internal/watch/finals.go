package watch

import (
	"crypto/sha256"
	"path"
	"slices"

	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/encoded"
)

// maxPlanBytes limits the size of the plans that are kept to compare them.
const maxPlanBytes = 64 << 20

// finals finds final plans that contradict their initial plans. Core plans a change again when it
// applies it, over another connection. Requests have no addresses, so a final plan is compared with
// all plans that may be its initial plan.
type finals struct {
	walks map[connectionID]*graphWalk
	// validations are, for each provider, the positions at which Core began to validate a
	// configuration, in order.
	validations map[string][]int
	plans       map[encoded.PriorKey][]madePlan
	keys        []encoded.PriorKey // of plans, in the order of their first plan
	bytes       int                // size of the messages of all plans
	left        int                // number of plans that are not kept
	position    int                // of the RPC in the run
}

// A connectionID identifies a connection to a provider.
type connectionID struct {
	address string
	number  int
}

// A graphWalk is what Core does over one connection: it validates the configuration, plans or applies.
type graphWalk struct {
	first, last   int               // positions of its RPCs
	configured    bool              // the provider
	configuration [sha256.Size]byte // of the provider: its hash
	validates     bool              // the configuration of resources
	reads         bool              // objects
	applies       bool
}

// A madePlan is a checked plan.
type madePlan struct {
	rpc      *rpc
	position int
	subject  int // index in the list of the checker, or -1
}

func newFinals() finals {
	return finals{
		walks: map[connectionID]*graphWalk{}, validations: map[string][]int{},
		plans: map[encoded.PriorKey][]madePlan{},
	}
}

// isPhase reports whether the RPC shows what Core does over a connection, although there are no
// rules for it.
func isPhase(method string) bool {
	switch path.Base(method) {
	case "ConfigureProvider", "Configure", "ValidateResourceConfig", "ValidateResourceTypeConfig":
		return true
	}
	return false
}

func (p *rpc) connection() connectionID {
	return connectionID{p.exchange.Provider, p.exchange.Connection}
}

// saw records an RPC. It ignores RPCs that do not belong to the change of a resource.
func (f *finals) saw(p *rpc) {
	if !tfcheck.Checks(p.name()) && !isPhase(p.exchange.Method) {
		return
	}
	f.position++
	w := f.walks[p.connection()]
	if w == nil {
		w = &graphWalk{first: f.position}
		f.walks[p.connection()] = w
	}
	w.last = f.position
	switch p.name() {
	case "ConfigureProvider", "Configure":
		w.configured, w.configuration = true, sha256.Sum256(p.exchange.Config())
	case "ValidateResourceConfig", "ValidateResourceTypeConfig":
		if !w.configured && !w.validates {
			f.validations[p.exchange.Provider] = append(f.validations[p.exchange.Provider], f.position)
		}
		w.validates = true
	case "ReadResource":
		w.reads = true
	case "ApplyResourceChange":
		w.applies = true
	}
}

// keep keeps a plan with the index of its subject. It only counts plans beyond the limit.
func (f *finals) keep(p *rpc, key encoded.PriorKey, subject int) {
	if f.bytes+p.size() > maxPlanBytes {
		f.left++
		return
	}
	f.bytes += p.size()
	if f.plans[key] == nil {
		f.keys = append(f.keys, key)
	}
	f.plans[key] = append(f.plans[key], madePlan{p, f.position, subject})
}

// isInitial reports whether the plans of a connection are initial plans: Core validated the
// configuration before, and applies nothing over this connection.
func (f *finals) isInitial(at connectionID) bool {
	w := f.walks[at]
	return !w.applies && f.validated(at.address, 0, w.first)
}

// isFinal reports whether the plans of a connection are final plans. They are if Core applies
// something over the connection. They also are if the connection begins after one with initial plans
// has been used for the last time, with the same configuration of the provider, and Core has neither
// validated the configuration in between nor reads objects: it does both to make initial plans.
func (f *finals) isFinal(at connectionID) bool {
	w := f.walks[at]
	if w.applies || w.reads || !w.configured {
		return w.applies
	}
	for other, before := range f.walks {
		sameProvider := other.address == at.address && before.configured && before.configuration == w.configuration
		if sameProvider && before.last < w.first && f.isInitial(other) &&
			!f.validated(at.address, before.first, w.first) {
			return true
		}
	}
	return false
}

// validated reports whether Core began to validate the configuration between two positions.
func (f *finals) validated(address string, after, before int) bool {
	positions := f.validations[address]
	i, _ := slices.BinarySearch(positions, after+1)
	return i < len(positions) && positions[i] < before
}

// compare calls found for each final plan that contradicts all plans that may be its initial plan.
func (f *finals) compare(found func(plan madePlan, findings []report.Finding)) {
	initial, final := map[connectionID]bool{}, map[connectionID]bool{}
	for at := range f.walks {
		final[at] = f.isFinal(at)
		initial[at] = !final[at] && f.isInitial(at)
	}
	for _, key := range f.keys {
		var before []encoded.Result
		for _, plan := range f.plans[key] { // all initial plans come before all final plans that they match
			switch at := plan.rpc.connection(); {
			case initial[at]:
				before = append(before, plan.again()...)
			case final[at] && len(before) > 0:
				for _, result := range plan.again() {
					if contradictions := encoded.Replan(before, result); len(contradictions) > 0 {
						found(plan, report.OfExchange(contradictions...))
					}
				}
			}
		}
	}
}

// again decodes the plan again.
func (p madePlan) again() []encoded.Result {
	results, err := p.rpc.check()
	if err != nil {
		return nil // impossible, because it was checked before
	}
	return results
}
