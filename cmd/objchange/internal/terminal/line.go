package terminal

import (
	"fmt"
	"io"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// A Line is shown while something goes on, and replaced each time. A nil one shows
// nothing.
type Line struct {
	out  io.Writer
	text string
}

// Line returns a line on errOut, or nil if that is not a terminal.
func (t *Terminal) Line() *Line {
	if _, ok := file(t.errOut); !ok || dumb() {
		return nil
	}
	return &Line{out: t.errOut}
}

// Show shows the text, which has no line break, if it differs from the last one.
func (l *Line) Show(text string) {
	if l != nil && text != l.text {
		_, _ = io.WriteString(l.out, "\r"+ansi.EraseLineRight+text) // what cannot be shown is no reason to stop
		l.text = text
	}
}

// Done removes what is shown.
func (l *Line) Done() { l.Show("") }

// A Progress shows on a line how far a reader is.
type Progress struct {
	line        *Line
	what        string
	done, total int64
	next        time.Time // when to show it
}

// Progress returns a progress of reading total bytes, of which it shows the part that is
// read after what. A total that is not positive is unknown. Nothing is shown in the first
// second.
func (t *Terminal) Progress(total int64, what string) *Progress {
	return &Progress{line: t.Line(), what: what, total: total, next: time.Now().Add(time.Second)}
}

// Add adds n bytes that are read.
func (p *Progress) Add(n int64) {
	p.done += n
	now := time.Now()
	if now.Before(p.next) {
		return
	}
	p.next = now.Add(time.Second / 10)
	if p.total > 0 {
		p.line.Show(fmt.Sprintf("%s: %d %%", p.what, 100*min(p.done, p.total)/p.total))
	} else {
		p.line.Show(fmt.Sprintf("%s: %d MB", p.what, p.done>>20))
	}
}

// Done removes what is shown.
func (p *Progress) Done() { p.line.Done() }
