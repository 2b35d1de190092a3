package explore

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/objchange/objchange"
)

// A need is a value in a scenario's configuration that another resource provides.
type need struct {
	slot string // slot with the value
	attr string // attribute at the root of the other resource
	// value is the value when the scenario was made. It is unknown if the other resource was only
	// planned and the plan does not contain the value.
	value cty.Value
	of    *origin
}

// An origin is a resource that provides values.
type origin struct {
	typeName string
	schema   *objchange.Schema
	config   cty.Value
	needs    []*need
	applied  bool // otherwise it is planned
}

// notProvided is the error for a scenario whose origin can no longer be created.
type notProvided struct{ typeName, why string }

func (e *notProvided) Error() string {
	return fmt.Sprintf("%s, which provides a value, was not created: %s", e.typeName, e.why)
}

// resolve replaces the values of the needs in the configuration with the current values. It creates
// the other resources once in each session.
func (s *session) resolve(ctx context.Context, needs []*need, config cty.Value) (cty.Value, error) {
	for _, n := range needs {
		if !n.of.applied || config == cty.NilVal || !n.in(config) {
			continue
		}
		object, err := s.provide(ctx, n.of)
		if err != nil {
			return config, err
		}
		config = n.replace(config, object.GetAttr(n.attr))
	}
	return config, nil
}

// provide returns the object of the origin. It creates the object if it does not exist.
func (s *session) provide(ctx context.Context, of *origin) (cty.Value, error) {
	l := s.origins[of]
	if l == nil {
		config, err := s.resolve(ctx, of.needs, of.config)
		if err != nil {
			return cty.NilVal, err
		}
		if l, err = s.begin(ctx, of.typeName); err != nil {
			return cty.NilVal, err
		}
		o, err := l.take(ctx, step{does: applies, config: config})
		l.refused = reasonOf(o)
		s.recordOrigin(of, l)
		if err != nil {
			return cty.NilVal, err
		}
	}
	if !l.exists() {
		return cty.NilVal, &notProvided{of.typeName, l.refused}
	}
	return l.instance.State(), nil
}

// recordOrigin records the object of an origin. The method destroyOrigins destroys it.
func (s *session) recordOrigin(of *origin, l *life) {
	if s.origins == nil {
		s.origins = map[*origin]*life{}
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

// in reports whether the configuration contains the value.
func (n *need) in(config cty.Value) (found bool) {
	_ = cty.Walk(config, func(path cty.Path, v cty.Value) (bool, error) {
		found = found || n.at(slotOf(path), v)
		return !found && v.IsKnown() && !v.IsNull(), nil
	})
	return found
}

// at reports whether v is the value of the need and is in the slot of the need.
func (n *need) at(slot string, v cty.Value) bool {
	if slot != n.slot || !v.Type().IsPrimitiveType() {
		return false
	}
	same, err := convert.Convert(n.value, v.Type())
	return err == nil && same.RawEquals(v)
}

// replace returns the configuration with another value in place of the need's value.
func (n *need) replace(config, by cty.Value) cty.Value {
	replaced, err := cty.Transform(config, func(path cty.Path, v cty.Value) (cty.Value, error) {
		if !n.at(slotOf(path), v) {
			return v, nil
		}
		return convert.Convert(by, v.Type())
	})
	if err != nil {
		return config
	}
	return replaced
}

// slotOf returns the slot of a path: the names without indexes.
func slotOf(path cty.Path) string {
	var names []string
	for _, step := range path {
		if at, named := step.(cty.GetAttrStep); named {
			names = append(names, at.Name)
		}
	}
	return strings.Join(names, ".")
}

// provided returns the need for the value of the slot, or nil.
func provided(needs []*need, slot string, v cty.Value) *need {
	for _, n := range needs {
		if n.at(slot, v) {
			return n
		}
	}
	return nil
}
