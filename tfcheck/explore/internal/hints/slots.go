package hints

import (
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/spelling"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
	"github.com/objchange/objchange/tfcheck/explore/internal/search"
)

// A hintSlot is a slot for which hints can contain values.
type hintSlot struct {
	name  string // TYPE.SLOT
	of    scenario.Target
	types []cty.Type // of the slot, and of the elements of a collection
}

// hintSlots returns the slots of all types, and of the provider's own configuration.
func hintSlots(targets []scenario.Target, provider *configschema.Block) (all []hintSlot) {
	add := func(of scenario.Target, block *configschema.Block) {
		if block == nil {
			return
		}
		types := search.TypesIn(block)
		for _, name := range SlotsOf(of.Name, block) {
			all = append(all, hintSlot{name, of, types(strings.TrimPrefix(name, of.Name+"."))})
		}
	}
	add(scenario.Target{Kind: scenario.Configuration, Name: string(scenario.Configuration)}, provider)
	for _, t := range targets {
		if t.Schema != nil && t.Schema.Err == nil {
			add(t, t.Schema.Compiled.Block())
		}
	}
	return all
}

// checkSlots adds the problems of values for slots.
func (h *Hints) checkSlots(problems *Problems, targets []scenario.Target, provider *configschema.Block) {
	if len(h.slots) == 0 {
		return
	}
	all := hintSlots(targets, provider)
	var names, attributes []string
	for _, at := range all {
		names = append(names, at.name)
		if at.of.Kind == scenario.Resource && strings.Count(at.name, ".") == 1 && at.isAttribute() {
			attributes = append(attributes, at.name)
		}
	}
	for _, s := range h.slots {
		s.mustMatch(problems, "slot", names)
		matched := slices.DeleteFunc(slices.Clone(all), func(at hintSlot) bool { return !s.Matches(at.name) })
		if len(matched) == 0 {
			continue
		}
		for i, v := range s.values {
			s.checkKeys(problems, s.valuesAt[i], v, matched)
		}
		for _, f := range s.from {
			typeName, _, _ := strings.Cut(f.Slot, ".")
			if !slices.Contains(attributes, f.Slot) {
				problems.missing(f.at, "attribute of a resource", f.Slot, attributes)
			} else if !slices.ContainsFunc(matched, func(at hintSlot) bool { return at.of.Kind == scenario.Resource && at.of.Name != typeName }) {
				problems.Add(f.at, "no slot of a resource type other than %s matches %q", typeName, s.text)
			}
		}
	}
}

// isAttribute reports whether the slot is an attribute at the root of its type, not a block.
func (at hintSlot) isAttribute() bool {
	_, name, _ := strings.Cut(at.name, ".")
	return at.of.Schema.Compiled.Block().Attributes[name] != nil
}

// checkKeys adds a problem if the value contains a key that none of the slots accepts.
func (s slotHint) checkKeys(problems *Problems, at string, v cty.Value, slots []hintSlot) {
	key := ""
	for _, slot := range slots {
		for _, ty := range slot.types {
			if v.Type().IsTupleType() && !ty.IsCollectionType() && ty != cty.DynamicPseudoType {
				continue // the value does not fit, but for another reason than a key
			}
			if key = unknownKey(v, ty); key == "" {
				return
			}
		}
	}
	switch {
	case key == "":
	case key == "from":
		problems.Add(at, "no slot that matches %q has the key %q: {from: TYPE.ATTRIBUTE} must be a whole value, not a part of a value", s.text, key)
	case spelling.Nearest(key, []string{"from"}) != "":
		problems.Add(at, "no slot that matches %q has the key %q: did you mean %q?", s.text, key, "from")
	default:
		problems.Add(at, "no slot that matches %q has the key %q", s.text, key)
	}
}

// unknownKey returns a key in v that a value of type ty cannot have, or "".
func unknownKey(v cty.Value, ty cty.Type) string {
	if ty == cty.DynamicPseudoType || v.IsNull() || !v.CanIterateElements() {
		return ""
	}
	inner := func(key string) (cty.Type, bool) {
		switch {
		case v.Type().IsTupleType():
			if ty.IsCollectionType() {
				return ty.ElementType(), true
			}
			return cty.DynamicPseudoType, true
		case ty.IsMapType():
			return ty.ElementType(), true
		case ty.IsObjectType() && ty.HasAttribute(key):
			return ty.AttributeType(key), true
		}
		return cty.NilType, false
	}
	for it := v.ElementIterator(); it.Next(); {
		at, elem := it.Element()
		key := ""
		if at.Type() == cty.String {
			key = at.AsString()
		}
		ty, ok := inner(key)
		if !ok {
			return key
		}
		if strange := unknownKey(elem, ty); strange != "" {
			return strange
		}
	}
	return ""
}
