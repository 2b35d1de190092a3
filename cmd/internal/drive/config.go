package drive

import (
	"errors"
	"fmt"
	"io"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/document"
	"github.com/objchange/objchange/cmd/internal/files"
	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/tfcheck/driver"
)

// A file is a file with a configuration.
type file struct {
	name   string // "" if there is no file
	data   []byte
	partly bool // it may contain unknown values
}

// readFile reads a file. It returns an empty file if the name is "".
func readFile(name string, open func(string) (io.ReadCloser, error)) (file, error) {
	if name == "" {
		return file{}, nil
	}
	in, err := open(name)
	if err != nil {
		return file{}, err
	}
	defer in.Close()
	data, err := io.ReadAll(files.Limit(in, document.MaxSize))
	if err != nil {
		return file{}, fmt.Errorf("%s: %w", name, err)
	}
	return file{name: name, data: data}, nil
}

// value returns the configuration in a file, or nil if there is no file. The configuration must be
// valid. It must be wholly known, unless it is for --initially. The error names the file for each
// problem.
func (l *lifecycle) value(f file, schema *objchange.Schema, what string) (any, error) {
	if f.name == "" {
		return nil, nil
	}
	value, err := document.ReadConfig(f.name, f.data, schema.Block())
	if err != nil {
		return nil, err
	}
	if err := objchange.AssertConfigValid(schema, value).Err(); err != nil {
		var problems []error
		for _, problem := range words.Problems(err) {
			problems = append(problems, fmt.Errorf("%s: %w", f.name, &driver.ConfigError{What: what, Err: problem}))
		}
		return nil, errors.Join(problems...)
	}
	if value.IsNull() {
		return nil, fmt.Errorf("%s: a configuration must be an object", f.name)
	}
	if !f.partly && !value.IsWhollyKnown() {
		return nil, fmt.Errorf("%s: only the file for --initially may have unknown values", f.name)
	}
	l.secrets.add(schema.Block(), value)
	return value, nil
}
