package objchange

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/zclconf/go-cty/cty"
)

// A difference is where two values differ first, and what is there. Nobody acts on
// two long texts that begin alike.
type difference struct {
	way    []step // from the values to the place
	inJSON []step // and on, in the JSON that a string at the place holds
	isJSON bool
	others int // how many places beside it differ
	// a and b are what is there: the zero value where there is nothing.
	a, b cty.Value
	note string // what the texts do not show
}

// differenceOf finds the first difference of two values that are not equal.
func differenceOf(a, b cty.Value) difference {
	d := difference{a: a, b: b}
	d.way = d.descend(nil)
	if x, y, ok := bothJSON(d.a, d.b); ok {
		d.isJSON = true
		if equal(x, y, equalExactly) {
			d.note = "as JSON, both are the same"
			return d
		}
		a, b := d.a, d.b
		d.a, d.b = x, y
		if d.inJSON = d.descend(nil); len(d.inJSON) == 0 {
			d.a, d.b, d.isJSON = a, b, false
		}
	}
	return d
}

// descend goes down to the first part that differs, as long as both have parts.
func (d *difference) descend(way []step) []step {
	for range maxDepth {
		steps, parts := differingParts(d.a, d.b)
		if len(steps) == 0 {
			break
		}
		d.others += len(steps) - 1
		way = append(way, steps[0])
		d.a, d.b = parts[0][0], parts[0][1]
	}
	return way
}

// differingParts returns the parts in which two values differ, in order, if both
// have parts of the same kind. Elements of sets are their own places.
func differingParts(a, b cty.Value) (steps []step, parts [][2]cty.Value) {
	if !hasParts(a) || !hasParts(b) {
		return nil, nil
	}
	as, bs := plainNest.open(a), plainNest.open(b)
	if as.kind != bs.kind {
		return nil, nil
	}
	as.load()
	bs.load()
	add := func(s step, x, y cty.Value) {
		steps, parts = append(steps, s), append(parts, [2]cty.Value{x, y})
	}
	if as.kind == byElem {
		onlyA, onlyB := onlyIn(as.elems, bs.elems), onlyIn(bs.elems, as.elems)
		for i := range max(len(onlyA), len(onlyB)) {
			x, y := elemAt(onlyA, i), elemAt(onlyB, i)
			at := step{kind: byElem, elem: x}
			if x == cty.NilVal {
				at.elem = y
			}
			add(at, x, y)
		}
		return steps, parts
	}
	for i := range as.n {
		other, has := bs.like(&as, i)
		if !has {
			add(as.step(i), as.elem(i), cty.NilVal)
		} else if !equal(as.elem(i), other, equalExactly) {
			add(as.step(i), as.elem(i), other)
		}
	}
	for i := range bs.n {
		if _, has := as.like(&bs, i); !has {
			add(bs.step(i), cty.NilVal, bs.elem(i))
		}
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
func onlyIn(elems, others []cty.Value) (only []cty.Value) {
	known := make(map[uint64][]cty.Value, len(others))
	for _, o := range others {
		h := hashOf(o)
		known[h] = append(known[h], o)
	}
	for _, elem := range elems {
		if firstOf(len(known[hashOf(elem)]), func(i int) bool { return equal(elem, known[hashOf(elem)][i], equalExactly) }) < 0 {
			only = append(only, elem)
		}
	}
	return only
}

// bothJSON returns the values that two strings hold as JSON objects or arrays.
func bothJSON(a, b cty.Value) (x, y cty.Value, ok bool) {
	if x, ok = jsonIn(a); !ok {
		return x, x, false
	}
	y, ok = jsonIn(b)
	return x, y, ok
}

func jsonIn(v cty.Value) (cty.Value, bool) {
	if v == cty.NilVal || v.Type() != cty.String || v.IsMarked() || !v.IsKnown() || v.IsNull() {
		return cty.NilVal, false
	}
	text := strings.TrimSpace(v.AsString())
	if len(text) < 2 || text[0] != '{' && text[0] != '[' || !json.Valid([]byte(text)) {
		return cty.NilVal, false
	}
	data, err := parseJSON([]byte(text))
	if err != nil {
		return cty.NilVal, false
	}
	inside, err := DataFormat{}.ValueOfType(cty.DynamicPseudoType, data)
	return inside, err == nil
}

// place says where in the values the difference is, or nothing.
func (d *difference) place() string {
	var places []string
	if len(d.way) > 0 {
		places = append(places, "at "+pathText(d.way, -1))
	}
	if d.isJSON && len(d.inJSON) > 0 {
		places = append(places, "in the JSON at "+pathText(d.inJSON, -1))
	}
	return strings.Join(places, ", ")
}

// aside says what else there is to know.
func (d *difference) aside() string {
	var asides []string
	if d.note != "" {
		asides = append(asides, d.note)
	}
	switch {
	case d.others == 1:
		asides = append(asides, "one other place differs")
	case d.others > 1:
		asides = append(asides, fmt.Sprintf("%d other places differ", d.others))
	}
	return strings.Join(asides, "; ")
}

// texts returns what is at the place, so that the two are told apart.
func (d *difference) texts() (a, b string) {
	a, b = fullText(d.a), fullText(d.b)
	if a == b {
		a, b = d.tellApart(a, b)
	}
	if isText(d.a) && isText(d.b) {
		x, y := d.a.AsString(), d.b.AsString()
		if d.note == "" && strings.Join(strings.Fields(x), " ") == strings.Join(strings.Fields(y), " ") {
			d.note = "only white space differs"
		}
		from := sharedBeginning(characters(x), characters(y))
		return quotedAround(characters(x), from), quotedAround(characters(y), from)
	}
	x, y := characters(a), characters(b)
	from := sharedBeginning(x, y)
	return around(x, from), around(y, from)
}

func isText(v cty.Value) bool {
	return v != cty.NilVal && v.Type() == cty.String && v.IsKnown() && !v.IsNull()
}

// fullText is the text of a value, far longer than is shown.
func fullText(v cty.Value) string {
	if v == cty.NilVal {
		return "nothing"
	}
	b := textBuilder{limit: 64 * 1024}
	b.value(bareDeep(v))
	return b.String()
}

// tellApart returns other texts for two values of the same text.
func (d *difference) tellApart(a, b string) (string, string) {
	switch {
	case d.a == cty.NilVal || d.b == cty.NilVal:
		return a, b
	case !sameType(d.a.Type(), d.b.Type()):
		return a + " (a " + typeName(d.a.Type()) + ")", b + " (a " + typeName(d.b.Type()) + ")"
	case d.a.Type() == cty.Number && d.a.IsKnown() && d.b.IsKnown() && !d.a.IsNull() && !d.b.IsNull():
		x, y := exactNumber(d.a.AsBigFloat()), exactNumber(d.b.AsBigFloat())
		if x != y {
			return x, y
		}
		d.note = "the numbers differ in precision"
	case !d.a.IsWhollyKnown() || !d.b.IsWhollyKnown():
		d.note = "what is promised of unknown values differs"
	default:
		d.note = "they differ in what is not shown"
	}
	return a, b
}

// exactNumber writes all digits that a number has.
func exactNumber(f *big.Float) string {
	if farOut(f) {
		return f.Text('p', 0)
	}
	return f.Text('f', -1)
}

// characters returns the characters of a text, and bytes that are none.
func characters(text string) (all []string) {
	for len(text) > 0 {
		_, n := utf8.DecodeRuneInString(text)
		all, text = append(all, text[:n]), text[n:]
	}
	return all
}

func sharedBeginning(a, b []string) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// lead is how much is shown before the first difference.
const lead = 20

// window returns the part of a long text in which a position is seen, and whether
// there is more before and behind it.
func window(text []string, from int) (part string, before, after bool) {
	if len(text) <= maxShown {
		return strings.Join(text, ""), false, false
	}
	start := max(0, min(from-lead, len(text)-maxShown))
	end := start + maxShown
	return strings.Join(text[start:end], ""), start > 0, end < len(text)
}

// around cuts a text so that the part from a position on is seen.
func around(text []string, from int) string {
	part, before, after := window(text, from)
	return ellipsis(before) + part + ellipsis(after)
}

// quotedAround is around for what is in quotes, so that escapes stay whole.
func quotedAround(text []string, from int) string {
	part, before, after := window(text, from)
	quoted := strconv.Quote(part)
	return `"` + ellipsis(before) + quoted[1:len(quoted)-1] + ellipsis(after) + `"`
}

func ellipsis(more bool) string {
	if more {
		return "…"
	}
	return ""
}

// nearestElement says how the one of others that has most in common with an object
// differs from it, or nothing. What is unknown differs from nothing, nor does what
// is null where the provider may choose.
func (f fields) nearestElement(elem cty.Value, others []cty.Value) string {
	best, most := []string(nil), 0
	for _, other := range others[:min(len(others), maxNearest)] {
		if !hasParts(elem) || !hasParts(other) || !elem.Type().IsObjectType() || !sameType(elem.Type(), other.Type()) {
			continue
		}
		var differing []string
		for _, name := range namesOf(elem.Type()) {
			if was, is := elem.GetAttr(name), other.GetAttr(name); f.matters(name, was, is) && !equal(was, is, equalContent) {
				d := differenceOf(was, is)
				_, text := d.texts()
				differing = append(differing, renderKey(name)+pathText(d.way, -1)+" = "+text)
			}
		}
		if alike := elem.Type().AttributeTypes(); len(differing) > 0 && len(alike)-len(differing) > most {
			best, most = differing, len(alike)-len(differing)
		}
	}
	if len(best) > maxNamed {
		best = append(best[:maxNamed], fmt.Sprintf("%d more differences", len(best)-maxNamed))
	}
	return strings.Join(best, ", ")
}

func (f fields) matters(name string, x, y cty.Value) bool {
	a := f.attrs[name]
	return x.IsKnown() && y.IsKnown() && (a == nil || !a.Computed || !x.IsNull() && !y.IsNull())
}

// maxNearest is among how many elements the nearest is looked for.
const maxNearest = 1000

// maxNamed is how many keys or attributes of a kind a message names.
const maxNamed = 5

// keysChanged says which keys of two collections only one has, if keys may be shown.
func (w *walk) keysChanged(plain string, olds, nows *members) string {
	if w.asking {
		return ""
	}
	if hide, _ := w.secrecy(); hide >= 0 {
		return plain
	}
	var gone, appeared []string
	for i := range olds.n {
		if _, has := nows.like(olds, i); !has {
			gone = append(gone, olds.keys[i].AsString())
		}
	}
	for i := range nows.n {
		if _, has := olds.like(nows, i); !has {
			appeared = append(appeared, nows.keys[i].AsString())
		}
	}
	switch {
	case len(appeared) == 0:
		return keyList(gone, " is gone", " are gone")
	case len(gone) == 0:
		return keyList(appeared, " has appeared", " have appeared")
	}
	return keyList(gone, " is gone", " are gone") + "; " + keyList(appeared, " has appeared", " have appeared")
}

func keyList(keys []string, one, several string) string {
	shown := keys[:min(len(keys), maxNamed)]
	quoted := make([]string, len(shown))
	for i, key := range shown {
		quoted[i] = render(cty.StringVal(key))
	}
	last := len(quoted) - 1
	switch {
	case len(keys) == 1:
		return "the key " + quoted[0] + one
	case len(keys) > maxNamed:
		return fmt.Sprintf("the keys %s and %d more%s", strings.Join(quoted, ", "), len(keys)-maxNamed, several)
	}
	return "the keys " + strings.Join(quoted[:last], ", ") + " and " + quoted[last] + several
}
