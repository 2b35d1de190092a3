package explain

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A part is a text with errors. Boxes, quote marks, timestamps and line numbers around its lines
// are removed.
type part struct {
	text  string
	lines []line // of the text
	// address is the address of the diagnostic, if the part is a line of terraform -json.
	address string
}

// A line has information on a line of the input.
type line struct {
	width  int    // in characters, including removed text
	prefix string // the removed text before the line
}

// partsOf returns the parts of an input: one for each JSON value, and one for the rest.
func partsOf(input string) (parts []part) {
	text := decode(input)
	rest := new(strings.Builder)
	attempts := 0
	for text != "" {
		line, after, _ := strings.Cut(text, "\n")
		if start := beginOfJSON(line); start >= 0 && attempts < maxAttempts {
			value, n, read := fromJSON(text[start:])
			if n == 0 && strings.HasPrefix(text[start:], `{"@`) {
				value, n, read = fromWrapped(text[start:])
			}
			if logged, ok := logLineOf(value); ok {
				rest.WriteString(unescape(strings.TrimSuffix(decode(logged), "\n")) + "\n")
			} else {
				parts = append(parts, inJSON(value)...)
			}
			if n > 0 {
				text = strings.TrimPrefix(text[start+n:], "\n")
				continue
			}
			attempts += read
		}
		rest.WriteString(unescape(line) + "\n")
		text = after
	}
	return append(parts, clean(rest.String(), ""))
}

// clean returns the part for a text, without the text around each line.
func clean(text, address string) part {
	texts := strings.Split(text, "\n")
	lines := make([]line, len(texts))
	for i, text := range texts {
		lines[i].width = utf8.RuneCountInString(text)
	}
	dropNumbers(texts)
	dropShared(texts)
	for i, text := range texts {
		texts[i] = undecorated(text)
		lines[i].prefix = text[:max(0, strings.LastIndex(text, texts[i]))]
	}
	return part{strings.Join(texts, "\n"), lines, address}
}

var (
	numbered  = regexp.MustCompile(`^\s*(?:>\s*)?[L#]?(\d{1,7})(?:[:.)|│]|\s|$)`)
	timestamp = `\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?`
	// stamped matches the text before a line of a log, up to and including the time.
	stamped = regexp.MustCompile(`^[^"]{0,120}?` + timestamp + `(?:\]|\)|\||:|\s|$)`)
	clock   = regexp.MustCompile(`^\s*[\[(]?\d\d:\d\d:\d\d(?:[.,]\d+)?[\])]?(?:\s|$)`)
	syslog  = regexp.MustCompile(`^\s*[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?: [^\s"]+ [^\s"]+:)?(?:\s|$)`)
	// level matches the text that programs that run Terraform write after the time.
	level = regexp.MustCompile(`^\s*(?:UTC\s+)?(?:(?:stdout|stderr) [FP]\s|\d\d[OE]\+?\s)?(?:##\[\w+\])?(?:(?:STDOUT|STDERR|ERROR|WARN|INFO|DEBUG|TRACE|ERRO|level=\w+|\[\w+\])\s+)?(?:\[[^\]"]*\]\s+)?(?:prefix=\S+\s+)?(?:[^\s"]*(?:terraform|tofu|opentofu):\s)?`)
	// toBox matches the text before a line of a box, such as a container, a unit, a job or a file.
	toBox  = regexp.MustCompile(`^([^│╷╵]{1,100}?)([│╷╵].*)$`)
	border = regexp.MustCompile(`\s*[│║┃]$`)
	box    = regexp.MustCompile(`^[\s>│╷╵║┃├└┌╭╰|]+`)
)

// undecorated returns a line without the text before and after it.
func undecorated(line string) string {
	for range 3 {
		if !decorated(line) {
			break
		}
		before := line
		for _, prefix := range []*regexp.Regexp{stamped, syslog, clock} {
			if at := prefix.FindStringIndex(line); at != nil {
				line = line[at[1]:]
				if !logLine.MatchString(line) {
					line = line[len(level.FindString(line)):]
				}
			}
		}
		if m := toBox.FindStringSubmatch(line); m != nil && !strings.Contains(m[1], "cty.") && strings.Trim(m[2], "│║┃ ") != "" {
			line = m[2]
		}
		line = line[len(box.FindString(line)):]
		if line == before {
			break
		}
	}
	if strings.HasSuffix(line, "│") || strings.HasSuffix(line, "║") || strings.HasSuffix(line, "┃") {
		line = border.ReplaceAllString(line, "")
	}
	return line
}

// decorated reports whether any text may precede a line. It is fast, because most lines of logs are
// irrelevant.
func decorated(line string) bool {
	if line == "" {
		return false
	}
	r, _ := utf8.DecodeRuneInString(line)
	begin := line[:min(len(line), 150)]
	return !unicode.IsLetter(r) || strings.ContainsAny(begin, "0123456789│╷╵|") || strings.Contains(begin, "Error: ")
}

// dropNumbers removes line numbers if most lines begin with one, and they are consecutive.
func dropNumbers(lines []string) {
	var at []int
	last, filled := -1, 0
	for i, line := range lines {
		if strings.TrimSpace(line) != "" {
			filled++
		}
		if m := numbered.FindStringSubmatch(line); m != nil {
			if n, _ := strconv.Atoi(m[1]); last < 0 || n == last+1 {
				at, last = append(at, i), n
			}
		}
	}
	if len(at) < 2 || 2*len(at) < filled {
		return
	}
	for _, i := range at {
		lines[i] = lines[i][len(numbered.FindString(lines[i])):]
	}
}

// errorLine matches the first line of an error, with the text before it.
var errorLine = regexp.MustCompile(`(?i)^([^│╷╵"]*?\S[^│╷╵"]*?)Error: (?:Provider (?:produced|returned) |Invalid resource|Plugin did not)`)

// sharedLines is the number of lines after the first line of an error that may have the same
// prefix.
const sharedLines = 60

// dropShared removes the text before the first line of an error from this line and the lines below
// it, such as the name of a container, a level or a number. Numbers and white space may differ.
func dropShared(lines []string) {
	for i, line := range lines {
		m := errorLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		shared, err := regexp.Compile(`^` + digits.ReplaceAllStringFunc(regexp.QuoteMeta(strings.TrimSpace(m[1])), func(s string) string {
			if s[0] == ' ' {
				return `\s+`
			}
			return `\d+`
		}) + `(?:\s|$)`)
		if err != nil {
			continue
		}
		last := ""
		for k := i; k < min(len(lines), i+sharedLines); k++ {
			begin := shared.FindString(strings.TrimLeft(lines[k], " \t"))
			if begin == "" || begin == last && onlyNumber.MatchString(begin) {
				continue
			}
			last = begin
			lines[k] = strings.TrimPrefix(strings.TrimLeft(lines[k], " \t"), begin)
		}
	}
}

var (
	digits     = regexp.MustCompile(`\d+| +`)
	onlyNumber = regexp.MustCompile(`^\d+\s*$`)
)

// A dense is a text without white space. Sentences can be found in it even if they are wrapped.
type dense struct {
	text   string
	from   string // the text with white space
	at     []int  // for each byte its offset in from
	lines  []line
	breaks []int // the offsets in from of the line breaks
}

func newDense(p part) dense {
	var b strings.Builder
	d := dense{from: p.text, at: make([]int, 0, len(p.text)+1), lines: p.lines}
	for i, r := range p.text {
		if r == '\n' {
			d.breaks = append(d.breaks, i)
		}
		if unicode.IsSpace(r) {
			continue
		}
		for k := range utf8.RuneLen(r) {
			d.at = append(d.at, i+k)
		}
		b.WriteRune(r)
	}
	d.text, d.at = b.String(), append(d.at, len(p.text))
	return d
}

// around returns the lines before and after the line break at an offset.
func (d dense) around(at int) (before, after line) {
	i, _ := slices.BinarySearch(d.breaks, at)
	return d.lines[i], d.lines[i+1]
}

// width returns the width of the line that ends at an offset.
func (d dense) width(at int) int {
	line, _ := d.around(at)
	return line.width
}

// indent returns the space at the beginning of the line after an offset, if the line before it has
// less space.
func (d dense) indent(at int) string {
	if before, after := d.around(at); after.prefix == " " || after.prefix == before.prefix+" " {
		return " "
	}
	return ""
}
