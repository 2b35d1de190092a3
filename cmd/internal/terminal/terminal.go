// Package terminal provides the properties of the terminal of a command: whether there is one, its
// width, and its colours.
package terminal

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
	"golang.org/x/term"
)

// A Terminal has the output streams of a command. Each may be a terminal, a file or a pipe.
type Terminal struct {
	out, errOut io.Writer
	style       *termenv.Output
	printed     time.Time // when Progress printed a line, or the start
}

// New returns the Terminal for the streams. It determines now whether to use colour, from the
// environment variables NO_COLOR, CLICOLOR, CLICOLOR_FORCE and TERM.
func New(out, errOut io.Writer) *Terminal {
	t := &Terminal{out: out, errOut: errOut, printed: time.Now()}
	styled := out
	if dumb() {
		styled = struct{ io.Writer }{out} // then only CLICOLOR_FORCE enables colour
	}
	t.style = termenv.NewOutput(styled, termenv.WithProfile(termenv.NewOutput(styled).EnvColorProfile()))
	return t
}

// file returns the stream as a file if it is a terminal.
func file(stream any) (*os.File, bool) {
	f, ok := stream.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd()))
}

func dumb() bool { return os.Getenv("TERM") == "dumb" }

// Width returns the number of columns of the output, or 0 if it is not a terminal.
func (t *Terminal) Width() int { return columns(t.out) }

func columns(stream any) int {
	f, ok := file(stream)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// Wrap breaks the text between words at the width of the output. All lines but the first are
// indented by the given number of spaces. If the output has no width, Wrap returns the text
// unchanged.
func (t *Terminal) Wrap(text string, indent int) string { return wrap(text, t.Width(), indent) }

// Prose breaks the text in the same way. If the output has no width, it uses a width that is easy
// to read.
func (t *Terminal) Prose(text string) string {
	const readable = 100
	return wrap(text, cmp.Or(t.Width(), readable), 0)
}

func wrap(text string, width, indent int) string {
	// If the lines would be very narrow, the terminal breaks them better.
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

// wrapLine breaks a line at the width for its first line, and then at the width for the others. It
// does not break words, even at hyphens, so names stay whole.
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

// The styles return the text unchanged if there is no colour.

// Good returns the text in the style for success and additions.
func (t *Terminal) Good(s string) string { return t.colour(termenv.ANSIGreen, s) }

// Bad returns the text in the style for errors and removals.
func (t *Terminal) Bad(s string) string { return t.colour(termenv.ANSIRed, s) }

// Warn returns the text in the style for warnings and changes.
func (t *Terminal) Warn(s string) string { return t.colour(termenv.ANSIYellow, s) }

// Dim returns the text in the style for less important text.
func (t *Terminal) Dim(s string) string { return styled(t.style.String(s).Faint(), s) }

// Bold returns the text in the style for more important text.
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

// pace is the time between two lines of Progress without a terminal.
const pace = 30 * time.Second

// Progress shows the text on standard error in place of the previous one, if standard error is a
// terminal. The text "" removes it. Without a terminal, it prints a line every 30 seconds at most.
func (t *Terminal) Progress(text string) {
	f, ok := file(t.errOut)
	if !ok || dumb() {
		if text != "" && time.Since(t.printed) >= pace {
			t.printed = time.Now()
			fmt.Fprintln(t.errOut, text)
		}
		return
	}
	if width := columns(f); width > 0 {
		text = ansi.Truncate(text, width-1, "")
	}
	fmt.Fprint(f, "\r"+text+ansi.EraseLineRight)
}

// Mirror returns a reader that also shows its input on standard error, if that is a terminal. It
// shows the questions of a program that writes to a pipe. Control characters are replaced.
func (t *Terminal) Mirror(in io.Reader) io.Reader {
	if f, ok := file(t.errOut); ok {
		return io.TeeReader(in, harmless{f})
	}
	return in
}

// A harmless is a writer that replaces the control characters that a terminal would act on.
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
