package session

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
	"github.com/zclconf/go-cty/cty"
)

// errNotProvided is the error for a scenario whose origin can no longer be created.
var errNotProvided = errors.New("which provides a value, was not created")

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
	if l := s.origins[of]; l != nil && l.Exists() {
		return l.State(), nil
	}
	object, o, err := s.Create(ctx, of)
	if err == nil && object == cty.NilVal {
		err = fmt.Errorf("%s, %w: %s", of.TypeName, errNotProvided, ReasonOf(o))
	}
	return object, err
}

// Create creates the object of the origin. It returns cty.NilVal if the provider refuses it. The
// method DestroyOrigins destroys the object.
func (s *Session) Create(ctx context.Context, of *scenario.Origin) (object cty.Value, o Outcome, err error) {
	config, err := s.resolve(ctx, of.Needs, of.Config)
	if err != nil {
		return cty.NilVal, o, err
	}
	l, err := s.Begin(ctx, of.TypeName)
	if err != nil {
		return cty.NilVal, o, err
	}
	o, err = l.Take(ctx, scenario.Step{Does: scenario.Applies, Config: config})
	if err != nil || !o.Accepted() || !l.Exists() {
		end, failed := l.End(ctx)
		o.Leaves = o.Leaves || end.Leaves
		return cty.NilVal, o, errors.Join(err, failed)
	}
	if s.origins == nil {
		s.origins = map[*scenario.Origin]*Life{}
	}
	s.origins[of], s.made = l, append(s.made, of)
	return l.State(), o, nil
}

// DestroyOrigins destroys the objects of all origins. The latest object is destroyed first.
func (s *Session) DestroyOrigins(ctx context.Context) {
	for _, of := range slices.Backward(s.made) {
		_, _ = s.origins[of].End(ctx) // the ledger contains the objects that are left
	}
	s.origins, s.made = nil, nil
}
