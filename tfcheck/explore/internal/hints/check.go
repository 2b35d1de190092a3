package hints

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/globs"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
)

// validate returns an error with the problems that do not depend on the provider.
func (h *Hints) validate() error {
	problems := &Problems{file: h.name}
	for _, e := range h.file.Values {
		for _, v := range e.value {
			v = cmp.Or(v, &hint{at: e.key.at}) // null in the file
			if v.from == "" && v.value == cty.NilVal {
				problems.Add(v.at, "must be a valid value of an argument, and not null")
			}
		}
	}
	for _, e := range h.file.Skip {
		if strings.TrimSpace(e.value.text) == "" {
			problems.Add(cmp.Or(e.value.at, e.key.at), "the reason is missing")
		}
	}
	return problems.Err()
}

// Check returns an error for types and slots that the provider does not have, for values that no
// slot can have, and for values from attributes that are not at the root of another resource type.
func (h *Hints) Check(targets []scenario.Target, provider *configschema.Block) error {
	if h == nil {
		return nil
	}
	var types, sources []string
	for _, t := range targets {
		types = append(types, t.Name)
		if t.Kind == scenario.Data || t.Kind == scenario.Ephemeral {
			sources = append(sources, t.Name)
		}
	}
	problems := &Problems{file: h.name}
	h.checkValues(problems, targets, provider)
	for _, e := range h.file.Skip {
		e.key.Check(problems, "type", types)
	}
	for _, p := range h.file.Read {
		p.Check(problems, "data source or ephemeral resource", sources)
	}
	return problems.Err()
}

// checkValues adds the problems of values for slots.
func (h *Hints) checkValues(problems *Problems, targets []scenario.Target, provider *configschema.Block) {
	types := map[string]cty.Type{} // of the slots, as TYPE.SLOT
	var attributes []string        // of resources
	add := func(kind scenario.Kind, name string, block *configschema.Block) {
		for _, s := range Slots(block) {
			types[name+"."+s.Path] = s.Type
			if kind == scenario.Resource && block.Attributes[s.Path] != nil {
				attributes = append(attributes, name+"."+s.Path)
			}
		}
	}
	add(scenario.Configuration, string(scenario.Configuration), provider)
	for _, t := range targets {
		if t.Schema != nil && t.Schema.Err == nil && len(h.file.Values) > 0 {
			add(t.Kind, t.Name, t.Schema.Compiled.Block())
		}
	}
	names := slices.Sorted(maps.Keys(types))
	for _, e := range h.file.Values {
		e.key.Check(problems, "TYPE.ATTRIBUTE", names)
		matched := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !e.key.Matches(name) })
		for _, v := range e.value {
			if v.from != "" {
				NewPattern(globs.Escaped(v.from), v.at).Check(problems, "attribute of a resource", attributes)
				continue
			}
			var err error
			for _, name := range matched {
				if err = convertible(v.value, types[name]); err == nil {
					break
				}
			}
			if err != nil {
				problems.Add(v.at, "nothing that matches %q can have this value: %v", e.key.text, err)
			}
		}
	}
}

// convertible returns an error if neither a slot of the type nor an element of it can have the
// value.
func convertible(v cty.Value, ty cty.Type) error {
	_, err := convert.Convert(v, ty.WithoutOptionalAttributesDeep())
	if err != nil && ty.IsCollectionType() && convertible(v, ty.ElementType()) == nil {
		return nil
	}
	return err
}

// A Slot is an attribute or a nested block for which hints can contain values.
type Slot struct {
	Path   string // without indexes
	Type   cty.Type
	hidden bool // it is sensitive or write-only, or inside such a slot
}

// Slots returns the slots of a type, in order. The block may be nil.
func Slots(block *configschema.Block) []Slot { return slotsIn("", block, false) }

func slotsIn(path string, block *configschema.Block, hidden bool) (all []Slot) {
	if block == nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(block.Attributes)) {
		a := block.Attributes[name]
		s := Slot{Path: scenario.Below(path, name), Type: a.ImpliedType(), hidden: hidden || a.Sensitive || a.WriteOnly}
		all = append(all, s)
		if a.NestedType != nil {
			all = append(all, slotsIn(s.Path, a.NestedType.Block(), s.hidden)...)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(block.BlockTypes)) {
		nested := block.BlockTypes[name]
		s := Slot{Path: scenario.Below(path, name), Type: nested.ImpliedType(), hidden: hidden}
		all = append(append(all, s), slotsIn(s.Path, &nested.Block, hidden)...)
	}
	return all
}
