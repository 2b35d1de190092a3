package explore

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
	"github.com/objchange/objchange/tfcheck/explore/internal/search"
	"github.com/objchange/objchange/tfcheck/explore/internal/session"
	"github.com/zclconf/go-cty/cty"
)

// A lifeProber takes objects of a type through their lifecycles, one object after the other.
type lifeProber struct {
	p       *prober
	life    *session.Life // nil if there is no object
	config  cty.Value     // the latest configuration
	whole   bool          // each kind of step was taken, and each update of the minimal configuration
	failing []cty.Value
}

// lifecycle creates, updates, replaces, imports and destroys objects until all steps are taken or
// the requests are spent. It must be called after a configuration was accepted.
func (p *prober) lifecycle(ctx context.Context, minimal, full cty.Value) (err error) {
	l := &lifeProber{p: p}
	defer func() {
		if failed := l.end(ctx); err == nil {
			err = failed
		}
	}()
	minimal, err = l.create(ctx, minimal)
	if err != nil || minimal == cty.NilVal {
		return err
	}
	for st := range l.steps(minimal, cmp.Or(full, minimal)) {
		if _, err = l.take(ctx, st); err != nil {
			return err
		}
	}
	return nil
}

// create creates an object. It returns the accepted configuration, or cty.NilVal if no configuration
// was accepted.
func (l *lifeProber) create(ctx context.Context, config cty.Value) (cty.Value, error) {
	return l.p.learn(config, func(config cty.Value) (o session.Outcome, err error) {
		o, err = l.take(ctx, applies(config))
		if err != nil || o.Accepted() {
			return o, err
		}
		l.p.found.reported.Unapplied = session.ReasonOf(o)
		return o, l.end(ctx) // the object may be incomplete
	})
}

// take takes a step and records the outcome. If Terraform would stop after the step, take destroys
// the object, and the next step begins with a new object.
func (l *lifeProber) take(ctx context.Context, st scenario.Step) (o session.Outcome, err error) {
	if l.p.spent() {
		if !l.whole {
			l.p.limited(PhaseLife)
		}
		return o, errSpent
	}
	if l.life == nil {
		life, err := l.p.worker.Begin(ctx, l.p.target.Name)
		if err != nil {
			return o, err
		}
		l.life = life
	}
	switch st.Does {
	case scenario.Destroys:
		return o, l.end(ctx)
	case scenario.Imports, scenario.Identifies:
		if !l.life.Importable(st.Does) {
			return o, nil
		}
		st.Config = l.config
	}
	sc := l.p.scenario(PhaseLife, append(slices.Clone(l.life.Done), st)...)
	l.config = cmp.Or(st.Then, st.Config)
	o, err = l.life.Take(ctx, st)
	if err != nil {
		return o, err
	}
	o = o.At(len(sc.Steps) - 1)
	l.recordAction(st, o)
	if len(o.Diags) > 0 && l.p.worker.Changed() {
		l.failing = append(l.failing, st.Config)
	}
	l.p.note(sc, o)
	err = l.p.trouble.count(o)
	if err == nil && (o.Stops() || o.Leaves) {
		err = l.end(ctx)
	}
	return o, err
}

// end destroys the object, if there is one.
func (l *lifeProber) end(ctx context.Context) error {
	if l.life == nil {
		return nil
	}
	destroys := scenario.Step{Does: scenario.Destroys, Config: l.config}
	sc := l.p.scenario(PhaseLife, append(slices.Clone(l.life.Done), destroys)...)
	existed := l.life.Exists()
	o, err := l.life.End(ctx)
	o = o.At(len(sc.Steps) - 1)
	if existed {
		l.recordAction(destroys, o)
	}
	l.p.note(sc, o)
	l.life = nil
	troubleErr := l.p.trouble.count(o)
	return cmp.Or(err, troubleErr)
}

// steps yields the steps after an object was created with the minimal configuration. It begins
// with each kind of step once. Updates follow: with unknown values, with other values, and with
// accepted configurations. Updates with configurations that failed come last.
func (l *lifeProber) steps(minimal, full cty.Value) iter.Seq[scenario.Step] {
	once := []scenario.Step{
		{Does: scenario.Imports}, {Does: scenario.Identifies}, applies(full), {Does: scenario.Imports}, applies(minimal),
		replaces(minimal), {Does: scenario.Destroys}, applies(full), {Does: scenario.Destroys}, applies(minimal),
	}
	unknown := func(config cty.Value) iter.Seq[scenario.Step] {
		return stepsOf(l.p.know.UnknownUpdates(config), unknownUpdates)
	}
	whole := func(func(scenario.Step) bool) { l.whole = true }
	others := stepsOf(l.p.know.OtherValues(minimal), func(v search.Variation) []scenario.Step {
		return []scenario.Step{applies(v.Config), replaces(v.Config)}
	})
	accepted := stepsOf(slices.Values(l.p.bases), func(config cty.Value) []scenario.Step {
		return []scenario.Step{applies(config)}
	})
	updates := search.InTurn(inOrder(unknown(minimal), whole), others, accepted, unknown(full))
	return inOrder(slices.Values(once), updates, l.failedUpdates(minimal))
}

// inOrder yields the elements of the sequences, one sequence after the other.
func inOrder[E any](all ...iter.Seq[E]) iter.Seq[E] {
	return func(yield func(E) bool) {
		for _, elements := range all {
			for e := range elements {
				if !yield(e) {
					return
				}
			}
		}
	}
}

func applies(config cty.Value) scenario.Step {
	return scenario.Step{Does: scenario.Applies, Config: config}
}

func replaces(config cty.Value) scenario.Step {
	return scenario.Step{Does: scenario.Replaces, Config: config}
}

// stepsOf yields the steps for each element.
func stepsOf[E any](all iter.Seq[E], of func(E) []scenario.Step) iter.Seq[scenario.Step] {
	return func(yield func(scenario.Step) bool) {
		for e := range all {
			for _, st := range of(e) {
				if !yield(st) {
					return
				}
			}
		}
	}
}

// unknownUpdates returns updates with values that are unknown in the plan. Each value becomes
// another value before it becomes the same value.
func unknownUpdates(v search.Variation) (all []scenario.Step) {
	for i := range v.Then {
		all = append(all, scenario.Step{Does: scenario.Applies, Config: v.Config, Then: v.Then[(i+1)%len(v.Then)]})
	}
	return all
}

// failedUpdates yields updates with the configurations that failed to apply so far. Each is followed
// by an update with the minimal configuration.
func (l *lifeProber) failedUpdates(minimal cty.Value) iter.Seq[scenario.Step] {
	return func(yield func(scenario.Step) bool) {
		for _, config := range slices.Clone(l.failing) {
			if !yield(applies(config)) || !yield(applies(minimal)) {
				return
			}
		}
	}
}

// recordAction records the action of a step that succeeded.
func (l *lifeProber) recordAction(st scenario.Step, o session.Outcome) {
	if did := session.ActionOf(st, o); did != "" && !slices.Contains(l.p.found.reported.Lifecycle, string(did)) {
		l.p.found.reported.Lifecycle = append(l.p.found.reported.Lifecycle, string(did))
		l.p.found.reported.Unapplied = ""
	}
}
