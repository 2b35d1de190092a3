package drive

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/document"
	"github.com/objchange/objchange/cmd/objchange/internal/files"
	"github.com/objchange/objchange/cmd/objchange/internal/words"
	"github.com/objchange/objchange/tfcheck"
)

// A file is a file with a configuration.
type file struct {
	name string // "" if there is none
	data []byte // a JSON object
}

// readFile reads a file with one JSON object, or nothing if the name is "".
func readFile(name string, open func(string) (io.ReadCloser, error)) (file, error) {
	if name == "" {
		return file{}, nil
	}
	in, err := open(name)
	if err != nil {
		return file{}, err
	}
	defer in.Close()
	data, err := io.ReadAll(files.Limit(in, document.MaxConfig))
	if err != nil {
		return file{}, fmt.Errorf("%s: %w", name, err)
	}
	data = bytes.TrimRight(data, " \t\r\n")
	var object map[string]json.RawMessage
	err = json.Unmarshal(data, &object)
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return file{}, fmt.Errorf("%s:%d: not JSON: %w", name, words.Line(data, syntax.Offset), err)
	case err != nil || object == nil:
		return file{}, fmt.Errorf("%s: a configuration must be an object", name)
	}
	return file{name, data}, nil
}

// value returns the configuration of a resource, nil if there is no file. It must be
// valid and, unless it is for --initially, wholly known.
func (f file) value(schema *objchange.Schema, initially bool) (any, error) {
	if f.name == "" {
		return nil, nil
	}
	value, err := document.ReadConfig(f.name, f.data, schema.Block())
	if err != nil {
		return nil, err
	}
	if err := objchange.AssertConfigValid(schema, value).Err(); err != nil {
		return nil, f.invalid(&tfcheck.ConfigError{What: "configuration", Err: err})
	}
	if !initially && !value.IsWhollyKnown() {
		return nil, fmt.Errorf("%s: only the file for --initially may have values that are not known", f.name)
	}
	return value, nil
}

// plain returns the configuration as Go data with json.Number, nil if there is no file.
func (f file) plain() (data any, err error) {
	if f.name == "" {
		return nil, nil
	}
	dec := json.NewDecoder(bytes.NewReader(f.data))
	dec.UseNumber()
	err = dec.Decode(&data)
	return data, err
}

// invalid returns the problems of the configuration, one in a line, each with the file.
func (f file) invalid(err *tfcheck.ConfigError) error {
	var problems []error
	for _, problem := range words.Problems(err.Err) {
		problems = append(problems, fmt.Errorf("%s: %w", f.name, &tfcheck.ConfigError{What: err.What, Err: problem}))
	}
	return errors.Join(problems...)
}
