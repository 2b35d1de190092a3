package tfplan

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/jsonpos"
	"github.com/objchange/objchange/internal/sensitive"
)

// A token is a part of an address or of a reference: a name and the keys after it.
type token struct {
	name string
	keys []any  // each is a string or a json.Number
	text string // the source text of name and keys
}

// tokens splits an address or a reference, such as module.a["b"].time_static.c[0].id. It returns
// nil for any other text.
func tokens(text string) (found []token) {
	for more := true; more; text, more = strings.CutPrefix(text, ".") {
		t := token{name: text, text: text}
		if end := strings.IndexAny(text, ".["); end >= 0 {
			t.name = text[:end]
		}
		rest := text[len(t.name):]
		for strings.HasPrefix(rest, "[") {
			key, length := indexKey(rest[1:])
			if key == nil || !strings.HasPrefix(rest[1+length:], "]") {
				return nil
			}
			t.keys, rest = append(t.keys, key), rest[length+2:]
		}
		if t.name == "" || rest != "" && rest[0] != '.' {
			return nil
		}
		t.text, text = text[:len(text)-len(rest)], rest
		found = append(found, t)
	}
	return found
}

// templates removes the escapes that Terraform adds to template sequences in a quoted key.
var templates = strings.NewReplacer("$${", "${", "%%{", "%{")

// indexKey returns the key at the start of the text, or nil, and the length of its text.
func indexKey(text string) (key any, length int) {
	if quoted, err := strconv.QuotedPrefix(text); err == nil {
		key, _ := strconv.Unquote(quoted)
		return templates.Replace(key), len(quoted)
	}
	number, _, _ := strings.Cut(text, "]")
	if _, err := strconv.ParseUint(number, 10, 31); err != nil {
		return nil, 0
	}
	return json.Number(number), len(number)
}

// instanceKey returns the key of a resource or module instance, or nil.
func (t token) instanceKey() any {
	if len(t.keys) == 0 {
		return nil
	}
	return t.keys[0]
}

// A scope resolves the references in a resource instance or in a module call.
type scope struct {
	modules []token // of the address of the module instance
	key     any     // the value of each.key or count.index, or nil

	// variable returns the value of a variable of a module instance, or false if the plan does not
	// contain it. object returns a resource instance, or nil.
	variable func(modules []token, name string) (resolved, bool)
	object   func(address string) *referred
}

// A referred contains the values of a resource instance, with cty.DynamicVal for unknown values.
type referred struct {
	data      any
	sensitive *sensitive.Places
}

// A resolved is the value of an expression.
type resolved struct {
	data      any // with cty.DynamicVal for unknown values
	sensitive bool
}

// expression returns the value of a constant, or of an expression with one reference.
func (s scope) expression(expression map[string]any) (r resolved, ok bool) {
	if references, _ := expression["references"].([]any); len(references) > 0 {
		return s.references(references)
	}
	r.data, ok = expression["constant_value"]
	return r, ok && !isTemplate(r.data)
}

// references returns the value of an expression with exactly one reference. Terraform also lists
// the prefixes of a reference: ["time_static.a.id", "time_static.a"].
func (s scope) references(references []any) (r resolved, ok bool) {
	whole, _ := references[0].(string)
	last := whole
	for _, reference := range references[1:] {
		text, _ := reference.(string)
		if len(text) >= len(last) || !strings.HasPrefix(last, text) {
			return r, false
		}
		last = text
	}
	return s.reference(tokens(whole))
}

func (s scope) reference(ref []token) (r resolved, ok bool) {
	if len(ref) < 2 {
		return r, false
	}
	switch ref[0].name {
	case "var":
		r, ok = s.variable(s.modules, ref[1].name)
		return r.inside(append(slices.Clone(ref[1].keys), steps(ref[2:])...), ok)
	case "each", "count":
		want := map[string]bool{"each.key": true, "count.index": false}
		isText, known := want[text(ref)]
		_, is := s.key.(string)
		return resolved{data: s.key}, known && s.key != nil && is == isText
	case "local", "module", "path", "terraform", "self":
		return r, false
	}
	length := 2 // type and name
	if ref[0].name == "data" {
		length++
	}
	if len(ref) <= length {
		return r, false // the object as a whole
	}
	object := s.object(text(append(slices.Clone(s.modules), ref[:length]...)))
	if object == nil {
		return r, false
	}
	r = resolved{object.data, object.sensitive.Whole() || object.sensitive.In(ref[length].name)}
	return r.inside(steps(ref[length:]), true)
}

// inside returns the part of the value at the end of the steps. Each part of an unknown value is
// unknown.
func (r resolved) inside(steps []any, ok bool) (resolved, bool) {
	for _, step := range steps {
		switch data := r.data.(type) {
		case cty.Value:
			return r, ok
		case map[string]any:
			name, _ := step.(string)
			part, has := data[name]
			r.data, ok = part, ok && has
		case []any:
			number, _ := step.(json.Number)
			i, err := strconv.Atoi(number.String())
			if ok = ok && err == nil && i < len(data); ok {
				r.data = data[i]
			}
		default:
			return r, false
		}
	}
	return r, ok
}

// steps returns the names and keys of the tokens in order.
func steps(tokens []token) (steps []any) {
	for _, t := range tokens {
		steps = append(append(steps, t.name), t.keys...)
	}
	return steps
}

// text returns the text of the tokens.
func text(tokens []token) string {
	parts := make([]string, len(tokens))
	for i, t := range tokens {
		parts[i] = t.text
	}
	return strings.Join(parts, ".")
}

// scopeOf returns the scope of a resource instance.
func (chk *checker) scopeOf(address string) scope {
	all := tokens(address)
	s := scope{variable: chk.variable, object: chk.referred}
	for len(all) > 1 && all[0].name == "module" {
		s.modules, all = append(s.modules, all[:2]...), all[2:]
	}
	if len(all) > 0 {
		s.key = all[len(all)-1].instanceKey()
	}
	return s
}

// variable returns the given value of a variable, or its default. The type of the variable may
// convert the value. It returns false for a null if the variable has a default, because the
// variable may not be nullable.
func (chk *checker) variable(modules []token, name string) (r resolved, ok bool) {
	address := "var." + name
	if len(modules) > 0 {
		address = withoutKeys(text(modules)) + "." + address
	}
	v := chk.variables[address]
	declared, _ := chk.member(v.declared)
	r.data, ok = declared["default"]
	if given, isGiven := chk.member(v.given); isGiven && len(modules) > 0 {
		outer := scope{modules[:len(modules)-2], modules[len(modules)-1].instanceKey(), chk.variable, chk.referred}
		r, ok = outer.expression(given)
	} else if isGiven {
		r.data, ok = given["value"]
	}
	r.sensitive = r.sensitive || declared["sensitive"] == true
	return r, ok && (r.data != nil || declared["default"] == nil)
}

// member returns the object at a place, or false if it does not exist.
func (chk *checker) member(p *place) (map[string]any, bool) {
	if p == nil {
		return nil, false
	}
	members := chk.recent.get(p.from, p.to-p.from, func() any {
		members, err := load[map[string]any](p)
		if err != nil {
			return map[string]any(nil)
		}
		return *members
	}).(map[string]any)
	return members, members != nil
}

// referred returns the planned values of a resource instance. If the instance is not planned, it
// returns the values in the prior state. It returns nil if there are no values.
func (chk *checker) referred(address string) *referred {
	p := chk.objects[key{address: address}]
	if p == nil {
		return nil
	}
	size := int64(0)
	for _, at := range p.places {
		size += at.to - at.from
	}
	return chk.recent.get(p.places[0].from, size, func() any { return refer(p) }).(*referred)
}

func refer(p *parts) *referred {
	o, err := newObject(p)
	if err != nil {
		return nil
	}
	t := objectData{sensitive: o.sensitive}
	switch {
	case o.change != nil:
		t.data, t.unknown = jsonpos.Data(o.change.Change.After), o.change.Change.AfterUnknown
	case o.values[planned] != nil:
		t.data = jsonpos.Data(o.values[planned].Values)
	case o.values[prior] != nil:
		t.data = jsonpos.Data(o.values[prior].Values)
	}
	data, wrong := t.merged()
	if len(wrong) > 0 {
		return nil
	}
	return &referred{data, o.sensitive}
}

// recently caches values up to a size, because many resources may refer to the same object.
type recently struct {
	mu   sync.Mutex
	read map[int64]any // by its offset in the plan
	size int64         // of the text
}

// maxRecent is the maximal size of the cached text. The decoded values need up to ten times as much
// memory.
const maxRecent = 2 << 20

// get returns the value at the offset. It reads the value if it is not in the cache.
func (r *recently) get(offset, size int64, read func() any) any {
	r.mu.Lock()
	known, ok := r.read[offset]
	r.mu.Unlock()
	if ok {
		return known
	}
	known = read()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.size += size; r.size > maxRecent || r.read == nil {
		r.read, r.size = map[int64]any{}, size
	}
	r.read[offset] = known
	return known
}
