package document

import (
	"bytes"
	stdjson "encoding/json"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/placeholder"
)

// An opener makes the data that ctydata.Format takes of a document's, one level at a
// time. It remembers what is in $sensitive: marks where, and secrets that there is any.
type opener struct {
	marks   *marks
	secrets bool
	forget  bool // takes what is in $sensitive for null
}

// A part is a list or an object in a value, and where it is.
type part struct {
	data any   // plain data, or a jsontext.Value that is not read yet
	in   *part // nil for a value
	step step  // leads from there to it
}

// way returns the steps from the value.
func (p *part) way() (way []step) {
	for ; p.in != nil; p = p.in {
		way = append(way, p.step)
	}
	slices.Reverse(way)
	return way
}

// at returns the data at the end of a step.
func (p *part) at(s step, data any) any { return (&part{nil, p, s}).with(data) }

// with returns other data at the same place, as a part if it has parts.
func (p *part) with(data any) any {
	switch data.(type) {
	case []any, map[string]any, jsontext.Value:
		return &part{data, p.in, p.step}
	case nil:
		return placeholder.Null{}
	}
	return data
}

// open returns a level of plain data, in which what has parts itself is not open.
func (o *opener) open(ty cty.Type, data any) (any, error) {
	p, ok := data.(*part)
	if !ok {
		return data, nil
	}
	switch data := p.read().(type) {
	case []any:
		for i := range data {
			data[i] = p.at(step{index: i}, data[i])
		}
		return data, nil
	case map[string]any:
		opened, err := o.object(ty, p, data)
		if err != nil {
			return placeholder.Wrong{Err: err}, nil // which is not shown where the schema says sensitive
		}
		return opened, nil
	default:
		return p.with(data), nil
	}
}

func (o *opener) object(ty cty.Type, p *part, data map[string]any) (any, error) {
	key, err := placeholder.Form(data)
	if err != nil {
		return nil, err
	}
	switch key {
	case "":
	case placeholder.KeySensitive:
		o.marks.add(p.way())
		if o.secrets = true; o.forget {
			return nil, nil
		}
		return o.open(ty, p.with(data[key]))
	default:
		data[key] = plain(data[key])
	}
	opened, err := placeholder.OpenObject(ty, key, data, p.with)
	if inside, ok := opened.(map[string]any); ok && err == nil {
		for name, inner := range inside {
			inside[name] = p.at(step{name: cty.NormalizeString(name)}, inner)
		}
	}
	return opened, err
}

// Text of up to small bytes is read whole, and so is what is deep inside: each level
// that is read for itself passes over all text in it. A tree of all data would take ten
// times the memory of its text.
const (
	small = 16 << 10
	deep  = 8
)

// read returns the data: of a large text one level.
func (p *part) read() any {
	text, ok := p.data.(jsontext.Value)
	if !ok {
		return p.data
	}
	if len(text) > small && len(p.way()) < deep {
		return split(text)
	}
	return parsed(text)
}

// plain returns all of the data.
func plain(data any) any {
	if text, ok := data.(jsontext.Value); ok {
		return parsed(text)
	}
	return data
}

// split returns a list or an object of texts, or the data of a text without parts. The
// text is valid JSON in which no name is twice in one object.
func split(text jsontext.Value) any {
	dec := jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true))
	next := func() jsontext.Value {
		from := dec.InputOffset()
		if err := dec.SkipValue(); err != nil {
			panic(err) // it was read before
		}
		return jsontext.Value(bytes.TrimLeft(text[from:dec.InputOffset()], ":, \t\r\n"))
	}
	switch dec.PeekKind() {
	case '[':
		list := []any{}
		for _, _ = dec.ReadToken(); dec.PeekKind() != ']'; {
			list = append(list, next())
		}
		return list
	case '{':
		object := map[string]any{}
		for _, _ = dec.ReadToken(); dec.PeekKind() != '}'; {
			name, _ := dec.ReadToken() // it was read before
			object[name.String()] = next()
		}
		return object
	}
	return parsed(text)
}

// parsed returns the data of a valid text.
func parsed(text jsontext.Value) (data any) {
	if err := json.Unmarshal(text, &data, ofText); err != nil {
		panic(err) // it was read before
	}
	return data
}

var ofText = json.JoinOptions(
	jsontext.AllowDuplicateNames(true), // there are none
	json.WithUnmarshalers(json.UnmarshalFromFunc(exactNumber)),
)

// exactNumber keeps a number as it is written.
func exactNumber(dec *jsontext.Decoder, data *any) error {
	if dec.PeekKind() != '0' {
		return json.SkipFunc
	}
	token, err := dec.ReadToken()
	if err != nil {
		return err
	}
	if *data = stdjson.Number(token.String()); len(token.String()) > len(longNumber) {
		*data = longNumber
	}
	return nil
}

// longNumber stands for all numbers longer than it. None of a third of its length is
// taken for a value, and to compare them takes time that grows with the square.
var longNumber = stdjson.Number(strings.Repeat("9", 30_000))
