package audit

import (
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/objchange/objchange/cmd/objchange/internal/document"
	"github.com/objchange/objchange/cmd/objchange/internal/files"
	"github.com/objchange/objchange/cmd/objchange/internal/jsonpos"
)

// An Input is a plan or a state. Its Name is for messages, "-" for stdin. A file is read
// twice; anything else is copied into a temporary file. It is never in memory as a whole.
type Input struct {
	Name string
	io.Reader
}

// maxSize is how large a plan or a state may be.
const maxSize = 4 << 30

// A source is an input that can be read anywhere.
type source struct {
	name  string
	text  *io.SectionReader
	close func()
}

func (s *source) reader() *jsonpos.Reader {
	return jsonpos.NewReader(io.NewSectionReader(s.text, 0, s.text.Size()), jsonpos.Lenient)
}

// open makes the input one that can be read anywhere.
func (in Input) open() (*source, error) {
	if file, ok := in.Reader.(*os.File); ok && in.Name != "-" {
		info, err := file.Stat()
		if err == nil && info.Mode().IsRegular() && info.Size() <= maxSize && plain(file) {
			return &source{in.Name, io.NewSectionReader(file, 0, info.Size()), func() {}}, nil
		}
	}
	file, err := os.CreateTemp("", "objchange-")
	if err != nil {
		return nil, wrong(in.Name, err)
	}
	left := os.Remove(file.Name()) // which Windows refuses before it is closed
	s := &source{name: in.Name, close: func() {
		if _ = file.Close(); left != nil {
			_ = os.Remove(file.Name())
		}
	}}
	size, err := io.Copy(file, document.PlainText(files.Limit(in.Reader, maxSize)))
	if err != nil {
		s.close()
		return nil, wrong(in.Name, err)
	}
	s.text = io.NewSectionReader(file, 0, size)
	return s, nil
}

// plain reports whether a file begins as JSON does, and not with a byte order mark or as
// a plan that Terraform saved.
func plain(file io.ReaderAt) bool {
	start := make([]byte, 1)
	n, _ := file.ReadAt(start, 0)
	return n == 0 || start[0] < 0x80 && start[0] != 'P'
}

// wrong returns an error that names the input, and the place if the error has one.
func wrong(name string, err error) error {
	if name == "-" {
		name = "stdin"
	}
	at := new(jsonpos.Error)
	if !errors.As(err, &at) || at.Err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	name = fmt.Sprintf("%s:%d", name, at.Line)
	if pointer := withoutSecrets(string(at.Pointer)); pointer != "" {
		name += ": " + pointer
	}
	return fmt.Errorf("%s: %w", name, err)
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

// wrong returns an error that names the place.
func (p *place) wrong(reason string) error {
	return wrong(p.name, fmt.Errorf("%s: %s", p.pointer(), reason))
}

// load reads what is at a place, with numbers as they are written.
func load[T any](p *place) (*T, error) {
	text := make([]byte, p.to-p.from)
	if _, err := p.text.ReadAt(text, p.from); err != nil {
		return nil, wrong(p.name, err)
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
	return nil, wrong(p.name, err)
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
