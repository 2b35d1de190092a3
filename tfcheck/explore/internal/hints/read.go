package hints

import (
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"regexp"

	"go.yaml.in/yaml/v3"
)

// Schema is the JSON Schema of hints files.
//
//go:embed hints.schema.json
var Schema []byte

// Read implements explore.ReadHints.
func Read(name string, r io.Reader) (*Hints, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var all any
	// This finds duplicate keys, too many aliases, and aliases that contain themselves.
	if err := yaml.Unmarshal(text, &all); err != nil {
		return nil, yamlError(name, err)
	}
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	h := &Hints{name: name}
	switch err := dec.Decode(&h.file); {
	case err == io.EOF: // an empty file
	case err != nil:
		return nil, yamlError(name, err)
	case dec.Decode(new(yaml.Node)) != io.EOF:
		return nil, fmt.Errorf("%s: the file must contain only one document", name)
	}
	return h, h.file.check(&Problems{file: name})
}

// These patterns match errors of the decoder. An error about a type may contain the value.
var (
	yamlLine     = regexp.MustCompile(`line (\d+): ([^\n]*)`)
	unknownField = regexp.MustCompile(`^field (.*) not found in type `)
	wrongType    = regexp.MustCompile(`(?s)^cannot unmarshal !!(\w+).*`)
)

// yamlError returns the error of a decoder in the form of this package.
func yamlError(name string, err error) error {
	lines := yamlLine.FindAllStringSubmatch(err.Error(), -1)
	if lines == nil {
		return fmt.Errorf("%s: the file is not valid YAML, or a value does not match its YAML tag", name)
	}
	problems := Problems{file: name}
	for _, line := range lines {
		text := wrongType.ReplaceAllString(line[2], "a value of type $1 is not allowed here")
		if field := unknownField.FindStringSubmatch(text); field != nil {
			text = fmt.Sprintf("unknown key %q", field[1])
		}
		problems.Add(":"+line[1], "%s", text)
	}
	return problems.Err()
}
