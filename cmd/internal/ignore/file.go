package ignore

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/objchange/objchange/cmd/internal/files"
	"github.com/objchange/objchange/internal/spelling"
)

// FileName is the name of the file with entries. It is searched in the current folder and above.
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

// Find returns the path of the file in the folder or in the nearest folder above it, or "". It
// searches up to the root of the repository or to the home folder. Outside of both, it searches
// only the folder itself, because other users may write to the folders above. Find returns anything
// with the name, even if it is not a file. Otherwise a finding that is to be ignored would count.
func Find(dir string) string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	for last := top(dir); ; dir = filepath.Dir(dir) {
		name := filepath.Join(dir, FileName)
		if _, err := os.Lstat(name); err == nil {
			return name
		}
		if dir == last {
			return ""
		}
	}
}

// top returns the highest folder to search.
func top(dir string) string {
	home, err := os.Stat(homeDir())
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if info, infoErr := os.Stat(at); err == nil && infoErr == nil && os.SameFile(info, home) {
			return at
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}

// homeDir returns the user's home folder, or "". It also returns "" for the root folder, which some
// services have as their home.
func homeDir() string {
	home, err := os.UserHomeDir()
	if err != nil || filepath.Dir(home) == home {
		return ""
	}
	return home
}

// ReadFound reads a file that Find returned. Because the user did not name it, it is an error if
// the file is a link that leads out of its folder, or if other users may write the file.
func ReadFound(name string) ([]Entry, error) {
	file, err := files.In(filepath.Dir(name), filepath.Base(name))
	if path := new(fs.PathError); errors.As(err, &path) {
		err = &fs.PathError{Op: path.Op, Path: name, Err: path.Err}
	}
	if err == nil {
		err = trust(name, file)
	}
	return read(name, file, err)
}

// Read reads a file that a command line names. The error has the file and the lines.
func Read(name string) ([]Entry, error) {
	file, err := files.Open(name)
	return read(name, file, err)
}

func read(name string, file *os.File, err error) ([]Entry, error) {
	if file != nil {
		defer file.Close()
	}
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(files.Limit(file, maxSize))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return parse(name, text)
}

// parse parses the text of a file. Errors do not repeat the text except for the names in an entry,
// because the file may be something else.
func parse(name string, text []byte) ([]Entry, error) {
	nodes, err := entryNodes(name, text)
	if err != nil {
		return nil, err
	}
	var entries []Entry
	var problems []error
	wrong := 0
	for i := range nodes {
		e, err := entry(&nodes[i])
		if e.from, e.line = name, nodes[i].Line; err == nil {
			entries = append(entries, e)
		} else if wrong++; wrong <= maxProblems {
			if key := new(keyError); errors.As(err, &key) {
				e.line = key.line
			}
			problems = append(problems, fmt.Errorf("%s: %w", e.source(), err))
		}
	}
	if more := wrong - maxProblems; more > 0 {
		problems = append(problems, fmt.Errorf("%s: %d more entries are invalid", name, more))
	}
	return entries, errors.Join(problems...)
}

// entryNodes returns the nodes of the entries. The file must have only one document.
func entryNodes(name string, text []byte) ([]yaml.Node, error) {
	dec := yaml.NewDecoder(bytes.NewReader(text))
	var doc, second yaml.Node
	if err := dec.Decode(&doc); err == io.EOF {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("%s: %w", name, syntax(err))
	}
	if err := dec.Decode(&second); err == nil {
		return nil, fmt.Errorf("%s:%d: the file must contain only one document", name, second.Line)
	} else if err != io.EOF {
		return nil, fmt.Errorf("%s: %w", name, syntax(err))
	}
	var top struct {
		Ignore  []yaml.Node
		Unknown map[string]any `yaml:",inline"`
	}
	if doc.Decode(&top) != nil || len(top.Unknown) > 0 {
		if err := misspelled(doc.Content[0], []string{"ignore"}); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, doc.Content[0].Line, err)
		}
		return nil, fmt.Errorf(`%s:%d: the file must contain only "ignore:" with a list of entries`, name, doc.Content[0].Line)
	}
	return top.Ignore, nil
}

// syntaxError matches the decoder's errors that have a line.
var syntaxError = regexp.MustCompile(`^yaml: (line \d+: .*)$`)

func syntax(err error) error {
	if m := syntaxError.FindStringSubmatch(err.Error()); m != nil {
		return fmt.Errorf("invalid YAML: %s", m[1])
	}
	return errors.New("invalid YAML")
}

// entryKeys are the keys of an entry.
var entryKeys = []string{"rule", "file", "address", "path", "reason", "expires"}

// entry parses an entry.
func entry(node *yaml.Node) (Entry, error) {
	var fields struct {
		Entry   `yaml:",inline"`
		Unknown map[string]any `yaml:",inline"`
	}
	if node.Decode(&fields) != nil || len(fields.Unknown) > 0 || node.ShortTag() == "!!null" {
		if err := misspelled(node, entryKeys); err != nil {
			return Entry{}, err
		}
		return Entry{}, errors.New("each entry needs a rule and a reason, and may have file, address, path and expires; all must be strings")
	}
	return fields.Entry, fields.check()
}

// A keyError is an error about a key on a line.
type keyError struct {
	line   int
	reason string
}

func (e *keyError) Error() string { return e.reason }

// misspelled returns an error for the first unknown key that resembles a known key.
func misspelled(mapping *yaml.Node, known []string) error {
	if mapping.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i < len(mapping.Content); i += 2 {
		key := mapping.Content[i]
		if slices.Contains(known, key.Value) {
			continue
		}
		if near := spelling.Nearest(strings.ToLower(key.Value), known); near != "" {
			return &keyError{key.Line, fmt.Sprintf("unknown key %q: did you mean %q?", key.Value, near)}
		}
	}
	return nil
}
