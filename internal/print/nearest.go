package print

import (
	"fmt"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/values"
)

// Nearest describes which of the others has most in common with an element, and the differences
// between the two. If none has anything in common, it describes the first of the others. which is
// the word for the other element. Unknown attributes count as equal, and so do null attributes that
// are computed.
func Nearest(elem cty.Value, others []cty.Value, computed func(name string) bool, which string) string {
	if len(others) == 0 {
		return ""
	}
	i := nearest(elem, others, computed)
	if i < 0 {
		_, first := (&Difference{A: elem, B: others[0]}).Texts()
		if len(others) == 1 {
			return "; the remaining " + which + " is " + first
		}
		return "; the first remaining " + which + " is " + first
	}
	var has []string
	for _, name := range differing(elem, others[i], computed) {
		if len(has) == maxNamed {
			has = append(has, "and more")
			break
		}
		d := Differ(elem.GetAttr(name), others[i].GetAttr(name))
		place := Key(name) + shortPath(d.Way)
		if d.IsJSON && len(d.InJSON) > 0 {
			place += " (in the JSON at " + shortPath(d.InJSON) + ")"
		}
		_, is := d.Texts()
		has = append(has, place+" = "+is+d.Aside())
	}
	return "; the closest " + which + " has " + strings.Join(has, ", ")
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
