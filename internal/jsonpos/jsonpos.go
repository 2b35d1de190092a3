// Package jsonpos reads JSON and tracks the position in the text: the line, the column and the JSON
// pointer.
package jsonpos

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// A Position is a line and a character in that line, both counted from 1.
type Position struct{ Line, Column int }

// Start is the position of the beginning of a text.
var Start = Position{1, 1}

// After returns the position after a text that begins at p.
func (p Position) After(text []byte) Position {
	if last := bytes.LastIndexByte(text, '\n'); last >= 0 {
		p = Position{p.Line + bytes.Count(text, []byte("\n")), 1}
		text = text[last+1:]
	}
	for _, b := range text {
		if b&0xc0 != 0x80 { // not a continuation byte of UTF-8
			p.Column++
		}
	}
	return p
}

// An Error reports a problem at a position. It contains no strings of the text.
type Error struct {
	Position
	Pointer       jsontext.Pointer
	Reason        string
	Err           error // why the text cannot be read, or nil if the JSON is wrong
	DuplicateName bool  // the object at Pointer has a name twice
}

// Error returns the reason without the position.
func (e *Error) Error() string { return e.Reason }

// Unwrap returns the error that occurred when the text was read.
func (e *Error) Unwrap() error { return e.Err }

// ErrEmpty is the error for a text without JSON.
var ErrEmpty = errors.New("it is empty")

// A Reader reads JSON from a text that may be larger than the memory.
type Reader struct {
	*jsontext.Decoder
	text *text
}

// NewReader returns a reader of the text.
func NewReader(in io.Reader, options ...jsontext.Options) *Reader {
	t := &text{in: in, at: Start}
	t.dec = jsontext.NewDecoder(t, options...)
	return &Reader{t.dec, t}
}

// text keeps the part of the text whose positions may still be needed.
type text struct {
	in    io.Reader
	dec   *jsontext.Decoder
	kept  []byte
	first int64    // the offset of kept
	at    Position // the position of kept

	holds bool // a value is being read, so keep the text from its beginning
	limit int  // of the size of the value
	err   error
}

// Read reads more of the text for the decoder.
func (t *text) Read(p []byte) (int, error) {
	if !t.holds {
		t.drop(t.dec.InputOffset())
	} else if len(t.kept) >= t.limit {
		return 0, t.err
	}
	n, err := t.in.Read(p)
	t.kept = append(t.kept, p[:n]...)
	return n, err
}

// drop discards the text before the offset.
func (t *text) drop(offset int64) {
	done := t.kept[:max(offset-t.first, 0)]
	t.at, t.first, t.kept = t.at.After(done), t.first+int64(len(done)), t.kept[len(done):]
}

// from returns the kept text from the offset on.
func (t *text) from(offset int64) []byte {
	return t.kept[min(max(offset-t.first, 0), int64(len(t.kept))):]
}

// position returns the position of an offset whose text is kept.
func (t *text) position(offset int64) Position {
	return t.at.After(t.kept[:len(t.kept)-len(t.from(offset))])
}

// between contains the characters that are allowed between two values.
const between = " \t\r\n,:"

// Next returns the offset and the position of the next token.
func (r *Reader) Next() (int64, Position) {
	r.PeekKind()
	if !r.text.holds {
		r.text.drop(r.InputOffset())
	}
	unread := r.UnreadBuffer()
	offset := r.InputOffset() + int64(len(unread)-len(bytes.TrimLeft(unread, between)))
	return offset, r.text.position(offset)
}

// Value reads the next value and returns its text and its position. If the value has more bytes
// than the limit, Value returns the error tooLarge.
func (r *Reader) Value(limit int, tooLarge error) ([]byte, Position, error) {
	t := r.text
	t.drop(r.InputOffset())
	t.holds, t.limit, t.err = true, limit, tooLarge
	defer func() { t.holds = false }()
	begin, at := r.Next()
	if err := r.SkipValue(); err != nil {
		return nil, at, err
	}
	value := t.from(begin)[:r.InputOffset()-begin]
	t.drop(r.InputOffset())
	t.kept = bytes.Clone(t.kept) // the rest must not share memory with the value
	return value, at, nil
}

// Error converts an error of the decoder to an error with a position. It returns nil for nil.
func (r *Reader) Error(err error) error {
	if err == nil {
		return nil
	}
	e, offset := &Error{Err: err, Reason: err.Error()}, r.InputOffset()
	syntax := new(jsontext.SyntacticError)
	switch {
	case errors.As(err, &syntax):
		offset = syntax.ByteOffset
		e.Err, e.Pointer, e.Reason = nil, syntax.JSONPointer, r.syntax(syntax.Err, offset)
		if errors.Is(syntax.Err, jsontext.ErrDuplicateName) {
			e.Pointer, e.DuplicateName = e.Pointer.Parent(), true
		}
	case err == io.EOF:
		e.Err, e.Reason = ErrEmpty, ErrEmpty.Error()
	case errors.Unwrap(err) != nil: // an error of the input, without the text of the decoder
		e.Err = errors.Unwrap(err)
		e.Reason = e.Err.Error()
	}
	e.Position = r.text.position(offset)
	return e
}

// syntax describes the syntax error at the offset.
func (r *Reader) syntax(err error, offset int64) string {
	switch rest := r.text.from(offset); {
	case errors.Is(err, io.ErrUnexpectedEOF), len(bytes.TrimSpace(rest)) == 0 && r.text.ends():
		return "the JSON ends too early"
	case errors.Is(err, jsontext.ErrDuplicateName):
		return "the JSON has a name twice in one object"
	case bytes.HasPrefix(rest, []byte(`\`)): // the error would show the following characters
		return fmt.Sprintf("not JSON: broken escape in a string, after byte %d", offset)
	}
	return "not JSON: " + strings.TrimPrefix(err.Error(), "jsontext: ")
}

// ends reports whether there is no more text. A text that was truncated in a string can still end
// with a newline.
func (t *text) ends() bool {
	n, err := t.in.Read(make([]byte, 1))
	return n == 0 && err == io.EOF
}

var kinds = map[jsontext.Kind]string{
	'{': "an object", '[': "an array", '"': "a string", '0': "a number", 't': "a bool", 'f': "a bool", 'n': "null",
}

// Members visits the members of an object. Null has no members. Each visit must read the value.
func (r *Reader) Members(visit func(name string) error) error {
	return r.inside('{', '}', func() error {
		name, err := r.ReadToken()
		if err != nil {
			return r.Error(err)
		}
		return visit(name.String())
	})
}

// Elements visits the elements of an array. Null has no elements. Each visit must read the value.
func (r *Reader) Elements(visit func(i int) error) error {
	i := -1
	return r.inside('[', ']', func() error {
		i++
		return visit(i)
	})
}

func (r *Reader) inside(opening, closing jsontext.Kind, next func() error) error {
	token, err := r.token(opening)
	if err != nil || token.Kind() == 'n' {
		return err
	}
	for r.PeekKind() != closing {
		if err := next(); err != nil {
			return err
		}
	}
	_, err = r.ReadToken()
	return r.Error(err)
}

// Text reads a string. It reads null as "".
func (r *Reader) Text(to *string) error {
	token, err := r.token('"')
	if err == nil && token.Kind() == '"' {
		*to = token.String()
	}
	return err
}

// Bool reads a bool. It reads null as false.
func (r *Reader) Bool(to *bool) error {
	if r.PeekKind() == 'f' {
		return r.Skip()
	}
	token, err := r.token('t')
	*to = err == nil && token.Kind() == 't'
	return err
}

// token reads a token of the kind, or null.
func (r *Reader) token(want jsontext.Kind) (jsontext.Token, error) {
	if have := r.PeekKind(); have != want && have != 'n' && have != 0 {
		_, at := r.Next()
		if err := r.SkipValue(); err != nil {
			return jsontext.Token{}, r.Error(err)
		}
		reason := "must be " + kinds[want] + ", not " + kinds[have]
		return jsontext.Token{}, &Error{Position: at, Pointer: r.StackPointer(), Reason: reason}
	}
	token, err := r.ReadToken()
	return token, r.Error(err)
}

// Skip skips a value.
func (r *Reader) Skip() error { return r.Error(r.SkipValue()) }
