// Package values compares, hashes and unmarks values of cty, and looks at their types.
// It knows nothing of schemas.
package values

import (
	"math/big"

	"github.com/zclconf/go-cty/cty"
)

// Strictness is what "equal" means.
type Strictness uint8

const (
	// Content ignores refinements of unknown values and all marks.
	Content Strictness = iota
	// Exactly counts refinements and ignores marks.
	Exactly
	// Interchangeable counts refinements and marks, so that one value may stand
	// for the other.
	Interchangeable
)

// Equal compares two values in one walk that stops at the first difference
// (docs/semantics.md#words). It costs no allocation but what cty needs to hand
// out the elements of maps and sets.
func Equal(a, b cty.Value, how Strictness) bool {
	return SameType(a.Type(), b.Type()) && SameContent(a, b, how)
}

// SameType reports whether the types are the same.
func SameType(a, b cty.Type) bool {
	if a.IsPrimitiveType() {
		return a == b
	}
	return a.Equals(b)
}

// SameContent is Equal for values of the same type.
func SameContent(a, b cty.Value, how Strictness) bool {
	a, markedA := Bare(a)
	b, markedB := Bare(b)
	if how == Interchangeable && (markedA || markedB) {
		return false
	}
	if !a.IsKnown() || !b.IsKnown() {
		return a.IsKnown() == b.IsKnown() && (how == Content || a.RawEquals(b))
	}
	if a.IsNull() || b.IsNull() {
		return a.IsNull() && b.IsNull()
	}
	switch ty := a.Type(); {
	case ty == cty.String:
		return a.AsString() == b.AsString()
	case ty == cty.Bool:
		return a == b
	case ty == cty.Number:
		return sameNumber(a, b, how)
	case ty.IsObjectType():
		return sameObject(a, b, how)
	case ty.IsListType() || ty.IsTupleType():
		return sameList(a, b, how)
	case ty.IsMapType():
		return sameMap(a, b, how)
	case ty.IsSetType():
		return sameSet(a, b, how)
	}
	return a.RawEquals(b) // capsules
}

// sameNumber compares as cty does: numbers are also equal when they print
// alike, whatever their precision. One does not stand for the other then: they are
// not encoded alike.
func sameNumber(a, b cty.Value, how Strictness) bool {
	return a.LessThan(b) == cty.False && a.GreaterThan(b) == cty.False || how != Interchangeable && printAlike(a, b)
}

// printAlike compares two different numbers in decimal, if they are close
// enough to each other, and to one, for that to be worth the time.
func printAlike(a, b cty.Value) bool {
	x, y := a.AsBigFloat(), b.AsBigFloat()
	if x.IsInt() || y.IsInt() || x.IsInf() || y.IsInf() || FarOut(x) || FarOut(y) {
		return false
	}
	return x.MantExp(nil) == y.MantExp(nil) && x.Text('f', -1) == y.Text('f', -1)
}

// MaxExponent is the largest binary exponent of numbers that are written in decimal
// or made of data. Writing others takes long, up to for ever, and cty does so for
// every element of a set.
const MaxExponent = 4096

// FarOut reports whether a number is so large or small that writing it in
// decimal would take long.
func FarOut(f *big.Float) bool {
	exp := f.MantExp(nil)
	return exp < -MaxExponent || exp > MaxExponent
}

func sameObject(a, b cty.Value, how Strictness) bool {
	for name := range a.Type().AttributeTypes() {
		if !SameContent(a.GetAttr(name), b.GetAttr(name), how) {
			return false
		}
	}
	return true
}

func sameList(a, b cty.Value, how Strictness) bool {
	n := a.LengthInt()
	if n != b.LengthInt() {
		return false
	}
	for i := range n {
		key := IndexKey(i)
		if !SameContent(a.Index(key), b.Index(key), how) {
			return false
		}
	}
	return true
}

func sameMap(a, b cty.Value, how Strictness) bool {
	if a.LengthInt() != b.LengthInt() {
		return false
	}
	for it := a.ElementIterator(); it.Next(); {
		key, elem := it.Element()
		if b.HasIndex(key) != cty.True || !SameContent(elem, b.Index(key), how) {
			return false
		}
	}
	return true
}

// sameSet compares the elements, which cty has in the same order where they are the
// same.
func sameSet(a, b cty.Value, how Strictness) bool {
	if a.LengthInt() != b.LengthInt() {
		return false
	}
	elems := b.AsValueSlice()
	for i, elem := range a.AsValueSlice() {
		if !SameContent(elem, elems[i], how) {
			return false
		}
	}
	return true
}

// indexKeys holds the keys of small indexes, since making one costs two
// allocations.
var indexKeys = func() (keys [1024]cty.Value) {
	for i := range keys {
		keys[i] = cty.NumberIntVal(int64(i))
	}
	return keys
}()

// IndexKey returns the number as the key of an element.
func IndexKey(i int) cty.Value {
	if i < len(indexKeys) {
		return indexKeys[i]
	}
	return cty.NumberIntVal(int64(i))
}
