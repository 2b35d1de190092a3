package tfplan

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/objchange/objchange/internal/jsonpos"
)

// An Error reports why a document cannot be used. It contains no values.
type Error struct {
	// Place is the location of the problem. The line is 0 if the location is not known.
	Place
	// Name is the name of the document in the text of Error: "plan" or "state". Callers may change
	// it.
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

// Unwrap returns the error that occurred when the document was read, or nil.
func (e *Error) Unwrap() error { return e.Err }

// A source is a document with random access.
type source struct {
	document Document
	text     *io.SectionReader
	close    func()
}

func (s *source) reader() *jsonpos.Reader {
	return jsonpos.NewReader(io.NewSectionReader(s.text, 0, s.text.Size()), jsonpos.Lenient)
}

// open returns a document with random access for a reader.
func open(in io.Reader, document Document) (*source, error) {
	s := &source{document: document, close: func() {}}
	if in == nil {
		return nil, s.wrong(errors.New("the reader is nil"))
	}
	s.text = inPlace(in)
	if s.text != nil {
		return s, nil
	}
	file, err := os.CreateTemp("", "objchange-")
	if err != nil {
		return nil, s.wrong(err)
	}
	notRemoved := os.Remove(file.Name()) // an error on Windows, because the file is open
	s.close = func() {
		_ = file.Close()
		if notRemoved != nil {
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

// inPlace returns the text of a regular file from its offset, or nil if the input must be copied.
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

// plain reports whether a text starts as JSON does, and not with a byte order mark or as a saved
// plan of Terraform.
func plain(text io.ReaderAt) bool {
	start := make([]byte, 1)
	n, _ := text.ReadAt(start, 0)
	return n == 0 || start[0] < 0x80 && start[0] != 'P'
}

// wrong returns an error about the document, with the place if err has one.
func (s *source) wrong(err error) error {
	wrong := &Error{Place: Place{Document: s.document}, Name: string(s.document), Reason: err.Error(), Err: err}
	if at := new(jsonpos.Error); errors.As(err, &at) && at.Err == nil {
		wrong.Line, wrong.Column, wrong.Pointer = at.Line, at.Column, formatNames.FindString(string(at.Pointer))
		wrong.Err = nil
	}
	return wrong
}

// formatNames matches the part of a JSON pointer that has only names of the format: it ends at a
// member of an object, or at the name of a variable or an output. Names below may be keys, which
// may be secret.
var formatNames = regexp.MustCompile(`^/[^/]+` +
	`(?:(?:/(?:values|root_module|module|child_modules/\d+|module_calls/[^/]+))*/resources)?(?:/\d+)?(?:/[^/]+)?`)

// A place is the location of an object in a section of a plan or state.
type place struct {
	source   *source
	object   *objectPlaces
	section  section
	array    string // the pointer to the array that contains the object
	i        int    // the index in the array
	from, to int64  // offsets of the text
	begin    jsonpos.Position
}

func (p *place) pointer() string { return fmt.Sprintf("%s/%d", p.array, p.i) }

func (p *place) where() Place {
	return Place{Document: p.source.document, Line: p.begin.Line, Column: p.begin.Column, Pointer: p.pointer()}
}

// wrong returns an error about the object.
func (p *place) wrong(reason string) error {
	document := p.source.document
	return &Error{Place: Place{Document: document, Pointer: p.pointer()}, Name: string(document), Reason: reason}
}

func (p *place) text() ([]byte, error) {
	text := make([]byte, p.to-p.from)
	_, err := p.source.text.ReadAt(text, p.from)
	return text, err
}

// load decodes the object at a place. Numbers keep their exact text.
func (p *place) load(to any) error {
	text, err := p.text()
	if err == nil {
		err = json.Unmarshal(text, to, jsonpos.Lenient, jsonpos.ExactNumbers)
	}
	if mismatch := new(json.SemanticError); errors.As(err, &mismatch) {
		err = &jsonpos.Error{
			Position: p.begin.After(text[:mismatch.ByteOffset]),
			Pointer:  jsontext.Pointer(p.pointer()) + mismatch.JSONPointer,
			Reason:   "must not be " + jsonpos.KindName(mismatch.JSONKind),
		}
	}
	if err != nil {
		return p.source.wrong(err)
	}
	return nil
}
