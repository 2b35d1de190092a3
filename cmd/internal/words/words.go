// Package words formats texts for reports and errors.
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

// JSON returns the JSON of the value, indented if indent is not "". It escapes characters that
// control a terminal. Decoding returns the same value.
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

// escapeJSON escapes characters in JSON that are not printable. They occur only in strings. DEL is
// the only ASCII character among them, because encoding/json escapes the others.
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

// Short replaces the middle of a text with an ellipsis if the text has many more characters than the
// limit.
func Short(s string, limit int) string {
	runes := []rune(s)
	if len(runes) <= limit+limit/8 {
		return s
	}
	return string(runes[:limit/2]) + " … " + string(runes[len(runes)-limit/2:])
}

var plainWord = regexp.MustCompile(`^[\w./:@%+=-]+$`)

// ShellWord returns the text quoted as one word for a shell.
func ShellWord(text string) string {
	if plainWord.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// maxSpan is the maximum number of characters in a span.
const maxSpan = 500

// Span returns the text as a Markdown code span on one line. The text cannot end the span, because
// the fence has more backticks than any sequence in the text.
func Span(text string) string {
	text = Short(Printable(strings.TrimSpace(text), ""), maxSpan)
	if text == "" {
		return "–"
	}
	around := fence(text, "`")
	if len(around) > 1 {
		text = " " + text + " " // the text may begin or end with a backtick
	}
	return around + text + around
}

// Fenced returns the text as a Markdown code block, which the text cannot end.
func Fenced(text, language string) string {
	around := fence(text, "```")
	return around + language + "\n" + text + "\n" + around
}

// fence returns the least sequence of backticks, or a longer one that is not in the text.
func fence(text, least string) string {
	for strings.Contains(text, least) {
		least += "`"
	}
	return least
}

// FileName returns the name of a file for display. It is "stdin" for "-".
func FileName(name string) string {
	if name == "-" {
		return "stdin"
	}
	return name
}

// Problems returns the errors that are joined in err, at any depth. If err is not a joined error,
// it returns err itself.
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
