// Package search finds configurations that a provider accepts. It builds configurations from a
// schema, learns from the diagnostics of the provider, and varies the accepted configurations. It
// knows schemas, values and diagnostics, but no provider.
package search

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck/driver"
)

const (
	maxTries = 40  // for each first configuration
	maxRoom  = 400 // slots in a configuration that sets everything
	maxDepth = 4   // of optional blocks in such a configuration
	maxSame  = 5   // refusals of an optional slot before something else is tried
)

// Knowledge contains the facts about the configurations of one type. It builds configurations that
// conform to the schema's implied type. It learns from refusals which configurations the provider
// accepts. The same calls give the same results.
type Knowledge struct {
	schema *objchange.Schema // nil if the schema is invalid
	root   *Slot
	hints  func(slot string) []cty.Value
	// provided has values from other resources, by slot. They may be unknown.
	Provided map[string][]cty.Value
	rng      *rand.Rand

	attempt
	last  *refusal
	names map[string][]*Slot // by their last name, in the form that plainName returns
	room  int                // number of slots that full may still set
}

// An attempt is the state of the search since the last first configuration.
type attempt struct {
	everything bool            // the first configuration set as much as possible
	tried      map[string]bool // keys of configurations
	refusals   map[*Slot]int
	open       []option
}

// An option is a move that was not made yet.
type option struct {
	config cty.Value
	move   move
}

// A refusal is the first diagnostic of the last refused configuration.
type refusal struct {
	at   *Slot // nil if the diagnostic names no slot
	diag driver.Diagnostic
}

// New returns the facts that the schema contains. The function hints returns values for a
// slot, such as "rule.port". These values are tried first. The function may be nil.
func New(schema *configschema.Block, hints func(slot string) []cty.Value, rng *rand.Rand) *Knowledge {
	compiled, _ := objchange.Compile(schema)
	k := &Knowledge{schema: compiled, root: rootSlot(schema), hints: hints, Provided: map[string][]cty.Value{}, rng: rng}
	k.begin(false)
	return k
}

func (k *Knowledge) begin(everything bool) {
	k.attempt = attempt{everything: everything, tried: map[string]bool{}, refusals: map[*Slot]int{}}
}

// sendable reports whether Terraform would send the configuration to a provider. An edit can make a
// configuration invalid, for example if elements of a set become equal.
func (k *Knowledge) sendable(config cty.Value) bool {
	return k.schema == nil || len(objchange.AssertConfigValid(k.schema, config)) == 0
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
		count := max(1, s.min)
		if s.max > 0 {
			count = min(count, s.max)
		}
		v := k.several(s, i, count)
		if room := k.room; v.LengthInt() < s.min { // equal elements of a set merge
			k.room = maxRoom
			v = k.several(s, i, count)
			k.room = room
		}
		return v
	}
	return k.pick(s, i)
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
	switch {
	case !s.settable:
		return false
	case s.required || s.wanted && !excluded:
		return true
	}
	return k.room > 0 && !excluded && (!s.block || s.depth() < maxDepth)
}

// hinted returns the hints for the slot that can be converted to its type, and the values that
// other resources provide for it.
func (k *Knowledge) hinted(s *Slot) (values []cty.Value) {
	if k.hints == nil || s.parent == nil {
		return nil
	}
	for _, from := range [][]cty.Value{k.hints(s.Path), k.Provided[s.Path]} {
		for _, hint := range from {
			if v, ok := convertible(hint, s.ty); ok {
				values = append(values, v)
			}
		}
	}
	return values
}

// convertible converts a value from the hints or from another resource to the type. It reports
// whether that is possible.
func convertible(v cty.Value, ty cty.Type) (cty.Value, bool) {
	v, err := convert.Convert(v, ty)
	return v, err == nil && (!v.IsKnown() || v.IsWhollyKnown() && !v.IsNull())
}

// Lacking returns the slots whose values another resource may provide: the slot that was refused
// last, and the required slots. Slots with such values are omitted.
func (k *Knowledge) Lacking() (slots []*Slot) {
	add := func(s *Slot) {
		if s = s.leaf(); s != nil && k.Provided[s.Path] == nil {
			slots = append(slots, s)
		}
	}
	if k.last != nil && k.last.at != nil {
		add(k.last.at)
	}
	for _, s := range k.settable(k.Minimal(), 0) {
		if s.required {
			add(s)
		}
	}
	return slots
}

// candidates returns possible values of a slot without slots inside. The most promising values come
// first. Refused values come last.
func (k *Knowledge) candidates(s *Slot) []cty.Value {
	if s.guesses == nil {
		s.guesses = guessesOf(s)
		if s.guesses == nil {
			s.guesses = []cty.Value{exampleOf(s.ty)}
		}
	}
	var all, refused []cty.Value
	seen := map[string]bool{}
	for _, from := range [][]cty.Value{k.hinted(s), s.good, s.values, s.guesses} {
		for _, v := range from {
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
	}
	return append(all, refused...)
}

// valueKey returns a key that identifies a value of a slot.
func valueKey(v cty.Value) string {
	switch {
	case !v.IsKnown() || v.IsNull():
	case v.Type() == cty.String:
		return v.AsString()
	case v.Type() == cty.Number:
		return v.AsBigFloat().Text('p', 0)
	}
	return v.GoString()
}

// exampleOf returns a value of the type for a slot without known values.
func exampleOf(ty cty.Type) cty.Value {
	if ty.IsTupleType() {
		var all []cty.Value
		for _, ety := range ty.TupleElementTypes() {
			all = append(all, exampleOf(ety))
		}
		return cty.TupleVal(all)
	}
	if texts := ofType(plainGuesses, ty); texts != nil {
		return valuesOf(ty, texts)[0]
	}
	return cty.NullVal(ty)
}

// pick returns a value for a slot. Different numbers give different values if possible.
func (k *Knowledge) pick(s *Slot, i int) cty.Value {
	return s.another(k.candidates(s)[0], i)
}

// another returns a value that differs from v for each i. If messages list values for the slot, it
// returns one of the listed values.
func (s *Slot) another(v cty.Value, i int) cty.Value {
	if at := slices.IndexFunc(s.values, v.RawEquals); at >= 0 && len(s.values) > 1 {
		return s.values[(at+i)%len(s.values)]
	}
	return another(v, i)
}

// another returns a value that differs for each i if possible. It returns v if i is zero.
func another(v cty.Value, i int) cty.Value {
	switch {
	case i == 0 || v.IsNull() || !v.IsKnown():
		return v
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
		if s.nesting.Keyed() {
			s.keys = keys
		}
		for _, e := range elements {
			k.remember(s.element, e)
		}
	case len(s.good) < 8 && !slices.ContainsFunc(s.good, v.RawEquals):
		s.good = append(s.good, v)
		delete(s.refused, valueKey(v))
	}
}

// WithoutSlot returns the last refusal if it names no slot.
func (k *Knowledge) WithoutSlot() []driver.Diagnostic {
	if k.last == nil || k.last.at != nil {
		return nil
	}
	return []driver.Diagnostic{k.last.diag}
}

// Unreached describes the last refusal and the hint that would help. It returns "" if the provider
// refused nothing since the last accepted configuration, or did not respond.
func (k *Knowledge) Unreached() string {
	if k.last == nil || k.last.diag.Summary == noResponse {
		return ""
	}
	text := strings.Join(strings.Fields(k.last.diag.String()), " ")
	if k.last.at == nil || k.last.at.Path == "" {
		return text
	}
	return text + "; give values for " + k.last.at.Path + " in the hints file"
}
