package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// lenient reads what encoding/json reads: strings of any bytes, and names twice.
var lenient = jsonv2.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// A scanner goes through a document once, and keeps where things are.
type scanner struct {
	*source
	*jsontext.Decoder
}

func (s *source) scanner() *scanner {
	return &scanner{s, jsontext.NewDecoder(io.NewSectionReader(s.text, 0, s.text.Size()), lenient)}
}

// document scans the members of the one object that there must be.
func (s *scanner) document(member func(name string) error) error {
	if err := s.members(member); err != nil {
		return err
	}
	switch _, err := s.ReadToken(); err {
	case io.EOF:
		return nil
	case nil:
		return s.at(s.InputOffset(), "", "there is more after the document")
	default:
		return s.unusable(err)
	}
}

// members visits the members of an object, and none of null. Each visit must
// read the value.
func (s *scanner) members(visit func(name string) error) error {
	return s.inside('{', '}', func() error {
		name, err := s.ReadToken()
		if err != nil {
			return s.unusable(err)
		}
		return visit(name.String())
	})
}

// elements visits the elements of an array, and none of null.
func (s *scanner) elements(visit func(i int) error) error {
	i := -1
	return s.inside('[', ']', func() error { i++; return visit(i) })
}

func (s *scanner) inside(opening, closing jsontext.Kind, next func() error) error {
	if kind := s.PeekKind(); kind != opening && kind != 'n' && kind != 0 {
		return s.mismatch(kindNames[opening], kind)
	}
	token, err := s.ReadToken()
	if err != nil {
		return s.unusable(err)
	}
	if token.Kind() == 'n' {
		return nil
	}
	for s.PeekKind() != closing {
		if err := next(); err != nil {
			return err
		}
	}
	_, err = s.ReadToken()
	return s.unusable(err)
}

// skip goes past a value and returns where it is.
func (s *scanner) skip() (span, error) {
	from := s.InputOffset()
	err := s.SkipValue()
	return span{from, s.InputOffset()}, s.unusable(err)
}

// text reads a string.
func (s *scanner) text(to *string) error {
	if kind := s.PeekKind(); kind != '"' && kind != 'n' && kind != 0 {
		return s.mismatch("a string", kind)
	}
	token, err := s.ReadToken()
	if err == nil && token.Kind() == '"' {
		*to = token.String()
	}
	return s.unusable(err)
}

// present reads any value, and whether it is not null.
func (s *scanner) present(to *bool) error {
	*to = s.PeekKind() != 'n'
	_, err := s.skip()
	return err
}

// into reads a small value.
func (s *scanner) into(to any) error {
	from := s.InputOffset()
	value, err := s.ReadValue()
	if err != nil {
		return s.unusable(err)
	}
	return s.decode(value, from, s.StackPointer(), to)
}

// mismatch reports a value of the wrong kind, which is next.
func (s *scanner) mismatch(want string, have jsontext.Kind) error {
	offset := s.InputOffset()
	if err := s.SkipValue(); err != nil {
		return s.unusable(err)
	}
	return s.at(offset, s.StackPointer(), fmt.Sprintf("must be %s, not %s", want, kindNames[have]))
}

var kindNames = map[jsontext.Kind]string{
	'{': "an object", '[': "an array", '"': "a string", '0': "a number", 't': "a bool", 'f': "a bool", 'n': "null",
}

// unusable says why the document is no JSON, or nothing. It shows nothing of it.
func (s *source) unusable(err error) error {
	syntax := new(jsontext.SyntacticError)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.EOF) && !errors.As(err, &syntax):
		return s.wrong(errors.New("it is empty"))
	case errors.As(err, &syntax) && (errors.Is(err, io.ErrUnexpectedEOF) || s.endsAt(syntax.ByteOffset)):
		return s.at(syntax.ByteOffset, syntax.JSONPointer, "the JSON ends too early")
	case errors.As(err, &syntax):
		return s.at(syntax.ByteOffset, syntax.JSONPointer, "not JSON: "+strings.TrimPrefix(syntax.Err.Error(), "jsontext: "))
	}
	return s.wrong(err)
}

// endsAt reports whether there is nothing but white space from an offset on, as where
// a text was cut in the middle of a string and has its newline all the same.
func (s *source) endsAt(offset int64) bool {
	rest := make([]byte, min(16, s.text.Size()-offset))
	_, err := s.text.ReadAt(rest, offset)
	return err == nil && offset+int64(len(rest)) == s.text.Size() && len(bytes.TrimSpace(rest)) == 0
}

// decode decodes a value that begins at an offset, and to which a pointer leads.
func (s *source) decode(value jsontext.Value, offset int64, pointer jsontext.Pointer, to any) error {
	err := jsonv2.Unmarshal(value, to, lenient)
	kind := new(jsonv2.SemanticError)
	if errors.As(err, &kind) && kind.GoType != nil {
		return s.at(offset+kind.ByteOffset, pointer+kind.JSONPointer, fmt.Sprintf("must be %s, not %s", kindOf(kind.GoType), kindNames[kind.JSONKind]))
	}
	return s.unusable(err)
}

// kindOf says what JSON a Go type is read from.
func kindOf(ty reflect.Type) string {
	switch ty.Kind() {
	case reflect.Pointer:
		return kindOf(ty.Elem())
	case reflect.Struct, reflect.Map:
		return kindNames['{']
	case reflect.Slice, reflect.Array:
		return kindNames['[']
	case reflect.String:
		return kindNames['"']
	case reflect.Bool:
		return kindNames['t']
	}
	return "a whole number"
}

// tree reads a value with numbers as they are written, nil for none.
func tree(value jsontext.Value) (data any) {
	if len(value) == 0 {
		return nil
	}
	dec := json.NewDecoder(strings.NewReader(string(value)))
	dec.UseNumber()
	if dec.Decode(&data) != nil {
		return nil // it was scanned before
	}
	return data
}
