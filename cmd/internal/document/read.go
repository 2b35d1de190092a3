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
	"github.com/objchange/objchange/cmd/internal/files"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/jsonpos"
	"github.com/objchange/objchange/internal/pointer"
)

// MaxSize is the maximum size of a document.
const MaxSize = 16 << 20

var errTooLarge = files.TooLarge("the document", MaxSize)

// A Reader reads documents. It caches the files of schemas that they refer to.
type Reader struct {
	// Open opens a file of schemas by its path relative to the current folder. If Open is nil, the
	// file must be a regular file.
	Open func(name string) (io.ReadCloser, error)

	files    map[string]schemaFile
	compiled map[*configschema.Block]*objchange.Schema // the schemas of those files that documents used
}

// Read returns the documents of a file one by one. A file has a document, an array of documents, or
// several of them one after the other. A document that cannot be used is an *Error, and the next
// one follows. An error in the JSON itself is the last result.
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
					yield(nil, &Error{Place: place, Reason: "it contains no document"})
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

// syntax returns the error for invalid JSON in a document.
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

// shownPointer returns the pointer to an object in a document in the form to show it. A pointer
// into the schema is complete. A pointer into a value ends at the attribute or block, because keys
// of maps may be sensitive.
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

// Lines returns the documents of a file with one document per line. It reads the next line only
// when the caller is done with the document. A line that cannot be used is an *Error, and the next
// one follows. Blank lines are ignored.
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

// line returns the only document in a line. It is the n-th of the file.
func (r *Reader) line(at report.Place, n int, line []byte) (*Document, error) {
	value, begin, unusable := single(at, bytes.NewReader(line), "the line contains more than one document")
	if unusable == nil {
		begin.Line = at.Line
		return r.document(at, n, value, begin)
	}
	unusable.Name, unusable.Place.Line = unnamed(n), at.Line
	return nil, unusable
}

// single returns the only value in a text, and its position.
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

// nextLine returns a line without white space at its end. It reads a line that is too large to its
// end and discards it.
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
