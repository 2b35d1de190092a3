// Package search finds configurations that a provider accepts. It builds configurations from a
// schema, learns from the diagnostics of the provider, and varies the accepted configurations. It
// knows schemas, values and diagnostics, but no provider.
package search

import (
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck/driver"
)

const (
	maxTries = 40     // for each first configuration
	maxRoom  = 400    // slots in a configuration that sets everything
	maxDepth = 4      // of optional blocks in such a configuration
	maxSame  = 5      // refusals of an optional slot before something else is tried
	maxOpen  = 4      // moves for a refused slot that may be made later
	maxNamed = 10_000 // slots that a message may name
)

// Knowledge contains the facts about the configurations of one type. It builds configurations that
// conform to the schema's implied type. It learns from refusals which configurations the provider
// accepts. The same calls give the same results.
type Knowledge struct {
	schema *objchange.Schema
	root   *Slot
	hints  func(slot string) []cty.Value
	rng    *rand.Rand

	names map[string][]*Slot // by their last name, in the form that plainName returns; outer slots come first
	room  int                // number of slots that Full may still set
	last  *refusal

	// The search since the last first configuration.
	everything bool // the first configuration set as much as possible
	tried      []cty.Value
	refusals   map[*Slot]int
	open       []option
}

// A move replaces the values of slots. The zero cty.Value stands for a built value.
type move []edit

type edit struct {
	at *Slot
	to cty.Value
}

// remove returns the edit that omits the slot.
func remove(s *Slot) edit { return edit{s, s.none} }

// An option is a move that was not made yet.
type option struct {
	config cty.Value
	move   move
}

// A refusal is the first diagnostic of the last refused configuration.
type refusal struct {
	at     *Slot // nil if the diagnostic names no slot
	diag   driver.Diagnostic
	silent bool // whether the provider returned no error
}

// New returns the facts that the schema contains. The function hints returns values for a
// slot, such as "rule.port". These values are tried first. The function may be nil.
func New(schema *objchange.Schema, hints func(slot string) []cty.Value, rng *rand.Rand) *Knowledge {
	k := &Knowledge{
		schema: schema, root: rootSlot(schema.Block()), hints: hints, rng: rng,
		names: map[string][]*Slot{},
	}
	for _, s := range k.root.below(maxNamed) {
		if s.settable {
			k.names[plainName(s.Name)] = append(k.names[plainName(s.Name)], s)
		}
	}
	k.begin(false)
	return k
}

func (k *Knowledge) begin(everything bool) {
	k.everything, k.tried, k.refusals, k.open = everything, nil, map[*Slot]int{}, nil
}

// sendable reports whether Terraform would send the configuration to a provider. An edit can make a
// configuration invalid, for example if elements of a set become equal.
func (k *Knowledge) sendable(config cty.Value) bool {
	return len(objchange.AssertConfigValid(k.schema, config)) == 0
}

// Minimal returns a configuration that sets every slot that is known to be required.
func (k *Knowledge) Minimal() cty.Value {
	k.begin(false)
	return k.build(k.root, 0)
}

// Full returns a configuration that sets all slots that can be set together, according to the known
// facts. It omits deeply nested blocks of a large schema.
func (k *Knowledge) Full() cty.Value {
	k.begin(true)
	k.room = maxRoom
	defer func() { k.room = 0 }()
	return k.build(k.root, 0)
}

// build builds a value for the slot. The same i gives the same value.
func (k *Knowledge) build(s *Slot, i int) cty.Value {
	if hinted := k.hinted(s); len(hinted) > 0 {
		return hinted[min(i, len(hinted)-1)]
	}
	switch {
	case s.isObject():
		var chosen []*Slot
		return s.object(func(at *Slot) cty.Value {
			if !k.wants(at, chosen) {
				return at.none
			}
			chosen = append(chosen, at)
			k.room--
			return k.build(at, i)
		})
	case s.element != nil:
		return k.several(s, i, max(1, s.min))
	}
	return s.another(k.candidates(s)[0], i)
}

// several builds a collection of different elements.
func (k *Knowledge) several(s *Slot, from, count int) cty.Value {
	var all []cty.Value
	for i := range count {
		all = append(all, k.build(s.element, from+i))
	}
	return s.collect(all)
}

// wants reports whether a configuration that sets the chosen slots should also set this slot.
func (k *Knowledge) wants(s *Slot, chosen []*Slot) bool {
	excluded := slices.ContainsFunc(s.excludes, func(o *Slot) bool { return slices.Contains(chosen, o) })
	if !s.settable || excluded && !s.declared {
		return false
	}
	return s.required || k.room > 0 && (!s.block || s.depth() < maxDepth)
}

// hinted returns the hints for the slot that can be converted to its type.
func (k *Knowledge) hinted(s *Slot) (values []cty.Value) {
	if k.hints == nil || s.parent == nil {
		return nil
	}
	for _, hint := range k.hints(s.Path) {
		v, err := convert.Convert(hint, s.ty)
		if err == nil && v.IsWhollyKnown() && !v.IsNull() {
			values = append(values, v)
		}
	}
	return values
}

// candidates returns possible values of a slot without slots inside. The most promising values come
// first. Refused values come last.
func (k *Knowledge) candidates(s *Slot) []cty.Value {
	if s.guesses == nil {
		s.guesses = guessesOf(s)
	}
	var all, refused []cty.Value
	seen := map[string]bool{}
	for _, v := range slices.Concat(k.hinted(s), s.good, s.values, s.guesses) {
		key := valueKey(v)
		switch {
		case seen[key]:
		case s.refused[key]:
			refused = append(refused, v)
		default:
			all = append(all, v)
		}
		seen[key] = true
	}
	return append(all, refused...)
}

// valueKey returns a key that identifies a value of a slot.
func valueKey(v cty.Value) string {
	switch {
	case v.IsNull() || !v.IsKnown():
	case v.Type() == cty.String:
		return v.AsString()
	case v.Type() == cty.Number:
		return v.AsBigFloat().Text('p', 0) // exact, and much faster than decimals
	}
	return v.GoString()
}

// another returns a value that differs from v for each i if possible. It returns v if i is zero. If
// messages list values for the slot, it returns one of the listed values.
func (s *Slot) another(v cty.Value, i int) cty.Value {
	if at := slices.IndexFunc(s.values, v.RawEquals); at >= 0 && len(s.values) > 1 {
		return s.values[(at+i)%len(s.values)]
	}
	switch {
	case i == 0 || v.IsNull() || !v.IsKnown():
	case v.Type() == cty.String:
		return cty.StringVal(v.AsString() + strconv.Itoa(i+1))
	case v.Type() == cty.Number:
		return v.Add(cty.NumberIntVal(int64(i)))
	}
	return v
}

// Accepted records that the provider accepts the configuration. The values of the configuration are
// tried first from now on.
func (k *Knowledge) Accepted(config cty.Value) {
	k.last = nil
	k.remember(k.root, config)
}

func (k *Knowledge) remember(s *Slot, v cty.Value) {
	switch {
	case !v.IsKnown() || v.IsNull():
	case s.isObject():
		for _, at := range s.slots() {
			if field := v.GetAttr(at.Name); at.set(field) {
				k.remember(at, field)
			}
		}
	case s.element != nil:
		elements, keys := partsOf(v)
		s.keys = keys
		for _, e := range elements {
			k.remember(s.element, e)
		}
	case len(s.good) < 8 && !slices.ContainsFunc(s.good, v.RawEquals):
		s.good = append(s.good, v)
		delete(s.refused, valueKey(v))
	}
}
