package explore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/explore/internal/confirm"
	"github.com/objchange/objchange/tfcheck/explore/internal/repro"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
	"github.com/objchange/objchange/tfcheck/explore/internal/session"
)

// A candidate is a finding that may have to be replayed before it is reported.
type candidate struct {
	finding  Finding
	broken   confirm.Finding // how to reproduce it
	replayed bool            // whether it was replayed in a new process
	unstable bool            // whether it did not happen again in the replay
}

// cause returns a key that all findings with the same cause share.
func (c *candidate) cause() string {
	f := &c.finding
	crash := cmp.Or(session.Frame(f.Detail), session.RuntimeError(f.Detail))
	parts := []string{string(f.Rule), string(f.Severity), f.Known, crash}
	if f.Severity != objchange.LegacySDK { // otherwise the SDK causes the findings about all attributes
		parts = append(parts, attribute(c.broken.Path))
	}
	return strings.Join(parts, "\x00")
}

// attribute returns the last name in a path. Attributes with the same meaning share this name.
func attribute(path cty.Path) string {
	for _, s := range slices.Backward(path) {
		if attr, ok := s.(cty.GetAttrStep); ok {
			return attr.Name
		}
	}
	return ""
}

// causesOf returns the first replayed finding of each cause, with the places of the others. Findings
// that did not happen again are apart.
func causesOf(all []*typeResult) (causes []*candidate) {
	firsts := map[string]*candidate{}
	for _, f := range all {
		for _, c := range f.findings {
			key := fmt.Sprint(c.unstable, c.cause())
			switch first := firsts[key]; {
			case !c.replayed: // the context ended first, or it is the same crash as another one
			case first == nil:
				firsts[key] = c
				causes = append(causes, c)
			case !slices.Contains(first.finding.Places, c.finding.Places[0]):
				first.finding.Places = append(first.finding.Places, c.finding.Places[0])
			}
		}
	}
	return causes
}

// note records the findings of a scenario that were not seen before.
func (p *prober) note(sc scenario.Scenario, o session.Outcome) {
	for _, c := range p.candidates(sc, o) {
		key := c.cause() + c.finding.Places[0].Path
		if p.seen[key] {
			continue
		}
		p.seen[key] = true
		c.finding.Requests = p.worker.Requests - p.begun
		p.found.findings = append(p.found.findings, c)
	}
}

// candidates returns the findings of a scenario.
func (p *prober) candidates(sc scenario.Scenario, o session.Outcome) (all []*candidate) {
	if o.Crash != "" { // other findings may result from the crash
		if p.e.o.unconfigured {
			return nil
		}
		crash := p.candidate(confirm.Finding{Scenario: sc.Until(o.Step), Rule: objchange.RuleCrash}, objchange.Rejected)
		crash.finding.Message, crash.finding.Detail = "the provider crashes"+session.Reason(o.Crash), o.Crash
		return []*candidate{crash}
	}
	for _, f := range o.Found {
		for _, v := range f.Finding.Violations {
			sc := sc.Until(f.Step)
			sc.Settles = !sc.Plans() && slices.Contains(afterwards, v.Phase)
			c := p.candidate(confirm.Finding{
				Scenario: sc, Rule: v.Rule, Path: v.Shown, Phase: v.Phase,
				Summaries: f.Finding.Summaries(v), Identity: f.Finding.Side == tfcheck.SideIdentity,
			}, f.Finding.Severity)
			c.finding.Message = v.Message
			all = append(all, c)
		}
	}
	return all
}

// afterwards lists the phases of the plan that follows an apply.
var afterwards = []objchange.Phase{objchange.PhaseUpgrade, objchange.PhaseReread, objchange.PhaseNext}

func (p *prober) candidate(broken confirm.Finding, severity objchange.Severity) *candidate {
	sc, rule, path := broken.Scenario, broken.Rule, paths.Pattern(broken.Path)
	return &candidate{broken: broken, finding: Finding{
		Rule: rule, Severity: severity, Phase: sc.Phase,
		Known:  p.e.ignored.Reason(sc.TypeName, rule, path, severity),
		Places: []Place{{sc.Kind, sc.TypeName, path}},
	}}
}

// replayAll replays the findings of the type and minimizes the first finding of each cause. Findings
// that do not count share a new process. A finding that counts is replayed and minimized in a
// process that runs, and the result is checked in a new process, because large providers start
// slowly.
func (p *prober) replayAll(ctx context.Context) error {
	r := &replay{p: p, fresh: p.e.session(), shown: map[string]bool{}}
	before := p.worker.Requests
	if p.target.Kind == Configuration {
		r.fresh.Config = cty.NilVal // the scenario contains the configuration
	}
	defer func() {
		r.fresh.Stop()
		p.found.replayed += r.fresh.Requests + p.worker.Requests - before
	}()
	for _, counts := range []bool{false, true} {
		for _, c := range p.found.findings {
			if c.replayed || counts != (c.finding.Severity == objchange.Rejected) {
				continue
			}
			if r.left >= maxLeft && !c.broken.Scenario.Plans() {
				p.remark("has a finding that was not replayed, because too many objects are left: %s [%s]",
					c.finding.Message, c.finding.Rule)
				continue
			}
			if err := r.replay(ctx, c); err != nil {
				return err
			}
		}
	}
	return nil
}

// A replay replays the findings of a type.
type replay struct {
	p     *prober
	fresh *session.Session // has sent no requests except those of replays
	shown map[string]bool  // causes
	left  int              // objects that are left
}

// running returns the session to replay a finding that counts.
func (r *replay) running() *session.Session {
	if r.fresh.Process == nil && r.p.target.Kind != Configuration {
		return r.p.worker
	}
	return r.fresh
}

// replay replays a finding, and minimizes it if it is the first of its cause.
func (r *replay) replay(ctx context.Context, c *candidate) error {
	s, counts := r.fresh, c.finding.Severity == objchange.Rejected
	if counts {
		s = r.running()
	}
	again, o, err := r.p.happens(ctx, s, c, c.broken.Scenario, false)
	if counts && again == nil && err == nil { // earlier requests may have changed the process
		r.fresh.Stop()
		again, o, err = r.p.happens(ctx, r.fresh, c, c.broken.Scenario, false)
	}
	c.replayed, c.unstable = err == nil, again == nil
	if o.Leaves {
		r.left++
	}
	if again == nil || err != nil || r.shown[c.cause()] {
		return err
	}
	r.shown[c.cause()] = true
	smallest, err := r.p.shrink(ctx, s, again, o.Leaves)
	for _, smaller := range []*candidate{smallest, again} {
		if !counts || o.Leaves || err != nil {
			break
		}
		r.fresh.Stop()
		smallest, _, err = r.p.happens(ctx, r.fresh, smaller, smaller.broken.Scenario, false)
		c.unstable = smallest == nil
		if !c.unstable {
			break
		}
	}
	if c.unstable {
		smallest = again
	}
	r.p.show(c, smallest)
	// A crash may happen in several functions, for example because of the order of a map.
	c.replayed = !r.p.isShown(c)
	return err
}

// show stores the scenario that reproduces the finding.
func (p *prober) show(c, by *candidate) {
	c.broken, c.finding.Message, c.finding.Detail = by.broken, by.finding.Message, by.finding.Detail
	steps, _ := repro.Commands(c.broken.Scenario, p.e.naming)
	c.finding.HCL = steps[0].HCL
	if len(steps) > 1 || !c.broken.Scenario.Plans() {
		c.finding.Steps = steps
	}
}

// isShown reports whether an earlier crash of the type has the same configurations.
func (p *prober) isShown(c *candidate) bool {
	sameStep := func(a, b repro.Step) bool { return a.Command == b.Command && a.HCL == b.HCL }
	return slices.ContainsFunc(p.found.findings[:slices.Index(p.found.findings, c)], func(o *candidate) bool {
		f, earlier := &c.finding, &o.finding
		sameSteps := earlier.HCL == f.HCL && slices.EqualFunc(earlier.Steps, f.Steps, sameStep)
		return f.Rule == objchange.RuleCrash && earlier.Rule == f.Rule && sameSteps
	})
}

// happens runs the scenario sc, which is the scenario of c or smaller. It returns the candidate for
// the same finding, or nil if the finding does not happen. A crash in another function is the same
// crash if the scenario is the same, or if the runtime error is.
func (p *prober) happens(
	ctx context.Context, s *session.Session, c *candidate, sc scenario.Scenario, smaller bool,
) (*candidate, session.Outcome, error) {
	o, err := s.Run(ctx, sc)
	if err != nil {
		return nil, o, err
	}
	f := &c.finding
	for _, other := range p.candidates(sc, o) {
		found := &other.finding
		same, crashes := other.cause() == c.cause(), found.Rule == objchange.RuleCrash && f.Rule == objchange.RuleCrash
		if smaller {
			crashes = crashes && session.RuntimeError(found.Detail) == session.RuntimeError(f.Detail)
		}
		if found.Places[0] != f.Places[0] || !same && !crashes {
			continue
		}
		if !same {
			found.Message, found.Detail = "the provider crashes in several functions", f.Detail
		}
		return other, o, nil
	}
	return nil, o, nil
}
