package terminal

import (
	"io"

	"github.com/charmbracelet/x/ansi"
)

// A Line is shown while something goes on, each time in the place of what it was. A nil
// one shows nothing.
type Line struct {
	out  io.Writer
	text string
}

// Line returns a line on errOut, if that is a terminal.
func (t *Terminal) Line() *Line {
	if _, ok := file(t.errOut); !ok || dumb() {
		return nil
	}
	return &Line{out: t.errOut}
}

// Show shows the text, which has no line break, if it is another than before.
func (l *Line) Show(text string) {
	if l != nil && text != l.text {
		_, _ = io.WriteString(l.out, "\r"+ansi.EraseLineRight+text) // what cannot be shown is no reason to stop
		l.text = text
	}
}

// Done takes away what is shown.
func (l *Line) Done() { l.Show("") }
