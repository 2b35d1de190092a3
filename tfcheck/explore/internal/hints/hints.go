// Package hints reads the facts about a provider that its user knows, and matches them with types.
package hints

import (
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/internal/globs"
	"github.com/objchange/objchange/internal/spelling"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
)

// Schema is the JSON Schema of hints files.
//
//go:embed hints.schema.json
var Schema []byte

// Hints contain facts about a provider that are not in its schema and messages. Read reads
// them. Nil Hints are empty.
type Hints struct {
	config map[string]any // provider configuration; nil if the file has none
	env    map[string]string
	slots  []slotHint
	skip   []typeHint
	read   []Pattern // data sources and ephemeral resources that may be read
	issues []knownHint
}

// A slotHint contains values for the slots whose TYPE.SLOT matches the pattern.
type slotHint struct {
	Pattern
	values   []cty.Value
	valuesAt []string // places of the values in the file
	from     []from
}

// A from names a slot of another type that provides the value, as TYPE.SLOT.
type from struct{ Slot, at string }

// A typeHint contains the reason why types are not explored.
type typeHint struct {
	Pattern
	reason string
}

// A knownHint contains the reason why findings do not count.
type knownHint struct {
	typ        Pattern
	rule, path globs.Glob
	reason     string
}

// A Pattern is a glob with its text and its place.
type Pattern struct {
	text, at string
	globs.Glob
}

// Env returns the environment variables for the provider, each as NAME=value, sorted. Pass them to
// driver.WithEnv, because Explore and Run do not set them.
func (h *Hints) Env() (env []string) {
	if h == nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(h.env)) {
		env = append(env, name+"="+h.env[name])
	}
	return env
}

// ProviderConfig returns the configuration of the provider, or cty.NilVal if the hints have none.
func (h *Hints) ProviderConfig(schema *configschema.Block) (cty.Value, error) {
	if h == nil || h.config == nil {
		return cty.NilVal, nil
	}
	config, err := ctydata.ValueOf(schema, h.config)
	if err != nil {
		return cty.NilVal, fmt.Errorf("provider.config of the hints: %w", err)
	}
	return config, nil
}

// Values returns the values for a slot of the type. The type of the provider's own configuration is
// "provider". The first pattern that matches determines the values. Values from other types are not
// included.
func (h *Hints) Values(typeName, slot string) []cty.Value {
	if i := h.find(typeName, slot); i >= 0 {
		return h.slots[i].values
	}
	return nil
}

// From returns the attributes of other types that provide the value of the slot.
func (h *Hints) From(typeName, slot string) []from {
	if i := h.find(typeName, slot); i >= 0 {
		return h.slots[i].from
	}
	return nil
}

func (h *Hints) find(typeName, slot string) int {
	if h == nil {
		return -1
	}
	return slices.IndexFunc(h.slots, func(s slotHint) bool { return s.Matches(typeName + "." + slot) })
}

// Gives reports whether the hints contain the value of a slot, or of a slot around it.
func (h *Hints) Gives(typeName, slot string) bool {
	if h != nil && h.config != nil && typeName == string(scenario.Configuration) {
		return true
	}
	for ; slot != ""; slot = slot[:max(strings.LastIndexByte(slot, '.'), 0)] {
		if h.find(typeName, slot) >= 0 {
			return true
		}
	}
	return false
}

// Skipped returns the reason why the type is not explored, or "".
func (h *Hints) Skipped(typeName string) string {
	if h != nil {
		for _, s := range h.skip {
			if s.Matches(typeName) {
				return s.reason
			}
		}
	}
	return ""
}

// Reads reports whether a data source or an ephemeral resource may be read.
func (h *Hints) Reads(typeName string) bool {
	return h != nil && slices.ContainsFunc(h.read, func(p Pattern) bool { return p.Matches(typeName) })
}

// Known returns the reason why a finding does not count, or "".
func (h *Hints) Known(typeName string, rule objchange.Rule, path string) string {
	if h != nil {
		for _, k := range h.issues {
			if k.matches(typeName, rule, path) {
				return k.reason
			}
		}
	}
	return ""
}

// A Seen is a place where a rule was broken.
type Seen struct {
	TypeName, Path string
	Rule           objchange.Rule
}

// Absent returns notes about known findings that did not happen although their types were reached.
func (h *Hints) Absent(reached []string, found []Seen) (notes []string) {
	if h == nil {
		return nil
	}
	for _, k := range h.issues {
		happened := slices.ContainsFunc(found, func(s Seen) bool { return k.matches(s.TypeName, s.Rule, s.Path) })
		if !happened && slices.ContainsFunc(reached, k.typ.Matches) {
			notes = append(notes, k.typ.at+": the known finding did not happen: "+k.reason)
		}
	}
	return notes
}

// Suspects returns the hints for slots that the configuration may set.
func (h *Hints) Suspects(typeName, hcl string) (all []string) {
	if h == nil {
		return nil
	}
	for _, s := range h.slots {
		of, slot, _ := strings.Cut(s.text, ".")
		name := slot[strings.LastIndexByte(slot, '.')+1:]
		inside := strings.Contains(name, "*") || slices.Contains(strings.Fields(hcl), name)
		if globs.New(of).Matches(typeName) && (slot == "" || inside) {
			all = append(all, fmt.Sprintf("%q (%s)", s.text, s.at))
		}
	}
	return all
}

func (k knownHint) matches(typeName string, rule objchange.Rule, path string) bool {
	return k.typ.Matches(typeName) && k.rule.Matches(string(rule)) && k.path.Matches(cmp.Or(path, globs.Root))
}

// Check returns an error for types and slots that the provider does not have, for values that no
// slot can have, and for values from attributes that are not at the root of another resource type.
func (h *Hints) Check(targets []scenario.Target, provider *configschema.Block) error {
	if h == nil {
		return nil
	}
	var types, sources []string
	for _, t := range targets {
		types = append(types, t.Name)
		if t.Kind == scenario.Data || t.Kind == scenario.Ephemeral {
			sources = append(sources, t.Name)
		}
	}
	var problems Problems
	h.checkSlots(&problems, targets, provider)
	for _, s := range h.skip {
		s.mustMatch(&problems, "type", types)
	}
	for _, p := range h.read {
		p.mustMatch(&problems, "data source or ephemeral resource", sources)
	}
	for _, k := range h.issues {
		k.typ.mustMatch(&problems, "type", types)
	}
	return problems.Err()
}

// NewPattern returns a pattern from the place.
func NewPattern(text, at string) Pattern { return Pattern{text, at, globs.New(text)} }

// Check adds a problem if the pattern is empty or matches none of the names.
func (p *Pattern) Check(problems *Problems, what string, names []string) {
	if p.text == "" { // as a glob, "" matches any text
		problems.Add(p.at, emptyPattern)
	} else {
		p.mustMatch(problems, what, names)
	}
}

const emptyPattern = "must be a pattern; use * for any name"

// mustMatch adds a problem if the pattern matches none of the names.
func (p *Pattern) mustMatch(problems *Problems, what string, names []string) {
	if slices.ContainsFunc(names, p.Matches) {
		return
	}
	problems.missing(p.at, what, p.text, names)
}

// SlotsOf returns the slots of a type as TYPE.SLOT.
func SlotsOf(prefix string, block *configschema.Block) (all []string) {
	if block == nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(block.Attributes)) {
		all = append(all, prefix+"."+name)
		if nested := block.Attributes[name].NestedType; nested != nil {
			all = append(all, SlotsOf(prefix+"."+name, nested.Block())...)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(block.BlockTypes)) {
		all = append(all, prefix+"."+name)
		all = append(all, SlotsOf(prefix+"."+name, &block.BlockTypes[name].Block)...)
	}
	return all
}

// Problems lists the problems of a file, in order.
type Problems []string

func (p *Problems) Add(at, format string, args ...any) {
	*p = append(*p, at+": "+fmt.Sprintf(format, args...))
}

// missing adds a problem: the text does not match any of the names.
func (p *Problems) missing(at, what, text string, names []string) {
	if near := spelling.Nearest(text, names); near != "" {
		p.Add(at, "there is no %s %q: did you mean %q?", what, text, near)
	} else {
		p.Add(at, "no %s matches %q", what, text)
	}
}

func (p Problems) Err() error {
	if len(p) == 0 {
		return nil
	}
	return fmt.Errorf("%s", strings.Join(p, "\n"))
}
