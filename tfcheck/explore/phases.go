package explore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"iter"
	"math/rand/v2"
	"runtime/debug"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/explore/internal/hints"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
	"github.com/objchange/objchange/tfcheck/explore/internal/search"
	"github.com/objchange/objchange/tfcheck/explore/internal/session"
)

// A typeResult is the result of exploring a type, possibly several times.
type typeResult struct {
	reported Type
	target   scenario.Target
	explored bool
	findings []*candidate
	replayed int // requests for replaying and shrinking
	notes    []string
	accepted *scenario.Scenario  // of a resource
	refused  []driver.Diagnostic // the last refusal, if it is not about a slot of the type
}

// resultOf returns the result of a type that is not explored yet.
func resultOf(t scenario.Target) *typeResult {
	return &typeResult{reported: Type{Kind: t.Kind, Name: t.Name}, target: t}
}

// A prober explores one type.
type prober struct {
	e       *explorer
	worker  *session.Session
	target  scenario.Target
	know    *search.Knowledge
	given   cty.Value // values from the hints that must not change; cty.NilVal if there are none
	hints   *hints.Hints
	budget  int // limit of requests
	found   *typeResult
	begun   int         // requests of the session before this type
	bases   []cty.Value // accepted configurations
	seen    map[string]bool
	trouble trouble
}

// A trouble counts the requests that took too long, the crashes, and the objects that are left.
type trouble struct {
	hung, crashes, leaves int
	noResponse            string // reason for the last missing response
}

// count counts the problems of an outcome. It returns an error if there are too many.
func (t *trouble) count(o session.Outcome) error {
	t.noResponse = cmp.Or(o.NoResponseReason(), t.noResponse)
	if o.Hung {
		t.hung++
	}
	if o.Crash != "" {
		t.crashes++
	}
	if o.Leaves {
		t.leaves++
	}
	switch {
	case t.hung >= maxHung:
		return stopError(fmt.Sprintf("%d requests took too long", t.hung))
	case t.crashes >= maxCrashes:
		return stopError(fmt.Sprintf("%d requests crashed the provider", t.crashes))
	case o.Stuck || o.Leaves && t.leaves >= maxLeft:
		return stopError("objects are left")
	}
	return nil
}

// A stopError ends the exploration of a type. It says why.
type stopError string

func (e stopError) Error() string { return string(e) }

const errSpent = stopError("the limit of requests is reached")

// Limits for a type: requests that take too long, crashes after which the provider is restarted,
// and objects that are left.
const (
	maxHung    = 2 // each was sent twice
	maxCrashes = 20
	maxLeft    = 3 // and the same number during the replay
)

// prober returns a prober of the type. It has sent no requests.
func (e *explorer) prober(s *session.Session, f *typeResult) *prober {
	t := f.target
	p := &prober{
		e: e, worker: s, target: t, hints: e.o.hints, budget: e.o.budget, begun: s.Requests,
		seen: map[string]bool{}, found: f,
	}
	scope := t.Name
	if t.Kind == Configuration {
		scope = string(Configuration)
	}
	if t.Schema.Err == nil {
		hinted := func(slot string) []cty.Value { return p.hints.Values(scope, slot) }
		p.know = search.New(t.Schema.Compiled, hinted, e.random(t))
	}
	return p
}

// explore explores a type. It returns an error if the provider can no longer be started, or if the
// context ended. A panic is a bug in explore. It is returned as an error.
func (e *explorer) explore(ctx context.Context, s *session.Session, f *typeResult) (err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("%s %s cannot be explored because of a bug in objchange: %v\n%s",
				f.reported.Kind, f.reported.Name, reason, debug.Stack())
		}
	}()
	// Requests that start the provider belong to no type.
	if err := s.Start(ctx); err != nil {
		return err
	}
	before := *f
	p := e.prober(s, f)
	f.reported.Skipped, f.reported.Limited, f.notes = e.o.hints.Skipped(f.reported.Name), nil, nil
	switch schema := f.target.Schema; {
	case f.reported.Skipped != "":
		f.explored = true
		return nil
	case schema.Err != nil:
		f.explored, f.reported.Unreached = true, schema.Err.Error()
		return nil
	}
	err = p.ended(p.phases(ctx))
	if ctx.Err() != nil && len(p.bases) == 0 {
		*f = before // with the result of an earlier round, if any
		return err
	}
	p.conclude(err)
	if err == nil {
		err = p.replayAll(ctx)
	}
	f.reported.Interrupted = f.reported.Interrupted || ctx.Err() != nil
	return err
}

// ended records why the phases ended. It returns the error, unless the error is only about this
// type.
func (p *prober) ended(err error) error {
	var stop stopError
	switch {
	case !errors.As(err, &stop):
		return err
	case stop != errSpent:
		p.remark("is not explored further: %s", stop)
	case len(p.bases) == 0:
		p.limited(PhaseMinimal)
	}
	return nil
}

// remark adds a note about the type.
func (p *prober) remark(format string, args ...any) {
	note := fmt.Sprintf("%s %s ", p.target.Kind, p.target.Name) + fmt.Sprintf(format, args...)
	p.found.notes = append(p.found.notes, note)
}

// conclude sets the results of the type.
func (p *prober) conclude(err error) {
	f := p.found
	f.explored, f.reported.Interrupted, f.reported.Unreached = true, err != nil, ""
	f.reported.Requests += p.worker.Requests - p.begun
	f.reported.Reached = len(p.bases) > 0
	if !f.reported.Reached {
		const nothing = "no configuration that conforms to the schema was found"
		f.refused = p.know.WithoutSlot()
		f.reported.Unreached = cmp.Or(p.know.Unreached(), p.trouble.noResponse, nothing)
	} else if f.reported.Kind == Resource {
		sc := p.scenario(PhaseMinimal, scenario.Step{Config: p.bases[0]})
		f.accepted = &sc
	}
}

// random returns the source of random choices for a type.
func (e *explorer) random(t scenario.Target) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(string(t.Kind) + "/" + t.Name))
	return rand.New(rand.NewPCG(e.o.seed, h.Sum64()))
}

// phases runs the phases in their order.
func (p *prober) phases(ctx context.Context) error {
	minimal, err := p.reach(ctx, PhaseMinimal, p.know.Minimal())
	if err != nil || minimal == cty.NilVal {
		return err
	}
	full, err := p.reach(ctx, PhaseFull, p.know.Full())
	if err != nil {
		return err
	}
	if err := p.vary(ctx, minimal, full); err != nil || !p.applied() || len(p.bases) == 0 {
		return err
	}
	return p.lifecycle(ctx, minimal, full)
}

// shares contains the percentages of the requests for the phases in vary, by whether a lifecycle
// follows, which uses the remaining requests. The next phase gets what a phase leaves over. The
// default limit is sufficient for an object with each kind of step, and for many updates.
var shares = map[bool][]int{false: {30, 10, 35, 10, 100}, true: {10, 5, 15, 5, 2}}

// vary tries variations of both configurations, and random configurations.
func (p *prober) vary(ctx context.Context, minimal, full cty.Value) error {
	random := func(cty.Value) iter.Seq[search.Variation] {
		return func(yield func(search.Variation) bool) {
			for len(p.bases) > 0 && yield(search.Variation{Config: p.know.Random(p.bases)}) {
			}
		}
	}
	limit := p.worker.Requests
	for i, phase := range []struct {
		name Phase
		base cty.Value
		of   func(cty.Value) iter.Seq[search.Variation]
	}{
		{PhaseOne, full, p.know.Variations}, {PhaseOne, minimal, p.know.Variations},
		{PhaseUnknown, full, p.know.Unknowns}, {PhaseUnknown, minimal, p.know.Unknowns},
		{PhaseRandom, minimal, random},
	} {
		if phase.base == cty.NilVal || phase.name == PhaseUnknown && p.target.Kind != Resource {
			continue
		}
		limit += p.budget * shares[p.applied()][i] / 100
		if err := p.each(ctx, phase.name, phase.of(phase.base), limit); err != nil {
			return err
		}
	}
	return nil
}

// applied reports whether objects of the type may be created.
func (p *prober) applied() bool {
	return p.target.Kind == Resource && matches(p.e.o.applies, p.target.Name)
}

// tries limits the number of configurations that are tried until one is accepted.
const tries = 40

// reach tries configurations until one is accepted, beginning with config.
func (p *prober) reach(ctx context.Context, phase Phase, config cty.Value) (cty.Value, error) {
	return p.learn(config, func(config cty.Value) (session.Outcome, error) {
		return p.try(ctx, search.Variation{Config: config}, phase)
	})
}

// learn tries configurations until one is accepted, beginning with config. It learns from refusals.
// It returns the accepted configuration, or cty.NilVal if no configuration is accepted.
func (p *prober) learn(config cty.Value, try func(cty.Value) (session.Outcome, error)) (cty.Value, error) {
	for range tries {
		o, err := try(config)
		if err != nil || o.Accepted() {
			return config, err
		}
		next, ok := p.know.Learn(config, o.Diags)
		if !ok {
			break
		}
		next = completed(p.given, next, p.target.Schema.Compiled)
		if p.given != cty.NilVal && next.RawEquals(config) {
			break // only other values of the hints may help
		}
		config = next
	}
	return cty.NilVal, nil
}

// each tries the variations until the session has sent the number of requests.
func (p *prober) each(ctx context.Context, phase Phase, variations iter.Seq[search.Variation], limit int) error {
	for v := range variations {
		before := p.worker.Requests
		if before >= limit {
			p.limited(phase)
			return nil
		}
		if _, err := p.try(ctx, v, phase); err != nil {
			return err
		}
		if phase == PhaseRandom && p.worker.Requests == before {
			return nil // the configuration cannot be sent
		}
	}
	return nil
}

// limited records that the phase ended because of the limit of requests. Random configurations have
// no end.
func (p *prober) limited(phase Phase) {
	if phase != PhaseRandom && !slices.Contains(p.found.reported.Limited, phase) {
		p.found.reported.Limited = append(p.found.reported.Limited, phase)
	}
}

// try runs a variation with each of its continuations, and records the outcomes.
func (p *prober) try(ctx context.Context, v search.Variation, phase Phase) (o session.Outcome, err error) {
	continuations := v.Then
	if len(continuations) == 0 {
		continuations = []cty.Value{cty.NilVal}
	}
	for _, then := range continuations {
		if p.spent() {
			p.limited(phase)
			return o, errSpent
		}
		sc := p.scenario(phase, scenario.Step{Config: v.Config, Then: then})
		if o, err = p.worker.Run(ctx, sc); err != nil {
			return o, err
		}
		p.note(sc, o)
		if err = p.trouble.count(o); err != nil || !o.Accepted() {
			return o, err
		}
	}
	if v.Config.IsWhollyKnown() {
		p.know.Accepted(v.Config)
		p.bases = append(p.bases, v.Config)
	}
	return o, nil
}

// spent reports whether the requests of the type are spent.
func (p *prober) spent() bool { return p.worker.Requests-p.begun >= p.budget }

func (p *prober) scenario(phase Phase, steps ...scenario.Step) scenario.Scenario {
	return scenario.Scenario{
		Kind: p.target.Kind, TypeName: p.target.Name, Schema: p.target.Schema.Compiled, Phase: phase, Steps: steps,
		Provider: p.e.config, Reads: p.hints.Reads(p.target.Name) && !p.e.o.unconfigured,
	}
}
