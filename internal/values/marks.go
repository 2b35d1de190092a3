package values

import (
	"maps"

	"github.com/zclconf/go-cty/cty"
)

// Bare returns the value without its own marks, and whether it had any.
func Bare(v cty.Value) (cty.Value, bool) {
	if v.IsMarked() {
		v, _ = v.Unmark()
		return v, true
	}
	return v, false
}

// Unmarked returns the value without its own marks.
func Unmarked(v cty.Value) cty.Value {
	v, _ = Bare(v)
	return v
}

// WithMarksOf returns the value with the other value's own marks added.
func WithMarksOf(v, other cty.Value) cty.Value {
	if other.IsMarked() {
		return v.WithSameMarks(other)
	}
	return v
}

// WithMarks returns the value with marks added.
func WithMarks(v cty.Value, marks cty.ValueMarks) cty.Value {
	if len(marks) > 0 {
		return v.WithMarks(marks)
	}
	return v
}

// UnionMarks returns the marks with the value's own marks added.
func UnionMarks(marks cty.ValueMarks, v cty.Value) cty.ValueMarks {
	union := v.Marks()
	maps.Copy(union, marks)
	return union
}

// HoldsMarks reports whether the value or any part of it has marks. Elements of a set have no
// marks. The set has them.
func HoldsMarks(v cty.Value) bool {
	if v.IsMarked() {
		return true
	}
	if v.IsNull() || !v.IsKnown() || v.Type().IsSetType() || !v.CanIterateElements() {
		return false
	}
	for it := v.ElementIterator(); it.Next(); {
		if _, elem := it.Element(); HoldsMarks(elem) {
			return true
		}
	}
	return false
}

// UnmarkedDeep returns the value without any marks.
func UnmarkedDeep(v cty.Value) cty.Value {
	v, _ = v.UnmarkDeep()
	return v
}
