package objchange

import (
	"math/big"

	"github.com/zclconf/go-cty/cty"
)

// strictness is what "equal" means.
type strictness uint8

const (
	// equalContent ignores refinements of unknown values and all marks.
	equalContent strictness = iota
	// equalExactly counts refinements and ignores marks.
	equalExactly
	// interchangeable counts refinements and marks, so that one value may stand
	// for the other.
	interchangeable
)

// equal compares two values in one walk that stops at the first difference
// (docs/semantics.md#words). It costs no allocation but what cty needs to hand
// out the elements of maps and sets.
func equal(a, b cty.Value, how strictness) bool {
	return sameType(a.Type(), b.Type()) && sameContent(a, b, how)
}

// equalAs is equal for two values of one part of a schema. Their types, which may be
// wide, are the same unless the part leaves them open or a value has none.
func equalAs(part facts, a, b cty.Value, how strictness) bool {
	if part.dynamic || a.Type() == cty.DynamicPseudoType || b.Type() == cty.DynamicPseudoType {
		return equal(a, b, how)
	}
	return sameContent(a, b, how)
}

// sameNull compares two nulls of the attribute. The untyped null may stand for the
// null of its type: only where the schema leaves the type open is a null of another
// type another value.
func (a *Attribute) sameNull(x, y cty.Value) bool {
	return !a.dynamic() || sameType(x.Type(), y.Type())
}

func sameType(a, b cty.Type) bool {
	if a.IsPrimitiveType() {
		return a == b
	}
	return a.Equals(b)
}

// sameContent is equal for values of the same type.
func sameContent(a, b cty.Value, how strictness) bool {
	a, markedA := bare(a)
	b, markedB := bare(b)
	if how == interchangeable && (markedA || markedB) {
		return false
	}
	if !a.IsKnown() || !b.IsKnown() {
		return a.IsKnown() == b.IsKnown() && (how == equalContent || a.RawEquals(b))
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
func sameNumber(a, b cty.Value, how strictness) bool {
	return a.LessThan(b) == cty.False && a.GreaterThan(b) == cty.False || how != interchangeable && printAlike(a, b)
}

// printAlike compares two different numbers in decimal, if they are close
// enough to each other, and to one, for that to be worth the time.
func printAlike(a, b cty.Value) bool {
	x, y := a.AsBigFloat(), b.AsBigFloat()
	if x.IsInt() || y.IsInt() || x.IsInf() || y.IsInf() || farOut(x) || farOut(y) {
		return false
	}
	return x.MantExp(nil) == y.MantExp(nil) && x.Text('f', -1) == y.Text('f', -1)
}

// maxExponent is the largest binary exponent of numbers that are written in decimal
// or made of data. Writing others takes long, up to for ever, and cty does so for
// every element of a set.
const maxExponent = 4096

// farOut reports whether a number is so large or small that writing it in
// decimal would take long.
func farOut(f *big.Float) bool {
	exp := f.MantExp(nil)
	return exp < -maxExponent || exp > maxExponent
}

func sameObject(a, b cty.Value, how strictness) bool {
	for name := range a.Type().AttributeTypes() {
		if !sameContent(a.GetAttr(name), b.GetAttr(name), how) {
			return false
		}
	}
	return true
}

func sameList(a, b cty.Value, how strictness) bool {
	n := a.LengthInt()
	if n != b.LengthInt() {
		return false
	}
	for i := range n {
		key := indexKey(i)
		if !sameContent(a.Index(key), b.Index(key), how) {
			return false
		}
	}
	return true
}

func sameMap(a, b cty.Value, how strictness) bool {
	if a.LengthInt() != b.LengthInt() {
		return false
	}
	for it := a.ElementIterator(); it.Next(); {
		key, elem := it.Element()
		if b.HasIndex(key) != cty.True || !sameContent(elem, b.Index(key), how) {
			return false
		}
	}
	return true
}

// sameSet compares the elements, which cty has in the same order where they are the
// same.
func sameSet(a, b cty.Value, how strictness) bool {
	if a.LengthInt() != b.LengthInt() {
		return false
	}
	elems := b.AsValueSlice()
	for i, elem := range a.AsValueSlice() {
		if !sameContent(elem, elems[i], how) {
			return false
		}
	}
	return true
}
