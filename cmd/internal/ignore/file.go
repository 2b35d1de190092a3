package ignore

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"regexp"

	"go.yaml.in/yaml/v3"

	"github.com/objchange/objchange/cmd/internal/files"
)

// FileName is the name of the file with entries that every command reads from the current folder.
const FileName = ".objchange.yaml"

// maxSize is the maximum size of a file, and maxProblems the number of problems that are listed.
const (
	maxSize     = 16 << 20
	maxProblems = 5
)

// Schema is the JSON Schema of the files.
//
//go:embed ignore.schema.json
var Schema []byte

// Read reads a file with entries. The error has the file and the lines.
func Read(name string) ([]Entry, error) {
	file, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(files.Limit(file, maxSize))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return parse(name, text)
}

// parse parses the text of a file. Errors do not repeat the text except for the names in an entry,
// because the file may be something else.
func parse(name string, text []byte) ([]Entry, error) {
	var top struct{ Ignore []Entry }
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	if err := dec.Decode(&top); err == io.EOF {
		return nil, nil
	} else if err != nil {
		return nil, invalid(name, err)
	}
	if err := dec.Decode(new(yaml.Node)); err != io.EOF {
		return nil, fmt.Errorf("%s: the file must contain only one document", name)
	}
	var lines struct{ Ignore []yaml.Node }
	if err := yaml.Unmarshal(text, &lines); err != nil {
		return nil, invalid(name, err)
	}
	var problems []error
	for i := range top.Ignore {
		e := &top.Ignore[i]
		e.from, e.line = name, lines.Ignore[i].Line
		if err := e.check(); err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", e.source(), err))
		}
	}
	if more := len(problems) - maxProblems; more > 0 {
		problems = append(problems[:maxProblems], fmt.Errorf("%s: %d more entries are invalid", name, more))
	}
	return top.Ignore, errors.Join(problems...)
}

// atLine matches the line in an error of the decoder.
var atLine = regexp.MustCompile(`line (\d+): `)

// invalid returns the first error of the decoder without texts of the file.
func invalid(name string, err error) error {
	if m := atLine.FindStringSubmatch(err.Error()); m != nil {
		name += ":" + m[1]
	}
	if !errors.As(err, new(*yaml.TypeError)) {
		return fmt.Errorf("%s: invalid YAML", name)
	}
	return fmt.Errorf(`%s: the file must contain only "ignore:" with a list of entries. `+
		"Each entry needs a rule and a reason, and may have file, address, path and expires; all must be strings", name)
}
