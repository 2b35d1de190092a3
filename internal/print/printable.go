package print

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Valid returns the text with bytes that are not UTF-8 written as Go escapes them,
// \xff. Values may have any bytes, and so may names of files.
func Valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&b, `\x%02x`, s[0])
		} else {
			b.WriteString(s[:size])
		}
		s = s[size:]
	}
	return b.String()
}

// Printable returns the text with all that a terminal would take for something
// else written as Go escapes it, except for the runes that are to stay.
func Printable(s, except string) string {
	var b strings.Builder
	for _, r := range Valid(s) {
		if strconv.IsPrint(r) || strings.ContainsRune(except, r) {
			b.WriteRune(r)
		} else {
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
	}
	return b.String()
}
