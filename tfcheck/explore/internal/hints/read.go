package hints

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"go.yaml.in/yaml/v3"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/internal/globs"
	"github.com/objchange/objchange/internal/spelling"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
)

// hintsFile is the content of a hints file.
type hintsFile struct {
	Provider struct {
		Config map[hintText]hintData
		Env    map[hintText]hintText
	}
	Values map[hintText][]*hintData // nil for null, which the decoder otherwise drops
	Read   []hintText
	Skip   map[hintText]hintText
	Known  []struct{ Type, Rule, Path, Reason hintText }
}

// hintKeys are the keys of a hints file, for suggestions.
var hintKeys = []string{"provider", "config", "env", "values", "read", "skip", "known", "type", "rule", "path", "reason"}

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
	var file hintsFile
	err = dec.Decode(&file)
	if err == nil {
		var second yaml.Node
		if err = dec.Decode(&second); err == nil {
			return nil, fmt.Errorf("%s:%d: the file must contain only one document", name, second.Line)
		}
	}
	if !errors.Is(err, io.EOF) {
		return nil, yamlError(name, err)
	}
	reader := &hintsReader{name: name}
	h := reader.hints(file)
	if err := reader.Err(); err != nil {
		return nil, err
	}
	return h, nil
}

// These patterns match errors of the decoder. An error about a type may contain the value.
var (
	yamlLine     = regexp.MustCompile(`line (\d+): ([^\n]*)`)
	unknownField = regexp.MustCompile(`^field (.*) not found in type `)
	wrongType    = regexp.MustCompile(`(?s)^cannot unmarshal !!(\w+) .*`)
)

// yamlError returns the error of a decoder in the form of this package.
func yamlError(name string, err error) error {
	lines := yamlLine.FindAllStringSubmatch(err.Error(), -1)
	if lines == nil {
		return fmt.Errorf("%s: the file is not valid YAML, or a value does not match its YAML tag", name)
	}
	var all Problems
	for _, line := range lines {
		text := wrongType.ReplaceAllString(line[2], "a value of type $1 is not allowed here")
		if field := unknownField.FindStringSubmatch(text); field != nil {
			text = fmt.Sprintf("unknown key %q", field[1])
			if near := spelling.Nearest(field[1], hintKeys); near != "" {
				text += fmt.Sprintf(": did you mean %q?", near)
			}
		}
		all.Add(name+":"+line[1], "%s", text)
	}
	return all.Err()
}

// A place is the line and column of a value, or zero if the value is null or absent.
type place struct{ line, column int }

// A hintText is a string. Numbers and bools are errors, because YAML changes them: 0123 becomes 83.
type hintText struct {
	text string
	place
}

// UnmarshalYAML implements yaml.Unmarshaler.
func (t *hintText) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str" {
		const wrong = "line %d: must be a string; put it in quotes if it looks like another type"
		return &yaml.TypeError{Errors: []string{fmt.Sprintf(wrong, n.Line)}} // the decoder joins errors of this type
	}
	*t = hintText{n.Value, place{n.Line, n.Column}}
	return nil
}

// hintData is a value in the form that ctydata accepts.
type hintData struct {
	data any
	place
}

// UnmarshalYAML implements yaml.Unmarshaler.
func (d *hintData) UnmarshalYAML(n *yaml.Node) error {
	d.place = place{n.Line, n.Column}
	switch n.Kind {
	case yaml.MappingNode:
		var fields map[hintText]hintData
		err := n.Decode(&fields)
		d.data = dataOf(fields)
		return err
	case yaml.SequenceNode:
		var elements []*hintData
		err := n.Decode(&elements)
		list := make([]any, len(elements))
		for i, e := range elements {
			if e != nil {
				list[i] = e.data
			}
		}
		d.data = list
		return err
	}
	switch number := json.Number(n.Value); n.ShortTag() {
	case "!!str", "!!timestamp":
		d.data = n.Value
		return nil
	case "!!int", "!!float":
		if json.Valid([]byte(number)) {
			d.data = number // keep the exact number
			return nil
		}
	}
	return n.Decode(&d.data)
}

// dataOf returns the fields of an object in the form that ctydata accepts.
func dataOf(fields map[hintText]hintData) map[string]any {
	object := map[string]any{}
	for name, field := range fields {
		object[name.text] = field.data
	}
	return object
}

// inOrder returns the keys in the order of the file.
func inOrder[V any](all map[hintText]V) []hintText {
	return slices.SortedFunc(maps.Keys(all), func(a, b hintText) int {
		return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.column, b.column))
	})
}

// A hintsReader checks a decoded file and collects its problems.
type hintsReader struct {
	Problems
	name string
}

func (r *hintsReader) at(p place) string {
	if p.line == 0 {
		return r.name
	}
	return fmt.Sprintf("%s:%d:%d", r.name, p.line, p.column)
}

func (r *hintsReader) wrong(p place, format string, args ...any) { r.Add(r.at(p), format, args...) }

// hints returns the hints in the file.
func (r *hintsReader) hints(file hintsFile) *Hints {
	h := &Hints{env: map[string]string{}}
	if file.Provider.Config != nil {
		h.config = dataOf(file.Provider.Config)
	}
	for _, name := range inOrder(file.Provider.Env) {
		value := file.Provider.Env[name]
		if h.env[name.text] = value.text; name.text == "" || strings.ContainsAny(name.text, "=\x00") {
			r.wrong(name.place, "%q is not a name of an environment variable", name.text)
		}
		if value.line == 0 {
			r.wrong(name.place, "the value must be a string")
		}
	}
	for _, key := range inOrder(file.Values) {
		h.slots = append(h.slots, r.slot(key, file.Values[key]))
	}
	for _, text := range file.Read {
		h.read = append(h.read, r.pattern(text))
	}
	for _, key := range inOrder(file.Skip) {
		h.skip = append(h.skip, typeHint{r.pattern(key), r.reason(file.Skip[key], key.place)})
	}
	for _, known := range file.Known {
		at := cmp.Or(known.Rule.place, known.Reason.place, known.Type.place, known.Path.place)
		k := knownHint{typ: NewPattern("*", r.at(at)), rule: r.rule(known.Rule, at), reason: r.reason(known.Reason, at)}
		if known.Type.line != 0 {
			k.typ = r.pattern(known.Type)
		}
		if err := globs.CheckPath(known.Path.text); err != nil {
			r.wrong(known.Path.place, "%v", err)
		}
		k.path = globs.New(scenario.Normal(known.Path.text))
		h.issues = append(h.issues, k)
	}
	return h
}

// slotPattern matches a pattern that can match slots.
var slotPattern = regexp.MustCompile(`^[^\s.\[\]]+(\.[^\s.\[\]]+)+$|\*`)

// slot returns the values for slots.
func (r *hintsReader) slot(key hintText, values []*hintData) slotHint {
	s := slotHint{Pattern: r.pattern(key)}
	switch {
	case strings.ContainsAny(key.text, "[]"):
		r.wrong(key.place, "no slot matches %q: slots have no indexes, because all elements share their hints", key.text)
	case !slotPattern.MatchString(key.text):
		r.wrong(key.place, "no slot matches %q: use TYPE.SLOT, such as %q", key.text, "*."+strings.TrimPrefix(key.text, "."))
	}
	for _, value := range values {
		value = cmp.Or(value, &hintData{place: key.place})
		at := value.place
		if object, _ := value.data.(map[string]any); len(object) == 1 && object["from"] != nil {
			slot, _ := object["from"].(string)
			if !slotPattern.MatchString(slot) || strings.Contains(slot, "*") {
				r.wrong(at, "from must be the slot of another type, written as TYPE.SLOT")
			}
			s.from = append(s.from, from{slot, r.at(at)})
			continue
		}
		v, err := ctydata.Format{}.ValueOfType(cty.DynamicPseudoType, value.data)
		if err != nil || v.IsNull() {
			r.wrong(at, "must be a valid value of an argument, and not null")
			continue
		}
		s.values, s.valuesAt = append(s.values, v), append(s.valuesAt, r.at(at))
	}
	return s
}

// rule returns the pattern for rules of the entry at the place.
func (r *hintsReader) rule(text hintText, entry place) globs.Glob {
	if text.text == "" {
		r.wrong(entry, "a known finding needs a rule, or * for any rule")
		return globs.Glob{}
	}
	var names []string
	for _, rule := range objchange.Rules() {
		names = append(names, string(rule))
	}
	p := r.pattern(text)
	p.mustMatch(&r.Problems, "rule", names)
	return p.Glob
}

// pattern returns a glob, which must not be empty.
func (r *hintsReader) pattern(text hintText) Pattern {
	if text.text == "" {
		r.wrong(text.place, emptyPattern)
	}
	return NewPattern(text.text, r.at(text.place))
}

// reason returns the reason of the entry at the place.
func (r *hintsReader) reason(text hintText, entry place) string {
	if strings.TrimSpace(text.text) == "" {
		r.wrong(cmp.Or(text.place, entry), "the reason is missing")
	}
	return text.text
}
