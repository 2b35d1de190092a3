package ignore

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/objchange/objchange/cmd/internal/files"
	"github.com/objchange/objchange/internal/spelling"
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

// keys are the keys in a file.
var keys = []string{"ignore", "rule", "file", "address", "path", "reason", "expires"}

// These match errors of the decoder: for a key without a field, and for any other problem.
var (
	unknownKey = regexp.MustCompile(`^line (\d+): field (.*) not found in type `)
	atLine     = regexp.MustCompile(`^(?:yaml: )?line (\d+): `)
)

// invalid returns the first error of the decoder without texts of the file, except for a key that
// resembles a known one.
func invalid(name string, err error) error {
	several := (*yaml.TypeError)(nil)
	if !errors.As(err, &several) {
		if m := atLine.FindStringSubmatch(err.Error()); m != nil {
			return fmt.Errorf("%s:%s: invalid YAML", name, m[1])
		}
		return fmt.Errorf("%s: invalid YAML", name)
	}
	if m := unknownKey.FindStringSubmatch(several.Errors[0]); m != nil {
		if near := spelling.Nearest(strings.ToLower(m[2]), keys); near != "" {
			return fmt.Errorf("%s:%s: unknown key %q: did you mean %q?", name, m[1], m[2], near)
		}
	}
	line := "1"
	if m := atLine.FindStringSubmatch(several.Errors[0]); m != nil {
		line = m[1]
	}
	return fmt.Errorf(`%s:%s: the file must contain only "ignore:" with a list of entries. `+
		"Each entry needs a rule and a reason, and may have file, address, path and expires; all must be strings", name, line)
}
