// Package words makes texts as reports and errors have them.
package words

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/objchange/objchange/internal/print"
)

// Valid is print.Valid.
func Valid(s string) string { return print.Valid(s) }

// Printable is print.Printable.
func Printable(s, except string) string { return print.Printable(s, except) }

// JSON returns the value as JSON text, in lines with the indent if there is one. It
// reads back as the same value, and a terminal finds nothing in it to act on.
func JSON(value any, indent string) ([]byte, error) {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(value); err != nil {
		return nil, err
	}
	return escapeJSON(text.Bytes()), nil
}

// escapeJSON escapes in JSON text what is not printable. Outside of strings there is
// nothing such, and encoding/json leaves none that is ASCII but DEL.
func escapeJSON(text []byte) []byte {
	inert := func(r rune) bool { return strconv.IsPrint(r) || r == '\n' }
	if !bytes.ContainsFunc(text, func(r rune) bool { return !inert(r) }) {
		return text
	}
	var b bytes.Buffer
	for _, r := range string(text) {
		switch high, low := utf16.EncodeRune(r); {
		case inert(r):
			b.WriteRune(r)
		case r > math.MaxUint16:
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.Bytes()
}

// Short leaves out the middle of a text that is much longer than the limit, in
// characters.
func Short(s string, limit int) string {
	runes := []rune(s)
	if len(runes) <= limit {
		return s
	}
	return string(runes[:limit/2]) + " … " + string(runes[len(runes)-limit/2:])
}

var plainWord = regexp.MustCompile(`^[\w./:@%+=-]+$`)

// ShellWord returns the text as one word for a shell.
func ShellWord(text string) string {
	if plainWord.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// maxSpan is how many characters Span shows.
const maxSpan = 500

// Span returns the text as Markdown code in one line. Nothing in it can end the code: the
// backticks around it are more than any in a row inside.
func Span(text string) string {
	text = Short(Printable(strings.TrimSpace(text), ""), maxSpan)
	if text == "" {
		return "–"
	}
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		text = " " + text + " " // for one that it begins or ends with
	}
	return fence + text + fence
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

// DidYouMean asks, after an error, whether one of the names was meant.
func DidYouMean(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return ": did you mean " + strings.Join(names, " or ") + "?"
}
