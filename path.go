package objchange

import (
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/paths"
)

// PathString returns the path for people, such as `.rule[0].tags["env"]`. The root is "". A step
// into a set element is `[*]`. If the element is a string or a whole number, the step looks the
// same as a key and is written as a key. The first marked key and all later keys are
// `[(sensitive)]`. Use [Schema.PathString] or [Violation.PathString] for paths that may lead into
// sensitive values.
func PathString(path cty.Path) string { return paths.String(path) }

// PathString returns the path like the function [PathString], but hides possible secrets.
// Inside a sensitive or write-only attribute, each step that the schema does not name is
// `[(sensitive)]`, and a step into a set element is `[*]`. A nil Schema names no steps.
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

// read returns the steps of a path from the caller, and the number of the first step whose
// names and keys are hidden, or -1. Steps that the schema does not name may contain data. isSet
// reports whether a path leads to a set.
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

// readings returns the nodes to which a name may lead. The path may omit the index of an
// object, and a name may be the key of a map.
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
