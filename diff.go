package objchange

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/values"
	"github.com/zclconf/go-cty/cty"
)

// A Change is one difference between two values of a resource
// (docs/semantics.md#differences).
type Change struct {
	// Path leads to the place, which is in Before, in After or in both: for a
	// leaf that came or went together with what holds it, only in one.
	Path cty.Path
	Kind ChangeKind
	// Before and After are the values at the place, null where there is none.
	// They keep their marks.
	Before, After cty.Value
	// Sensitive says that the values must not be shown: the schema says so of
	// the place, of one above or of something inside, or a value has a mark on,
	// above or inside it.
	Sensitive bool

	text string // Path, redacted
}

// ChangeKind is what happened at a place.
type ChangeKind string

// The kinds of change.
const (
	ChangeAdd     ChangeKind = "add"     // nothing became a value
	ChangeRemove  ChangeKind = "remove"  // a value became nothing
	ChangeUpdate  ChangeKind = "update"  // a value became another
	ChangeUnknown ChangeKind = "unknown" // the new value is known after apply, whether there was one or not
)

// PathString returns the path as people read it, like that of a Violation: a map
// key below something sensitive is `[(sensitive)]`.
func (c Change) PathString() string {
	if c.text == "" {
		return PathString(c.Path)
	}
	return c.text
}

// Violation returns the violation of a rule, one of the caller's own perhaps, at
// the place of the change. It hides what the change hides.
func (c Change) Violation(rule Rule, message string, enforced bool) *Violation {
	return &Violation{Rule: rule, Path: c.Path, Message: message, Enforced: enforced, text: c.text}
}

// String writes the change in one line, with short values, and without values
// where they are sensitive. Of long values and of JSON it has what differs.
func (c Change) String() string {
	place := cmp.Or(c.PathString(), "the object")
	shown := c.shown()
	if c.Kind == ChangeUnknown {
		shown.after = "(known after apply)"
	}
	switch {
	case c.Kind == ChangeRemove:
		return "- " + place + " = " + shown.before
	case c.Kind == ChangeAdd, c.Kind != ChangeUpdate && c.Before.IsNull():
		return "+ " + place + " = " + shown.after
	case c.Sensitive && c.Kind == ChangeUpdate:
		return "~ " + place + ": " + shown.before
	}
	text := shown.before + " -> " + shown.after
	if at := shown.d.place(); at != "" {
		text = at + ", " + text
	}
	return "~ " + place + ": " + text + shown.d.aside()
}

// shownChange is a change in short texts, which show nothing sensitive.
type shownChange struct {
	before, after string
	d             difference // of values that are updated
}

func (c Change) shown() (s shownChange) {
	defer func() {
		if recover() != nil { // an operation of a capsule type, say
			s = shownChange{before: cannotBeShown, after: cannotBeShown}
		}
	}()
	switch {
	case c.Sensitive:
		return shownChange{before: "(sensitive)", after: "(sensitive)"}
	case c.Before == cty.NilVal || c.After == cty.NilVal: // made by hand
		return shownChange{before: "null", after: "null"}
	case c.Kind != ChangeUpdate:
		return shownChange{before: render(values.UnmarkedDeep(c.Before)), after: render(values.UnmarkedDeep(c.After))}
	case c.Before.IsNull() && c.After.IsNull():
		return shownChange{before: nullName(c.Before.Type()), after: nullName(c.After.Type())}
	}
	s.d = differenceOf(values.UnmarkedDeep(c.Before), values.UnmarkedDeep(c.After))
	s.before, s.after = s.d.texts()
	return s
}

// MarshalJSON writes path (as by PathString), kind, sensitive and, unless it is,
// before and after as they are shown to people: inside is the place of the two inside
// the values, and note what they do not show.
func (c Change) MarshalJSON() ([]byte, error) {
	doc := struct {
		Path      string     `json:"path"`
		Kind      ChangeKind `json:"kind"`
		Sensitive bool       `json:"sensitive"`
		Inside    string     `json:"inside,omitempty"`
		Before    string     `json:"before,omitempty"`
		After     string     `json:"after,omitempty"`
		Note      string     `json:"note,omitempty"`
	}{Path: c.PathString(), Kind: c.Kind, Sensitive: c.Sensitive}
	if !c.Sensitive && c.Before != cty.NilVal && c.After != cty.NilVal {
		shown := c.shown()
		doc.Before, doc.After, doc.Note = shown.before, shown.after, shown.d.notes()
		doc.Inside = paths.Text(shown.d.inside(), -1)
	}
	return json.Marshal(doc)
}

// Diff tells how one value of a resource differs from another
// (docs/semantics.md#differences): one Change for each leaf that differs, in
// path order. It is empty exactly when the two are equal, refinements of unknown
// values and marks set aside.
//
// Elements of lists are compared by index, those of maps by key, and of sets by
// equality: one that has no equal is added or removed as a whole. What appears
// or vanishes is told leaf by leaf, each leaf that is not null; when it holds
// none, it is one Change itself.
//
// Both values must conform to the schema, and may be null or unknown. The error
// is an [*InputError]. It costs as much
// as comparing the two.
func Diff(schema *Schema, before, after cty.Value) (changes []Change, err error) {
	defer func() {
		if recover() != nil {
			changes, err = nil, &InputError{Violations{panicked()}}
		}
	}()
	var w differ
	args := [...]argument{{name: "before", value: before}, {name: "after", value: after}}
	f, ok := w.admit(schema, args[:])
	if !ok || len(w.found) > 0 {
		return nil, w.err()
	}
	w.nested(root(f), args[0].value, args[1].value)
	if err := w.err(); err != nil {
		return nil, err
	}
	slices.SortStableFunc(w.changes, func(a, b located) int { return paths.Compare(a.steps, b.steps) })
	for _, c := range w.changes {
		changes = append(changes, c.Change)
	}
	return changes, nil
}

// A differ walks two values. What is null or unknown on one side is compared
// with the other as a whole, and then told leaf by leaf.
type differ struct {
	walk
	changes []located
}

type located struct {
	Change
	steps []paths.Step
}

// change records a difference at the place where the walk stands.
func (w *differ) change(secret bool, b, a cty.Value) {
	kind := ChangeUpdate
	switch {
	case !a.IsKnown():
		kind = ChangeUnknown
	case b.IsNull():
		kind = ChangeAdd
	case a.IsNull():
		kind = ChangeRemove
	}
	w.add(kind, secret, b, a)
}

func (w *differ) add(kind ChangeKind, secret bool, b, a cty.Value) {
	steps := w.steps()
	hide, marked := w.secrecy()
	w.changes = append(w.changes, located{Change{
		Path: paths.Path(steps), Kind: kind, Before: b, After: a,
		Sensitive: secret || marked,
		text:      paths.Text(steps, hide),
	}, steps})
}

// nested compares two values of a nested attribute or block type.
func (w *differ) nested(n nest, b, a cty.Value) {
	bareB, bareA := values.Unmarked(b), values.Unmarked(a)
	if !w.shaped(n, bareB) || !w.shaped(n, bareA) {
		return
	}
	before := len(w.changes)
	if bareB.IsKnown() && bareA.IsKnown() {
		w.members(n, bareB, bareA)
	}
	if len(w.changes) == before && w.differAsWhole(n, bareB, bareA) {
		w.change(w.schema.holds(n.fields).secret, b, a)
	}
}

// differAsWhole reports whether two values without different parts differ.
func (w *differ) differAsWhole(n nest, b, a cty.Value) bool {
	if b.IsNull() || a.IsNull() {
		return b.IsNull() != a.IsNull()
	}
	return b.IsKnown() != a.IsKnown() || w.schema.holds(n.fields).dynamic && !values.SameType(b.Type(), a.Type())
}

// members compares the objects of two known values, of which one may be null.
func (w *differ) members(n nest, b, a cty.Value) {
	bs, as := n.openIf(b), n.openIf(a)
	bs.load()
	as.load()
	switch {
	case bs.self:
		w.object(n.fields, b, a)
	case bs.kind == paths.ByElem || as.kind == paths.ByElem:
		w.elements(w.schema.holds(n.fields).secret, bs.elems, as.elems)
	default:
		w.pairs(w.schema.holds(n.fields).secret, &bs, &as, func(b, a cty.Value) { w.member(n, b, a) })
	}
}

// pairs calls compare for the members of both, by index or key. One that only
// one side has is a change even if it holds nothing.
func (w *differ) pairs(secret bool, bs, as *members, compare func(b, a cty.Value)) {
	w.each(as, func(i int) {
		old, had := bs.like(as, i)
		before := len(w.changes)
		compare(old, as.elem(i))
		if !had && len(w.changes) == before {
			w.add(ChangeAdd, secret, old, as.elem(i))
		}
	})
	w.each(bs, func(i int) {
		if _, has := as.like(bs, i); has {
			return
		}
		before := len(w.changes)
		compare(bs.elem(i), absent)
		if len(w.changes) == before {
			w.add(ChangeRemove, secret, bs.elem(i), absent)
		}
	})
}

// member compares two elements of a nested collection.
func (w *differ) member(n nest, b, a cty.Value) {
	w.nested(n.element(), b, a)
}

// object compares the fields of two objects, of which one may be null.
func (w *differ) object(f fields, b, a cty.Value) {
	for name, attr := range f.attrs {
		w.enter(paths.Step{Name: name}, isSecret(attr))
		if old, now := part(b, name), part(a, name); attr.NestedType != nil {
			w.nested(nestOf(attr.NestedType), old, now)
		} else if old.IsNull() && now.IsNull() {
			if !b.IsNull() && !a.IsNull() && !sameNull(attr, old, now) {
				w.add(ChangeUpdate, false, old, now)
			}
		} else {
			w.plain(attr, old, now)
		}
		w.leave()
	}
	for name, nb := range f.blocks {
		w.enter(paths.Step{Name: name}, false)
		w.nested(blockNest(nb), part(b, name), part(a, name))
		w.leave()
	}
}

// plain compares two values of an attribute without a schema of its own.
func (w *differ) plain(attr *configschema.Attribute, b, a cty.Value) {
	if !b.IsNull() && !a.IsNull() && w.schema.attributeHolds(attr).dynamic && !values.SameType(b.Type(), a.Type()) {
		w.change(false, b, a)
		return
	}
	kind := paths.ByName
	if w.schema.attributeHolds(attr).dynamic {
		kind = paths.ByAttr
	}
	w.value(kind, b, a)
}

// value compares two values of the same type, or of which one is null. Names of
// object attributes are steps of the given kind.
func (w *differ) value(kind paths.Kind, b, a cty.Value) {
	bareB, bareA := values.Unmarked(b), values.Unmarked(a)
	some := bareA
	if some.IsNull() {
		some = bareB
	}
	ty := some.Type()
	whole := !bareA.IsKnown() || !bareB.IsKnown() || ty.IsPrimitiveType() || ty.IsCapsuleType() || some.IsNull()
	if whole {
		if !some.IsNull() && !values.Equal(bareB, bareA, values.Content) {
			w.change(false, b, a)
		}
		return
	}
	before := len(w.changes)
	if ty.IsObjectType() {
		for name := range ty.AttributeTypes() {
			w.enter(paths.Step{Kind: kind, Name: name}, false)
			w.value(kind, part(bareB, name), part(bareA, name))
			w.leave()
		}
	} else {
		w.collection(kind, bareB, bareA)
	}
	if len(w.changes) == before && bareB.IsNull() != bareA.IsNull() {
		w.change(false, b, a)
	}
}

// collection compares two lists, tuples, maps or sets.
func (w *differ) collection(kind paths.Kind, b, a cty.Value) {
	bs, as := plainNest.openIf(b), plainNest.openIf(a)
	bs.load()
	as.load()
	if a.Type().IsSetType() || b.Type().IsSetType() {
		w.elements(false, bs.elems, as.elems)
	} else {
		w.pairs(false, &bs, &as, func(b, a cty.Value) { w.value(kind, b, a) })
	}
}

// elements compares the elements of two sets: those without an equal were added
// or removed. The removed ones come first.
func (w *differ) elements(secret bool, bs, as []cty.Value) {
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
			w.element(secret, i, elem, elem, cty.NullVal(elem.Type()))
			continue
		}
		byHash[h] = slices.Delete(equals, k, k+1)
	}
	for _, rest := range byHash {
		for _, j := range rest {
			w.element(secret, len(bs)+j, as[j], cty.NullVal(as[j].Type()), as[j])
		}
	}
}

func (w *differ) element(secret bool, pos int, elem, b, a cty.Value) {
	w.enter(paths.Step{Kind: paths.ByElem, Pos: pos, Elem: elem}, false)
	w.change(secret, b, a)
	w.leave()
}
