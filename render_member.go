package objchange

import (
	"fmt"
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// nearestElement says how the one of others that has most in common with an object
// differs from it, or nothing. What is unknown differs from nothing, nor does what
// is null where the provider may choose.
func (f fields) nearestElement(elem cty.Value, others []cty.Value) string {
	i := f.nearest(elem, others)
	if i < 0 {
		return ""
	}
	nearest := others[i]
	var has []string
	for _, name := range f.differing(elem, nearest) {
		if len(has) == maxNamed {
			has = append(has, "and more")
			break
		}
		d := differenceOf(elem.GetAttr(name), nearest.GetAttr(name))
		was, is := d.texts()
		place := renderKey(name) + pathText(d.way, -1)
		if d.isJSON && len(d.inJSON) > 0 {
			place += " (in the JSON at " + pathText(d.inJSON, -1) + ")"
		}
		if is == render(d.a) { // which is how it stands in the element
			is += " for " + was
		}
		has = append(has, place+" = "+is)
	}
	return strings.Join(has, ", ")
}

// nearest returns which of others has most in common with an object, or -1.
func (f fields) nearest(elem cty.Value, others []cty.Value) (nearest int) {
	nearest, most := -1, 0
	for i, other := range others[:min(len(others), maxNearest)] {
		if !hasParts(elem) || !hasParts(other) || !elem.Type().IsObjectType() || !sameType(elem.Type(), other.Type()) {
			continue
		}
		differing := len(f.differing(elem, other))
		if alike := elem.LengthInt() - differing; differing > 0 && alike > most {
			nearest, most = i, alike
		}
	}
	return nearest
}

// differing returns the attributes in which two objects differ, in order.
func (f fields) differing(x, y cty.Value) (names []string) {
	for _, name := range namesOf(x.Type()) {
		if a, b := x.GetAttr(name), y.GetAttr(name); f.matters(name, a, b) && !equal(a, b, equalContent) {
			names = append(names, name)
		}
	}
	return names
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
	olds.load()
	nows.load()
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
	case len(gone) == 1 && len(appeared) == 1:
		d := difference{a: cty.StringVal(gone[0]), b: cty.StringVal(appeared[0])}
		was, is := d.texts()
		return "the key " + was + " is gone; the key " + is + " has appeared"
	case len(appeared) == 0:
		return keyList(gone, " is gone", " are gone")
	case len(gone) == 0:
		return keyList(appeared, " has appeared", " have appeared")
	}
	return keyList(gone, " is gone", " are gone") + "; " + keyList(appeared, " has appeared", " have appeared")
}

// withKeys adds to what is said of the number of elements which keys changed it.
func (w *walk) withKeys(count string, olds, nows *members) string {
	if w.asking || nows.kind != byKey {
		return count
	}
	if keys := w.keysChanged("", olds, nows); keys != "" {
		return count + ": " + keys
	}
	return count
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
