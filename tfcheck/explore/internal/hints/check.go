package hints

import (
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
	"github.com/objchange/objchange/tfcheck/explore/internal/search"
)

// Check returns an error for types and slots that the provider does not have.
func (h *Hints) Check(targets []scenario.Target, provider *configschema.Block) error {
	if h == nil {
		return nil
	}
	var types, sources []string
	slots := slotsOf(string(scenario.Configuration), provider)
	for _, t := range targets {
		types = append(types, t.Name)
		if t.Kind == scenario.Data || t.Kind == scenario.Ephemeral {
			sources = append(sources, t.Name)
		}
		if t.Schema != nil && t.Schema.Err == nil && len(h.file.Values) > 0 {
			slots = append(slots, slotsOf(t.Name, t.Schema.Compiled.Block())...)
		}
	}
	problems := &Problems{file: h.name}
	for _, e := range h.file.Values {
		e.key.Check(problems, "TYPE.ATTRIBUTE", slots)
	}
	for _, e := range h.file.Skip {
		e.key.Check(problems, "type", types)
	}
	for _, p := range h.file.Read {
		p.Check(problems, "data source or ephemeral resource", sources)
	}
	return problems.Err()
}

// slotsOf returns the slots of a type as TYPE.SLOT.
func slotsOf(typeName string, block *configschema.Block) (all []string) {
	for _, s := range search.Slots(block) {
		all = append(all, typeName+"."+s.Path)
	}
	return all
}
