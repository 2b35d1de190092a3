package document

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/internal/pointer"
)

// pointerOf returns the pointer to the value of a violation. It returns "" if the violation may be
// about more than one of the document's values.
func (d *Document) pointerOf(v *objchange.Violation) string {
	name := d.valueName(v)
	if name == "" {
		return ""
	}
	return d.Place.Pointer + pointer.New(name) + pointer.Of(d.Lifecycle.Schema.ImpliedType(), v)
}

// locate sets the lines and columns of findings that have a pointer.
func (d *Document) locate(found []report.Finding) {
	if len(found) == 0 {
		return
	}
	var pointers []jsontext.Pointer
	for _, f := range found {
		pointers = append(pointers, jsontext.Pointer(strings.TrimPrefix(f.Pointer, d.Place.Pointer)))
	}
	positions := d.at.Of(d.text, pointers)
	for i, inside := range pointers {
		if found[i].Pointer != "" {
			found[i].Line, found[i].Column = positions[inside].Line, positions[inside].Column
		}
	}
}

// into returns the pointer to a path in one of the document's values.
func (d *Document) into(name string, path cty.Path) string {
	return pointer.New(append([]string{name}, pointer.Tokens(d.Lifecycle.Schema.ImpliedType(), path)...)...)
}

// valueName returns the name of the document's value that a violation is about.
func (d *Document) valueName(v *objchange.Violation) string {
	l := d.Lifecycle
	switch v.Phase {
	case objchange.PhaseUpgrade:
		return "upgraded"
	case objchange.PhaseImport:
		return "imported"
	case objchange.PhaseRead:
		return "prior"
	case objchange.PhasePlan:
		if v.Rule == objchange.RuleProposedNotCore {
			return "proposed"
		}
		return "initial_planned"
	case objchange.PhaseReplan:
		return "final_planned"
	case objchange.PhaseApply:
		return "new"
	}
	// The rules at apply check that nothing is unknown, and that the second configuration is
	// consistent with the first.
	atApply := v.Rule == objchange.RuleConfigUnknown || slices.Contains(v.Rule.Info().Tolerated, objchange.PhaseApply)
	if atApply && l.FinalConfig != cty.NilVal {
		return "final_config"
	}
	switch cty.NilVal {
	case l.FinalConfig:
		return "config"
	case l.Config:
		return "final_config"
	}
	return ""
}
