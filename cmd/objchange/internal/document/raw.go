package document

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/placeholder"
)

// raw is the text of data that is not read yet. It is JSON in which no name is twice
// in one object. A tree of all data takes ten times the memory of its text; this way
// there is only one of a small part at a time.
type raw struct {
	text []byte
	up   *raw // what it is in, nil for a value
	step step // leads from there to it
}

// way returns the steps from the value.
func (r *raw) way() (way []step) {
	for ; r.up != nil; r = r.up {
		way = append(way, r.step)
	}
	slices.Reverse(way)
	return way
}

// Text of up to small bytes is read whole, and so is what is deep inside: each level
// that is read for itself passes over all text in it.
const (
	small = 16 << 10
	deep  = 8
)

// read returns the plain data of a text: whole, or one level of it.
func (p *plainer) read(r *raw) any {
	p.way = r.way()
	if len(r.text) > small && len(p.way) < deep {
		if parts := r.parts(); parts != nil {
			return parts
		}
	}
	var data any
	if err := json.Unmarshal(r.text, &data, ofText); err != nil {
		return placeholder.Wrong{Err: err}
	}
	return p.plain(data)
}

var ofText = json.JoinOptions(
	jsontext.AllowDuplicateNames(true), // there are none
	json.WithUnmarshalers(json.UnmarshalFromFunc(exactNumber)),
)

// parts returns a list or an object of raw data, nil if the text is neither or if its
// keys have a meaning.
func (r *raw) parts() any {
	dec := jsontext.NewDecoder(bytes.NewBuffer(r.text), jsontext.AllowDuplicateNames(true))
	part := func(s step) *raw {
		from := dec.InputOffset()
		if err := dec.SkipValue(); err != nil {
			panic(err) // it was read before
		}
		return &raw{trimmed(r.text[from:dec.InputOffset()]), r, s}
	}
	begin, err := dec.ReadToken()
	switch {
	case err != nil:
		return nil
	case begin.Kind() == '[':
		list := []any{}
		for dec.PeekKind() != ']' {
			list = append(list, part(step{index: len(list)}))
		}
		return list
	case begin.Kind() != '{':
		return nil
	}
	object := map[string]any{}
	for dec.PeekKind() == '"' {
		token, err := dec.ReadToken()
		name := token.String()
		if err != nil || strings.HasPrefix(name, "$") {
			return nil
		}
		object[name] = part(step{name: cty.NormalizeString(name)})
	}
	return object
}

// trimmed returns the text of a value without what stands between it and the last token.
func trimmed(text []byte) []byte { return bytes.TrimLeft(text, ":, \t\r\n") }
