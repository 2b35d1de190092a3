package values

import "github.com/zclconf/go-cty/cty"

// MaxUnknownElements is the largest number of set elements with unknown parts that are accepted from
// input. cty compares each of them with all others, so building a set of 16 000 takes seconds and
// gigabytes.
const MaxUnknownElements = 4096

// TooManyUnknown reports whether a set of the elements would have too many elements with unknown
// parts.
func TooManyUnknown(elems []cty.Value) bool {
	if len(elems) <= MaxUnknownElements {
		return false
	}
	unknown := 0
	for _, elem := range elems {
		if !elem.IsWhollyKnown() {
			unknown++
		}
	}
	return unknown > MaxUnknownElements
}
