package explore

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
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
)

// HintsSchema is the JSON Schema of hints files.
//
//go:embed hints.schema.json
var HintsSchema []byte

// Hints contain facts about a provider that are not in its schema and messages. ReadHints reads
// them. Nil Hints are empty.
type Hints struct {
	config map[string]any // provider configuration; nil if the file has none
	env    map[string]string
	slots  []slotHint
	skip   []typeHint
	read   []pattern // data sources and ephemeral resources that may be read
	issues []knownHint
}

// A slotHint contains values for the slots whose TYPE.SLOT matches the pattern.
type slotHint struct {
	pattern
	values   []cty.Value
	valuesAt []string // places of the values in the file
	from     []from
}

// A from names a slot of another type that provides the value, as TYPE.SLOT.
type from struct{ slot, at string }

// A typeHint contains the reason why types are not explored.
type typeHint struct {
	pattern
	reason string
}

// A knownHint contains the reason why findings do not count.
type knownHint struct {
	typ        pattern
	rule, path globs.Glob
	reason     string
}

// A pattern is a glob with its text and its place.
type pattern struct {
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

// providerConfig returns the configuration of the provider, or cty.NilVal if the hints have none.
func (h *Hints) providerConfig(schema *configschema.Block) (cty.Value, error) {
	if h == nil || h.config == nil {
		return cty.NilVal, nil
	}
	config, err := ctydata.ValueOf(schema, h.config)
	if err != nil {
		return cty.NilVal, fmt.Errorf("provider.config of the hints: %w", err)
	}
	return config, nil
}

// values returns the values for a slot of the type. The type of the provider's own configuration is
// "provider". The first pattern that matches determines the values. Values from other types are not
// included.
func (h *Hints) values(typeName, slot string) []cty.Value {
	if i := h.find(typeName, slot); i >= 0 {
		return h.slots[i].values
	}
	return nil
}

// from returns the attributes of other types that provide the value of the slot.
func (h *Hints) from(typeName, slot string) []from {
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

// gives reports whether the hints contain the value of a slot, or of a slot around it.
func (h *Hints) gives(typeName, slot string) bool {
	if h != nil && h.config != nil && typeName == string(Configuration) {
		return true
	}
	for ; slot != ""; slot = slot[:max(strings.LastIndexByte(slot, '.'), 0)] {
		if h.find(typeName, slot) >= 0 {
			return true
		}
	}
	return false
}

// skipped returns the reason why the type is not explored, or "".
func (h *Hints) skipped(typeName string) string {
	if h != nil {
		for _, s := range h.skip {
			if s.Matches(typeName) {
				return s.reason
			}
		}
	}
	return ""
}

// reads reports whether a data source or an ephemeral resource may be read.
func (h *Hints) reads(typeName string) bool {
	return h != nil && slices.ContainsFunc(h.read, func(p pattern) bool { return p.Matches(typeName) })
}

// known returns the reason why a finding does not count, or "".
func (h *Hints) known(typeName string, rule objchange.Rule, path string) string {
	if h != nil {
		for _, k := range h.issues {
			if k.matches(typeName, rule, path) {
				return k.reason
			}
		}
	}
	return ""
}

// unmatched returns notes about known findings that did not happen although their types were
// reached, and about values that may crash the provider.
func (h *Hints) unmatched(r *Result) (notes []string) {
	if h == nil {
		return nil
	}
	for _, k := range h.issues {
		explored := slices.ContainsFunc(r.Types, func(t Type) bool { return t.Reached && k.typ.Matches(t.Name) })
		happened := slices.ContainsFunc(slices.Concat(r.Findings, r.Unstable), func(f Finding) bool {
			return slices.ContainsFunc(f.Places, func(p Place) bool { return k.matches(p.Type, f.Rule, p.Path) })
		})
		if explored && !happened {
			notes = append(notes, k.typ.at+": the known finding did not happen: "+k.reason)
		}
	}
	return append(notes, h.crashing(r)...)
}

// crashing returns notes about types with a crash before a configuration was accepted, if values
// from the hints may be the reason.
func (h *Hints) crashing(r *Result) (notes []string) {
	for _, f := range slices.Concat(r.Findings, r.Unstable) {
		if f.Rule != tfcheck.RuleCrash || f.Phase != PhaseMinimal {
			continue
		}
		for _, p := range f.Places {
			if suspects := h.suspects(p.Type, f.HCL); suspects != nil {
				notes = append(notes, fmt.Sprintf("%s: the provider crashes with the first configurations, which may hide other faults. These configurations contain values from the hints for %s", p.Type, strings.Join(suspects, ", ")))
			}
		}
	}
	return notes
}

// suspects returns the hints for slots that the configuration may set.
func (h *Hints) suspects(typeName, hcl string) (all []string) {
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

// check returns an error for types and slots that the provider does not have, for values that no
// slot can have, and for values from attributes that are not at the root of another resource type.
func (h *Hints) check(targets []scenario.Target, provider *configschema.Block) error {
	if h == nil {
		return nil
	}
	var types, sources []string
	for _, t := range targets {
		types = append(types, t.Name)
		if t.Kind == Data || t.Kind == Ephemeral {
			sources = append(sources, t.Name)
		}
	}
	var problems problems
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
	return problems.err()
}

// mustMatch adds a problem if the pattern matches none of the names.
func (p *pattern) mustMatch(problems *problems, what string, names []string) {
	if slices.ContainsFunc(names, p.Matches) {
		return
	}
	problems.missing(p.at, what, p.text, names)
}

// slotsOf returns the slots of a type as TYPE.SLOT.
func slotsOf(prefix string, block *configschema.Block) (all []string) {
	if block == nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(block.Attributes)) {
		all = append(all, prefix+"."+name)
		if nested := block.Attributes[name].NestedType; nested != nil {
			all = append(all, slotsOf(prefix+"."+name, nested.Block())...)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(block.BlockTypes)) {
		all = append(all, prefix+"."+name)
		all = append(all, slotsOf(prefix+"."+name, &block.BlockTypes[name].Block)...)
	}
	return all
}

// problems lists the problems of a file, in order.
type problems []string

func (p *problems) add(at, format string, args ...any) {
	*p = append(*p, at+": "+fmt.Sprintf(format, args...))
}

// missing adds a problem: the text does not match any of the names.
func (p *problems) missing(at, what, text string, names []string) {
	if near := spelling.Nearest(text, names); near != "" {
		p.add(at, "there is no %s %q: did you mean %q?", what, text, near)
	} else {
		p.add(at, "no %s matches %q", what, text)
	}
}

func (p problems) err() error {
	if len(p) == 0 {
		return nil
	}
	return fmt.Errorf("%s", strings.Join(p, "\n"))
}
