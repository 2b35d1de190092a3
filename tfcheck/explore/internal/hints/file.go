package hints

import (
	"fmt"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"go.yaml.in/yaml/v3"

	"github.com/objchange/objchange/ctydata"
)

// A file is the content of a hints file.
type file struct {
	Provider struct {
		Config map[string]any
		Env    map[string]string
	}
	Values entries[values]
	Read   []Pattern // data sources and ephemeral resources that may be read
	Skip   entries[string]
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
		if err := n.Content[i].Decode(&e.key); err != nil {
			return err
		}
		if err := n.Content[i+1].Decode(&e.value); err != nil {
			return err
		}
		*all = append(*all, e)
	}
	return nil
}

// wrongNode returns the error for a node of another kind.
func wrongNode(n *yaml.Node) error { return lineError(n, "cannot unmarshal "+n.ShortTag()) }

// lineError returns an error as the decoder returns it, so that the decoder joins it to others.
func lineError(n *yaml.Node, text string) error {
	return &yaml.TypeError{Errors: []string{fmt.Sprintf("line %d: %s", n.Line, text)}}
}

// values are the values for a slot.
type values []cty.Value

// UnmarshalYAML implements yaml.Unmarshaler.
func (all *values) UnmarshalYAML(n *yaml.Node) error {
	var items []yaml.Node
	if err := n.Decode(&items); err != nil {
		return err
	}
	for _, item := range items {
		var data any
		if err := item.Decode(&data); err != nil {
			return err
		}
		v, err := (ctydata.Format{}).ValueOfType(cty.DynamicPseudoType, data)
		if err != nil || v.IsNull() {
			return lineError(&item, "must be a value of an argument, and not null or a time without quotes")
		}
		*all = append(*all, v)
	}
	return nil
}

// check returns an error with the problems that do not depend on the provider.
func (f *file) check(problems *Problems) error {
	for _, e := range f.Skip {
		if strings.TrimSpace(e.value) == "" {
			problems.Add(e.key.at, "the reason is missing")
		}
	}
	return problems.Err()
}
