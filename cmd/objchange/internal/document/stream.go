package document

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"

	"github.com/objchange/objchange/cmd/objchange/internal/report"
)

// Lines reads documents of which each is a line, and waits for no line before what
// the last one gave is done with. A line that cannot be used is an *Error, after which
// the next follows; blank ones are passed over.
func (r *Reader) Lines(file string, in io.Reader) iter.Seq2[*Document, error] {
	return func(yield func(*Document, error) bool) {
		text := bufio.NewReader(PlainText(in))
		n := 0
		for at := (report.Place{File: file, Line: 1}); ; at.Line++ {
			line, err := nextLine(text)
			if err == io.EOF {
				return
			}
			if err != nil && err != errTooLarge {
				yield(nil, &Error{Place: at, Reason: err.Error()})
				return
			}
			line = bytes.TrimSpace(line)
			if err == nil && len(line) == 0 {
				continue
			}
			var d *Document
			if err == nil {
				d, err = r.line(at, n, line)
			} else {
				err = &Error{Name: unnamed(n + 1), Place: at, Reason: err.Error()}
			}
			n++
			if !yield(d, err) {
				return
			}
		}
	}
}

// line reads the only document in a line, after so many others.
func (r *Reader) line(at report.Place, before int, text []byte) (d *Document, err error) {
	n := 0
	for d, err = range r.readFrom(at, before, bytes.NewReader(text)) {
		if n++; n > 1 {
			d, err = nil, &Error{Place: at, Reason: "there is more than one document in the line"}
			break
		}
	}
	if unusable := new(Error); errors.As(err, &unusable) && unusable.Name == "" {
		unusable.Name = unnamed(before + 1)
	}
	return d, err
}

// nextLine reads a line. One that is too large is read to its end, and not kept.
func nextLine(text *bufio.Reader) (line []byte, err error) {
	tooLarge := false
	for {
		part, err := text.ReadSlice('\n')
		tooLarge = tooLarge || len(line)+len(part) > MaxSize
		if tooLarge {
			line = nil
		} else {
			line = append(line, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case tooLarge && (err == nil || err == io.EOF):
			return nil, errTooLarge
		case err == io.EOF && len(line) > 0:
			return line, nil
		}
		return line, err
	}
}
