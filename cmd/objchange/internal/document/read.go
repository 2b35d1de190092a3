package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"

	stdjson "encoding/json"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/objchange/objchange/cmd/objchange/internal/report"
)

// MaxSize is how large a document may be. One takes up to thirty times the
// memory of its text.
const MaxSize = 128 << 20

// A Reader reads documents. It keeps the files of schemas that they refer to.
type Reader struct{ files map[string]schemaFile }

// Read reads the documents of a file one by one: a document, an array of them,
// or several one after the other. A document that cannot be used is an *Error,
// after which the next follows; one in the JSON itself ends the file.
func (r *Reader) Read(file string, in io.Reader) iter.Seq2[*Document, error] {
	return func(yield func(*Document, error) bool) {
		s := scanner{lines: &lines{in: in, limit: MaxSize}, place: report.Place{File: file}}
		s.dec = jsontext.NewDecoder(s.lines)
		n := 0
		for data, err := range s.all() {
			var d *Document
			if err == nil {
				n++
				d, err = r.document(s.place, n, data)
			}
			if !yield(d, err) {
				return
			}
		}
		if n == 0 && !s.failed {
			yield(nil, &Error{Place: report.Place{File: file}, Reason: "there is no document in it"})
		}
	}
}

// A scanner finds documents in a file.
type scanner struct {
	dec    *jsontext.Decoder
	lines  *lines
	place  report.Place // of the document at hand
	failed bool
}

// all yields the JSON of each document, and ends with an error if there is one.
func (s *scanner) all() iter.Seq2[any, error] {
	return func(yield func(any, error) bool) {
		for {
			if s.peek() == '[' {
				if !s.array(yield) {
					return
				}
				continue
			}
			data, err := s.next("")
			if err == io.EOF || !yield(data, err) || err != nil {
				return
			}
		}
	}
}

// array yields the documents in an array. It reports whether to go on.
func (s *scanner) array(yield func(any, error) bool) bool {
	if _, err := s.dec.ReadToken(); err != nil {
		return yield(nil, s.syntax(err)) && false
	}
	for i := 0; s.peek() != ']'; i++ {
		data, err := s.next("/" + strconv.Itoa(i))
		if !yield(data, err) || err != nil {
			return false
		}
	}
	_, err := s.dec.ReadToken()
	return err == nil || yield(nil, s.syntax(err)) && false
}

// peek tells how what comes next begins. From here on that may be MaxSize long.
func (s *scanner) peek() jsontext.Kind {
	s.lines.limit = s.dec.InputOffset() + MaxSize
	return s.dec.PeekKind()
}

// next reads the document at the pointer, which peek has seen.
func (s *scanner) next(pointer string) (any, error) {
	s.place.Pointer = pointer
	start := s.dec.InputOffset() + int64(len(s.dec.UnreadBuffer())-len(bytes.TrimLeft(s.dec.UnreadBuffer(), " \t\r\n,")))
	var data any
	err := json.UnmarshalDecode(s.dec, &data, json.WithUnmarshalers(json.UnmarshalFromFunc(exactNumber)))
	if err == nil {
		s.place.Line = s.lines.at(start)
		return data, nil
	}
	if err == io.EOF && pointer == "" {
		return nil, io.EOF
	}
	return nil, s.syntax(err)
}

// exactNumber keeps a number as it is written.
func exactNumber(dec *jsontext.Decoder, data *any) error {
	if dec.PeekKind() != '0' {
		return json.SkipFunc
	}
	token, err := dec.ReadToken()
	if err == nil {
		*data = stdjson.Number(token.String())
	}
	return err
}

// syntax returns an error with the line. It shows nothing of the document,
// where any name may be sensitive.
func (s *scanner) syntax(err error) error {
	s.failed = true
	at := &Error{Place: s.place, Reason: "cannot be read"}
	at.Place.Line = s.lines.at(s.dec.InputOffset())
	syntactic := new(jsontext.SyntacticError)
	if errors.As(err, &syntactic) {
		at.Place.Line = s.lines.at(syntactic.ByteOffset)
		err = syntactic.Err
	}
	switch {
	case errors.Is(err, errTooLarge):
		at.Reason = errTooLarge.Error()
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		at.Reason = "the JSON ends too early"
	case errors.Is(err, jsontext.ErrDuplicateName):
		at.Reason = "the JSON has a name twice in one object"
	case syntactic.Err != nil:
		at.Reason = "not JSON: " + err.Error()
	case errors.Unwrap(err) != nil:
		at.Reason = errors.Unwrap(err).Error()
	}
	return at
}

var errTooLarge = fmt.Errorf("the document is larger than %d MB", MaxSize>>20)

// lines reads and keeps where the lines begin.
type lines struct {
	in     io.Reader
	read   int64
	limit  int64 // how far to read on
	passed int   // lines that have been asked for
	breaks []int64
}

func (l *lines) Read(p []byte) (int, error) {
	if l.read >= l.limit {
		return 0, errTooLarge
	}
	n, err := l.in.Read(p[:min(int64(len(p)), l.limit-l.read)])
	for rest, at := p[:n], l.read; ; {
		i := bytes.IndexByte(rest, '\n')
		if i < 0 {
			break
		}
		at += int64(i) + 1
		l.breaks = append(l.breaks, at)
		rest = rest[i+1:]
	}
	l.read += int64(n)
	return n, err
}

// at returns the line, from 1, of an offset that is not before the last one.
func (l *lines) at(offset int64) int {
	i := 0
	for i < len(l.breaks) && l.breaks[i] <= offset {
		i++
	}
	l.breaks = l.breaks[i:]
	l.passed += i
	return l.passed + 1
}
