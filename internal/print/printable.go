package print

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Valid returns the text with bytes that are not UTF-8 escaped as in Go: \xff. Values and file
// names can contain any bytes.
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

// Printable returns the text with characters escaped that a terminal could interpret, as in Go. It
// does not escape the characters in except.
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
