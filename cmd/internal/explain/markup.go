package explain

import (
	"cmp"
	"html"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/charmbracelet/x/ansi"
)

// decode returns the input as UTF-8 without colours and markup.
func decode(input string) string {
	switch {
	case strings.HasPrefix(input, "\xff\xfe"):
		input = fromUTF16(input[2:], 0, 1)
	case strings.HasPrefix(input, "\xfe\xff"):
		input = fromUTF16(input[2:], 1, 0)
	}
	input = strings.TrimPrefix(strings.ToValidUTF8(input, "\ufffd"), "\ufeff")
	return withoutMarkup(plain.Replace(withoutColour(ansi.Strip(input))))
}

// colour matches an escape sequence for colours, also if its first character is lost or written as
// text. In the code of a value, the sequence is part of the value.
var colour = regexp.MustCompile(`(\\x1[bB]|\\e|\\033)?(?:\\u001[bB]|\^\[)?\[\d{0,3}(?:;\d{0,3})*m`)

func withoutColour(text string) string {
	return colour.ReplaceAllStringFunc(text, func(s string) string {
		if strings.HasPrefix(s, `\x1`) || strings.HasPrefix(s, `\e`) || strings.HasPrefix(s, `\0`) {
			return s
		}
		return ""
	})
}

// plain undoes the changes that programs make to plain characters.
var plain = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u00a0", " ", "\u200b", "", "\u00ad", "", `\_`, "_", "â”‚", "│", "â•·", "╷", "â•µ", "╵")

var (
	// typographic matches a provider in typographic quotes, marked a provider or an address in
	// Markdown code, and tag an HTML tag.
	typographic = regexp.MustCompile("rovider [“„]")
	marked      = regexp.MustCompile("((?:rovider|changes to|plan for|value for) )`([^`\n]*)`")
	tag         = regexp.MustCompile(`(?i)</?(?:div|span|p|pre|code|td|tr|b|strong|em|li|ul|font)(?: [^<>]*)?>`)
	page        = regexp.MustCompile(`(?i)<(?:br|div|span|pre|td|p)[ />]`)
	lineBreak   = regexp.MustCompile(`(?i)<br ?/?>\n?`)
)

// withoutMarkup removes the additions of word processors, Markdown and HTML from a text.
func withoutMarkup(text string) string {
	if typographic.MatchString(text) {
		text = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`).Replace(text)
	}
	if page.MatchString(text) {
		text = tag.ReplaceAllString(lineBreak.ReplaceAllString(text, "\n"), "")
	}
	return marked.ReplaceAllStringFunc(text, func(s string) string {
		m := marked.FindStringSubmatch(s)
		if strings.HasPrefix(m[1], "rovider") {
			return m[1] + `"` + m[2] + `"`
		}
		return m[1] + m[2]
	})
}

// fromUTF16 decodes UTF-16 with the low byte at one offset and the high byte at the other.
func fromUTF16(input string, low, high int) string {
	units := make([]uint16, 0, len(input)/2)
	for i := 0; i+1 < len(input); i += 2 {
		units = append(units, uint16(input[i+low])|uint16(input[i+high])<<8)
	}
	return string(utf16.Decode(units))
}

var (
	// entity matches an HTML entity that is not part of a value: a quote of the code, or the
	// beginning of a line.
	entity = regexp.MustCompile(`(?:rovider|rovider\[|\() ?\\?&(?:quot|#34);|^\s*&(?:gt|#9474);|&quot;\)`)
	// logfmt matches a line of a log with the text in a field.
	logfmt = regexp.MustCompile(`(?:^|\s)(?:level|lvl)=.*\s(?:msg|message)=("(?:[^"\\]|\\.)*")|^[IWEF]\d{4} .*\s(?:msg|message)=("(?:[^"\\]|\\.)*")`)
	// quoting matches a part of an error in a string of JSON or of another log.
	quoting = regexp.MustCompile(`rovider \\"|(?:rovider (?:produced|returned) in|nvalid resource state|tolerating it).*\\n|\\n.*(?:rovider (?:produced|returned) in|pplying changes to|lanned an invalid)`)
)

// unescape decodes a line if it is part of a string or of HTML.
func unescape(line string) string {
	if entity.MatchString(line) {
		line = html.UnescapeString(line)
	}
	if m := logfmt.FindStringSubmatch(line); m != nil {
		if text, err := strconv.Unquote(cmp.Or(m[1], m[2])); err == nil {
			return text
		}
	}
	if quoting.MatchString(line) {
		line = escaped.ReplaceAllStringFunc(line, func(s string) string {
			if text, err := strconv.Unquote(`"` + s + `"`); err == nil {
				return text
			}
			return s[1:] // such as "\/"
		})
	}
	return line
}

var escaped = regexp.MustCompile(`\\(?:u[0-9a-fA-F]{4}|.)`)
