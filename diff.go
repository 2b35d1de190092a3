package objchange

import (
	"cmp"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/print"
	"github.com/objchange/objchange/internal/values"
)

// A Change is one difference between two values of a resource
// (docs/specification.md#133-differences).
type Change struct {
	// Path leads to the difference, in Before, in After or in both. If a leaf appeared or
	// disappeared together with its container, the path exists in only one of them.
	Path cty.Path
	// Shown is Path for display, like [Violation.Shown].
	Shown cty.Path
	Kind  ChangeKind
	// Before and After are the values at the path, or null if there is no value. They keep
	// their marks.
	Before, After cty.Value
	// Sensitive means that the values must not be shown: the attribute at the path, an
	// attribute around it or an attribute inside it is sensitive in the schema, or the value, a
	// value around it or a value inside it is marked.
	Sensitive bool
}

// ChangeKind is the kind of a change.
type ChangeKind string

// The kinds of change.
const (
	ChangeAdd     ChangeKind = "add"     // a value appeared
	ChangeRemove  ChangeKind = "remove"  // a value disappeared
	ChangeUpdate  ChangeKind = "update"  // the value changed
	ChangeUnknown ChangeKind = "unknown" // the value is known after apply, and may have been absent before
)

// PathString returns the path for people, like [Violation.PathString]: map keys inside
// sensitive values are `[(sensitive)]`.
func (c Change) PathString() string { return c.Violation("", "", "").PathString() }

// Violation returns a violation of the rule at the path of the change. The rule may be one of
// the caller's own rules. The violation hides the same parts of the path as the change.
func (c Change) Violation(rule Rule, message string, severity Severity) *Violation {
	return &Violation{Rule: rule, Path: c.Path, Shown: c.Shown, Message: message, Severity: severity}
}

// String returns the change in one line with shortened values. Sensitive values are not shown.
// For long values and for JSON, it shows only the parts that differ.
func (c Change) String() string {
	place := cmp.Or(c.PathString(), "the object")
	before, after, d := c.shown()
	if c.Kind == ChangeUnknown {
		after = "(known after apply)"
	}
	switch {
	case c.Kind == ChangeRemove:
		return "- " + place + " = " + before
	case c.Kind == ChangeAdd, c.Kind != ChangeUpdate && c.Before.IsNull():
		return "+ " + place + " = " + after
	case c.secret() && c.Kind == ChangeUpdate:
		return "~ " + place + ": " + before
	}
	return "~ " + place + ": " + withPlace(&d, before+" -> "+after)
}

// shown returns the texts of a change, without sensitive values. d is the difference of the values
// of an update.
func (c Change) shown() (before, after string, d print.Difference) {
	defer func() {
		if recover() != nil { // for example in an operation of a capsule type
			before, after, d = print.Unprintable, print.Unprintable, print.Difference{}
		}
	}()
	switch {
	case c.secret():
		return "(sensitive)", "(sensitive)", d
	case c.Before == cty.NilVal || c.After == cty.NilVal: // a Change that the caller made
		return "null", "null", d
	case c.Kind != ChangeUpdate:
		return print.Value(values.UnmarkedDeep(c.Before)), print.Value(values.UnmarkedDeep(c.After)), d
	case c.Before.IsNull() && c.After.IsNull():
		return print.NullName(c.Before.Type()), print.NullName(c.After.Type()), d
	}
	d = print.Differ(values.UnmarkedDeep(c.Before), values.UnmarkedDeep(c.After))
	before, after = d.Texts()
	return before, after, d
}

// secret reports whether the values must not be shown. It also checks the marks of the values,
// for a Change that the caller made.
func (c Change) secret() bool {
	holdsMarks := func(v cty.Value) bool { return v != cty.NilVal && values.HoldsMarks(v) }
	return c.Sensitive || holdsMarks(c.Before) || holdsMarks(c.After)
}

// Diff returns the differences between two values of a resource
// (docs/specification.md#133-differences): one Change for each leaf that differs, in path order. It
// returns no changes if the values are equal. Marks and refinements of unknown values do not
// matter.
//
// The error is an [*InputError].
//
// Diff compares list elements by index, map elements by key, and set elements as a whole: a set
// element without an equal element in the other set is added or removed. If an object or a
// collection is added or removed, Diff returns one Change for each leaf in it that is not null.
// If it has no such leaf, Diff returns one Change for the object or collection.
//
// Both values must conform to the schema, and may be null or unknown. The cost is the same as
// for a comparison of the two values.
func Diff(schema *Schema, before, after cty.Value) (changes []Change, err error) {
	defer rescueError(&changes, &err)
	var r review
	b, a := argument{name: "before", value: before}, argument{name: "after", value: after}
	if !r.admit(schema, &b, &a) {
		return nil, r.err()
	}
	var w differenceWalk
	w.value(schema.root, false, b.value, a.value)
	slices.SortStableFunc(w.changes, func(x, y placedChange) int { return paths.Compare(x.steps, y.steps) })
	m := r.messenger()
	for _, c := range w.changes {
		at := m.spot(c.steps)
		c.change.Path, c.change.Shown = paths.Path(c.steps), paths.Shown(c.steps, at.hide)
		c.change.Sensitive = at.secret
		changes = append(changes, c.change)
	}
	return changes, nil
}

// A differenceWalk walks two values, named b (before) and a (after). It compares a null or unknown
// value with the other value as a whole. For a null value, it then reports each leaf of the other
// value.
type differenceWalk struct {
	walk
	changes []placedChange
}

// A placedChange is a change with the steps to it.
type placedChange struct {
	change Change
	steps  []paths.Step
}

// change records a difference at the current path.
func (w *differenceWalk) change(b, a cty.Value) {
	kind := ChangeUpdate
	switch {
	case !a.IsKnown():
		kind = ChangeUnknown
	case b.IsNull():
		kind = ChangeAdd
	case a.IsNull():
		kind = ChangeRemove
	}
	w.add(kind, b, a)
}

func (w *differenceWalk) add(kind ChangeKind, b, a cty.Value) {
	w.changes = append(w.changes, placedChange{Change{Kind: kind, Before: b, After: a}, slices.Clone(w.steps)})
}

// value compares two values at a node, or two objects of a collection at a nested node if one is
// set. In a node without a schema of its own, both values have the same type.
func (w *differenceWalk) value(n *node, one bool, b, a cty.Value) {
	bareB, bareA := values.Unmarked(b), values.Unmarked(a)
	before := len(w.changes)
	if bareB.IsKnown() && bareA.IsKnown() {
		w.parts(n, one || n.single(), bareB, bareA)
	}
	if len(w.changes) == before && n.differAsWholes(bareB, bareA) {
		w.change(b, a)
	}
}

// differAsWholes reports whether two values differ although their parts do not.
func (n *node) differAsWholes(b, a cty.Value) bool {
	switch {
	case b.IsNull() || a.IsNull():
		return b.IsNull() != a.IsNull()
	case b.IsKnown() != a.IsKnown():
		return true
	case n.nested():
		return n.dynamic && !values.SameType(b.Type(), a.Type())
	case b.Type().IsPrimitiveType() || b.Type().IsCapsuleType():
		return !values.Equal(b, a, values.Content)
	}
	return false
}

// parts compares the parts of two known values. One of them may be null.
func (w *differenceWalk) parts(n *node, one bool, b, a cty.Value) {
	some := a
	if some.IsNull() {
		some = b
	}
	switch ty := some.Type(); {
	case n.nested() && one:
		w.object(n, b, a)
	case some.IsNull() || ty.IsPrimitiveType() || ty.IsCapsuleType():
	case ty.IsObjectType() && !n.nested():
		kind := paths.ByName
		if n.dynamic {
			kind = paths.ByAttr
		}
		for name := range ty.AttributeTypes() {
			w.enter(paths.Step{Kind: kind, Name: name})
			w.value(n, false, partOf(b, name), partOf(a, name))
			w.leave()
		}
	default:
		bs, as := open(b), open(a)
		bs.load()
		as.load()
		if ty.IsSetType() {
			w.elements(bs.elems, as.elems)
		} else {
			w.pairs(n, &bs, &as)
		}
	}
}

// pairs compares each pair of members with the same index or key. A member that only one side has
// is a change even if it has no leaves.
func (w *differenceWalk) pairs(n *node, bs, as *members) {
	w.each(as, func(i int) {
		old, had := bs.like(as, i)
		before := len(w.changes)
		w.value(n, true, old, as.elem(i))
		if !had && len(w.changes) == before {
			w.add(ChangeAdd, old, as.elem(i))
		}
	})
	w.each(bs, func(i int) {
		if _, has := as.like(bs, i); has {
			return
		}
		before := len(w.changes)
		w.value(n, true, bs.elem(i), absentValue)
		if len(w.changes) == before {
			w.add(ChangeRemove, bs.elem(i), absentValue)
		}
	})
}

// object compares the parts of two objects. One of them may be null.
func (w *differenceWalk) object(n *node, b, a cty.Value) {
	for _, child := range n.children {
		old, now := partOf(b, child.name), partOf(a, child.name)
		w.enterName(child.name)
		switch {
		case child.nested():
			w.value(child, false, old, now)
		case !old.IsNull() || !now.IsNull():
			w.plain(child, old, now)
		case !b.IsNull() && !a.IsNull() && child.anyType() && !values.SameType(old.Type(), now.Type()):
			w.add(ChangeUpdate, old, now)
		}
		w.leave()
	}
}

// plain compares two values of an attribute without nested attributes.
func (w *differenceWalk) plain(n *node, b, a cty.Value) {
	if n.dynamic && !b.IsNull() && !a.IsNull() && !values.SameType(b.Type(), a.Type()) {
		w.change(b, a)
		return
	}
	w.value(n, false, b, a)
}

// elements compares two sets. An element without an equal element in the other set is added or
// removed. Removed elements are reported first.
func (w *differenceWalk) elements(bs, as []cty.Value) {
	byHash := make(map[uint64][]int, len(as))
	for j, elem := range as {
		h := values.Hash(elem)
		byHash[h] = append(byHash[h], j)
	}
	for i, elem := range bs {
		h := values.Hash(elem)
		equals := byHash[h]
		k := slices.IndexFunc(equals, func(j int) bool { return values.SameContent(elem, as[j], values.Content) })
		if k < 0 {
			w.element(i, elem, elem, cty.NullVal(elem.Type()))
			continue
		}
		byHash[h] = slices.Delete(equals, k, k+1)
	}
	for _, rest := range byHash {
		for _, j := range rest {
			w.element(len(bs)+j, as[j], cty.NullVal(as[j].Type()), as[j])
		}
	}
}

func (w *differenceWalk) element(pos int, elem, b, a cty.Value) {
	w.enter(paths.Step{Kind: paths.ByElem, Pos: pos, Elem: elem})
	w.change(b, a)
	w.leave()
}
