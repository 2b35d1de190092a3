package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	stdjson "encoding/json"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/objchange/objchange/cmd/objchange/internal/files"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
)

// MaxSize is how large a document may be. One takes up to eight times the memory of
// its text where values have much in common, as in BenchmarkCheck, and up to forty
// times if it is one value of small numbers.
const MaxSize = 128 << 20

// A Reader reads documents. It keeps the files of schemas that they refer to.
type Reader struct {
	// Open opens a file of schemas, by its name from where the command runs. Without
	// it, that is a regular file.
	Open func(name string) (io.ReadCloser, error)

	files map[string]schemaFile
	root  string // the pointer to what the file is, if that is not the document
}

// Read reads the documents of a file one by one: a document, an array of them,
// or several one after the other. A document that cannot be used is an *Error,
// after which the next follows. After one in the JSON itself that is the next
// line that begins a document, if there is one, and else the file ends.
func (r *Reader) Read(file string, in io.Reader) iter.Seq2[*Document, error] {
	return r.readFrom(report.Place{File: file}, 0, PlainText(in))
}

// readFrom reads what begins at the place, after so many documents.
func (r *Reader) readFrom(place report.Place, before int, in io.Reader) iter.Seq2[*Document, error] {
	return func(yield func(*Document, error) bool) {
		s := scanner{lines: &lines{in: in, limit: MaxSize, passed: max(place.Line-1, 0)}, place: place}
		s.dec = jsontext.NewDecoder(s.lines)
		n := before
		for data, err := range s.all() {
			var d *Document
			n++
			if err == nil {
				d, err = r.document(s.place, n, data, s.values)
			} else if broken := new(Error); s.again && errors.As(err, &broken) {
				broken.Name = unnamed(n)
			}
			if !yield(d, err) {
				return
			}
		}
		if n == before {
			yield(nil, &Error{Place: place, Reason: "there is no document in it"})
		}
	}
}

// A scanner finds documents in a file.
type scanner struct {
	dec   *jsontext.Decoder
	base  int64 // the offset at which the decoder began
	lines *lines
	place report.Place // of the document at hand
	start int64        // its offset
	again bool         // there is more to read after an error

	depth  int               // how deep in the file the document is
	spans  map[string]span   // where its values are
	values map[string][]byte // their text, once it is read to its end
}

// A span is a part of the file.
type span struct{ from, to int64 }

// all yields the JSON of each document, and ends with an error that there is no
// going on after.
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
			if err == io.EOF || !yield(data, err) || err != nil && !s.again {
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
	s.lines.keep(s.offset())
	return s.dec.PeekKind()
}

// offset is how far the decoder has come.
func (s *scanner) offset() int64 { return s.base + s.dec.InputOffset() }

// next reads the document at the pointer, which peek has seen.
func (s *scanner) next(pointer string) (any, error) {
	s.place.Pointer = pointer
	s.again = false
	s.start = s.offset() + int64(len(s.dec.UnreadBuffer())-len(bytes.TrimLeft(s.dec.UnreadBuffer(), " \t\r\n,")))
	s.depth, s.spans = s.dec.StackDepth(), map[string]span{}
	var data any
	err := json.UnmarshalDecode(s.dec, &data, json.WithUnmarshalers(json.UnmarshalFromFunc(s.part)))
	if err == nil {
		s.place.Line = s.lines.at(s.start)
		s.values = map[string][]byte{}
		for name, at := range s.spans { // each for itself, since each is soon done with
			s.values[name] = bytes.Clone(trimmed(s.lines.kept[at.from-s.lines.first() : at.to-s.lines.first()]))
		}
		s.lines.keep(s.offset())
		return data, nil
	}
	if err == io.EOF && pointer == "" {
		return nil, io.EOF
	}
	return nil, s.syntax(err)
}

// part passes over the values of the document, which may be large: they are read one
// by one as they are made.
func (s *scanner) part(dec *jsontext.Decoder, data *any) error {
	if dec.StackDepth() != s.depth+1 || !valueNames[dec.StackPointer().LastToken()] {
		return exactNumber(dec, data)
	}
	name, from := dec.StackPointer().LastToken(), s.offset()
	err := dec.SkipValue()
	s.spans[name] = span{from, s.offset()}
	return err
}

// exactNumber keeps a number as it is written.
func exactNumber(dec *jsontext.Decoder, data *any) error {
	if dec.PeekKind() != '0' {
		return json.SkipFunc
	}
	token, err := dec.ReadToken()
	if err != nil {
		return err
	}
	if *data = stdjson.Number(token.String()); len(token.String()) > len(longNumber) {
		*data = longNumber
	}
	return nil
}

// longNumber stands for all numbers longer than it. None of a third of its length is
// taken for a value, and to compare them takes time that grows with the square.
var longNumber = stdjson.Number(strings.Repeat("9", 30_000))

// syntax returns an error with the line. It shows nothing of the document,
// where any name may be sensitive.
func (s *scanner) syntax(err error) error {
	at := &Error{Place: s.place, Reason: "cannot be read"}
	offset := s.offset()
	syntactic := new(jsontext.SyntacticError)
	broken := errors.As(err, &syntactic)
	if broken {
		offset = s.base + syntactic.ByteOffset
		err = syntactic.Err
	}
	at.Place.Line = s.lines.at(offset)
	switch {
	case errors.Is(err, errTooLarge):
		at.Reason = errTooLarge.Error()
	case errors.Is(err, errUTF16):
		at.Reason = errUTF16.Error()
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		at.Reason = "the JSON ends too early"
	case errors.Is(err, jsontext.ErrDuplicateName):
		at.Reason = "the JSON has a name twice in one object"
		at.Place.Pointer = shownPointer(s.place.Pointer, syntactic.JSONPointer.Parent())
	case syntactic.Err != nil:
		at.Reason = "not JSON: " + err.Error()
		if s.lines.byteAt(offset) == '\\' { // of a broken escape it shows what follows, too
			at.Reason = fmt.Sprintf("not JSON: broken escape in a string, after byte %d", offset)
		}
	case errors.Unwrap(err) != nil:
		at.Reason = errors.Unwrap(err).Error()
	}
	if broken {
		s.goOn(at, offset)
	}
	return at
}

// goOn makes the scanner ready for the next line that begins a document, which
// is an object with more of it on that line. The error is at the offset. A file
// with an array, or with documents of several lines, is not read on.
func (s *scanner) goOn(at *Error, offset int64) {
	next := int64(-1)
	if s.place.Pointer == "" {
		next = s.lines.nextDocument(s.start)
	}
	if next < 0 {
		if s.lines.more(offset) {
			at.Reason += "; the rest was not read"
		}
		return
	}
	if next <= offset { // the document ran into the next one
		at.Place.Line = s.lines.at(s.start)
		at.Reason = "the JSON ends too early"
	}
	s.lines.back(next)
	s.dec, s.base, s.again = jsontext.NewDecoder(s.lines), next, true
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
	return document + pointer(tokens...)
}

var errTooLarge = files.TooLarge("the document", MaxSize)

// lines reads and keeps where the lines begin.
type lines struct {
	in     io.Reader
	read   int64
	limit  int64 // how far to read on
	passed int   // lines before what is kept
	breaks []int64

	kept  []byte // what was read since the document began
	ahead int    // how much of the end of it is to be read again
}

func (l *lines) Read(p []byte) (int, error) {
	if l.ahead > 0 {
		n := copy(p, l.kept[len(l.kept)-l.ahead:])
		l.ahead -= n
		return n, nil
	}
	if l.read >= l.limit {
		return 0, errTooLarge
	}
	n, err := l.in.Read(p[:min(int64(len(p)), l.limit-l.read)])
	l.kept = append(l.kept, p[:n]...)
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

// at returns the line, from 1, of an offset in what is kept.
func (l *lines) at(offset int64) int {
	n, _ := slices.BinarySearch(l.breaks, offset+1)
	return l.passed + n + 1
}

// byteAt returns what is at an offset in what is kept, 0 beyond it.
func (l *lines) byteAt(offset int64) byte {
	if i := offset - l.first(); i >= 0 && i < int64(len(l.kept)) {
		return l.kept[i]
	}
	return 0
}

// keep says that what is before the offset is done with. What comes may be as
// long as a document.
func (l *lines) keep(offset int64) {
	l.limit = offset + MaxSize
	n, _ := slices.BinarySearch(l.breaks, offset+1)
	l.breaks, l.passed = l.breaks[n:], l.passed+n
	done := offset - l.first()
	l.kept = l.kept[done:]
	if done > large {
		l.kept = bytes.Clone(l.kept) // and lets go of the rest
	}
}

// first is the offset of what is kept.
func (l *lines) first() int64 { return l.read - int64(len(l.kept)) }

// back makes the reader read again from the offset.
func (l *lines) back(offset int64) { l.ahead = int(l.read - offset) }

// nextDocument returns the offset of the next line after that of the offset that
// begins a document, or -1.
func (l *lines) nextDocument(offset int64) int64 {
	l.ahead = 0
	buffer := make([]byte, 64<<10)
	for from := int(offset - l.first()); ; {
		i := bytes.Index(l.kept[from:], []byte("\n{"))
		if i >= 0 {
			from += i + 1
			line, _, whole := bytes.Cut(l.kept[from:], []byte("\n"))
			if len(bytes.TrimSpace(line)) > 1 {
				return l.first() + int64(from)
			}
			if whole {
				continue
			}
			from--
		} else {
			from = max(from, len(l.kept)-1)
		}
		if n, err := l.Read(buffer); n == 0 && err != nil {
			return -1
		}
	}
}

// more reports whether there is anything but blanks in the lines after that of
// the offset, as far as it is kept.
func (l *lines) more(offset int64) bool {
	_, after, _ := bytes.Cut(l.kept[min(offset-l.first(), int64(len(l.kept))):], []byte("\n"))
	return len(bytes.TrimSpace(after)) > 0
}
