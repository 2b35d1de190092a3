package explain

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// A fragment is a text with errors. Boxes, quote marks, timestamps and line numbers around its lines
// are removed.
type fragment struct {
	text    string
	address string // of the diagnostic, if the fragment is a diagnostic in JSON
}

// fragmentsOf returns the fragments of an input: one for each diagnostic in lines of JSON, and one for the
// rest.
func fragmentsOf(input string) (fragments []fragment) {
	rest := new(strings.Builder)
	for line := range strings.SplitSeq(decode(input), "\n") {
		object := fromJSON(line)
		inner, ok := object["diagnostic"].(map[string]any)
		if !ok {
			inner = object
		}
		field := func(name string) string { text, _ := inner[name].(string); return text }
		logged := cmp.Or(field("@message"), field("message"), field("msg"), field("log")) // one line of an error
		switch {
		case field("severity") == "warning":
		case field("summary") != "":
			text := "Error: " + field("summary") + "\n\n" + field("detail")
			fragments = append(fragments, fragment{clean(decode(text)), field("address")})
		default:
			rest.WriteString(unescape(cmp.Or(strings.TrimSuffix(decode(logged), "\n"), line)) + "\n")
		}
	}
	return append(fragments, fragment{clean(rest.String()), ""})
}

// fromJSON returns the first JSON object in a line, or nil.
func fromJSON(line string) (object map[string]any) {
	if i := strings.Index(line, `{"`); i >= 0 {
		if err := json.NewDecoder(strings.NewReader(line[i:])).Decode(&object); err != nil {
			return nil
		}
	}
	return object
}

// decode returns the input as UTF-8 without colors, with plain quotes, and without the links that
// chats make of the addresses of providers.
func decode(input string) string {
	text := strings.TrimPrefix(strings.ToValidUTF8(input, "\ufffd"), "\ufeff")
	text = colors.ReplaceAllString(ansi.Strip(plain.Replace(text)), "")
	text = strings.ReplaceAll(text, inValue, "[")
	if strings.Contains(text, "\xe2\x80") && typographic.MatchString(text) {
		text = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "‘", "'", "’", "'").Replace(text)
	}
	if strings.Contains(text, "](http") || strings.Contains(text, "<http") {
		text = link.ReplaceAllString(text, "$1$2")
	}
	return text
}

// inValue stands for the bracket of an escape sequence in the code of a value.
const inValue = "\ue000"

var (
	// plain undoes the changes that programs make to plain characters, and to the beginning of an
	// escape sequence. In the code of a value, it keeps the beginning.
	plain = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u00a0", " ", "\u200b", "", "\u00ad", "", `\_`, "_",
		`\u001b[`, "\x1b[", `\u001B[`, "\x1b[", "^[[", "\x1b[",
		`\x1b[`, `\x1b`+inValue, `\x1B[`, `\x1B`+inValue, `\e[`, `\e`+inValue, `\033[`, `\033`+inValue)
	// colors matches the rest of an escape sequence for colors.
	colors      = regexp.MustCompile(`\[\d{0,3}(?:;\d{0,3})*m`)
	typographic = regexp.MustCompile(`(?:rovider |rovider\[|Val\()[“„‘]`)
	link        = regexp.MustCompile(`\[(` + providerAddress + `)\]\(https?://[^)\s]*\)` +
		`|<https?://[^<>|\s]*\|(` + providerAddress + `)>`)
	// quoting matches a part of an error in a string of JSON or of another log.
	quoting = regexp.MustCompile(`rovider \\"` +
		`|(?:rovider (?:produced|returned) in|nvalid resource state|tolerating it).*\\n` +
		`|\\n.*(?:rovider (?:produced|returned) in|pplying changes to|lanned an invalid)`)
	escaped = regexp.MustCompile(`\\(?:u[0-9a-fA-F]{4}|.)`)
)

// unescape decodes a line if it is part of a string.
func unescape(line string) string {
	if !strings.Contains(line, `\`) || !quoting.MatchString(line) {
		return line
	}
	return escaped.ReplaceAllStringFunc(line, func(s string) string {
		if text, err := strconv.Unquote(`"` + s + `"`); err == nil {
			return text
		}
		return s[1:] // such as "\/"
	})
}

// clean returns the text without the text around each line.
func clean(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = unboxed(line)
	}
	dropShared(lines)
	return strings.Join(lines, "\n")
}

const (
	border      = "│╷╵║┃├└┌╭╰" // the characters of boxes
	before      = " \t>|" + border
	maxPrefix   = 200 // bytes before a line
	sharedLines = 60  // after the first line of an error that may have the same prefix
)

// unboxed returns a line without the text up to the left border of a box, such as the name of a
// container, and without the right border.
func unboxed(line string) string {
	i := strings.IndexAny(line[:min(len(line), maxPrefix)], border)
	if i >= 0 && !strings.Contains(line[:i], "cty.") {
		line = strings.TrimRight(line[i:], "│║┃ \t")
	}
	return strings.TrimLeft(line, before)
}

var (
	// errorLine matches the first line of an error, with the text before it.
	errorLine = regexp.MustCompile(`^([^"]*?\S[^"]*?)Error: ` +
		`(?:Provider |Plugin |Invalid |Import |Missing |Unexpected |Failed |rpc )`)
	digits = regexp.MustCompile(`\d+`)
	spaces = regexp.MustCompile(`\s+`)
)

// dropShared removes the text before the first line of an error from this line and the lines below
// it, such as a timestamp, a level, a number or the sign of a diff. Numbers and white space in it may
// differ.
func dropShared(lines []string) {
	for i := range lines {
		at := strings.Index(lines[i], "Error: ")
		if at <= 0 || at > maxPrefix {
			continue
		}
		m := errorLine.FindStringSubmatch(lines[i][:min(len(lines[i]), at+maxPrefix)])
		if m == nil {
			continue
		}
		prefix := digits.ReplaceAllString(regexp.QuoteMeta(strings.TrimSpace(m[1])), `\d+`)
		shared := regexp.MustCompile(`^` + spaces.ReplaceAllString(prefix, `\s+`))
		for k := i; k < min(len(lines), i+sharedLines); k++ {
			lines[k] = strings.TrimLeft(lines[k][len(shared.FindString(lines[k])):], before)
		}
	}
}

// A dense is a text without white space. Sentences can be found in it even if they are wrapped.
type dense struct {
	text string
	low  string // the text in lower case, with the same length
	from string // the text with white space
	at   []int  // for each byte its offset in from
}

func newDense(text string) dense {
	b := make([]byte, 0, len(text))
	d := dense{from: text, at: make([]int, 0, len(text)+1)}
	for i := 0; i < len(text); i++ {
		if c := text[i]; c != ' ' && (c < '\t' || '\r' < c) {
			b = append(b, c)
			d.at = append(d.at, i)
		}
	}
	d.text, d.at = string(b), append(d.at, len(text))
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] += 'a' - 'A'
		}
	}
	d.low = string(b)
	return d
}

// spaced reports whether white space precedes the byte at i.
func (d *dense) spaced(i int) bool { return i == 0 || d.at[i] > d.at[i-1]+1 }

// original returns the text of the bytes from i to j, with white space.
func (d *dense) original(i, j int) string {
	if i >= j {
		return ""
	}
	return d.from[d.at[i] : d.at[j-1]+1]
}

// lineBreak returns the text that a line break in the paragraph at i stands for. Terraform breaks
// lines between words. A terminal breaks them anywhere, so all lines but the last are equally long.
func (d *dense) lineBreak(i int) string {
	begin := max(0, d.at[i]-maxDetail)
	begin += strings.LastIndex(d.from[begin:d.at[i]], "\n\n") + 1
	paragraph, _, _ := strings.Cut(strings.TrimLeft(d.from[begin:min(len(d.from), d.at[i]+maxDetail)], "\n"), "\n\n")
	lines := strings.Split(paragraph, "\n")
	differs := func(line string) bool {
		n := utf8.RuneCountInString(line) - utf8.RuneCountInString(lines[0])
		return n < -1 || n > 1
	}
	if len(lines) < 3 || slices.ContainsFunc(lines[:len(lines)-1], differs) {
		return " "
	}
	return ""
}

// sentence returns the bytes from i to j on one line.
func (d *dense) sentence(i, j int) string {
	text := d.original(i, j)
	if strings.Contains(text, "\n") {
		text = strings.ReplaceAll(text, "\n", d.lineBreak(i))
	}
	return strings.Join(strings.Fields(text), " ")
}

// joined returns the bytes from i to j, which are a value, an address or a path, on one line. White
// space stays only inside of quotes.
func (d *dense) joined(i, j int) string {
	return quotedOrSpace.ReplaceAllStringFunc(d.original(i, j), func(s string) string {
		switch {
		case s[0] != '"':
			return ""
		case strings.Contains(s, "\n"):
			return strings.ReplaceAll(s, "\n", d.lineBreak(i))
		}
		return s
	})
}

var quotedOrSpace = regexp.MustCompile(`(?s)"(?:[^"\\]|\\.)*"|\s+`)
