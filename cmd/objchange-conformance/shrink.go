package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/conformance"
	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/internal/placeholder"
)

// shrink returns the smallest case it finds that fails like c. It removes attributes, block
// types and flags, simplifies types, removes elements, and replaces values with null or simpler
// values, until no single step makes the case smaller. It calls fails with hundreds of cases
// without recorded outcomes, for which the outcome of package objchange is right. If c without
// its recorded outcomes does not fail, shrink returns c.
func shrink(c *conformance.Case, fails func(*conformance.Case) bool) *conformance.Case {
	asked := *c
	asked.Want = nil
	smallest, t := &asked, treeOf(&asked)
	if t == nil || !fails(smallest) {
		return c
	}
	for shrunk := true; shrunk; {
		shrunk = false
		for candidate := range t.smaller() {
			if candidate.weight() >= t.weight() {
				continue
			}
			next := candidate.caseOf(c)
			again := treeOf(next)
			if again != nil && again.weight() < t.weight() && fails(next) {
				t, smallest, shrunk = again, next, true
				break
			}
		}
	}
	return smallest
}

// A tree is a case as JSON data: the schema under "", and the arguments by name.
type tree map[string]any

// treeOf returns the JSON data of a case, or nil if c is nil or cannot be encoded.
func treeOf(c *conformance.Case) tree {
	if c == nil {
		return nil
	}
	text, err := json.Marshal(c.Schema.Block)
	t := tree{"": parsed(text)}
	for name, v := range c.In {
		if err == nil {
			text, err = jsonCodec{}.Encode(c.Schema.Block, v)
			t[name] = parsed(text)
		}
	}
	if err != nil {
		return nil
	}
	return t
}

// parsed returns the data of JSON, with numbers as json.Number.
func parsed(text []byte) (data any) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	_ = dec.Decode(&data) // the JSON is valid
	return data
}

// weight returns the size of the tree: the length of its JSON without nulls.
func (t tree) weight() int {
	text, _ := json.Marshal(t) // the data comes from JSON
	return len(bytes.ReplaceAll(text, []byte("null"), nil))
}

// caseOf returns the tree as a case like c. It returns nil if the schema is invalid, a value
// does not conform, or no plan is valid. It derives the proposed value anew.
func (t tree) caseOf(c *conformance.Case) *conformance.Case {
	block := &configschema.Block{}
	text, err := json.Marshal(t[""])
	if err == nil {
		err = json.Unmarshal(text, block)
	}
	if err == nil {
		err = block.Validate()
	}
	schema, invalid := objchange.Compile(block)
	if err != nil || invalid != nil {
		return nil
	}
	next := *c
	next.Want, next.Schema, next.In = nil, &conformance.Schema{Name: c.Schema.Name, Block: block}, maps.Clone(c.In)
	for name := range c.In {
		if next.In[name], err = decode(ctydata.Format{Open: openFitting}, block, t[name]); err != nil {
			return nil
		}
	}
	if c.Op != conformance.OpComputed {
		return &next
	}
	next.In["proposed"], err = objchange.ProposedNew(schema, next.In["prior"], next.In["config"])
	if err != nil || next.In["config"].IsNull() {
		return nil
	}
	if next.Compare(conformance.Answer(&next)).Verdict != conformance.VerdictSame {
		return nil
	}
	return &next
}

// openFitting is like placeholder.Open, but removes attributes that the type does not have.
func openFitting(ty cty.Type, data any) (any, error) {
	data, err := placeholder.Open(ty, data)
	object, ok := data.(map[string]any)
	if err != nil || !ok || !ty.IsObjectType() {
		return data, err
	}
	object = maps.Clone(object)
	maps.DeleteFunc(object, func(name string, _ any) bool { return !ty.HasAttribute(name) })
	return object, nil
}

// An omission replaces a part that is left out.
type omission struct{}

// replacements are the replacements for parts.
var replacements = []any{omission{}, nil, json.Number("0"), "a", true, "string"}

// smaller ranges over trees with one part removed or replaced: in the schema, in all values, or
// in one value.
func (t tree) smaller() iter.Seq[tree] {
	names := slices.Sorted(maps.Keys(t))
	choices := [][]string{names[1:]}
	for _, name := range names {
		choices = append(choices, []string{name})
	}
	return func(yield func(tree) bool) {
		for _, path := range t.paths() {
			for _, part := range replacements {
				for _, chosen := range choices {
					next, changed := maps.Clone(t), false
					for _, name := range chosen {
						if data, ok := replaced(t[name], path, part); ok {
							next[name], changed = data, true
						}
					}
					if changed && !yield(next) {
						return
					}
				}
			}
		}
	}
}

// paths returns the paths in the schema and in all values, each once.
func (t tree) paths() (all [][]any) {
	seen := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(t)) {
		for _, path := range paths(t[name]) {
			if key := fmt.Sprintf("%q", path); !seen[key] {
				seen[key] = true
				all = append(all, path)
			}
		}
	}
	return all
}

// paths returns the paths of all parts. The path of a container precedes the paths of its
// parts.
func paths(data any) [][]any {
	all := [][]any{nil}
	inside := func(key, part any) {
		for _, path := range paths(part) {
			all = append(all, append([]any{key}, path...))
		}
	}
	switch data := data.(type) {
	case []any:
		for i, part := range data {
			inside(i, part)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(data)) {
			inside(key, data[key])
		}
	}
	return all
}

// replaced returns a copy of the data with the part at the path replaced, or false if the path
// does not exist.
func replaced(data any, path []any, part any) (any, bool) {
	if len(path) == 0 {
		return part, true
	}
	switch data := data.(type) {
	case []any:
		i, ok := path[0].(int)
		if !ok || i >= len(data) {
			return nil, false
		}
		next, ok := replaced(data[i], path[1:], part)
		if next == any(omission{}) {
			return slices.Delete(slices.Clone(data), i, i+1), ok
		}
		data = slices.Clone(data)
		data[i] = next
		return data, ok
	case map[string]any:
		key, _ := path[0].(string)
		inner, ok := data[key]
		if !ok {
			return nil, false
		}
		data = maps.Clone(data)
		data[key], ok = replaced(inner, path[1:], part)
		if data[key] == any(omission{}) {
			delete(data, key)
		}
		return data, ok
	}
	return nil, false
}
