package document

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/tfcheck"
)

var escape = strings.NewReplacer("~", "~0", "/", "~1")

// pointer returns a JSON pointer.
func pointer(tokens ...string) string {
	var b strings.Builder
	for _, token := range tokens {
		b.WriteString("/" + escape.Replace(token))
	}
	return b.String()
}

// pointerOf returns the pointer to the place that a violation is about, or "" where it
// could be in more than one of the document's values.
func (d *Document) pointerOf(v *objchange.Violation) string {
	name := d.judged(v)
	if name == "" {
		return ""
	}
	return d.Place.Pointer + pointer(name) + Pointer(d.Lifecycle.Schema.ImpliedType(), v)
}

// Pointer returns the JSON pointer from a value of the type to what a violation in it is
// about, as far as its path, and the path on inside the value, are shown.
func Pointer(ty cty.Type, v *objchange.Violation) string {
	path := shown(v.Path, v.PathString())
	if len(path) == len(v.Path) {
		path = slices.Concat(path, shown(v.Inside, v.InsideString()))
	}
	return pointer(wayOf(ty, path)...)
}

// locate sets the lines and columns of findings that have a pointer.
func (d *Document) locate(found []report.Finding) {
	inside := func(f report.Finding) jsontext.Pointer {
		return jsontext.Pointer(strings.TrimPrefix(f.Pointer, d.Place.Pointer))
	}
	var pointers []jsontext.Pointer
	for _, f := range found {
		if f.Pointer != "" {
			pointers = append(pointers, inside(f))
		}
	}
	if pointers == nil {
		return
	}
	positions := d.at.Of(d.text, pointers)
	for i := range found {
		if at, ok := positions[inside(found[i])]; ok && found[i].Pointer != "" {
			found[i].Line, found[i].Column = at.Line, at.Column
		}
	}
}

// into returns the pointer to a place in one of the document's values.
func (d *Document) into(name string, path cty.Path) string {
	return pointer(append([]string{name}, wayOf(d.Lifecycle.Schema.ImpliedType(), path)...)...)
}

// shown returns the part of a path up to what its text does not show.
func shown(path cty.Path, text string) cty.Path {
	for n := len(path); n > 0; n-- {
		if strings.HasPrefix(text, objchange.PathString(path[:n])) {
			return path[:n]
		}
	}
	return nil
}

// judged returns which of the document's values a violation is about.
func (d *Document) judged(v *objchange.Violation) string {
	l := d.Lifecycle
	switch v.Phase {
	case objchange.PhaseUpgrade:
		return "upgraded"
	case objchange.PhaseImport:
		return "imported"
	case objchange.PhaseRead:
		return "prior"
	case objchange.PhasePlan:
		if v.Rule == tfcheck.RuleProposedNotCore {
			return "proposed"
		}
		return "initial_planned"
	case objchange.PhaseReplan:
		return "final_planned"
	case objchange.PhaseApply:
		return "new"
	}
	// What is asked at apply: that nothing is unknown, and consistency with the first.
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

// wayOf returns the names, keys and indexes of a path into a value of the type, as far
// as the type tells what they are: an element of a set has no index.
func wayOf(ty cty.Type, path cty.Path) (way []string) {
	for _, s := range path {
		switch s := s.(type) {
		case cty.GetAttrStep:
			if !ty.IsObjectType() || !ty.HasAttribute(s.Name) {
				return way
			}
			way, ty = append(way, s.Name), ty.AttributeType(s.Name)
		case cty.IndexStep:
			token, ok := indexToken(ty, s.Key)
			if !ok {
				return way
			}
			way, ty = append(way, token), inside(ty, nil)
		}
	}
	return way
}

// indexToken returns a key or an index as a pointer has it.
func indexToken(ty cty.Type, key cty.Value) (string, bool) {
	switch {
	case key.IsMarked() || !key.IsKnown() || key.IsNull():
	case ty.IsMapType() && key.Type() == cty.String:
		return key.AsString(), utf8.ValidString(key.AsString())
	case (ty.IsListType() || ty.IsTupleType()) && key.Type() == cty.Number:
		return key.AsBigFloat().Text('f', -1), true
	}
	return "", false
}
