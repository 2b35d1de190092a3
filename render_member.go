package objchange

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/values"
	"github.com/zclconf/go-cty/cty"
)

// nearestElement says which of others has most in common with an element, which is
// shown in a text, and how it differs: or nothing. What is unknown differs from
// nothing, nor does what is null where the provider may choose.
func (f fields) nearestElement(elem cty.Value, others []cty.Value, which, shown string) string {
	if elem.Type().IsPrimitiveType() {
		return nearestText(elem, others, which, shown)
	}
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
		is := d.instead(shown)
		place := renderKey(name) + shortPath(d.way)
		if d.isJSON && len(d.inJSON) > 0 {
			place += " (in the JSON at " + shortPath(d.inJSON) + ")"
		}
		has = append(has, place+" = "+is)
	}
	return "; the " + which + " has " + strings.Join(has, ", ")
}

// nearestText is nearestElement for what has no parts: the one that begins and ends
// most alike, or that there is alone.
func nearestText(elem cty.Value, others []cty.Value, which, shown string) string {
	nearest, most := cty.NilVal, 0
	for _, other := range others[:min(len(others), maxNearest)] {
		if alike := likeness(elem, other); alike > most || len(others) == 1 {
			nearest, most = other, alike
		}
	}
	if nearest == cty.NilVal || nearest.IsMarked() {
		return ""
	}
	d := differenceOf(elem, nearest)
	return "; the " + which + ": " + d.instead(shown)
}

// instead writes what there is now, and what it was where a text that is shown does
// not tell the two apart.
func (d *difference) instead(shown string) string {
	was, is := d.texts()
	if !strings.Contains(shown, was) || is == render(d.a) || d.note != "" {
		is += " for " + was
	}
	if d.note != "" {
		is += " (" + d.note + ")"
	}
	return is
}

// likeness is how many bytes two texts have in common at their ends.
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

// nearest returns which of others has most in common with an object, or -1.
func (f fields) nearest(elem cty.Value, others []cty.Value) (nearest int) {
	nearest, most := -1, 0
	for i, other := range others[:min(len(others), maxNearest)] {
		if !hasParts(elem) || !hasParts(other) || !elem.Type().IsObjectType() || !values.SameType(elem.Type(), other.Type()) {
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
		if a, b := x.GetAttr(name), y.GetAttr(name); f.matters(name, a, b) && !values.Equal(a, b, values.Content) {
			names = append(names, name)
		}
	}
	return names
}

// namesOf returns the attributes of an object type in order; of other types, none.
func namesOf(ty cty.Type) []string {
	if !ty.IsObjectType() {
		return nil
	}
	return slices.Sorted(maps.Keys(ty.AttributeTypes()))
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
		return keyList(gone, nil, " is gone", " are gone")
	case len(gone) == 0:
		return keyList(appeared, nil, " has appeared", " have appeared")
	}
	return keyList(gone, appeared, " is gone", " are gone") + "; " + keyList(appeared, gone, " has appeared", " have appeared")
}

// withKeys adds to what is said of the number of elements which keys changed it.
func (w *walk) withKeys(count string, olds, nows *members) string {
	if w.asking || nows.kind != paths.ByKey {
		return count
	}
	if keys := w.keysChanged("", olds, nows); keys != "" {
		return count + ": " + keys
	}
	return count
}

// elementsChanged says which elements a list or tuple has more or less, where all
// others are the same, if elements may be shown.
func (w *walk) elementsChanged(secret bool, olds, nows *members) string {
	if _, marked := w.secrecy(); w.asking || secret || marked || nows.kind != paths.ByIndex || olds.n == nows.n {
		return ""
	}
	most, front, back := min(olds.n, nows.n), 0, 0
	for front < most && values.Equal(olds.elem(front), nows.elem(front), values.Content) {
		front++
	}
	for back < most-front && values.Equal(olds.elem(olds.n-1-back), nows.elem(nows.n-1-back), values.Content) {
		back++
	}
	longer, n, one, several := nows, nows.n-olds.n, " has appeared", " have appeared"
	if n < 0 {
		longer, n, one, several = olds, -n, " is gone", " are gone"
	}
	switch {
	case front+back < most: // others have changed, too
		return ""
	case n == 1:
		return fmt.Sprintf(": %s at [%d]%s", render(longer.elem(front)), front, one)
	}
	return fmt.Sprintf(": those at [%d] to [%d]%s", front, front+n-1, several)
}

func keyList(keys []string, others []string, one, several string) string {
	shown := keys[:min(len(keys), maxNamed)]
	quoted := make([]string, len(shown))
	for i, key := range shown {
		quoted[i] = quotedAround(key, apart(key, keys, others))
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

// apart is from where on a key is another than all that are named beside it.
func apart(key string, beside ...[]string) (from int) {
	if len(key) <= maxShown {
		return 0
	}
	for _, keys := range beside {
		for _, other := range keys[:min(len(keys), maxNamed)] {
			if other != key {
				from = max(from, sharedBeginning(key, other))
			}
		}
	}
	return from
}
