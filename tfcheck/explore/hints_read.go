package explore

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"go.yaml.in/yaml/v3"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/internal/globs"
	"github.com/objchange/objchange/internal/spelling"
	"github.com/objchange/objchange/tfcheck"
)

// ReadHints reads a hints file in YAML. [HintsSchema] describes the format. The error lists all
// problems, each with the name, line and column: unknown keys, values of the wrong type, unknown
// rules, and missing reasons. The error contains no values. ReadHints does not know the provider.
// Explore returns an error for types and attributes that the provider does not have.
func ReadHints(name string, r io.Reader) (*Hints, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	root, err := onlyDocument(name, text)
	if err != nil {
		return nil, err
	}
	h, reader := &Hints{}, &hintsReader{name: name}
	if root != nil {
		reader.file(h, root)
	}
	if err := reader.err(); err != nil {
		return nil, err
	}
	return h, nil
}

// syntaxError matches a decoder error that contains a line.
var syntaxError = regexp.MustCompile(`line (\d+): ([^\n]*)`)

// onlyDocument returns the root of the only document, or nil if there is no document.
func onlyDocument(name string, text []byte) (*yaml.Node, error) {
	dec := yaml.NewDecoder(bytes.NewReader(text))
	var doc, second yaml.Node
	err := dec.Decode(&doc)
	if err == io.EOF {
		return nil, nil
	}
	if err == nil { // find duplicate keys and too many aliases
		var data any
		err = doc.Decode(&data)
	}
	if err == nil {
		if err = dec.Decode(&second); err == io.EOF {
			return doc.Content[0], nil
		}
	}
	if err == nil {
		return nil, fmt.Errorf("%s:%d: the file must contain only one document", name, second.Line)
	}
	if m := syntaxError.FindStringSubmatch(err.Error()); m != nil {
		return nil, fmt.Errorf("%s:%s: %s", name, m[1], m[2])
	}
	return nil, fmt.Errorf("%s: the file is not valid YAML, or a value does not match its YAML tag", name)
}

// A hintsReader reads a file and collects its problems.
type hintsReader struct {
	problems
	name string
}

func (r *hintsReader) at(n *yaml.Node) string {
	return fmt.Sprintf("%s:%d:%d", r.name, n.Line, n.Column)
}

func (r *hintsReader) wrong(n *yaml.Node, format string, args ...any) {
	r.add(r.at(n), format, args...)
}

// file reads the whole file.
func (r *hintsReader) file(h *Hints, root *yaml.Node) {
	r.mapping(root, "the file", []string{"provider", "values", "read", "skip", "known"}, func(key, n *yaml.Node) {
		switch key.Value {
		case "provider":
			r.provider(h, n)
		case "values":
			r.mapping(n, "values", nil, func(key, n *yaml.Node) { r.values(h, key, n) })
		case "read":
			r.sequence(n, "read", func(n *yaml.Node) { h.read = append(h.read, r.pattern(n)) })
		case "skip":
			r.mapping(n, "skip", nil, func(key, n *yaml.Node) {
				h.skip = append(h.skip, typeHint{r.pattern(key), r.reason(n)})
			})
		case "known":
			r.sequence(n, "known", func(n *yaml.Node) { r.known(h, n) })
		}
	})
}

func (r *hintsReader) provider(h *Hints, n *yaml.Node) {
	r.mapping(n, "provider", []string{"config", "env"}, func(key, n *yaml.Node) {
		if key.Value == "config" {
			h.config = map[string]any{}
			r.mapping(n, "config", nil, func(key, n *yaml.Node) { h.config[key.Value] = r.data(n) })
			return
		}
		h.env = map[string]string{}
		r.mapping(n, "env", nil, func(key, n *yaml.Node) {
			if h.env[key.Value] = r.text(n); key.Value == "" || strings.ContainsAny(key.Value, "=\x00") {
				r.wrong(key, "%q is not a name of an environment variable", key.Value)
			}
		})
	})
}

// slotPattern matches a pattern that can match slots.
var slotPattern = regexp.MustCompile(`^[^\s.\[\]]+(\.[^\s.\[\]]+)+$|\*`)

// values reads the values for slots.
func (r *hintsReader) values(h *Hints, key, n *yaml.Node) {
	s := slotHint{pattern: r.pattern(key)}
	switch {
	case strings.ContainsAny(key.Value, "[]"):
		r.wrong(key, "no slot matches %q: slots have no indexes, because all elements share their hints", key.Value)
	case !slotPattern.MatchString(key.Value):
		r.wrong(key, "no slot matches %q: use TYPE.SLOT, such as %q", key.Value, "*."+strings.TrimPrefix(key.Value, "."))
	}
	r.sequence(n, "the values", func(n *yaml.Node) {
		if n.Kind == yaml.MappingNode && len(n.Content) == 2 && n.Content[0].Value == "from" {
			slot := r.text(n.Content[1])
			if !slotPattern.MatchString(slot) || strings.Contains(slot, "*") {
				r.wrong(n.Content[1], "must be the slot of another type, written as TYPE.SLOT")
			}
			s.from = append(s.from, from{slot, r.at(n.Content[1])})
			return
		}
		v, err := ctydata.Format{}.ValueOfType(cty.DynamicPseudoType, r.data(n))
		if err != nil || v.IsNull() {
			r.wrong(n, "must be a valid value of an argument, and not null")
			return
		}
		s.values, s.valuesAt = append(s.values, v), append(s.valuesAt, r.at(n))
	})
	h.slots = append(h.slots, s)
}

// known reads a known finding.
func (r *hintsReader) known(h *Hints, n *yaml.Node) {
	k, all := knownHint{typ: pattern{"*", r.at(n), globs.New("*")}, path: globs.New("")}, []string{"type", "rule", "path", "reason"}
	r.mapping(n, "a known finding", all, func(key, n *yaml.Node) {
		switch key.Value {
		case "type":
			k.typ = r.pattern(n)
		case "rule":
			k.rule = r.rule(n)
		case "path":
			path := r.text(n)
			if err := globs.CheckPath(path); err != nil {
				r.wrong(n, "%v", err)
			}
			k.path = globs.New(normal(path))
		case "reason":
			k.reason = r.reason(n)
		}
	})
	if n.Kind == yaml.MappingNode && (!has(n, "rule") || !has(n, "reason")) {
		r.wrong(n, "a known finding needs a rule, or * for any rule, and a reason")
	}
	h.issues = append(h.issues, k)
}

func has(mapping *yaml.Node, name string) bool {
	return slices.ContainsFunc(mapping.Content, func(n *yaml.Node) bool { return n.Value == name })
}

// rule reads a pattern for rules.
func (r *hintsReader) rule(n *yaml.Node) globs.Glob {
	var names []string
	for _, rule := range objchange.Rules() {
		names = append(names, string(rule))
	}
	for _, info := range tfcheck.Rules() {
		names = append(names, string(info.Rule))
	}
	p := r.pattern(n)
	p.mustMatch(&r.problems, "rule", names)
	return p.Glob
}

// pattern reads a glob, which must not be empty.
func (r *hintsReader) pattern(n *yaml.Node) pattern {
	text := r.text(n)
	if text == "" {
		r.wrong(n, "must be a pattern; use * for any name")
	}
	return pattern{text, r.at(n), globs.New(text)}
}

func (r *hintsReader) reason(n *yaml.Node) string {
	text := r.text(n)
	if strings.TrimSpace(text) == "" {
		r.wrong(n, "must be a reason")
	}
	return text
}

// text reads a string. It rejects numbers and bools, because YAML changes them: 0123 becomes 83.
func (r *hintsReader) text(n *yaml.Node) string {
	n = resolved(n)
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str" {
		r.wrong(n, "must be a string; put it in quotes if it looks like another type")
		return ""
	}
	return n.Value
}

// mapping reads a mapping. If known is not nil, other keys are problems.
func (r *hintsReader) mapping(n *yaml.Node, what string, known []string, field func(key, n *yaml.Node)) {
	if n = resolved(n); n.Kind != yaml.MappingNode {
		if n.ShortTag() != "!!null" {
			r.wrong(n, "%s must be a mapping", what)
		}
		return
	}
	for i := 0; i < len(n.Content); i += 2 {
		key := n.Content[i]
		switch near := spelling.Nearest(key.Value, known); {
		case known == nil && key.ShortTag() == "!!str" || slices.Contains(known, key.Value):
			field(key, n.Content[i+1])
		case known == nil:
			r.wrong(key, "the key must be a string")
		case near != "":
			r.wrong(key, "unknown key %q: did you mean %q?", key.Value, near)
		default:
			r.wrong(key, "unknown key %q: use %s", key.Value, strings.Join(known, ", "))
		}
	}
}

// sequence reads a list.
func (r *hintsReader) sequence(n *yaml.Node, what string, element func(n *yaml.Node)) {
	if n = resolved(n); n.Kind != yaml.SequenceNode {
		r.wrong(n, "%s must be a list", what)
		return
	}
	for _, n := range n.Content {
		element(resolved(n))
	}
}

// resolved follows an alias. The decoder has already rejected an alias that contains itself.
func resolved(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

// data returns a value in the form that ctydata accepts.
func (r *hintsReader) data(n *yaml.Node) any {
	n = resolved(n)
	switch n.Kind {
	case yaml.MappingNode:
		object := map[string]any{}
		r.mapping(n, "a value", nil, func(key, n *yaml.Node) { object[key.Value] = r.data(n) })
		return object
	case yaml.SequenceNode:
		list := []any{}
		for _, n := range n.Content {
			list = append(list, r.data(n))
		}
		return list
	}
	switch n.ShortTag() {
	case "!!str", "!!timestamp":
		return n.Value
	case "!!int", "!!float":
		if json.Valid([]byte(n.Value)) {
			return json.Number(n.Value) // keep the exact number
		}
	}
	var data any
	if err := n.Decode(&data); err != nil {
		r.wrong(n, "the value does not match its YAML tag")
	}
	return data
}
