// Package terminal is what a command knows of the terminal it runs in: whether
// there is one, how wide it is, and whether it wants colour.
package terminal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
	"golang.org/x/term"
)

// ErrNoTerminal says that there is nobody to ask.
var ErrNoTerminal = errors.New("not on a terminal, so there is nobody to ask")

// A Terminal is where a command reads and writes. Each of the three may be one,
// or a file or a pipe.
type Terminal struct {
	in          *bufio.Reader // nil if it is no terminal
	out, errOut io.Writer
	style       *termenv.Output
}

// New returns the terminal of these streams. Whether there is colour is asked
// of the environment now: NO_COLOR, CLICOLOR, CLICOLOR_FORCE and TERM.
func New(in io.Reader, out, errOut io.Writer) *Terminal {
	t := &Terminal{out: out, errOut: errOut}
	if _, ok := file(in); ok {
		t.in = bufio.NewReader(in)
	}
	styled := out
	if dumb() {
		styled = struct{ io.Writer }{out} // so that only CLICOLOR_FORCE makes colour
	}
	t.style = termenv.NewOutput(styled, termenv.WithProfile(termenv.NewOutput(styled).EnvColorProfile()))
	return t
}

// file returns the file that the stream is, if that is a terminal.
func file(stream any) (*os.File, bool) {
	f, ok := stream.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd()))
}

func dumb() bool { return os.Getenv("TERM") == "dumb" }

// Colour reports whether what is written may have colour.
func (t *Terminal) Colour() bool { return t.style.Profile != termenv.Ascii }

// Width returns how many columns a line of output has, or 0 if there is no end
// to them, as in a file or a pipe.
func (t *Terminal) Width() int {
	f, ok := file(t.out)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// Wrap breaks the text between words where a line of output ends. Each line but
// the first begins with so many spaces. Without a width nothing is broken.
func (t *Terminal) Wrap(text string, indent int) string { return wrap(text, t.Width(), indent) }

// Prose breaks the text likewise, and where there is no width at one that is good
// to read.
func (t *Terminal) Prose(text string) string {
	const readable = 100
	if width := t.Width(); width > 0 {
		return wrap(text, width, 0)
	}
	return wrap(text, readable, 0)
}

func wrap(text string, width, indent int) string {
	// A line too narrow to read is better broken by the terminal itself.
	const narrow = 20
	if width-indent < narrow {
		return text
	}
	margin := "\n" + strings.Repeat(" ", indent)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		room := width - indent
		if i == 0 {
			room = width
		}
		lines[i] = wrapLine(line, room, width-indent, margin)
	}
	return strings.Join(lines, margin)
}

var word = regexp.MustCompile(`\s*\S+`)

// wrapLine breaks a line where the room for its first line ends, or that for the
// others. A word is never broken, not even at a hyphen, so that names stay whole.
func wrapLine(line string, first, others int, margin string) string {
	var b strings.Builder
	left := first
	for i, w := range word.FindAllString(line, -1) {
		width := ansi.StringWidth(w)
		if i > 0 && width > left {
			w = strings.TrimLeft(w, " ")
			width, left = ansi.StringWidth(w), others
			b.WriteString(margin)
		}
		b.WriteString(w)
		left -= width
	}
	return b.String()
}

// The styles return the text as it is when there is no colour.

// Good is the style of what is well, or added.
func (t *Terminal) Good(s string) string { return t.colour(termenv.ANSIGreen, s) }

// Bad is the style of what is wrong, or removed.
func (t *Terminal) Bad(s string) string { return t.colour(termenv.ANSIRed, s) }

// Warn is the style of what may be wrong, or changes.
func (t *Terminal) Warn(s string) string { return t.colour(termenv.ANSIYellow, s) }

// Dim is the style of what matters less.
func (t *Terminal) Dim(s string) string { return styled(t.style.String(s).Faint(), s) }

// Bold is the style of what matters more.
func (t *Terminal) Bold(s string) string { return styled(t.style.String(s).Bold(), s) }

func (t *Terminal) colour(c termenv.Color, s string) string {
	return styled(t.style.String(s).Foreground(c), s)
}

func styled(style termenv.Style, s string) string {
	if s == "" {
		return ""
	}
	return style.String()
}

// Progress shows the text where people see errors, in the place of what it showed before, if
// that is a terminal. With "" nothing is left of it.
func (t *Terminal) Progress(text string) {
	f, ok := file(t.errOut)
	if !ok || dumb() {
		return
	}
	if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
		text = ansi.Truncate(text, width-1, "")
	}
	fmt.Fprint(f, "\r"+text+ansi.EraseLineRight)
}

// Mirror returns a reader that also shows what it reads where people see errors, if that is a
// terminal: the questions of a program that writes to a pipe. Control characters are not shown.
func (t *Terminal) Mirror(in io.Reader) io.Reader {
	if f, ok := file(t.errOut); ok {
		return io.TeeReader(in, harmless{f})
	}
	return in
}

// A harmless writer replaces the control characters that a terminal would act on.
type harmless struct{ to io.Writer }

func (h harmless) Write(text []byte) (int, error) {
	shown := bytes.Clone(text)
	for i, c := range shown {
		if (c < ' ' || c == 0x7f) && c != '\n' && c != '\r' && c != '\t' {
			shown[i] = '?'
		}
	}
	_, err := h.to.Write(shown)
	return len(text), err
}

// Confirm asks the question and reports whether the answer is yes. It returns
// ErrNoTerminal when nobody can answer, or nobody sees the question.
func (t *Terminal) Confirm(question string) (bool, error) {
	if _, ok := file(t.errOut); t.in == nil || !ok {
		return false, ErrNoTerminal
	}
	fmt.Fprintf(t.errOut, "%s [y/N] ", question)
	answer, err := t.in.ReadString('\n')
	if err != nil && err != io.EOF {
		return false, err
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return true, nil
	}
	return false, nil
}
