package spectest

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"

	"github.com/objchange/objchange/internal/setorder"
	"github.com/objchange/objchange/internal/spectest/parts"
)

// TestSetOrderIsAsSpecified checks that docs/specification.md#42-set-order describes the order of set elements in
// cty. The implementation below uses only that text.
func TestSetOrderIsAsSpecified(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ty := orderedType(t, 2)
		elems := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) cty.Value { return orderedValue(t, ty) }), 1, 8).Draw(t, "elements")
		got, want := inSetOrder(elems), cty.SetVal(elems).AsValueSlice()
		if !slices.EqualFunc(got, want, cty.Value.RawEquals) {
			t.Fatalf("of %#v\n got %#v\nwant %#v", elems, got, want)
		}
		if ty.IsObjectType() && !slices.EqualFunc(setorder.Sorted(elems), want, cty.Value.RawEquals) {
			t.Fatalf("setorder.Sorted of %#v\n got %#v\nwant %#v", elems, setorder.Sorted(elems), want)
		}
	})
}

// inSetOrder returns the elements in set order, without duplicates.
func inSetOrder(elems []cty.Value) (ordered []cty.Value) {
	for _, v := range elems {
		if !v.IsWhollyKnown() || !slices.ContainsFunc(ordered, v.RawEquals) {
			ordered = append(ordered, v)
		}
	}
	slices.SortStableFunc(ordered, compareElements)
	return ordered
}

func compareElements(a, b cty.Value) int {
	if byRank := cmp.Compare(elementRank(a), elementRank(b)); byRank != 0 || elementRank(a) > 0 {
		return byRank
	}
	switch a.Type() {
	case cty.String:
		return strings.Compare(a.AsString(), b.AsString())
	case cty.Number:
		return a.AsBigFloat().Cmp(b.AsBigFloat())
	}
	return strings.Compare(setText(a), setText(b)) // F is less than T
}

// numberInText matches a number in the text of an object.
var numberInText = regexp.MustCompile(`[<;\[]-?\d`)

// citeOrder cites the paragraphs that order consecutive elements of a set.
func citeOrder(elems []parts.Entry) {
	for i := 1; cited != nil && i < len(elems); i++ {
		a, b := elems[i-1].Value, elems[i].Value
		citeIf(elementRank(a) != elementRank(b), "P-4.11")
		if elementRank(a) > 0 || elementRank(b) > 0 {
			continue
		}
		x, y := setText(a), setText(b)
		citeIf(x == y, "P-4.14")
		citeIf(x != y, "P-4.13")
		citeIf(x != y, "P-4.15")
		citeIf(x != y && numberInText.MatchString(x+y), "P-4.17")
	}
}

// elementRank returns 0 for known elements, 1 for unknown elements, and 2 for null elements.
func elementRank(v cty.Value) int {
	switch {
	case v.IsNull():
		return 2
	case !v.IsKnown():
		return 1
	}
	return 0
}

// setText returns the text of a value that determines its position.
func setText(v cty.Value) string {
	each := func(open, shut string, values []cty.Value) string {
		for _, v := range values {
			open += setText(v) + ";"
		}
		return open + shut
	}
	switch ty := v.Type(); {
	case !v.IsKnown():
		return "?"
	case v.IsNull():
		return "~"
	case ty == cty.Bool && v.True():
		return "T"
	case ty == cty.Bool:
		return "F"
	case ty == cty.Number:
		return setNumber(v)
	case ty == cty.String:
		return strconv.Quote(v.AsString())
	case ty.IsSetType():
		return each("[", "]", inSetOrder(v.AsValueSlice()))
	case ty.IsListType():
		return each("[", "]", v.AsValueSlice())
	case ty.IsTupleType():
		return each("<", ">", v.AsValueSlice())
	}
	parts := v.AsValueMap()
	var values []cty.Value
	text := "{"
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		text += strconv.Quote(name) + ":" + setText(parts[name]) + ";"
		values = append(values, parts[name])
	}
	if v.Type().IsObjectType() {
		return each("<", ">", values)
	}
	return text + "}"
}

// setNumber returns the text of a number with at most ten digits.
func setNumber(v cty.Value) string {
	mantissa, power, _ := strings.Cut(v.AsBigFloat().Text('e', 9), "e") // ten digits
	exponent, _ := strconv.Atoi(power)
	mantissa, minus := strings.CutPrefix(mantissa, "-")
	digits := strings.TrimRight(strings.Replace(mantissa, ".", "", 1), "0")
	sign := ""
	if minus {
		sign = "-"
	}
	switch {
	case digits == "":
		return "0"
	case exponent < -4 || exponent >= 10:
		if len(digits) > 1 {
			digits = digits[:1] + "." + digits[1:]
		}
		return fmt.Sprintf("%s%se%+03d", sign, digits, exponent)
	case exponent < 0:
		return sign + "0." + strings.Repeat("0", -exponent-1) + digits
	case len(digits) <= exponent+1:
		return sign + digits + strings.Repeat("0", exponent+1-len(digits))
	}
	return sign + digits[:exponent+1] + "." + digits[exponent+1:]
}

func orderedType(t *rapid.T, depth int) cty.Type {
	kind := rapid.IntRange(0, 7).Draw(t, "kind")
	if depth == 0 {
		kind %= 3
	}
	inner := func() cty.Type { return orderedType(t, depth-1) }
	switch kind {
	case 0:
		return cty.String
	case 1:
		return cty.Number
	case 2:
		return cty.Bool
	case 3:
		return cty.List(inner())
	case 4:
		return cty.Set(inner())
	case 5:
		return cty.Map(inner())
	case 6:
		return cty.Tuple([]cty.Type{inner(), inner()})
	}
	return cty.Object(map[string]cty.Type{"b": inner(), "a": inner(), "B": inner()})
}

func orderedValue(t *rapid.T, ty cty.Type) cty.Value {
	switch rapid.IntRange(0, 9).Draw(t, "state") {
	case 0:
		return cty.NullVal(ty)
	case 1:
		return cty.UnknownVal(ty)
	case 2:
		return cty.UnknownVal(ty).RefineNotNull()
	}
	inner := func(ty cty.Type) cty.Value { return orderedValue(t, ty) }
	texts := []string{"", "a", "b", "B", "é", "日本", `"`, `\`, "\n", "\x00", "\x7f", "\xff", "\u0080", "\u00a0", "\u200b", "\ufffd", "\U000e0001", "😀", "'", ";", "a;b"}
	numbers := []string{
		"0", "1", "-1", "9", "10", "1.5", "0.1", "0.0001", "0.00001", "-0.00012345678949", "1e9", "1e10", "1e30", "-1e30", "9999999999", "99999999995",
		"12345678901", "12345678902", "1234567890.5", "1234567891.5", "123456.25", "1e-7", "1e100", "2", "100", "1234567890123456789",
	}
	switch {
	case ty == cty.String:
		return cty.StringVal(rapid.SampledFrom(texts).Draw(t, "text"))
	case ty == cty.Number:
		return cty.MustParseNumberVal(rapid.SampledFrom(numbers).Draw(t, "number"))
	case ty == cty.Bool:
		return cty.BoolVal(rapid.Bool().Draw(t, "bool"))
	case ty.IsTupleType():
		return cty.TupleVal([]cty.Value{inner(ty.TupleElementType(0)), inner(ty.TupleElementType(1))})
	case ty.IsObjectType():
		parts := map[string]cty.Value{}
		for _, name := range []string{"a", "b", "B"} {
			parts[name] = inner(ty.AttributeType(name))
		}
		return cty.ObjectVal(parts)
	}
	var elems []cty.Value
	named := map[string]cty.Value{}
	for range rapid.IntRange(0, 3).Draw(t, "length") {
		elems = append(elems, inner(ty.ElementType()))
		named[rapid.SampledFrom(texts).Draw(t, "key")] = elems[len(elems)-1]
	}
	switch {
	case ty.IsMapType() && len(named) > 0:
		return cty.MapVal(named)
	case ty.IsMapType():
		return cty.MapValEmpty(ty.ElementType())
	case ty.IsSetType() && len(elems) > 0:
		return cty.SetVal(elems)
	case ty.IsSetType():
		return cty.SetValEmpty(ty.ElementType())
	case len(elems) > 0:
		return cty.ListVal(elems)
	}
	return cty.ListValEmpty(ty.ElementType())
}
