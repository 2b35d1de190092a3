package print

import (
	"fmt"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/values"
)

// Nearest describes which of the others has most in common with an element, and the differences
// between the two. If none has anything in common, it describes the first of the others. which is
// the word for the other element. Unknown attributes and null computed attributes count as equal.
func Nearest(elem cty.Value, others []cty.Value, computed func(name string) bool, which string) string {
	if elem.Type().IsPrimitiveType() {
		return nearestText(elem, others, which)
	}
	i := nearest(elem, others, computed)
	if i < 0 {
		return remaining(others, which)
	}
	closest := others[i]
	var has []string
	for _, name := range differing(elem, closest, computed) {
		if len(has) == maxNamed {
			has = append(has, "and more")
			break
		}
		d := Differ(elem.GetAttr(name), closest.GetAttr(name))
		is := d.instead()
		place := Key(name) + shortPath(d.Way)
		if d.IsJSON && len(d.InJSON) > 0 {
			place += " (in the JSON at " + shortPath(d.InJSON) + ")"
		}
		has = append(has, place+" = "+is)
	}
	return "; the closest " + which + " has " + strings.Join(has, ", ")
}

// remaining describes the first of the other elements.
func remaining(others []cty.Value, which string) string {
	switch len(others) {
	case 0:
		return ""
	case 1:
		return "; the remaining " + which + " is " + Value(others[0])
	}
	return "; the first remaining " + which + " is " + Value(others[0])
}

// nearestText is Nearest for elements without parts. It selects the text with the longest common
// beginning and end, or the only one.
func nearestText(elem cty.Value, others []cty.Value, which string) string {
	closest, most := cty.NilVal, 0
	for _, other := range others[:min(len(others), maxNearest)] {
		if alike := likeness(elem, other); alike > most || len(others) == 1 {
			closest, most = other, alike
		}
	}
	if closest == cty.NilVal {
		return remaining(others, which)
	}
	d := Differ(elem, closest)
	was, is := d.Texts()
	if was != Value(elem) || d.note != "" { // the message about elem does not show the difference
		is = d.instead()
	}
	return "; the closest " + which + " is " + is
}

// instead writes the new value and the old value.
func (d *Difference) instead() string {
	was, is := d.Texts()
	is += " instead of " + was
	if d.note != "" {
		is += " (" + d.note + ")"
	}
	return is
}

// likeness returns the number of bytes in the common prefix and suffix of two texts.
func likeness(a, b cty.Value) int {
	if !isText(a) || !isText(b) {
		return 0
	}
	x, y := a.AsString(), b.AsString()
	n := sharedBeginning(x, y)
	x, y = x[n:], y[n:]
	for len(x) > 0 && len(y) > 0 && x[len(x)-1] == y[len(y)-1] {
		x, y, n = x[:len(x)-1], y[:len(y)-1], n+1
	}
	return n
}

// nearest returns the index of the object in others that has most in common with elem, or -1.
func nearest(elem cty.Value, others []cty.Value, computed func(string) bool) int {
	closest, most := -1, 0
	if !hasParts(elem) || !elem.Type().IsObjectType() {
		return -1
	}
	for i, other := range others[:min(len(others), maxNearest)] {
		if !hasParts(other) || !values.SameType(elem.Type(), other.Type()) {
			continue
		}
		unlike := len(differing(elem, other, computed))
		if alike := elem.LengthInt() - unlike; unlike > 0 && alike > most {
			closest, most = i, alike
		}
	}
	return closest
}

// differing returns the attributes in which two objects differ, in order.
func differing(x, y cty.Value, computed func(string) bool) (differ []string) {
	for _, name := range names(x.Type()) {
		a, b := x.GetAttr(name), y.GetAttr(name)
		if matters(a, b, computed(name)) && !values.Equal(a, b, values.Content) {
			differ = append(differ, name)
		}
	}
	return differ
}

func matters(x, y cty.Value, computed bool) bool {
	return x.IsKnown() && y.IsKnown() && (!computed || !x.IsNull() && !y.IsNull())
}

// maxNearest is the maximal number of elements to compare.
const maxNearest = 1000

// maxNamed is the maximal number of keys or attributes of a kind that a message names.
const maxNamed = 5

// KeysChanged describes the keys that only one of two collections has: missing keys and new keys.
// There must be at least one.
func KeysChanged(gone, appeared []string) string {
	switch {
	case len(appeared) == 0:
		return keyList(gone, " is missing", " are missing")
	case len(gone) == 0:
		return keyList(appeared, " is new", " are new")
	}
	return keyList(gone, " is missing", " are missing") + "; " + keyList(appeared, " is new", " are new")
}

// ElementsChanged describes the elements that only one of two lists or tuples has, if all other
// elements are equal. Otherwise it returns "".
func ElementsChanged(olds, nows []cty.Value) string {
	most, front, back := min(len(olds), len(nows)), 0, 0
	for front < most && values.Equal(olds[front], nows[front], values.Content) {
		front++
	}
	for back < most-front && values.Equal(olds[len(olds)-1-back], nows[len(nows)-1-back], values.Content) {
		back++
	}
	longer, n, one, several := nows, len(nows)-len(olds), " is new", " are new"
	if n < 0 {
		longer, n, one, several = olds, -n, " is missing", " are missing"
	}
	switch {
	case front+back < most:
		return ""
	case n == 1:
		return fmt.Sprintf("%s at [%d]%s", Value(longer[front]), front, one)
	}
	return fmt.Sprintf("the elements [%d] to [%d]%s", front, front+n-1, several)
}

func keyList(keys []string, one, several string) string {
	shown := keys[:min(len(keys), maxNamed)]
	quoted := make([]string, len(shown))
	for i, key := range shown {
		quoted[i] = brief(key, maxShown)
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
