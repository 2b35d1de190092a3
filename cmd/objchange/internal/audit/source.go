package audit

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/objchange/objchange/cmd/objchange/internal/document"
	"github.com/objchange/objchange/cmd/objchange/internal/files"
)

// An Input is a document to read. Its Name is for messages, "-" for stdin. What
// can be read anywhere, as a file, is read twice; anything else is put into a
// temporary file first. It is never in memory as a whole.
type Input struct {
	Name string
	io.Reader
}

// maxSize is how large a document may be.
const maxSize = 4 << 30

// A source is a document that can be read anywhere.
type source struct {
	name  string
	text  *io.SectionReader
	close func()

	once   sync.Once
	blocks []position // where each block begins, once somebody asks
}

// open makes the input one that can be read anywhere.
func (in Input) open() (*source, error) {
	switch r := in.Reader.(type) {
	case *bytes.Reader:
		return &source{name: in.Name, text: io.NewSectionReader(r, 0, r.Size()), close: func() {}}, nil
	case *os.File:
		info, err := r.Stat()
		if err == nil && info.Mode().IsRegular() && info.Size() <= maxSize && in.Name != "-" && plain(r) {
			return &source{name: in.Name, text: io.NewSectionReader(r, 0, info.Size()), close: func() {}}, nil
		}
	}
	return in.spill()
}

// plain reports whether a file begins as JSON does.
func plain(file io.ReaderAt) bool {
	start := make([]byte, 3)
	n, _ := file.ReadAt(start, 0)
	return n == 0 || start[0] < 0x80 && start[0] != 'P'
}

// spill puts the input into a temporary file. Where the system can do without its
// name, it has none, and is gone with the process, however that ends.
func (in Input) spill() (*source, error) {
	file, err := os.CreateTemp("", "objchange-")
	if err != nil {
		return nil, in.wrong(err)
	}
	left := os.Remove(file.Name()) // which Windows refuses
	s := &source{name: in.Name, close: func() {
		if _ = file.Close(); left != nil {
			_ = os.Remove(file.Name())
		}
	}}
	size, err := io.Copy(file, document.PlainText(files.Limit(in.Reader, maxSize)))
	if err != nil {
		s.close()
		return nil, in.wrong(err)
	}
	s.text = io.NewSectionReader(file, 0, size)
	return s, nil
}

// wrong returns an error that names the input.
func (in Input) wrong(err error) error { return wrong(in.Name, err) }

func (s *source) wrong(err error) error { return wrong(s.name, err) }

func wrong(name string, err error) error {
	if name == "-" {
		name = "stdin"
	}
	return fmt.Errorf("%s: %w", name, err)
}

// broken returns an error at a place that is known by its pointer.
func (s *source) broken(pointer, reason string) error {
	return s.wrong(fmt.Errorf("%s: %s", pointer, reason))
}

// at returns an error with the line and the JSON pointer of a place.
func (s *source) at(offset int64, pointer jsontext.Pointer, reason string) error {
	name := s.name
	if name == "-" {
		name = "stdin"
	}
	place := fmt.Sprintf("%s:%d", name, s.position(offset).line)
	if p := withoutSecrets(string(pointer)); p != "" {
		place += ": " + p
	}
	return fmt.Errorf("%s: %s", place, reason)
}

// A position is a line and a character in it, from 1.
type position struct{ line, column int }

// after returns the position behind some text.
func (p position) after(text []byte) position {
	if last := bytes.LastIndexByte(text, '\n'); last >= 0 {
		p = position{p.line + bytes.Count(text, []byte("\n")), 1}
		text = text[last+1:]
	}
	for _, b := range text {
		if b&0xc0 != 0x80 { // not the middle of a character
			p.column++
		}
	}
	return p
}

// blockSize is how much is read to find a position.
const blockSize = 1 << 16

// position returns where an offset is. The first to ask has the document read through.
func (s *source) position(offset int64) position {
	s.once.Do(func() {
		at, block := position{1, 1}, make([]byte, blockSize)
		for from := int64(0); from <= s.text.Size(); from += blockSize {
			s.blocks = append(s.blocks, at)
			n, _ := s.text.ReadAt(block, from)
			at = at.after(block[:n])
		}
	})
	offset = min(offset, s.text.Size())
	i := offset / blockSize
	text := make([]byte, offset-i*blockSize)
	n, _ := s.text.ReadAt(text, i*blockSize)
	return s.blocks[i].after(text[:n])
}

// begin returns where a value begins, behind what may stand before it.
func (s *source) begin(at span) int64 {
	text := make([]byte, min(1<<10, at.to-at.from))
	n, _ := s.text.ReadAt(text, at.from)
	return at.from + int64(n-len(bytes.TrimLeft(text[:n], beforeValue)))
}

const beforeValue = " \t\r\n:,"

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

// A span is where in a source a value is, with what may stand before it.
type span struct{ from, to int64 }

// read returns the value, and where it begins.
func (s *source) read(at span) (jsontext.Value, int64, error) {
	text := make([]byte, at.to-at.from)
	if _, err := s.text.ReadAt(text, at.from); err != nil {
		return nil, 0, s.wrong(err)
	}
	value := bytes.TrimLeft(text, beforeValue)
	return value, at.to - int64(len(value)), nil
}
