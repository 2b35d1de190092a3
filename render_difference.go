package objchange

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/objchange/objchange/internal/jsontext"
	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/values"
	"github.com/zclconf/go-cty/cty"
)

// A difference is where two values differ first, and what is there. Nobody acts on
// two long texts that begin alike.
type difference struct {
	way    []paths.Step // from the values to the place
	inJSON []paths.Step // and on, in the JSON that a string at the place holds
	isJSON bool
	others int // how many places beside it differ
	// onlyA and onlyB are the keys that one of the values has alone, beside the place.
	onlyA, onlyB []string
	backwards    bool // b is what was, and a is what is
	// a and b are what is there: the zero value where there is nothing.
	a, b cty.Value
	note string // what the texts do not show
}

// differenceOf finds the first difference of two values that are not equal.
func differenceOf(a, b cty.Value) difference {
	d := difference{a: a, b: b}
	d.way = d.descend(nil)
	x, y, ok := bothJSON(d.a, d.b)
	switch {
	case !ok:
	case !values.Equal(x, y, values.Exactly):
		d.within(x, y)
	case isPlain(d.a.AsString()) && isPlain(d.b.AsString()):
		d.isJSON, d.note = true, "as JSON, both are the same"
	}
	return d
}

// within goes on into what two strings hold as JSON, if that leads to something that
// can be told apart.
func (d *difference) within(x, y cty.Value) {
	deep := *d
	deep.a, deep.b, deep.isJSON = x, y, true
	deep.inJSON = deep.descend(nil)
	if len(deep.inJSON) > 0 && len(deep.inJSON) < maxDepthOld {
		*d = deep
	}
}

// isPlain reports whether reading JSON leaves its text as it is: escapes and what is
// not ASCII may come out alike.
func isPlain(text string) bool {
	return !strings.Contains(text, `\u`) && strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// descend goes down to the first part that differs, as long as both have parts.
func (d *difference) descend(way []paths.Step) []paths.Step {
	for range maxDepthOld {
		steps, parts := differingParts(d.a, d.b)
		if len(steps) == 0 {
			break
		}
		d.beside(steps[1:], parts[1:])
		way = append(way, steps[0])
		d.a, d.b = parts[0][0], parts[0][1]
	}
	return way
}

// beside counts the places that differ, too, or names them where they are keys that
// one of the values has alone.
func (d *difference) beside(steps []paths.Step, parts [][2]cty.Value) {
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

// differingParts returns the parts in which two values differ, in order, if both
// have parts of the same kind. Elements of sets are their own places.
func differingParts(a, b cty.Value) (steps []paths.Step, parts [][2]cty.Value) {
	if !hasParts(a) || !hasParts(b) {
		return nil, nil
	}
	as, bs := plainNest.open(a), plainNest.open(b)
	if as.kind != bs.kind {
		return nil, nil
	}
	as.load()
	bs.load()
	add := func(s paths.Step, x, y cty.Value) {
		steps, parts = append(steps, s), append(parts, [2]cty.Value{x, y})
	}
	if as.kind == paths.ByElem {
		onlyA, onlyB := onlyIn(as.elems, bs.elems), onlyIn(bs.elems, as.elems)
		if len(onlyA) > 0 {
			if i := (fields{}).nearest(onlyA[0], onlyB); i > 0 {
				onlyB[0], onlyB[i] = onlyB[i], onlyB[0]
			}
		}
		for i := range max(len(onlyA), len(onlyB)) {
			x, y := elemAt(onlyA, i), elemAt(onlyB, i)
			at := paths.Step{Kind: paths.ByElem, Elem: x}
			if x == cty.NilVal {
				at.Elem = y
			}
			add(at, x, y)
		}
		return steps, parts
	}
	for i := range as.n {
		other, has := bs.like(&as, i)
		if !has {
			add(as.step(i), as.elem(i), cty.NilVal)
		} else if !values.Equal(as.elem(i), other, values.Exactly) {
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
		h := values.Hash(o)
		known[h] = append(known[h], o)
	}
	for _, elem := range elems {
		if firstOf(len(known[values.Hash(elem)]), func(i int) bool { return values.Equal(elem, known[values.Hash(elem)][i], values.Exactly) }) < 0 {
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
	data, err := jsontext.Parse([]byte(text))
	if err != nil {
		return cty.NilVal, false
	}
	return valueOfJSON(data, 0)
}

// valueOfJSON returns JSON as a value, unless it is out of all proportion, or cannot be
// told from other JSON as a value.
func valueOfJSON(data any, depth int) (v cty.Value, ok bool) {
	switch data := data.(type) {
	case nil:
		return cty.NullVal(cty.DynamicPseudoType), true
	case bool:
		return cty.BoolVal(data), true
	case string:
		return cty.StringVal(data), true
	case json.Number:
		return numberOfJSON(string(data))
	case []any:
		elems := make([]cty.Value, len(data))
		for i, elem := range data {
			if elems[i], ok = valueOfJSON(elem, depth+1); !ok || depth > maxJSONDepth {
				return cty.NilVal, false
			}
		}
		return cty.TupleVal(elems), true
	case map[string]any:
		parts := make(map[string]cty.Value, len(data))
		for name, elem := range data {
			name = cty.NormalizeString(name)
			if _, twice := parts[name]; twice || depth > maxJSONDepth {
				return cty.NilVal, false
			}
			if parts[name], ok = valueOfJSON(elem, depth+1); !ok {
				return cty.NilVal, false
			}
		}
		return cty.ObjectVal(parts), true
	}
	return cty.NilVal, false
}

const (
	maxJSONDepth  = 500  // as deep as JSON in a string may be nested
	maxJSONDigits = 8192 // and as long as its numbers may be: reading them takes quadratic time
)

func numberOfJSON(text string) (cty.Value, bool) {
	if len(text) > maxJSONDigits {
		return cty.NilVal, false
	}
	v, err := cty.ParseNumberVal(text)
	if err != nil || v.AsBigFloat().IsInf() || values.FarOut(v.AsBigFloat()) {
		return cty.NilVal, false
	}
	digits, _, _ := strings.Cut(strings.ToLower(text), "e")
	vanished := v.AsBigFloat().Sign() == 0 && strings.ContainsAny(digits, "123456789")
	return v, !vanished
}

// place says where in the values the difference is, or nothing.
func (d *difference) place() string {
	var places []string
	if len(d.way) > 0 {
		places = append(places, "at "+shortPath(d.way))
	}
	if d.isJSON && len(d.inJSON) > 0 {
		places = append(places, "in the JSON at "+shortPath(d.inJSON))
	}
	return strings.Join(places, ", ")
}

// shortPath is paths.Text without its middle if that is very long, as with keys that
// are texts.
func shortPath(way []paths.Step) string {
	const most = 2 * maxShown
	text := paths.Text(way, -1)
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return text[:ahead(text, 0, most/2)] + "…" + text[back(text, len(text), most/2):]
}

// inside is the way from the values to the place, also through JSON.
func (d *difference) inside() []paths.Step { return slices.Concat(d.way, d.inJSON) }

// aside has the notes in brackets, if there are any.
func (d *difference) aside() string {
	if notes := d.notes(); notes != "" {
		return " (" + notes + ")"
	}
	return ""
}

// notes say what else there is to know.
func (d *difference) notes() string {
	var asides []string
	if d.note != "" {
		asides = append(asides, d.note)
	}
	gone, appeared := d.onlyA, d.onlyB
	if d.backwards {
		gone, appeared = appeared, gone
	}
	if gone != nil {
		asides = append(asides, keyList(gone, appeared, " is gone", " are gone"))
	}
	if appeared != nil {
		asides = append(asides, keyList(appeared, gone, " is new", " are new"))
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
	if isText(d.b) {
		if isText(d.a) {
			return d.strings(d.a.AsString(), d.b.AsString())
		}
		if prefix := prefixOf(d.a); prefix != "" {
			from := sharedBeginning(prefix, d.b.AsString())
			return withPrefix(quotedAround(prefix, from)), quotedAround(d.b.AsString(), from)
		}
	}
	a, b = render(d.a), render(d.b)
	switch {
	case a != b || d.a == cty.NilVal || d.b == cty.NilVal:
	case !values.SameType(d.a.Type(), d.b.Type()):
		way, x, y := typesOf(d.a, d.b, values.SameType)
		d.note = "the types differ" + at(way) + ": " + x + " and " + y
	case isNumber(d.a) && isNumber(d.b):
		return d.numbers(exactNumber(d.a.AsBigFloat()), exactNumber(d.b.AsBigFloat()))
	case !d.a.IsWhollyKnown() || !d.b.IsWhollyKnown():
		d.note = "what is promised of unknown values differs"
	default:
		d.note = "they differ in what is not shown"
	}
	return a, b
}

// strings returns two strings around the first place where they differ.
func (d *difference) strings(x, y string) (a, b string) {
	if d.note == "" && strings.Join(strings.Fields(x), " ") == strings.Join(strings.Fields(y), " ") {
		d.note = "only white space differs"
	}
	from := sharedBeginning(x, y)
	a, b = quotedAround(x, from), quotedAround(y, from)
	if r, s := first(x[from:]), first(y[from:]); (r < utf8.RuneSelf) != (s < utf8.RuneSelf) && d.note == "" {
		d.note = fmt.Sprintf("they part at %U and %U", r, s) // which may look alike
	}
	if a == b && d.note == "" {
		d.note = fmt.Sprintf("they are %d and %d characters long", utf8.RuneCountInString(x), utf8.RuneCountInString(y))
	}
	return a, b
}

// first is the first character of a text, or none.
func first(text string) rune {
	r, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return 0
	}
	return r
}

// numbers returns all digits of two numbers around the first that differs.
func (d *difference) numbers(x, y string) (a, b string) {
	if x == y {
		d.note = "the numbers differ in precision"
	}
	from := sharedBeginning(x, y)
	if max(len(x), len(y)) > maxShown {
		d.note = "they are about " + render(d.a)
	}
	return around(x, from), around(y, from)
}

// prefixOf is how an unknown string will begin, as far as that is promised.
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

// at says where, or nothing of the root.
func at(way []paths.Step) string {
	if len(way) == 0 {
		return ""
	}
	return " at " + paths.Text(way, -1)
}

// exactNumber writes all digits that a number has.
func exactNumber(f *big.Float) string {
	if values.FarOut(f) {
		return f.Text('p', 0)
	}
	return f.Text('f', -1)
}
