package explore

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
func (s *session) resolve(ctx context.Context, needs []*scenario.Need, config cty.Value) (cty.Value, error) {
	for _, n := range needs {
		if !n.Of.Applied || config == cty.NilVal || !n.In(config) {
			continue
		}
		object, err := s.provide(ctx, n.Of)
		if err != nil {
			return config, err
		}
		config = n.Replace(config, object.GetAttr(n.Attr))
	}
	return config, nil
}

// provide returns the object of the origin. It creates the object if it does not exist.
func (s *session) provide(ctx context.Context, of *scenario.Origin) (cty.Value, error) {
	l := s.origins[of]
	if l == nil {
		config, err := s.resolve(ctx, of.Needs, of.Config)
		if err != nil {
			return cty.NilVal, err
		}
		if l, err = s.begin(ctx, of.TypeName); err != nil {
			return cty.NilVal, err
		}
		o, err := l.take(ctx, scenario.Step{Does: scenario.Applies, Config: config})
		l.refused = reasonOf(o)
		s.recordOrigin(of, l)
		if err != nil {
			return cty.NilVal, err
		}
	}
	if !l.exists() {
		return cty.NilVal, &notProvided{of.TypeName, l.refused}
	}
	return l.instance.State(), nil
}

// recordOrigin records the object of an origin. The method destroyOrigins destroys it.
func (s *session) recordOrigin(of *scenario.Origin, l *life) {
	if s.origins == nil {
		s.origins = map[*scenario.Origin]*life{}
	}
	s.origins[of], s.made = l, append(s.made, of)
}

// destroyOrigins destroys the objects of all origins. The latest object is destroyed first.
func (s *session) destroyOrigins(ctx context.Context) {
	for _, of := range slices.Backward(s.made) {
		_, _ = s.origins[of].end(ctx) // the ledger contains the objects that are left
	}
	s.origins, s.made = nil, nil
}
