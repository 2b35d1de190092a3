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

// A need is a value in the configuration of a scenario that another resource provides.
type need struct {
	slot string // that has the value
	attr string // of the other resource, at its root
	// value is what it was when the scenario was made: unknown if the other resource was only
	// planned, and does not say.
	value cty.Value
	of    *origin
}

// An origin is a resource that provides values.
type origin struct {
	typeName string
	schema   *objchange.Schema
	config   cty.Value
	needs    []*need
	applied  bool // or else it is planned
}

// notProvided is the error of a scenario whose origin cannot be created any more.
type notProvided struct{ typeName, why string }

func (e *notProvided) Error() string {
	return fmt.Sprintf("%s, which provides a value, was not created: %s", e.typeName, e.why)
}

// resolve returns the configuration with what the other resources provide now: they are created
// once in each session.
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

// provide returns the object of the origin, which it creates unless it exists.
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
		s.keep(of, l)
		if err != nil {
			return cty.NilVal, err
		}
	}
	if !l.exists() {
		return cty.NilVal, &notProvided{of.typeName, l.refused}
	}
	return l.instance.State(), nil
}

// keep remembers the object of an origin, which forget destroys.
func (s *session) keep(of *origin, l *life) {
	if s.origins == nil {
		s.origins = map[*origin]*life{}
	}
	s.origins[of], s.made = l, append(s.made, of)
}

// forget destroys the objects of all origins, the latest first.
func (s *session) forget(ctx context.Context) {
	for _, of := range slices.Backward(s.made) {
		_, _ = s.origins[of].end(ctx) // what is left is in the ledger
	}
	s.origins, s.made = nil, nil
}

// in reports whether the configuration has the value.
func (n *need) in(config cty.Value) (found bool) {
	_ = cty.Walk(config, func(path cty.Path, v cty.Value) (bool, error) {
		found = found || n.at(slotOf(path), v)
		return !found && v.IsKnown() && !v.IsNull(), nil
	})
	return found
}

// at reports whether the value of the slot is the one that the other resource provides.
func (n *need) at(slot string, v cty.Value) bool {
	if slot != n.slot || !v.Type().IsPrimitiveType() {
		return false
	}
	same, err := convert.Convert(n.value, v.Type())
	return err == nil && same.RawEquals(v)
}

// replace returns the configuration with another value where it has the need's.
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

// slotOf returns the slot of a path: its names, without indexes.
func slotOf(path cty.Path) string {
	var names []string
	for _, step := range path {
		if at, named := step.(cty.GetAttrStep); named {
			names = append(names, at.Name)
		}
	}
	return strings.Join(names, ".")
}

// provided returns the need whose value it is, or nil.
func provided(needs []*need, slot string, v cty.Value) *need {
	for _, n := range needs {
		if n.at(slot, v) {
			return n
		}
	}
	return nil
}
