package explore

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/tfcheck/driver"
)

// PhaseStates upgrades and moves the states from the hints, and plans from them.
const PhaseStates Phase = "states"

// An oldState is a state of an older schema version, or of another resource type.
type oldState struct {
	name    string // for notes, such as "state 1 of the hints"
	about   string // remark of the author, or ""
	version int64  // of the schema
	data    map[string]any
	from    source // zero for a state of the same type
}

// A source is the resource type that a state is moved from.
type source struct {
	Provider string `json:"provider"` // the full address
	Type     string `json:"type"`
}

func (o *oldState) moves() bool { return o.from != source{} }

// move returns the state in the form that the driver accepts.
func (o *oldState) move() driver.MoveSource {
	return driver.MoveSource{Provider: o.from.Provider, TypeName: o.from.Type, Version: o.version, State: stateJSON(o.data)}
}

// note explains why no configuration reproduces the upgrade or move of the state.
func (o *oldState) note() string {
	of := ""
	if o.moves() {
		of = fmt.Sprintf(" of %q from %q", o.from.Type, o.from.Provider)
	}
	return fmt.Sprintf("Not exact: it needs a state%s with schema version %d, which HCL cannot express", of, o.version)
}

// takeOver upgrades or moves the state of the scenario. If there is a configuration, it then plans
// from the state without reading the object.
func (s *session) takeOver(ctx context.Context, instance *driver.Instance, sc scenario) (o outcome, err error) {
	var run *driver.Run
	if sc.old.moves() {
		run, err = instance.MoveState(ctx, sc.old.move())
	} else {
		run, err = instance.UpgradeState(ctx, sc.old.version, stateJSON(sc.old.data))
	}
	o.add(run.Findings)
	if err != nil || sc.config == cty.NilVal {
		return o, err
	}
	run, err = instance.Plan(ctx, sc.config, driver.WithoutRefresh())
	o.add(run.Findings)
	return o, err
}

// states upgrades and moves the states from the hints. It returns the states that the provider
// accepted.
func (p *prober) states(ctx context.Context) (accepted []*oldState, err error) {
	if p.target.kind != Resource {
		return nil, nil
	}
	for _, old := range p.hints.statesOf(p.target.name) {
		o, err := p.attempt(ctx, p.ofState(old, cty.NilVal))
		if err != nil {
			return accepted, err
		}
		if o.accepted() {
			accepted = append(accepted, old)
		}
	}
	return accepted, nil
}

// keptState tries a state of the corpus.
func (p *prober) keptState(ctx context.Context, kept scenario) error {
	sc := p.scenario(PhaseCorpus, kept.about, kept.config, cty.NilVal)
	sc.old = kept.old
	_, err := p.attempt(ctx, sc)
	return err
}

// fromStates plans each configuration from each of the states.
func (p *prober) fromStates(ctx context.Context, states []*oldState, configs ...cty.Value) error {
	for _, old := range states {
		for i, config := range configs {
			if config == cty.NilVal || slices.ContainsFunc(configs[:i], config.RawEquals) {
				continue
			}
			if _, err := p.attempt(ctx, p.ofState(old, config)); err != nil {
				return err
			}
		}
	}
	return nil
}

// ofState returns the scenario for a state. If config is not cty.NilVal, the scenario also plans
// config from the state.
func (p *prober) ofState(old *oldState, config cty.Value) scenario {
	about := old.name
	if old.about != "" {
		about += ": " + old.about
	}
	sc := p.scenario(PhaseStates, about, config, cty.NilVal)
	sc.old = old
	return sc
}

// noteState adds a note if the state of the scenario was refused. A refusal is not a finding.
func (p *prober) noteState(sc scenario, o outcome) {
	if sc.old == nil || o.crash != "" {
		return
	}
	reason := o.noResponseReason()
	if o.refusing == "UpgradeResourceState" || o.refusing == "MoveResourceState" {
		reason = o.diags[0].String()
	}
	if reason != "" {
		p.found.notes = append(p.found.notes, fmt.Sprintf("resource %s: %s was refused: %s", sc.typeName, sc.old.name, strings.Join(strings.Fields(reason), " ")))
	}
}

// shown returns the naming for the scenario in reports. An upgrade is shown with an accepted
// configuration.
func (p *prober) shown(sc scenario) naming {
	n := p.naming
	if sc.old != nil && sc.config == cty.NilVal && len(p.bases) > 0 {
		user := p.scenario(PhaseMinimal, "", p.bases[0], cty.NilVal)
		n.user = &user
	}
	return n
}
