package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"sync"
)

// An output is the destination of a command's output. It prevents lines that GitHub Actions takes
// for workflow commands: lines that begin with :: after white space, and lines that contain ##[. It
// writes the last character of these as an escape of Go and JSON, so JSON still has the same value.
type output struct {
	to     io.Writer
	mu     sync.Mutex // an interrupt may print at the same time
	line   lineState
	hashes int   // number of preceding hashes
	failed error // the first error, which cobra discards
}

// A lineState describes the current line so far.
type lineState int

const (
	blank    lineState = iota // only white space
	oneColon                  // white space and one colon
	harmless
)

func (o *output) Write(text []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	written := 0
	for i, c := range text {
		if o.see(c) {
			escaped := fmt.Appendf(nil, `\u%04x`, c)
			if err := errors.Join(o.pass(text[written:i]), o.pass(escaped)); err != nil {
				return written, err
			}
			written = i + 1
		}
	}
	if err := o.pass(text[written:]); err != nil {
		return written, err
	}
	return len(text), nil
}

// see reports whether the next character completes a workflow command. White space may have several
// bytes, which are not ASCII then.
func (o *output) see(c byte) (obeyed bool) {
	obeyed = c == ':' && o.line == oneColon || c == '[' && o.hashes >= 2
	switch {
	case c == '\n' || c == '\r':
		o.line = blank
	case o.line != blank || c > ' ' && c < 0x7f && c != ':':
		o.line = harmless
	case c == ':':
		o.line = oneColon
	}
	if o.hashes++; c != '#' {
		o.hashes = 0
	}
	return obeyed
}

func (o *output) pass(text []byte) error {
	if len(text) == 0 {
		return nil
	}
	_, err := o.to.Write(text)
	o.failed = cmp.Or(o.failed, err)
	return err
}
