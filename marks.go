package objchange

import (
	"maps"

	"github.com/zclconf/go-cty/cty"
)

// bare returns the value without its own marks, and whether it had any.
func bare(v cty.Value) (cty.Value, bool) {
	if v.IsMarked() {
		v, _ = v.Unmark()
		return v, true
	}
	return v, false
}

// bareOnly is bare for callers who do not ask.
func bareOnly(v cty.Value) cty.Value {
	v, _ = bare(v)
	return v
}

// withMarksOf returns the value with the other's own marks added.
func withMarksOf(v, other cty.Value) cty.Value {
	if other.IsMarked() {
		return v.WithSameMarks(other)
	}
	return v
}

// withMarks returns the value with marks added.
func withMarks(v cty.Value, marks cty.ValueMarks) cty.Value {
	if len(marks) > 0 {
		return v.WithMarks(marks)
	}
	return v
}

// unionMarks returns the marks with the value's own added.
func unionMarks(marks cty.ValueMarks, v cty.Value) cty.ValueMarks {
	union := v.Marks()
	maps.Copy(union, marks)
	return union
}

// holdsMarks reports whether the value or anything in it has marks. In a set
// nothing has: they are the set's own.
func holdsMarks(v cty.Value) bool {
	if v.IsMarked() {
		return true
	}
	if v.IsNull() || !v.IsKnown() || v.Type().IsSetType() || !v.CanIterateElements() {
		return false
	}
	for it := v.ElementIterator(); it.Next(); {
		if _, elem := it.Element(); holdsMarks(elem) {
			return true
		}
	}
	return false
}

// bareDeep returns the value without any marks.
func bareDeep(v cty.Value) cty.Value {
	v, _ = v.UnmarkDeep()
	return v
}
