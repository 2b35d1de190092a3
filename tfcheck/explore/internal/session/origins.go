package session

import (
	"context"
	"fmt"
	"slices"

	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
	"github.com/zclconf/go-cty/cty"
)

// notProvided is the error for a scenario whose origin can no longer be created.
type notProvided struct{ typeName, why string }

func (e *notProvided) Error() string {
	return fmt.Sprintf("%s, which provides a value, was not created: %s", e.typeName, e.why)
}

// resolve replaces the values of the needs in the configuration with the current values. It creates
// the other resources once in each session.
func (s *Session) resolve(ctx context.Context, needs []*scenario.Need, config cty.Value) (cty.Value, error) {
	for _, n := range needs {
		if !n.Of.Applied || config == cty.NilVal || !n.In(config) {
			continue
		}
		object, err := s.Provide(ctx, n.Of)
		if err != nil {
			return config, err
		}
		config = n.Replace(config, object.GetAttr(n.Attr))
	}
	return config, nil
}

// Provide returns the object of the origin. It creates the object if it does not exist.
func (s *Session) Provide(ctx context.Context, of *scenario.Origin) (cty.Value, error) {
	l := s.origins[of]
	if l == nil {
		config, err := s.resolve(ctx, of.Needs, of.Config)
		if err != nil {
			return cty.NilVal, err
		}
		if l, err = s.Begin(ctx, of.TypeName); err != nil {
			return cty.NilVal, err
		}
		o, err := l.Take(ctx, scenario.Step{Does: scenario.Applies, Config: config})
		l.refused = ReasonOf(o)
		s.RecordOrigin(of, l)
		if err != nil {
			return cty.NilVal, err
		}
	}
	if !l.Exists() {
		return cty.NilVal, &notProvided{of.TypeName, l.refused}
	}
	return l.instance.State(), nil
}

// RecordOrigin records the object of an origin. DestroyOrigins destroys it.
func (s *Session) RecordOrigin(of *scenario.Origin, l *Life) {
	if s.origins == nil {
		s.origins = map[*scenario.Origin]*Life{}
	}
	s.origins[of], s.made = l, append(s.made, of)
}

// DestroyOrigins destroys the objects of all origins. The latest object is destroyed first.
func (s *Session) DestroyOrigins(ctx context.Context) {
	for _, of := range slices.Backward(s.made) {
		_, _ = s.origins[of].End(ctx) // the ledger contains the objects that are left
	}
	s.origins, s.made = nil, nil
}
