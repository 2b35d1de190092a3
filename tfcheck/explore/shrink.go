package explore

import (
	"context"
	"slices"

	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
	"github.com/objchange/objchange/tfcheck/explore/internal/session"
)

// Limits on the requests for shrinking a finding. Each try of a lifecycle takes many requests.
const (
	shrinkRequests     = 400
	shrinkLifeRequests = 4000
)

// A shrinker minimizes the scenario of a finding.
type shrinker struct {
	p        *prober
	session  *session.Session
	smallest *candidate
	until    int // limit for the requests of the session
}

// shrink minimizes the scenario of a finding until nothing else can be omitted, or the requests are
// spent. It first omits many parts together, then half as many, and so on. If each try leaves an
// object, it tries only the last step of a lifecycle alone.
func (p *prober) shrink(ctx context.Context, s *session.Session, c *candidate, leaves bool) (*candidate, error) {
	most := shrinkRequests
	switch {
	case leaves:
		most = min(1, len(c.broken.Scenario.Steps)-1)
	case !c.broken.Scenario.Plans():
		most = shrinkLifeRequests
	}
	sh := &shrinker{p, s, c, s.Requests + most}
	if err := sh.shorten(ctx); err != nil {
		return sh.smallest, err
	}
	for size := max(1, len(sh.smallest.broken.Scenario.Reductions())); size > 0; {
		changed := false
		for _, part := range sh.smallest.broken.Scenario.Parts(size) {
			smaller, differs := sh.smallest.broken.Scenario.Without(part)
			if !differs {
				continue
			}
			if sh.spent() {
				return sh.smallest, nil
			}
			happened, err := sh.try(ctx, smaller)
			if err != nil {
				return sh.smallest, err
			}
			changed = changed || happened
		}
		if size > 1 || !changed {
			size /= 2
		}
	}
	err := sh.shorten(ctx)
	return sh.smallest, err
}

// shorten omits steps before the last step: all of them, then each half, each quarter, and so on.
func (s *shrinker) shorten(ctx context.Context) error {
	steps := func() []scenario.Step { return slices.Clone(s.smallest.broken.Scenario.Steps) }
	for size := len(steps()) - 1; size > 0; size /= 2 {
		for i := 0; i < len(steps())-1 && !s.spent(); {
			rest := slices.Delete(steps(), i, min(i+size, len(steps())-1))
			shorter, err := s.try(ctx, s.smallest.broken.Scenario.WithSteps(rest...))
			if err != nil {
				return err
			}
			if !shorter {
				i += size
			}
		}
	}
	return nil
}

func (s *shrinker) spent() bool { return s.session.Requests >= s.until }

// try reports whether the finding happens with the smaller scenario. If it does, that scenario
// becomes the smallest. If an object is left, shrinking ends.
func (s *shrinker) try(ctx context.Context, smaller scenario.Scenario) (happened bool, err error) {
	again, o, err := s.p.happens(ctx, s.session, s.smallest, smaller, true)
	if again != nil {
		s.smallest = again
	}
	if o.Leaves {
		s.until = 0
	}
	return again != nil, err
}
