package objchange

import (
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/paths"
)

// PathString returns the path as people read it, such as `.rule[0].tags["env"]`. From the
// first marked key on, keys are `[(sensitive)]`. A step into a set element is `[*]`,
// unless the element is a string or a whole number and could be a key as well: that is
// written as one. The root is "". Use Schema.PathString or Violation.PathString for a
// path that may lead below something sensitive.
func PathString(path cty.Path) string { return paths.String(path) }

// PathString returns the path like [PathString], but hides what may be a secret: below
// a sensitive or write-only attribute each step that the schema does not name is
// `[(sensitive)]`, except for set elements, which are `[*]`. A nil Schema names no step.
func (s *Schema) PathString(path cty.Path) string {
	root, hide := &node{}, 0
	if s.compiled() {
		root, hide = s.root, -1
	}
	steps, deep := root.read(path, func(cty.Path) bool { return false })
	if hide < 0 {
		hide = deep
	}
	return paths.Text(steps, hide)
}

// read returns the steps of a path that somebody made, and the number of steps from which
// on names and keys are hidden, or -1. What the schema does not name may come from the
// data. isSet reports whether a path leads to a set.
func (n *node) read(path cty.Path, isSet func(cty.Path) bool) (steps []paths.Step, hide int) {
	steps, hide = paths.Steps(path), -1
	at := []*node{n}
	for i := range steps {
		s := &steps[i]
		if paths.IsMarked(path[i]) && hide < 0 {
			hide = i
		}
		named, secret := false, false
		if s.Kind == paths.ByName || s.Kind == paths.ByKey {
			at, named, secret = readings(at, s.Name)
		}
		switch {
		case named && s.Kind == paths.ByName:
		case s.Kind != paths.ByElem && isSet(path[:i]):
			s.Kind = paths.ByElem
		case s.Kind == paths.ByIndex:
			s.Foreign = true
		case s.Kind == paths.ByName:
			s.Kind = paths.ByAttr
		}
		if secret && hide < 0 {
			hide = i + 1
		}
	}
	return steps, hide
}

// readings returns the nodes that a name may lead to: the index of an object may have been
// left out, and a name may be the key of a map.
func readings(at []*node, name string) (next []*node, named, secret bool) {
	add := func(n *node) {
		if !slices.Contains(next, n) {
			next = append(next, n)
		}
	}
	for _, n := range at {
		if child := n.child(name); child != nil {
			named, secret = true, secret || child.secret()
			add(child)
		}
		if !n.single() {
			add(n)
		}
	}
	return next, named, secret
}
