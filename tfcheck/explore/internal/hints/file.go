package hints

import (
	"cmp"

	"github.com/zclconf/go-cty/cty"
	"go.yaml.in/yaml/v3"

	"github.com/objchange/objchange/ctydata"
)

// Hints contain facts about a provider that are not in its schema and messages. Read reads
// them. Nil Hints are empty.
type Hints struct {
	name string // of the file
	file file
}

// content returns the content of the file, which is empty for nil hints.
func (h *Hints) content() file {
	if h == nil {
		return file{}
	}
	return h.file
}

// A file is the content of a hints file.
type file struct {
	Provider struct {
		Config fields
		Env    map[string]string
	}
	Values entries[[]*hint]
	Read   []Pattern // data sources and ephemeral resources that may be read
	Skip   entries[Pattern]
}

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
