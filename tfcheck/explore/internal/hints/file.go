package hints

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"

	"github.com/zclconf/go-cty/cty"
	"go.yaml.in/yaml/v3"

	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/internal/spelling"
)

// A file is the content of a hints file.
type file struct {
	Provider struct {
		Config fields
		Env    map[string]string
	}
	Values entries[[]*hint]
	Read   []Pattern // data sources and ephemeral resources that may be read
	Skip   entries[Pattern]
	Known  []knownFinding
}

// A knownFinding contains the reason why findings do not count.
type knownFinding struct{ Type, Rule, Path, Reason Pattern }

// fileKeys are the keys of a hints file, for suggestions.
var fileKeys = []string{"provider", "config", "env", "values", "read", "skip", "known", "type", "rule", "path", "reason"}

// entries are the entries of a map in the order of the file.
type entries[V any] []entry[V]

type entry[V any] struct {
	key   Pattern
	value V
}

// UnmarshalYAML implements yaml.Unmarshaler.
func (all *entries[V]) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind != yaml.MappingNode {
		return wrongNode(n)
	}
	for i := 0; i < len(n.Content); i += 2 {
		var e entry[V]
		if err := cmp.Or(n.Content[i].Decode(&e.key), n.Content[i+1].Decode(&e.value)); err != nil {
			return err
		}
		*all = append(*all, e)
	}
	return nil
}

// fields are the arguments of a block.
type fields map[string]any

// UnmarshalYAML implements yaml.Unmarshaler.
func (f *fields) UnmarshalYAML(n *yaml.Node) error {
	timesAsText(n)
	return n.Decode((*map[string]any)(f))
}

// A hint is a value for a slot, or names the attribute of another type that provides the value, as
// TYPE.ATTRIBUTE.
type hint struct {
	value    cty.Value // cty.NilVal if no argument can have the value
	from, at string
}

// UnmarshalYAML implements yaml.Unmarshaler.
func (h *hint) UnmarshalYAML(n *yaml.Node) error {
	h.at = placeOf(n)
	if n.Kind == yaml.MappingNode && len(n.Content) == 2 && n.Content[0].Value == "from" {
		return n.Content[1].Decode(&h.from)
	}
	var data any
	timesAsText(n)
	if err := n.Decode(&data); err != nil {
		return err
	}
	if v, err := (ctydata.Format{}).ValueOfType(cty.DynamicPseudoType, data); err == nil && !v.IsNull() {
		h.value = v
	}
	return nil
}

// timesAsText makes the decoder keep the text of times, because arguments have no times.
func timesAsText(n *yaml.Node) {
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!timestamp" {
		n.Tag = "!!str"
	}
	for _, inside := range n.Content {
		timesAsText(inside)
	}
}

func placeOf(n *yaml.Node) string { return fmt.Sprintf(":%d:%d", n.Line, n.Column) }

// wrongNode returns an error as the decoder returns it, so that the decoder joins it to others.
func wrongNode(n *yaml.Node) error {
	return &yaml.TypeError{Errors: []string{fmt.Sprintf("line %d: cannot unmarshal %s", n.Line, n.ShortTag())}}
}

// Read reads a hints file in YAML. [Schema] describes the format. The error lists the
// problems, each with the name and line: unknown keys, values of the wrong type, unknown rules, and
// missing reasons. The error contains no values. Read does not know the provider. Explore
// returns an error for types and attributes that the provider does not have.
func Read(name string, r io.Reader) (*Hints, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var all any
	if err := yaml.Unmarshal(text, &all); err != nil { // duplicate keys, too many aliases, and aliases that contain themselves
		return nil, yamlError(name, err)
	}
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	h := &Hints{name: name}
	err = dec.Decode(&h.file)
	if err == nil {
		var second yaml.Node
		if err = dec.Decode(&second); err == nil {
			return nil, fmt.Errorf("%s:%d: the file must contain only one document", name, second.Line)
		}
	}
	if !errors.Is(err, io.EOF) {
		return nil, yamlError(name, err)
	}
	if err := h.validate(); err != nil {
		return nil, err
	}
	return h, nil
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
			if near := spelling.Nearest(field[1], fileKeys); near != "" {
				text += fmt.Sprintf(": did you mean %q?", near)
			}
		}
		problems.Add(":"+line[1], "%s", text)
	}
	return problems.Err()
}
