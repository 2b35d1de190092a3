// Package values compares, hashes and unmarks cty values, and inspects their types. It does not use
// schemas.
package values

import (
	"math/big"

	"github.com/zclconf/go-cty/cty"
)

// Strictness defines when two values are equal.
type Strictness uint8

const (
	// Content ignores refinements of unknown values and all marks.
	Content Strictness = iota
	// Exactly compares refinements and ignores marks.
	Exactly
	// Interchangeable compares refinements and marks. Values that are equal by it can replace each
	// other.
	Interchangeable
)

// Equal compares two values in one traversal that stops at the first difference
// (docs/specification.md#1-terms). It allocates no memory, except where cty lists the elements of a
// map or a set.
func Equal(a, b cty.Value, how Strictness) bool {
	return SameType(a.Type(), b.Type()) && SameContent(a, b, how)
}

// SameType reports whether the types are equal.
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

// sameNumber compares numbers as cty does: numbers are also equal if they print alike, regardless
// of their precision. Such numbers are not interchangeable, because their encodings differ.
func sameNumber(a, b cty.Value, how Strictness) bool {
	return a.LessThan(b) == cty.False && a.GreaterThan(b) == cty.False || how != Interchangeable && printAlike(a, b)
}

// printAlike compares two different numbers in decimal. It returns false without a comparison if
// the numbers are too far from each other or too large or small.
func printAlike(a, b cty.Value) bool {
	x, y := a.AsBigFloat(), b.AsBigFloat()
	if x.IsInt() || y.IsInt() || x.IsInf() || y.IsInf() || FarOut(x) || FarOut(y) {
		return false
	}
	return x.MantExp(nil) == y.MantExp(nil) && x.Text('f', -1) == y.Text('f', -1)
}

// NoNumber is a number without a value. Most functions of cty panic for it.
var NoNumber = cty.NumberVal(nil)

// MaxExponent is the largest binary exponent of numbers that are written in decimal or decoded.
// Writing other numbers takes very long, and cty writes the numbers of every set element.
const MaxExponent = 4096

// FarOut reports whether a number is so large or small that writing it in decimal would take long.
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

// sameSet compares the elements in cty's order, which is the same for equal elements.
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

// indexKeys caches the keys of small indexes, because creating a key costs two allocations.
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
