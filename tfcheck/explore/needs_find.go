package explore

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/objchange/objchange/tfcheck/explore/internal/hints"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
	"github.com/objchange/objchange/tfcheck/explore/internal/search"
	"github.com/objchange/objchange/tfcheck/explore/internal/session"
	"github.com/zclconf/go-cty/cty"
)

// maxNeeds limits the number of resources that provide values for one type.
const maxNeeds = 8

// hintedNeeds finds the resources that provide values according to the hints.
func (p *prober) hintedNeeds(ctx context.Context) error {
	if p.target.Kind != Resource {
		return nil
	}
	prefix := p.target.Name
	for _, slot := range hints.SlotsOf(prefix, p.target.Schema.Compiled.Block()) {
		slot = strings.TrimPrefix(slot, prefix+".")
		for _, from := range p.hints.From(prefix, slot) {
			typeName, attr, _ := strings.Cut(from.Slot, ".")
			if found, err := p.need(ctx, slot, typeName, attr); err != nil || found {
				if err != nil {
					return err
				}
				break
			}
		}
	}
	return nil
}

// guessNeeds finds a resource for the slot that was refused last or for a required slot. The
// resource computes an attribute with the name and type of the slot, or the slot is named after the
// ID of the resource. guessNeeds reports whether it found a resource.
func (p *prober) guessNeeds(ctx context.Context) (found bool, err error) {
	if p.target.Kind != Resource {
		return false, nil
	}
	for _, s := range p.know.Lacking() {
		if len(p.hints.Values(p.target.Name, s.Path)) > 0 {
			continue
		}
		for _, other := range p.others(s) {
			if found, err = p.need(ctx, s.Path, other.typeName, other.attr); err != nil || found {
				return found, err
			}
		}
	}
	return false, nil
}

// others returns the resource types that may provide the value of the slot, in order.
func (p *prober) others(s *search.Slot) (all []typeAttribute) {
	for _, t := range p.e.resources {
		if t.Name == p.target.Name || t.Schema.Err != nil {
			continue
		}
		attrs := t.Schema.Compiled.Block().Attributes
		if a := attrs[s.Name]; a != nil && a.Computed && a.Type == s.LeafType() {
			all = append(all, typeAttribute{t.Name, s.Name})
		}
		if of, isID := strings.CutSuffix(s.Name, "_id"); isID && strings.HasSuffix(t.Name, "_"+of) && attrs["id"] != nil {
			all = append(all, typeAttribute{t.Name, "id"})
		}
	}
	return all
}

// A typeAttribute names an attribute of a resource type.
type typeAttribute struct{ typeName, attr string }

// need makes another resource provide the value of a slot. It reports whether that is possible.
func (p *prober) need(ctx context.Context, slot, typeName, attr string) (bool, error) {
	if typeName == p.target.Name || slices.Contains(p.neededBy, typeName) || len(p.needs) >= maxNeeds {
		return false, nil
	}
	of, object, err := p.origin(ctx, typeName)
	if of == nil || err != nil || !object.Type().HasAttribute(attr) {
		return false, err
	}
	value, _ := object.GetAttr(attr).UnmarkDeep()
	if value.IsNull() || !value.Type().IsPrimitiveType() && value.Type() != cty.DynamicPseudoType {
		return false, nil
	}
	p.needs = append(p.needs, &scenario.Need{Slot: slot, Attr: attr, Value: value, Of: of})
	p.know.Provided[slot] = []cty.Value{value}
	return true, nil
}

// origin finds an accepted configuration of the type, and returns it with the object. The object is
// applied if both types may be applied, and planned otherwise. origin returns nil if no
// configuration is accepted.
func (p *prober) origin(ctx context.Context, typeName string) (*scenario.Origin, cty.Value, error) {
	if of := p.origins[typeName]; of != nil {
		return of.Origin, of.object, nil
	}
	i := slices.IndexFunc(p.e.resources, func(t scenario.Target) bool { return t.Name == typeName })
	if i < 0 || p.e.resources[i].Schema.Err != nil {
		return nil, cty.NilVal, nil
	}
	other := p.e.prober(p.worker, p.e.resources[i])
	other.origins = p.origins // one object of each type, because, for example, a certificate and its key must match
	other.begun, other.trouble, other.neededBy = p.begun, p.trouble, append(slices.Clip(p.neededBy), p.target.Name)
	p.origins[typeName] = &originObject{} // do not try again without an object
	if err := other.hintedNeeds(ctx); err != nil {
		return nil, cty.NilVal, err
	}
	of := &scenario.Origin{TypeName: typeName, Schema: other.target.Schema.Compiled, Applied: p.applied() && other.applied()}
	object, err := other.obtain(ctx, of)
	if err != nil || object == cty.NilVal {
		return nil, cty.NilVal, err
	}
	of.Needs = other.needs
	p.origins[typeName] = &originObject{of, object}
	return of, object, nil
}

// An originObject is an origin with its object.
type originObject struct {
	*scenario.Origin
	object cty.Value
}

// obtain tries configurations until one is accepted. It returns the planned or applied object, or
// cty.NilVal if no configuration is accepted.
func (p *prober) obtain(ctx context.Context, of *scenario.Origin) (object cty.Value, err error) {
	_, err = p.learn(p.know.Minimal(), func(config cty.Value) (o session.Outcome, err error) {
		if p.worker.Requests-p.begun >= p.budget {
			return o, errSpent
		}
		of.Config = config
		object, o, err = p.once(ctx, of)
		switch {
		case err != nil || o.Accepted():
			return o, err
		case o.Leaves:
			return o, errUseless
		}
		return o, p.countTrouble(o)
	})
	return object, err
}

// once plans or applies the origin.
func (p *prober) once(ctx context.Context, of *scenario.Origin) (cty.Value, session.Outcome, error) {
	if !of.Applied {
		o, err := p.worker.Run(ctx, p.scenario(PhaseMinimal, "", of.Config, cty.NilVal))
		if err != nil || !o.Accepted() {
			return cty.NilVal, o, err
		}
		return o.Planned, o, nil
	}
	l, err := p.worker.Begin(ctx, of.TypeName)
	if err != nil {
		return cty.NilVal, session.Outcome{}, err
	}
	o, err := l.Take(ctx, scenario.Step{Does: scenario.Applies, Config: of.Config})
	if err != nil || !o.Accepted() || !l.Exists() {
		end, failed := l.End(ctx)
		o.Leaves = o.Leaves || end.Leaves
		return cty.NilVal, o, errors.Join(err, failed)
	}
	p.worker.RecordOrigin(of, l)
	return l.State(), o, nil
}

// settled reports whether the configuration is wholly known, except for the values that other
// resources provide.
func (p *prober) settled(config cty.Value) bool {
	for _, n := range p.needs {
		if !n.Value.IsKnown() {
			config = n.Replace(config, cty.StringVal("1"))
		}
	}
	return config.IsWhollyKnown()
}

// missingValueMessage returns a message about the resource that must be applied to provide a value.
func (p *prober) missingValueMessage() string {
	for _, n := range p.needs {
		if !n.Value.IsKnown() {
			return "it needs a value of " + n.Of.TypeName + ", but applying it is not allowed"
		}
	}
	return "the configuration has unknown values"
}
