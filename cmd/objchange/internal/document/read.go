package document

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/files"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/jsonpos"
	"github.com/objchange/objchange/internal/pointer"
)

// MaxSize is how large a document may be.
const MaxSize = 16 << 20

var errTooLarge = files.TooLarge("the document", MaxSize)

// A Reader reads documents. It keeps the files of schemas that they refer to.
type Reader struct {
	// Open opens a file of schemas, by its name from where the command runs. Without
	// it, that is a regular file.
	Open func(name string) (io.ReadCloser, error)

	files    map[string]schemaFile
	compiled map[*configschema.Block]*objchange.Schema // those in the files that documents used
}

// Read reads the documents of a file one by one: a document, an array of them,
// or several one after the other. A document that cannot be used is an *Error,
// after which the next follows. After an error in the JSON itself the file ends.
func (r *Reader) Read(file string, in io.Reader) iter.Seq2[*Document, error] {
	return func(yield func(*Document, error) bool) {
		text := jsonpos.NewReader(jsonpos.PlainText(in))
		n := 0
		for {
			if kind := text.PeekKind(); kind == '[' && text.StackDepth() == 0 || kind == ']' {
				if _, err := text.ReadToken(); err != nil {
					yield(nil, syntax(report.Place{File: file}, text.Error(err)))
					return
				}
				continue
			}
			place := report.Place{File: file, Pointer: string(text.StackPointer())}
			if text.StackDepth() > 0 {
				_, i := text.StackIndex(text.StackDepth())
				place.Pointer = fmt.Sprintf("/%d", i)
			}
			value, at, err := text.Value(MaxSize, errTooLarge)
			switch {
			case err == io.EOF && text.StackDepth() == 0:
				if n == 0 {
					yield(nil, &Error{Place: place, Reason: "there is no document in it"})
				}
				return
			case err != nil:
				yield(nil, syntax(place, text.Error(err)))
				return
			}
			n++
			if !yield(r.document(place, n, value, at)) {
				return
			}
		}
	}
}

// syntax returns what is wrong with the JSON of a file at the place of a document.
func syntax(place report.Place, err error) *Error {
	unusable := &Error{Place: place, Reason: err.Error()}
	if at := new(jsonpos.Error); errors.As(err, &at) {
		unusable.Place.Line = at.Line
		if at.Err == jsonpos.ErrEmpty {
			unusable.Reason = "the JSON ends too early"
		}
		if at.Reason == jsonpos.DuplicateName {
			unusable.Place.Pointer = shownPointer(place.Pointer, at.Pointer)
		}
	}
	return unusable
}

// shownPointer returns how to show the pointer of an object in a document: whole
// in its schema, and in a value no further than to the attribute or block, since
// keys of maps may be sensitive.
func shownPointer(document string, object jsontext.Pointer) string {
	tokens := slices.Collect(jsontext.Pointer(strings.TrimPrefix(string(object), document)).Tokens())
	if len(tokens) > 2 && tokens[0] != "schema" {
		tokens = tokens[:2]
	}
	if len(tokens) > 1 && strings.HasPrefix(tokens[1], "$") {
		tokens = tokens[:1]
	}
	return document + pointer.New(tokens...)
}

// Lines reads documents of which each is a line. It reads a line when the document
// before it is done with. A line that cannot be used is an *Error, after which the next
// line follows. Blank lines are ignored.
func (r *Reader) Lines(file string, in io.Reader) iter.Seq2[*Document, error] {
	return func(yield func(*Document, error) bool) {
		text := bufio.NewReader(jsonpos.PlainText(in))
		n := 0
		for at := (report.Place{File: file, Line: 1}); ; at.Line++ {
			line, err := nextLine(text)
			if err == io.EOF {
				return
			}
			if err == nil && len(line) == 0 {
				continue
			}
			n++
			var d *Document
			if err == nil {
				d, err = r.line(at, n, line)
			} else if err != errTooLarge {
				yield(nil, &Error{Place: at, Reason: err.Error()})
				return
			} else {
				err = &Error{Name: unnamed(n), Place: at, Reason: err.Error()}
			}
			if !yield(d, err) {
				return
			}
		}
	}
}

// line reads the only document in a line, the n-th of a file.
func (r *Reader) line(at report.Place, n int, line []byte) (*Document, error) {
	value, begin, unusable := single(at, bytes.NewReader(line), "there is more than one document in the line")
	if unusable == nil {
		begin.Line = at.Line
		return r.document(at, n, value, begin)
	}
	unusable.Name, unusable.Place.Line = unnamed(n), at.Line
	return nil, unusable
}

// single reads the only value in a text, and its position.
func single(place report.Place, in io.Reader, several string) (jsontext.Value, jsonpos.Position, *Error) {
	text := jsonpos.NewReader(in)
	value, at, err := text.Value(MaxSize, errTooLarge)
	if err != nil {
		return nil, at, syntax(place, text.Error(err))
	}
	switch _, err := text.ReadToken(); err {
	case io.EOF:
		return value, at, nil
	case nil:
		return nil, at, &Error{Place: place, Reason: several}
	default:
		return nil, at, syntax(place, text.Error(err))
	}
}

// nextLine reads a line without white space at its end. One that is too large is read to
// its end, and not kept.
func nextLine(text *bufio.Reader) (line []byte, err error) {
	for tooLarge := false; ; {
		part, err := text.ReadSlice('\n')
		if tooLarge = tooLarge || len(line)+len(part) > MaxSize; tooLarge {
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
			err = nil
		}
		return bytes.TrimRightFunc(line, unicode.IsSpace), err
	}
}
