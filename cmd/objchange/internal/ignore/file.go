package ignore

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"go.yaml.in/yaml/v3"

	"github.com/objchange/objchange/cmd/objchange/internal/report"
)

// FileName is that of the file which is found upwards of where the command runs.
const FileName = ".objchange.yaml"

// Schema is the JSON Schema of such files.
//
//go:embed ignore.schema.json
var Schema []byte

// A file is what one says.
type file struct {
	Ignore []yaml.Node `yaml:"ignore"`
}

// Find returns the file that is in the folder or in the nearest above it, or "".
func Find(dir string) string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	for {
		name := filepath.Join(dir, FileName)
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
			return name
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// Read reads a file. The error names it, and the line.
func Read(name string) ([]Entry, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var f file
	if err := decode(text, &f); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var entries []Entry
	for _, node := range f.Ignore {
		var e Entry
		at := fmt.Sprintf("%s:%d", name, node.Line)
		part, err := yaml.Marshal(&node)
		if err == nil {
			err = decode(part, &e)
		}
		if err == nil {
			err = e.check()
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", at, plainer(err))
		}
		e.source = at
		entries = append(entries, e)
	}
	return entries, nil
}

// plainer says what does not fit without the lines of the part that was read.
func plainer(err error) error {
	if wrong := new(yaml.TypeError); errors.As(err, &wrong) {
		return errors.New("each entry has a rule, a reason, and may have address, path and expires, all of them text")
	}
	return err
}

func decode(text []byte, to any) error {
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	return dec.Decode(to)
}

// WriteBaseline writes a file with what counts in the report, all for the same
// reason and until the same day, which may be "".
func WriteBaseline(w io.Writer, r *report.Report, o report.Options, reason string, expires Day) error {
	entries, seen := []Entry{}, map[Entry]bool{}
	add := func(e Entry) {
		if !seen[e] {
			entries, seen[e] = append(entries, e), true
		}
	}
	for _, s := range r.Subjects {
		address := s.Address(r.Command)
		if s.Counts(o) {
			add(Entry{Rule: Skipped, Address: address, Reason: reason, Expires: expires})
		}
		for _, f := range s.Findings {
			if f.Counts(o.Strict) {
				add(Entry{Rule: string(f.Rule), Address: address, Path: f.Path, Reason: reason, Expires: expires})
			}
		}
	}
	enc := yaml.NewEncoder(w)
	enc.SetIndent(2)
	return errors.Join(enc.Encode(map[string][]Entry{"ignore": entries}), enc.Close())
}
