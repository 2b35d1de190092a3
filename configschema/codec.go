package configschema

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"github.com/objchange/objchange/internal/jsontext"
	"github.com/objchange/objchange/internal/paths"
	"maps"
	"slices"
	"strconv"
)

const (
	// maxJSONSteps is how many steps a place in the JSON of a schema may have,
	// which ends a schema whose pointers form a cycle. A level of blocks or of
	// nested attributes takes three steps; the rest is room for deep types.
	maxJSONSteps = 4 * maxDepth

	// maxJSONSize is how long the JSON of a schema may become, so that a few
	// shared pointers cannot make us write for ever. It is far more than the
	// largest providers together need.
	maxJSONSize = 1 << 28

	// maxShownSteps is how many steps of a place an error shows.
	maxShownSteps = 40
)

// A codec reads or writes the JSON of a schema. A type's jsonFields hands it
// one field after the other, in the order in which they are written, by its
// name in the JSON and a pointer to it. Writing only reads what is there.
//
// After the first error all that follows is of no consequence.
type codec struct {
	in   map[string]any // reading: the object at hand
	out  *bytes.Buffer  // writing: all so far; nil when reading
	size int            // writing: how long out may become

	steps []paths.Step // the place at hand
	err   error
}

// jsonObject is the pointer to a type that is an object in JSON.
type jsonObject[T any] interface {
	*T
	jsonFields(*codec)
}

// marshal returns the JSON of v, which is not nil.
func marshal[T any, P jsonObject[T]](v P) ([]byte, error) {
	c := codec{out: new(bytes.Buffer), size: maxJSONSize}
	c.write(v.jsonFields)
	if c.err != nil {
		return nil, c.err
	}
	return c.out.Bytes(), nil
}

// unmarshal sets *v to what the JSON says, if that can be read, and leaves it
// alone if the JSON is null.
func unmarshal[T any, P jsonObject[T]](data []byte, v P) error {
	if string(data) == "null" {
		return nil
	}
	fresh, err := parse[T, P](data)
	if err == nil {
		*v = *fresh
	}
	return err
}

// parse returns what the JSON says.
func parse[T any, P jsonObject[T]](data []byte) (P, error) {
	document, err := jsontext.Parse(data)
	if err != nil {
		return nil, err
	}
	v := P(new(T))
	var c codec
	c.read(document, v.jsonFields)
	if c.err != nil {
		return nil, c.err
	}
	return v, nil
}

// failf notes an error at the place at hand, unless there is one already.
func (c *codec) failf(format string, args ...any) {
	if c.err != nil {
		return
	}
	shown := c.steps[:min(len(c.steps), maxShownSteps)]
	place := paths.Text(shown, -1)
	if len(c.steps) > maxShownSteps {
		place += "..."
	}
	if place != "" {
		place += ": "
	}
	c.err = errors.New(place + fmt.Sprintf(format, args...))
}

// at does something at a place one step further, unless there is an error.
func (c *codec) at(s paths.Step, do func()) {
	if c.err != nil {
		return
	}
	c.steps = append(c.steps, s)
	do()
	c.steps = c.steps[:len(c.steps)-1]
}

// inside is at, for something that has places inside, and ends what is nested
// too deep or has become too large.
func (c *codec) inside(s paths.Step, do func()) {
	c.at(s, func() {
		switch {
		case len(c.steps) > maxJSONSteps:
			c.failf("nested more than %d steps deep", maxJSONSteps)
		case c.out != nil && c.out.Len() > c.size:
			c.failf("the JSON is longer than %d bytes", c.size)
		default:
			do()
		}
	})
}

// read goes through the fields of v, which must be an object.
func (c *codec) read(v any, fields func(*codec)) {
	in, ok := v.(map[string]any)
	if !ok {
		c.failf("must be an object, not %s", jsonKind(v))
		return
	}
	outer := c.in
	c.in = in
	fields(c)
	c.in = outer
}

// write writes an object that has these fields.
func (c *codec) write(fields func(*codec)) {
	c.out.WriteByte('{')
	fields(c)
	c.out.WriteByte('}')
}

// writeName starts a field of the object that is being written.
func (c *codec) writeName(name string) {
	c.writeComma('{')
	c.writeJSON(name)
	c.out.WriteByte(':')
}

// writeComma separates what follows from what was written since the bracket.
func (c *codec) writeComma(bracket byte) {
	if b := c.out.Bytes(); b[len(b)-1] != bracket {
		c.out.WriteByte(',')
	}
}

// writeJSON writes a string, a boolean, a number, a pointer to one or a slice
// of strings.
func (c *codec) writeJSON(v any) {
	text, _ := json.Marshal(v) // has no reason to fail
	c.out.Write(text)
}

// require fails if one of the fields is missing in what is read.
func (c *codec) require(names ...string) {
	for _, name := range names {
		if c.out == nil && c.in[name] == nil {
			c.failf("must have %s", name)
		}
	}
}

// object is a field that is an object with these fields.
func (c *codec) object(name string, fields func(*codec)) {
	c.member(paths.Step{Name: name}, fields)
}

// member is the object to which the step leads from the one at hand.
func (c *codec) member(s paths.Step, fields func(*codec)) {
	c.inside(s, func() {
		if c.out == nil {
			c.read(c.in[s.Name], fields)
			return
		}
		c.writeName(s.Name)
		c.write(fields)
	})
}

// child is a field that is an object, or absent where the pointer is nil.
func child[T any, P jsonObject[T]](c *codec, name string, p *P) {
	if c.in[name] != nil {
		*p = new(T)
	}
	if *p != nil {
		c.object(name, (*p).jsonFields)
	}
}

// entries is a field with an object for each key, absent where there is none.
func entries[T any, P jsonObject[T]](c *codec, name string, m *map[string]P) {
	if c.in[name] == nil && len(*m) == 0 {
		return
	}
	c.object(name, func(c *codec) {
		if len(c.in) > 0 {
			*m = make(map[string]P, len(c.in))
			for key := range c.in {
				(*m)[key] = new(T)
			}
		}
		for _, key := range slices.Sorted(maps.Keys(*m)) {
			entry := paths.Step{Kind: paths.ByKey, Name: key}
			if v := (*m)[key]; v != nil {
				c.member(entry, v.jsonFields)
			} else {
				c.at(entry, func() { c.failf("must not be nil") })
			}
		}
	})
}

// optional is a field that is not written where it has its zero value.
func optional[T comparable](c *codec, name string, p *T) {
	var zero T
	if c.out == nil || *p != zero {
		c.value(name, p)
	}
}

// textual is a pointer to something whose JSON is a string.
type textual interface {
	encoding.TextMarshaler
	encoding.TextUnmarshaler
}

// value is a field that is a single value: p is a *string, a *bool, an *int,
// an *int64 or a textual.
func (c *codec) value(name string, p any) {
	if c.out == nil && c.in[name] == nil {
		return
	}
	c.at(paths.Step{Name: name}, func() {
		if c.out == nil {
			c.readValue(c.in[name], p)
			return
		}
		c.writeName(name)
		c.writeValue(p)
	})
}

func (c *codec) readValue(v, p any) {
	var want string
	var ok bool
	switch p := p.(type) {
	case *string:
		want = "a string"
		*p, ok = v.(string)
	case *bool:
		want = "a boolean"
		*p, ok = v.(bool)
	case *int:
		want = "a whole number"
		ok = readInteger(v, p)
	case *int64:
		want = "a whole number"
		ok = readInteger(v, p)
	case textual:
		var text string
		want = "a string"
		if text, ok = v.(string); ok {
			if err := p.UnmarshalText([]byte(text)); err != nil {
				c.failf("%s", err)
			}
		}
	}
	if !ok {
		c.failf("must be %s, not %s", want, jsonKind(v))
	}
}

func readInteger[T int | int64](v any, p *T) bool {
	number, _ := v.(json.Number)
	i, err := strconv.ParseInt(string(number), 10, 64)
	*p = T(i)
	return err == nil && int64(*p) == i
}

func (c *codec) writeValue(p any) {
	if t, ok := p.(textual); ok {
		text, err := t.MarshalText()
		if err != nil {
			c.failf("%s", err)
		}
		p = string(text)
	}
	c.writeJSON(p)
}

// jsonKind says in words what kind of JSON value it is.
func jsonKind(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case json.Number:
		return fmt.Sprintf("the number %.30s", v)
	case string:
		return "a string"
	case []any:
		return "an array"
	}
	return "an object"
}
