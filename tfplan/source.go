package tfplan

import (
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/objchange/objchange/internal/jsonpos"
)

// An Error says why a document cannot be used. It shows nothing of values.
type Error struct {
	// Place is where it is wrong. Its line is 0 if there is no such place.
	Place
	// Name is what Error calls the document: "plan" or "state". Callers may change it.
	Name   string
	Reason string
	Err    error // why the document cannot be read, or nil
}

// Error returns name, line, pointer and reason.
func (e *Error) Error() string {
	text := e.Name
	if e.Line > 0 {
		text += fmt.Sprintf(":%d", e.Line)
	}
	if e.Pointer != "" {
		text += ": " + e.Pointer
	}
	return text + ": " + e.Reason
}

// Unwrap returns why the document cannot be read.
func (e *Error) Unwrap() error { return e.Err }

// A source is a document that can be read anywhere.
type source struct {
	document Document
	text     *io.SectionReader
	close    func()
}

func (s *source) reader() *jsonpos.Reader {
	return jsonpos.NewReader(io.NewSectionReader(s.text, 0, s.text.Size()), jsonpos.Lenient)
}

// open makes of a reader a document that can be read anywhere.
func open(in io.Reader, document Document) (*source, error) {
	s := &source{document: document, close: func() {}}
	if in == nil {
		return nil, s.wrong(errors.New("there is none"))
	}
	if s.text = inPlace(in); s.text != nil {
		return s, nil
	}
	file, err := os.CreateTemp("", "objchange-")
	if err != nil {
		return nil, s.wrong(err)
	}
	left := os.Remove(file.Name()) // which Windows refuses before it is closed
	s.close = func() {
		if _ = file.Close(); left != nil {
			_ = os.Remove(file.Name())
		}
	}
	size, err := io.Copy(file, jsonpos.PlainText(in))
	if err != nil {
		s.close()
		return nil, s.wrong(err)
	}
	s.text = io.NewSectionReader(file, 0, size)
	return s, nil
}

// inPlace returns the text of a regular file from its offset, and nil for what has to be
// copied.
func inPlace(in io.Reader) *io.SectionReader {
	file, ok := in.(*os.File)
	if !ok {
		return nil
	}
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	offset, err := file.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil
	}
	text := io.NewSectionReader(file, offset, max(info.Size()-offset, 0))
	if !plain(text) {
		return nil
	}
	return text
}

// plain reports whether a text begins as JSON does, and not with a byte order mark or as
// a plan that Terraform saved.
func plain(text io.ReaderAt) bool {
	start := make([]byte, 1)
	n, _ := text.ReadAt(start, 0)
	return n == 0 || start[0] < 0x80 && start[0] != 'P'
}

// wrong returns an error about the document, with the place if the error has one.
func (s *source) wrong(err error) error {
	wrong := &Error{Place: Place{Document: s.document}, Name: string(s.document), Reason: err.Error(), Err: err}
	if at := new(jsonpos.Error); errors.As(err, &at) && at.Err == nil {
		wrong.Line, wrong.Column, wrong.Pointer = at.Line, at.Column, withoutSecrets(string(at.Pointer))
		wrong.Err = nil
	}
	return wrong
}

// named are the members of documents with names in them that are no secret, but
// have below them what may be: keys of maps, for one. Resources have values, and
// so has a state.
var named = map[string]bool{
	"before": true, "before_sensitive": true, "before_identity": true,
	"after": true, "after_sensitive": true, "after_unknown": true, "after_identity": true,
	"sensitive_values": true, "identity": true, "expressions": true, "config_values": true,
	"expression": true, "count_expression": true, "for_each_expression": true,
	"attributes": true, "outputs": true, "output_changes": true, "variables": true,
}

// withoutSecrets cuts a JSON pointer below the name of an attribute, an output or
// a variable.
func withoutSecrets(pointer string) string {
	steps := strings.Split(pointer, "/")
	for i, step := range steps {
		ofResource := step == "values" && i > 1 && steps[i-2] == "resources"
		if named[step] || ofResource {
			return strings.Join(steps[:min(i+2, len(steps))], "/")
		}
	}
	return pointer
}

// A place is where an object is in a part of a plan or state.
type place struct {
	*source
	*parts
	part     part
	array    string // the pointer to the array that has it
	i        int    // its index there
	from, to int64
	jsonpos.Position
}

func (p *place) pointer() string { return fmt.Sprintf("%s/%d", p.array, p.i) }

// where returns the place as reports have it.
func (p *place) where() Place {
	return Place{Document: p.document, Line: p.Line, Column: p.Column, Pointer: p.pointer()}
}

// wrong returns an error about the object.
func (p *place) wrong(reason string) error {
	return &Error{Place: Place{Document: p.document, Pointer: p.pointer()}, Name: string(p.document), Reason: reason}
}

// load reads what is at a place, with numbers as they are written.
func load[T any](p *place) (*T, error) {
	text := make([]byte, p.to-p.from)
	if _, err := p.text.ReadAt(text, p.from); err != nil {
		return nil, p.source.wrong(err)
	}
	loaded := new(T)
	err := json.Unmarshal(text, loaded, jsonpos.Lenient, jsonpos.ExactNumbers)
	if err == nil {
		return loaded, nil
	}
	if mismatch := new(json.SemanticError); errors.As(err, &mismatch) {
		err = &jsonpos.Error{
			Position: p.After(text[:mismatch.ByteOffset]), Pointer: jsontext.Pointer(p.pointer()) + mismatch.JSONPointer,
			Reason: fmt.Sprintf("must be %s, not %s", wanted(mismatch.GoType), jsonpos.KindName(mismatch.JSONKind)),
		}
	}
	return nil, p.source.wrong(err)
}

// wanted says what JSON a Go type is read from.
func wanted(ty reflect.Type) string {
	switch ty.Kind() {
	case reflect.Pointer:
		return wanted(ty.Elem())
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Slice, reflect.Array:
		return "an array"
	case reflect.String, reflect.Bool:
		return "a " + ty.Kind().String()
	}
	return "a whole number"
}
