package explain

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// Terraform wraps lines between words. Such a line break stands for a space. Terminals wrap lines
// at any character, at a fixed width. Such a line break stands for nothing. One text may have both.

// A wrapping distinguishes both kinds of line breaks in a message.
type wrapping struct {
	dense
	hard int  // the width at which a terminal wrapped lines, or 0
	soft bool // a line break is certainly Terraform's
}

// wrappingOf determines the wrapping of the bytes from i to j of the dense text. Only a terminal
// breaks lines within words and within code. If no line break shows that, a terminal wrapped the
// lines if all but the last have the same width.
func (d dense) wrappingOf(i, j int, words map[string]bool) wrapping {
	w := wrapping{dense: d}
	if i >= j {
		return w
	}
	breaks, same := 0, true
	width := 0
	for at := d.at[i]; at < d.at[j-1]; at++ {
		if d.from[at] != '\n' {
			continue
		}
		before, after := d.from[:at], d.from[at+1:]
		l := d.width(at)
		if l == 0 || strings.HasPrefix(after, "\n") {
			continue // an empty line
		}
		breaks++
		same = same && (width == 0 || l == width)
		width = l
		first, last := lastWord(before), firstWord(after)
		switch {
		case d.indent(at) != "" || strings.HasSuffix(before, " ") && !strings.HasSuffix(before, "  "):
			w.hard = max(w.hard, l) // Terraform leaves no space at the end or the beginning of a line
		case first == "":
		case within(first, last, words):
			w.hard = max(w.hard, l)
		case words[trimmed(first)] && words[trimmed(last)]:
			w.soft = true
		}
	}
	switch {
	case w.hard > 0:
	case !same:
		w.soft = true
	case breaks >= 2 && !w.soft:
		w.hard = width
	}
	return w
}

// within reports whether a line break between two pieces is certainly within a word, within code,
// or within the address of a provider. Terraform writes spaces in code only after commas.
func within(first, last string, words map[string]bool) bool {
	if words[trimmed(first+last)] && !(words[trimmed(first)] && words[trimmed(last)]) {
		return true
	}
	if strings.HasPrefix(first, `"`) && unfinished.MatchString(first) {
		return true
	}
	i := strings.Index(first, "cty.")
	return i >= 0 && strings.Count(first, `"`)%2 == 0 && !strings.HasSuffix(first, ",") && codeEnd(first[i:]) == 0
}

// unfinished matches the beginning of the address of a provider.
var unfinished = regexp.MustCompile(`^"(?:provider\[\\?"?)?[\w.-]+(?:/[\w-]*)*$`)

// between returns the text that the line break at an offset stands for.
func (w wrapping) between(at int) string {
	if w.hard == 0 || w.width(at) != w.hard {
		return " "
	}
	return w.indent(at)
}

// joined returns the bytes from i to j, which are a value, an address or a path, on one line. It
// removes white space outside of quotes. Inside of quotes it replaces line breaks with the text
// from between.
func (w wrapping) joined(i, j int) string {
	if i >= j {
		return ""
	}
	var b strings.Builder
	quoted, opened := false, 0
	end := w.at[j-1] + 1
	for at := w.at[i]; at < end; {
		r, n := utf8.DecodeRuneInString(w.from[at:])
		switch {
		case r == '"':
			if quoted = !quoted; quoted {
				opened = at
			}
		case r == '\\' && at+1 < end && w.from[at+1] != '\n':
			_, more := utf8.DecodeRuneInString(w.from[at+1:])
			n += more
		case r == '\n' && quoted:
			before, after := w.from[opened:at], w.from[at+1:]
			edge := before == `"` || strings.HasPrefix(after, `"`)
			key := !w.soft && w.hard == 0 && opened > 0 && w.from[opened-1] == '['
			if !edge && !key {
				b.WriteString(w.between(at))
			}
			for at+n < end && w.from[at+n] == '\n' {
				n++
			}
			at += n
			continue
		case !quoted && strings.ContainsRune(" \t\n", r):
			at += n
			continue
		}
		b.WriteString(w.from[at:min(at+n, end)])
		at += n
	}
	return b.String()
}

// sentence returns the bytes from i to j on one line.
func (w wrapping) sentence(i, j int) string {
	if i >= j {
		return ""
	}
	var b strings.Builder
	for at := w.at[i]; at <= w.at[j-1]; at++ {
		if w.from[at] == '\n' {
			b.WriteString(w.between(at))
		} else {
			b.WriteByte(w.from[at])
		}
	}
	return strings.TrimSpace(spaces.ReplaceAllString(b.String(), " "))
}

var spaces = regexp.MustCompile(`\s+`)

func trimmed(word string) string { return strings.ToLower(strings.Trim(word, `.,:;"'()`)) }

func lastWord(text string) string {
	return text[strings.LastIndexAny(text, " \n")+1:]
}

func firstWord(text string) string {
	if i := strings.IndexAny(text, " \n"); i >= 0 {
		return text[:i]
	}
	return text
}
