// Package setorder sorts the elements of sets as cty does, in less time.
package setorder

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/zclconf/go-cty/cty"
)

// ProposedNew is objchange.ProposedNew for tfconv, which only needs the elements of a proposed set
// in their order. In its result, each nested set that is in no other collection is a list of the
// elements in set order. So cty neither builds nor sorts the set. The schema is an
// *objchange.Schema, and the values have no marks. Package objchange sets the variable.
var ProposedNew func(schema any, prior, config cty.Value) (cty.Value, error)

// Sorted returns the elements of cty.SetVal(objects) in the order of cty
// (docs/specification.md#42-set-order). It makes the text of each object once. cty makes the text of
// both objects in each comparison.
func Sorted(objects []cty.Value) []cty.Value {
	type element struct {
		key    []byte
		object cty.Value
	}
	all := make([]element, len(objects))
	for i, v := range objects {
		all[i] = element{appendSetText(nil, v), v}
	}
	slices.SortFunc(all, func(a, b element) int { return bytes.Compare(a.key, b.key) })
	ordered := make([]cty.Value, len(all))
	for i, one := range all {
		if i > 0 && bytes.Equal(one.key, all[i-1].key) { // perhaps a duplicate
			return cty.SetVal(objects).AsValueSlice()
		}
		ordered[i] = one.object
	}
	return ordered
}

// appendSetText appends the text that determines the position of an object, or of a part of it.
func appendSetText(text []byte, v cty.Value) []byte {
	ty := v.Type()
	switch {
	case !v.IsKnown():
		return append(text, '?')
	case v.IsNull():
		return append(text, '~')
	case ty == cty.Number:
		return v.AsBigFloat().Append(text, 'g', 10)
	case ty == cty.Bool && v.True():
		return append(text, 'T')
	case ty == cty.Bool:
		return append(text, 'F')
	case ty == cty.String:
		return strconv.AppendQuote(text, v.AsString())
	}
	brackets := "<>"
	switch {
	case ty.IsMapType():
		brackets = "{}"
	case ty.IsCollectionType():
		brackets = "[]"
	}
	text = append(text, brackets[0])
	for key, part := range v.Elements() {
		if ty.IsMapType() {
			text = append(appendSetText(text, key), ':')
		}
		text = append(appendSetText(text, part), ';')
	}
	return append(text, brackets[1])
}
