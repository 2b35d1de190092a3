// Package print writes values, types and differences between values for messages.
package print

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/values"
)

// Plural returns the number with the noun: "1 line", "2 lines".
func Plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// maxShown is the maximal length of a value in a message.
const maxShown = 80

// Nothing is the text for an absent value or type.
const Nothing = "nothing"

// Unprintable replaces a value that panics.
const Unprintable = "(a value that cannot be shown)"

// Value writes a value for display, in one short line. It shows the beginning and the end of a long
// string, because names usually differ there, and the first elements of a collection.
func Value(v cty.Value) (text string) {
	defer func() {
		if recover() != nil { // such as a number without a value
			text = Unprintable
		}
	}()
	if v == cty.NilVal {
		return Nothing
	}
	if isText(v) {
		return brief(v.AsString(), maxShown)
	}
	var b textBuilder
	b.value(v)
	return b.String()
}

// A textBuilder writes a value, in whole elements up to about maxShown characters.
type textBuilder struct{ strings.Builder }

func (b *textBuilder) value(v cty.Value) {
	switch ty := v.Type(); {
	case !v.IsKnown():
		b.WriteString(renderUnknown(v))
	case v.IsNull():
		b.WriteString("null")
	case ty == cty.String:
		b.WriteString(brief(v.AsString(), maxShown/2))
	case ty == cty.Number:
		b.WriteString(renderNumber(v.AsBigFloat()))
	case ty == cty.Bool:
		b.WriteString(strconv.FormatBool(v == cty.True))
	case ty.IsCapsuleType():
		b.WriteString("(" + ty.FriendlyName() + ")")
	case ty.IsObjectType() || ty.IsMapType():
		b.elements(v, "{", "}")
	default:
		b.elements(v, "[", "]")
	}
}

// renderUnknown writes the refinements of an unknown value.
func renderUnknown(v cty.Value) string {
	if v.Type() == cty.DynamicPseudoType {
		return "(unknown)"
	}
	r := v.Range()
	switch {
	case v.Type() == cty.String && r.StringPrefix() != "":
		return withPrefix(brief(r.StringPrefix(), maxShown/2))
	case v.Type().IsCollectionType() && r.LengthUpperBound() < math.MaxInt:
		return fmt.Sprintf("(unknown, of length %d to %d)", r.LengthLowerBound(), r.LengthUpperBound())
	case v.Type().IsCollectionType() && r.LengthLowerBound() > 0:
		return fmt.Sprintf("(unknown, of length %d or more)", r.LengthLowerBound())
	case r.DefinitelyNotNull():
		return "(unknown, not null)"
	}
	return "(unknown)"
}

func withPrefix(prefix string) string { return "(unknown, with prefix " + prefix + ")" }

// renderNumber writes a number in decimal, unless that would take seconds.
func renderNumber(f *big.Float) string {
	if values.FarOut(f) {
		return f.Text('p', 10)
	}
	return f.Text('g', 20)
}

func (b *textBuilder) elements(v cty.Value, open, end string) {
	b.WriteString(open)
	first := true
	for key, elem := range v.Elements() {
		if !first {
			b.WriteString(", ")
		}
		first = false
		if b.Len() > maxShown {
			b.WriteString("…")
			break
		}
		if open == "{" {
			b.WriteString(Key(key.AsString()) + " = ")
		}
		b.value(elem)
	}
	b.WriteString(end)
}

// Key writes a key without quotes if it is a word, and in quotes otherwise.
func Key(key string) string {
	for _, r := range key {
		if r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return brief(key, maxShown/2)
		}
	}
	if key == "" || utf8.RuneCountInString(key) > maxShown/2 {
		return brief(key, maxShown/2)
	}
	return key
}
