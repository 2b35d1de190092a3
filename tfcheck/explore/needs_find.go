package explore

import (
	"context"
	"slices"
	"strings"

	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
	"github.com/objchange/objchange/tfcheck/explore/internal/search"
	"github.com/objchange/objchange/tfcheck/explore/internal/session"
	"github.com/zclconf/go-cty/cty"
)

// maxNeeds limits the number of resources that provide values for one type.
const maxNeeds = 8

// hintedNeeds finds the resources that provide values according to the hints.
func (p *prober) hintedNeeds(ctx context.Context) error {
	for _, slot := range search.Slots(p.target.Schema.Compiled.Block()) {
		for _, from := range p.hints.From(p.target.Name, slot.Path) {
			if found, err := p.need(ctx, slot.Path, from); err != nil {
				return err
			} else if found {
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
	for _, s := range p.know.Lacking() {
		if len(p.hints.Values(p.target.Name, s.Path)) > 0 {
			continue
		}
		for _, other := range p.others(s) {
			if found, err = p.need(ctx, s.Path, other); err != nil || found {
				return found, err
			}
		}
	}
	return false, nil
}

// others returns the attributes of other resource types that may provide the value of the slot, in
// order, as TYPE.ATTRIBUTE.
func (p *prober) others(s *search.Slot) (all []string) {
	for _, t := range p.e.resources {
		if t.Name == p.target.Name || t.Schema.Err != nil {
			continue
		}
		attrs := t.Schema.Compiled.Block().Attributes
		if a := attrs[s.Name]; a != nil && a.Computed && a.Type == s.LeafType() {
			all = append(all, t.Name+"."+s.Name)
		}
		if of, isID := strings.CutSuffix(s.Name, "_id"); isID && strings.HasSuffix(t.Name, "_"+of) && attrs["id"] != nil {
			all = append(all, t.Name+".id")
		}
	}
	return all
}

// need makes another resource provide the value of a slot, from an attribute TYPE.ATTRIBUTE. It
// reports whether that is possible.
func (p *prober) need(ctx context.Context, slot, from string) (bool, error) {
	typeName, attr, _ := strings.Cut(from, ".")
	cyclic := typeName == p.target.Name || slices.Contains(p.neededBy, typeName)
	if p.target.Kind != Resource || cyclic || len(p.needs) >= maxNeeds {
		return false, nil
	}
	of, err := p.origin(ctx, typeName)
	if of == nil || err != nil || !of.Object.Type().HasAttribute(attr) {
		return false, err
	}
	value, _ := of.Object.GetAttr(attr).UnmarkDeep()
	if value.IsNull() || !value.Type().IsPrimitiveType() && value.Type() != cty.DynamicPseudoType {
		return false, nil
	}
	p.needs = append(p.needs, &scenario.Need{Slot: slot, Attr: attr, Value: value, Of: of})
	p.know.Provided[slot] = []cty.Value{value}
	return true, nil
}

// origin finds an accepted configuration of the type. Its object is applied if both types may be
// applied, and planned otherwise. origin returns nil if no configuration is accepted.
func (p *prober) origin(ctx context.Context, typeName string) (*scenario.Origin, error) {
	if of, known := p.origins[typeName]; known {
		return of, nil
	}
	i := slices.IndexFunc(p.e.resources, func(t scenario.Target) bool { return t.Name == typeName })
	if i < 0 || p.e.resources[i].Schema.Err != nil {
		return nil, nil
	}
	other := p.e.prober(p.worker, resultOf(p.e.resources[i]))
	other.origins = p.origins // one object of each type, because, for example, a certificate and its key must match
	other.begun, other.trouble, other.neededBy = p.begun, p.trouble, append(slices.Clip(p.neededBy), p.target.Name)
	p.origins[typeName] = nil // do not try again without an object
	if err := other.hintedNeeds(ctx); err != nil {
		return nil, err
	}
	of := &scenario.Origin{
		TypeName: typeName, Schema: other.target.Schema.Compiled, Applied: p.applied() && other.applied(),
	}
	_, err := other.learn(other.know.Minimal(), func(config cty.Value) (o session.Outcome, err error) {
		if other.spent() {
			return o, errSpent
		}
		of.Config = config
		if of.Applied {
			of.Object, o, err = p.worker.Create(ctx, of)
		} else {
			o, err = p.worker.Run(ctx, other.scenario(PhaseMinimal, scenario.Step{Config: config}))
			if o.Accepted() {
				of.Object = o.Planned
			}
		}
		switch {
		case err != nil || o.Accepted():
			return o, err
		case o.Leaves:
			return o, errUseless
		}
		return o, p.trouble.count(o)
	})
	if err != nil || of.Object == cty.NilVal {
		return nil, err
	}
	of.Needs = other.needs
	p.origins[typeName] = of
	return of, nil
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
