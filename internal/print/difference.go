package print

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/values"
)

// maxDepth is the maximal depth of values that a message describes.
const maxDepth = 64

// A Difference describes the first difference between two values. Messages show it because two long
// texts with the same beginning are hard to compare.
type Difference struct {
	Way    []paths.Step // from the values to the place
	InJSON []paths.Step // from there into the JSON in a string
	IsJSON bool
	others int // number of other places that differ
	// onlyA and onlyB are the keys that only one of the values has, except the place itself.
	onlyA, onlyB []string
	Backwards    bool // B is the old value and A the new one
	// A and B are the values at the place. A missing value is the zero value.
	A, B cty.Value
	note string // a difference that the texts do not show
}

// Differ returns the first Difference of two values that are not equal.
func Differ(a, b cty.Value) Difference {
	d := Difference{A: a, B: b}
	d.Way = d.descend(nil)
	x, y, ok := bothJSON(d.A, d.B)
	switch {
	case !ok:
	case !values.Equal(x, y, values.Exactly):
		d.within(x, y)
	case isPlain(d.A.AsString()) && isPlain(d.B.AsString()):
		d.IsJSON, d.note = true, "equal as JSON"
	}
	return d
}

// within continues in the JSON that two strings contain, if that finds a difference.
func (d *Difference) within(x, y cty.Value) {
	deep := *d
	deep.A, deep.B, deep.IsJSON = x, y, true
	deep.InJSON = deep.descend(nil)
	if len(deep.InJSON) > 0 && len(deep.InJSON) < maxDepth {
		*d = deep
	}
}

// isPlain reports whether decoding JSON keeps its text. Escapes and characters outside ASCII may
// become equal.
func isPlain(text string) bool {
	return !strings.Contains(text, `\u`) && strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// descend goes down to the first part that differs, as long as both values have parts.
func (d *Difference) descend(way []paths.Step) []paths.Step {
	for range maxDepth {
		steps, parts := differingParts(d.A, d.B)
		if len(steps) == 0 {
			break
		}
		d.beside(steps[1:], parts[1:])
		way = append(way, steps[0])
		d.A, d.B = parts[0][0], parts[0][1]
	}
	return way
}

// beside counts the other parts that differ, or records their keys if only one value has them.
func (d *Difference) beside(steps []paths.Step, parts [][2]cty.Value) {
	for i, s := range steps {
		switch {
		case s.Kind == paths.ByKey && parts[i][0] == cty.NilVal:
			d.onlyB = append(d.onlyB, s.Name)
		case s.Kind == paths.ByKey && parts[i][1] == cty.NilVal:
			d.onlyA = append(d.onlyA, s.Name)
		default:
			d.others++
		}
	}
}

// A part is an element or attribute of a value.
type part struct {
	step  paths.Step
	value cty.Value
}

// stepInto returns the kind of the steps into values of a type.
func stepInto(ty cty.Type) paths.Kind {
	switch {
	case ty.IsMapType():
		return paths.ByKey
	case ty.IsObjectType():
		return paths.ByAttr
	case ty.IsSetType():
		return paths.ByElem
	}
	return paths.ByIndex
}

// partsOf returns the parts of a value in order. The value must have parts.
func partsOf(v cty.Value) (parts []part) {
	kind := stepInto(v.Type())
	for key, elem := range v.Elements() {
		s := paths.Step{Kind: kind, Pos: len(parts)}
		switch kind {
		case paths.ByKey, paths.ByAttr:
			s = paths.Step{Kind: kind, Name: key.AsString()}
		case paths.ByElem:
			s.Elem = elem
		}
		parts = append(parts, part{s, elem})
	}
	return parts
}

// differingParts returns the parts in which two values differ, in order, if both have parts of the
// same kind. Each element of a set is a part.
func differingParts(a, b cty.Value) (steps []paths.Step, parts [][2]cty.Value) {
	if !hasParts(a) || !hasParts(b) {
		return nil, nil
	}
	if stepInto(a.Type()) != stepInto(b.Type()) {
		return nil, nil
	}
	as, bs := partsOf(a), partsOf(b)
	if a.Type().IsSetType() {
		return differingElements(as, bs)
	}
	add := func(s paths.Step, x, y cty.Value) {
		steps, parts = append(steps, s), append(parts, [2]cty.Value{x, y})
	}
	inB := make(map[paths.Step]cty.Value, len(bs))
	for _, p := range bs {
		inB[p.step] = p.value
	}
	for _, p := range as {
		other := inB[p.step]
		if other == cty.NilVal || !values.Equal(p.value, other, values.Exactly) {
			add(p.step, p.value, other)
		}
		delete(inB, p.step)
	}
	for _, p := range bs {
		if _, alone := inB[p.step]; alone {
			add(p.step, cty.NilVal, p.value)
		}
	}
	return steps, parts
}

// differingElements is differingParts for sets. It returns the elements that only one set has. The
// first pair contains the elements that have most in common.
func differingElements(as, bs []part) (steps []paths.Step, parts [][2]cty.Value) {
	onlyA, onlyB := onlyIn(as, bs), onlyIn(bs, as)
	if len(onlyA) > 0 {
		if i := nearest(onlyA[0], onlyB, func(string) bool { return false }); i > 0 {
			onlyB[0], onlyB[i] = onlyB[i], onlyB[0]
		}
	}
	for i := range max(len(onlyA), len(onlyB)) {
		x, y := elemAt(onlyA, i), elemAt(onlyB, i)
		at := paths.Step{Kind: paths.ByElem, Elem: x}
		if x == cty.NilVal {
			at.Elem = y
		}
		steps, parts = append(steps, at), append(parts, [2]cty.Value{x, y})
	}
	return steps, parts
}

func hasParts(v cty.Value) bool {
	return v != cty.NilVal && !v.IsMarked() && v.IsKnown() && !v.IsNull() && v.CanIterateElements()
}

func elemAt(elems []cty.Value, i int) cty.Value {
	if i < len(elems) {
		return elems[i]
	}
	return cty.NilVal
}

// onlyIn returns the elements of one set that are not in another.
func onlyIn(elems, others []part) (only []cty.Value) {
	known := make(map[uint64][]cty.Value, len(others))
	for _, o := range others {
		h := values.Hash(o.value)
		known[h] = append(known[h], o.value)
	}
	for _, e := range elems {
		equal := func(other cty.Value) bool { return values.Equal(e.value, other, values.Exactly) }
		if !slices.ContainsFunc(known[values.Hash(e.value)], equal) {
			only = append(only, e.value)
		}
	}
	return only
}

// Place describes the place of the Difference in the values, or returns "" for the root.
func (d *Difference) Place() string {
	var places []string
	if len(d.Way) > 0 {
		places = append(places, "at "+shortPath(d.Way))
	}
	if d.IsJSON && len(d.InJSON) > 0 {
		places = append(places, "in the JSON at "+shortPath(d.InJSON))
	}
	return strings.Join(places, ", ")
}

// shortPath is like paths.Text, but omits the middle of a very long path. Paths can be long because
// keys can be.
func shortPath(way []paths.Step) string {
	const most = 2 * maxShown
	text := paths.Text(way, -1)
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return text[:ahead(text, 0, most/2)] + "…" + text[back(text, len(text), most/2):]
}

// Inside returns the steps from the values to the place, including steps through JSON.
func (d *Difference) Inside() []paths.Step { return slices.Concat(d.Way, d.InJSON) }

// Aside returns further information about the difference, in parentheses, or "".
func (d *Difference) Aside() string {
	var notes []string
	if d.note != "" {
		notes = append(notes, d.note)
	}
	gone, appeared := d.onlyA, d.onlyB
	if d.Backwards {
		gone, appeared = appeared, gone
	}
	if gone != nil {
		notes = append(notes, keyList(gone, " is missing", " are missing"))
	}
	if appeared != nil {
		notes = append(notes, keyList(appeared, " is new", " are new"))
	}
	switch {
	case d.others == 1:
		notes = append(notes, "one other place differs")
	case d.others > 1:
		notes = append(notes, fmt.Sprintf("%d other places differ", d.others))
	}
	if notes == nil {
		return ""
	}
	return " (" + strings.Join(notes, "; ") + ")"
}

// Texts returns texts of the two values that show the difference. If the texts need an explanation,
// Texts adds a note to the difference, so call it before Aside.
func (d *Difference) Texts() (a, b string) {
	if isText(d.B) {
		if isText(d.A) {
			return d.strings(d.A.AsString(), d.B.AsString())
		}
		if prefix := prefixOf(d.A); prefix != "" {
			from := sharedBeginning(prefix, d.B.AsString())
			return withPrefix(quotedAround(prefix, from)), quotedAround(d.B.AsString(), from)
		}
	}
	a, b = Value(d.A), Value(d.B)
	switch {
	case a != b || d.A == cty.NilVal || d.B == cty.NilVal:
	case !values.SameType(d.A.Type(), d.B.Type()):
		way, x, y := TypesApart(d.A, d.B, values.SameType)
		d.note = "the types differ" + at(way) + ": " + x + " and " + y
	case isNumber(d.A) && isNumber(d.B):
		return d.numbers(exactNumber(d.A.AsBigFloat()), exactNumber(d.B.AsBigFloat()))
	case !d.A.IsWhollyKnown() || !d.B.IsWhollyKnown():
		d.note = "the refinements of unknown values differ"
	default:
		d.note = "they differ in parts that are not shown"
	}
	return a, b
}

// strings returns two strings around the first difference.
func (d *Difference) strings(x, y string) (a, b string) {
	if d.note == "" && strings.Join(strings.Fields(x), " ") == strings.Join(strings.Fields(y), " ") {
		d.note = "only white space differs"
	}
	from := sharedBeginning(x, y)
	a, b = quotedAround(x, from), quotedAround(y, from)
	if r, s := first(x[from:]), first(y[from:]); (r < utf8.RuneSelf) != (s < utf8.RuneSelf) && d.note == "" {
		d.note = fmt.Sprintf("the first different characters are %U and %U", r, s) // these characters may look alike
	}
	if a == b && d.note == "" {
		d.note = fmt.Sprintf("the lengths are %d and %d characters",
			utf8.RuneCountInString(x), utf8.RuneCountInString(y))
	}
	return a, b
}

// first returns the first character of a text, or 0.
func first(text string) rune {
	r, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return 0
	}
	return r
}

// numbers returns the digits of two numbers around the first difference.
func (d *Difference) numbers(x, y string) (a, b string) {
	if x == y {
		d.note = "the numbers differ in precision"
	}
	from := sharedBeginning(x, y)
	if max(len(x), len(y)) > maxShown {
		d.note = "both are about " + Value(d.A)
	}
	return around(x, from), around(y, from)
}

// prefixOf returns the known prefix of an unknown string, or "".
func prefixOf(v cty.Value) string {
	if v == cty.NilVal || v.Type() != cty.String || v.IsKnown() {
		return ""
	}
	return v.Range().StringPrefix()
}

func isText(v cty.Value) bool {
	return v != cty.NilVal && v.Type() == cty.String && v.IsKnown() && !v.IsNull()
}

func isNumber(v cty.Value) bool {
	return v != cty.NilVal && v.Type() == cty.Number && v.IsKnown() && !v.IsNull()
}

// at describes a place, or returns "" for the root.
func at(way []paths.Step) string {
	if len(way) == 0 {
		return ""
	}
	return " at " + paths.Text(way, -1)
}

// exactNumber writes all digits of a number.
func exactNumber(f *big.Float) string {
	if values.FarOut(f) {
		return f.Text('p', 0)
	}
	return f.Text('f', -1)
}
