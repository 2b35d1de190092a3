package explore

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/explore/internal/repro"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
	"github.com/objchange/objchange/tfcheck/explore/internal/session"
)

// A candidate is a finding that may have to be replayed before it is reported.
type candidate struct {
	Finding
	scenario  scenario.Scenario
	summaries []string // of Terraform's errors for the finding, if known
	identity  bool     // whether the fault is in the identity
	replayed  bool     // whether it was replayed in a new process
	unstable  bool     // whether it did not happen again in the replay
}

// values matches the parts that differ between messages about the same fault. parting matches
// remarks that only some of these messages contain: where two strings differ, and which element is
// closest.
var (
	values  = regexp.MustCompile(`"(\\.|[^"\\])*"|\{.*\}|\[.*\]|-?\d+(\.\d+)?|\(unknown\)|\b(null|true|false)\b`)
	parting = regexp.MustCompile(` \(the first different characters are .*\)|; the closest returned element is .*`)
)

// cause returns a key that all findings with the same cause share.
func (c *candidate) cause() string {
	message := values.ReplaceAllString(parting.ReplaceAllString(c.Message, ""), "…")
	parts := []string{string(c.Rule), string(c.Severity), c.Known, message, session.Frame(c.Detail)}
	if c.Severity == tfcheck.Rejected { // otherwise the SDK causes the finding
		parts = append(parts, attribute(c.Places[0].Path))
	}
	return strings.Join(parts, "\x00")
}

// attribute returns the last name in a path. Attributes with the same meaning share this name.
func attribute(path string) string {
	return strings.TrimSuffix(path[strings.LastIndexByte(path, '.')+1:], "[…]")
}

// note records the findings of a scenario that were not seen before.
func (p *prober) note(sc scenario.Scenario, o session.Outcome) {
	for _, c := range p.candidates(sc, o) {
		key := c.cause() + c.Places[0].Path
		if p.seen[key] {
			continue
		}
		p.seen[key] = true
		c.Requests = p.worker.Requests - p.begun
		p.found.findings = append(p.found.findings, c)
	}
}

// candidates returns the findings of a scenario.
func (p *prober) candidates(sc scenario.Scenario, o session.Outcome) (all []*candidate) {
	if o.Crash != "" { // other findings may result from the crash
		return []*candidate{p.candidate(sc.Until(o.Step), tfcheck.RuleCrash, tfcheck.Rejected, "", "the provider crashes"+session.Reason(o.Crash), o.Crash)}
	}
	for _, f := range o.Found {
		for _, v := range f.Violations {
			sc := sc.Until(f.Step)
			sc.Settles = sc.Does != scenario.Plans && slices.Contains(afterwards, v.Phase)
			c := p.candidate(sc, v.Rule, f.Severity, scenario.Normal(v.PathString()), v.Message, "")
			c.summaries, c.identity = f.Summaries(v), f.Side == tfcheck.SideIdentity
			all = append(all, c)
		}
	}
	return all
}

// afterwards lists the phases of the plan that follows an apply.
var afterwards = []objchange.Phase{objchange.PhaseUpgrade, tfcheck.PhaseReread, tfcheck.PhaseNext}

func (p *prober) candidate(sc scenario.Scenario, rule objchange.Rule, severity tfcheck.Severity, path, message, detail string) *candidate {
	return &candidate{scenario: sc, Finding: Finding{
		Rule: rule, Severity: severity, Message: message, Detail: detail, Phase: sc.Phase, About: sc.About,
		Known:  p.hints.Known(sc.TypeName, rule, path),
		Places: []Place{{sc.Kind, sc.TypeName, path}},
	}}
}

// confirm replays the findings of the type in a new process. Each finding that Terraform rejects
// gets its own process. confirm then minimizes the first finding of each cause.
func (p *prober) confirm(ctx context.Context) error {
	s := p.session()
	if p.target.Kind == Configuration {
		s.Config = cty.NilVal // the scenario contains the configuration
	}
	defer func() {
		s.DestroyOrigins(ctx)
		s.Stop()
		p.found.replayed += s.Requests
	}()
	shown, left := map[string]bool{}, 0
	for _, c := range p.found.findings {
		if left >= maxLeft && c.scenario.Does != scenario.Plans {
			p.found.notes = append(p.found.notes, fmt.Sprintf("%s %s: %s [%s] was not replayed, because too many objects are left", p.target.Kind, p.target.Name, c.Message, c.Rule))
			continue
		}
		if c.Severity == tfcheck.Rejected {
			s.Stop()
		}
		again, o, err := p.happensAgain(ctx, s, c)
		c.replayed, c.unstable = err == nil, again == nil
		if o.Leaves {
			left++
		}
		if again != nil && !shown[c.cause()] {
			shown[c.cause()] = true
			if o.Leaves {
				err = p.single(ctx, s, c, again)
			} else {
				err = p.reproduce(ctx, s, c, again)
			}
			// A crash may happen in several functions, for example because of the order of a map.
			c.replayed = c.replayed && !p.isShown(c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// reproduce gives the finding the smallest scenario that reproduces it in a new process.
func (p *prober) reproduce(ctx context.Context, s *session.Session, c, again *candidate) error {
	smallest, err := p.shrink(ctx, s, again)
	if c.Severity == tfcheck.Rejected && err == nil {
		s.Stop()
		if alone, _, _ := p.happensAgain(ctx, s, smallest); alone == nil {
			smallest = again // earlier requests to the process contributed to the finding
		}
	}
	p.show(c, smallest)
	return err
}

// single shortens the lifecycle of the finding to its last step, if that step is sufficient. It
// makes no other tries, because they would leave more objects.
func (p *prober) single(ctx context.Context, s *session.Session, c, again *candidate) (err error) {
	if all := again.scenario.LifecycleSteps(); len(all) > 1 {
		var alone *candidate
		alone, _, err = p.happens(ctx, s, again, again.scenario.WithSteps(all[len(all)-1:]))
		again = cmp.Or(alone, again)
	}
	p.show(c, again)
	return err
}

// show stores the scenario that reproduces the finding.
func (p *prober) show(c, by *candidate) {
	c.scenario, c.summaries, c.Message, c.Detail = by.scenario, by.summaries, by.Message, by.Detail
	shown, n := hideScenario(p.secrets, c.scenario), hideNaming(p.secrets, p.naming)
	steps, _ := repro.Commands(shown, n)
	if c.HCL = steps[0].HCL; len(steps) > 1 || c.scenario.Does != scenario.Plans {
		c.Steps = steps
	}
	c.GoTest = repro.GoTest(shown, n, repro.Fault{
		Path: c.Places[0].Path, Rule: string(c.Rule), About: p.secrets.Hide(c.Message), Severity: c.Severity,
	})
}

// isShown reports whether an earlier crash of the type has the same configurations.
func (p *prober) isShown(c *candidate) bool {
	return slices.ContainsFunc(p.found.findings[:slices.Index(p.found.findings, c)], func(o *candidate) bool {
		return c.Rule == tfcheck.RuleCrash && o.Rule == c.Rule && o.HCL == c.HCL && slices.Equal(o.Steps, c.Steps)
	})
}

// happensAgain runs the scenario of the finding again. Any crash is then the same crash.
func (p *prober) happensAgain(ctx context.Context, s *session.Session, c *candidate) (*candidate, session.Outcome, error) {
	return p.run(ctx, s, c.scenario, func(o *candidate) bool {
		return o.cause() == c.cause() || o.Rule == tfcheck.RuleCrash && c.Rule == tfcheck.RuleCrash
	}, c)
}

// happens runs another scenario. It returns the candidate for the same finding, or nil if the
// finding does not happen. A crash in another function with the same error is the same crash.
func (p *prober) happens(ctx context.Context, s *session.Session, c *candidate, sc scenario.Scenario) (*candidate, session.Outcome, error) {
	return p.run(ctx, s, sc, func(o *candidate) bool {
		crashes := o.Rule == tfcheck.RuleCrash && c.Rule == tfcheck.RuleCrash
		return o.cause() == c.cause() || crashes && session.RuntimeError(o.Detail) == session.RuntimeError(c.Detail)
	}, c)
}

// run runs a scenario and returns the first candidate at the place of c that is the same.
func (p *prober) run(ctx context.Context, s *session.Session, sc scenario.Scenario, same func(*candidate) bool, c *candidate) (*candidate, session.Outcome, error) {
	o, err := s.Run(ctx, sc)
	if err != nil {
		return nil, o, err
	}
	for _, other := range p.candidates(sc, o) {
		if other.Places[0] != c.Places[0] || !same(other) {
			continue
		}
		if other.cause() != c.cause() {
			other.Message, other.Detail = "the provider crashes in several functions", c.Detail
		}
		return other, o, nil
	}
	return nil, o, nil
}
