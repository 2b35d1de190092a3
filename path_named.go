package objchange

import (
	"slices"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/paths"
	"github.com/zclconf/go-cty/cty"
)

// PathString returns the path as people read it, such as `.rule[0].tags["env"]`,
// with keys as they are up to the first one that is marked: from there on they are
// `[(sensitive)]`. A step into a set element is `[*]`, unless the element is a string
// or a whole number and could be a key as well: that is written as one. The root
// is "". A program that does not know whether the path leads below something
// sensitive asks Block.PathString or Violation.PathString.
func PathString(path cty.Path) string {
	return paths.String(path)
}

// violationAt records a violation at the place that somebody's path leads to.
func (w *walk) violationAt(schema *Schema, path cty.Path, rule Rule, message string) {
	w.enterPath(schema, path)
	w.violation(rule, message)
	w.found[len(w.found)-1].violation.Path = path
	for range path {
		w.leave()
	}
}

// enterPath steps down a path. What the schema does not name may come from the
// data, so that it is hidden below what is sensitive, whatever kind of step it is.
func (w *walk) enterPath(schema *Schema, path cty.Path) {
	at := oldReadings{{block: &configschema.NestedBlock{Block: *schema.block, Nesting: configschema.NestingSingle}}} // the root
	for i, s := range paths.Steps(path) {
		if paths.IsMarked(path[i]) && w.hide < 0 {
			w.hide = w.depth
		}
		named, secret := at.into(s)
		switch {
		case named:
		case s.Kind != paths.ByElem && w.leadsToSet(path[:i]):
			s.Kind = paths.ByElem
		case s.Kind == paths.ByIndex:
			s.Foreign = true
		case s.Kind == paths.ByName:
			s.Kind = paths.ByAttr
		}
		w.enter(s, secret)
	}
}

// leadsToSet reports whether the path leads to a set in any argument.
func (w *walk) leadsToSet(path cty.Path) bool {
	if w.ways == nil {
		for _, v := range w.given {
			w.ways = append(w.ways, paths.Follow(v))
		}
	}
	return slices.ContainsFunc(w.ways, func(f *paths.Place) bool {
		at := f.Along(paths.Steps(path))
		return at != nil && at.Value != cty.NilVal && at.Value.Type().IsSetType()
	})
}

// A oldReading is one place in the schema that a path may mean.
type oldReading struct {
	attr  *configschema.Attribute
	block *configschema.NestedBlock
}

// oldReadings are all of them: indexes may be left out, and a name may be the key of
// a map.
type oldReadings []oldReading

func (r oldReading) nest() nest {
	switch {
	case r.block != nil:
		return blockNest(r.block)
	case r.attr.NestedType != nil:
		return nestOf(r.attr.NestedType)
	}
	return nest{}
}

// into follows a step, and reports whether the schema may name it and whether
// what it leads to may be secret.
func (rs *oldReadings) into(s paths.Step) (named, secret bool) {
	if s.Kind != paths.ByName && s.Kind != paths.ByKey {
		return false, false
	}
	var next oldReadings
	add := func(r oldReading) {
		if !slices.Contains(next, r) {
			next = append(next, r)
		}
	}
	for _, r := range *rs {
		n := r.nest()
		if a := n.attrs[s.Name]; a != nil {
			named, secret = true, secret || isSecret(a)
			add(oldReading{attr: a})
		}
		if nb := n.blocks[s.Name]; nb != nil {
			named = true
			add(oldReading{block: nb})
		}
		if !n.mode.Single() {
			add(r)
		}
	}
	*rs = next
	return named && s.Kind == paths.ByName, secret
}
