// Package words makes texts as reports and errors have them.
package words

import (
	"bytes"
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

// Plural returns how many things there are: "1 line", "2 lines".
func Plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// Line returns the number of the line, from 1, that the offset is in. One beyond
// the end is in the last line.
func Line(data []byte, offset int64) int {
	return 1 + bytes.Count(data[:min(offset, int64(len(data)))], []byte("\n"))
}

// Problems returns each of the errors that are joined in one, as errors.Join does;
// the error itself if there are none.
func Problems(err error) []error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	var all []error
	for _, err := range joined.Unwrap() {
		all = append(all, Problems(err)...)
	}
	return all
}

// Join writes the problems in an error with a separator between them.
func Join(err error, separator string) string {
	var all []string
	for _, problem := range Problems(err) {
		all = append(all, problem.Error())
	}
	return strings.Join(all, separator)
}
