package hints

import (
	"maps"
	"slices"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
	"github.com/objchange/objchange/tfcheck/explore/internal/search"
)

// Check returns an error for types and slots that the provider does not have, and for values that no
// slot can have.
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
	slots := map[string]*search.Slot{} // as TYPE.SLOT
	add := func(name string, block *configschema.Block) {
		for _, s := range search.Slots(block) {
			slots[name+"."+s.Path] = s
		}
	}
	add(string(scenario.Configuration), provider)
	for _, t := range targets {
		if t.Schema != nil && t.Schema.Err == nil && len(h.file.Values) > 0 {
			add(t.Name, t.Schema.Compiled.Block())
		}
	}
	names := slices.Sorted(maps.Keys(slots))
	for _, e := range h.file.Values {
		e.key.Check(problems, "TYPE.ATTRIBUTE", names)
		for _, v := range e.value {
			var err error
			for _, name := range names {
				if !e.key.Matches(name) {
					continue
				}
				if err = slots[name].Takes(v); err == nil {
					break
				}
			}
			if err != nil {
				problems.Add(e.key.at, "nothing that matches %q can have this value: %v", e.key.text, err)
			}
		}
	}
}
