package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/zclconf/go-cty/cty"
)

// A Writer writes cases as JSON lines. It writes each schema before the first of its cases.
type Writer struct {
	to      io.Writer
	codec   Codec
	want    bool
	schemas map[string]*Schema
}

// NewWriter returns a writer of cases. If want is set, it also writes the recorded outcomes.
// Adapters receive cases without them.
func NewWriter(w io.Writer, codec Codec, want bool) *Writer {
	return &Writer{w, codec, want, map[string]*Schema{}}
}

// Write writes one case with a single call of the underlying writer. It returns the error of
// that writer, or an error that names the value that cannot be encoded.
func (w *Writer) Write(c *Case) error {
	line := caseLine{ID: c.ID, Schema: c.Schema.Name, Op: c.Op, In: map[string]json.RawMessage{}}
	var err error
	for name, v := range c.In {
		if line.In[name], err = w.codec.Encode(c.Schema.Block, v); err != nil {
			return fmt.Errorf("%s: %s: %w", c.Name(), name, err)
		}
	}
	if w.want && len(c.Want) > 0 {
		line.Want = map[string]outcomeLine{}
		for who, o := range c.Want {
			if line.Want[who], err = c.line(o, w.codec); err != nil {
				return fmt.Errorf("%s: what %s answered: %w", c.Name(), who, err)
			}
		}
	}
	var text []byte
	if w.schemas[c.Schema.Name] != c.Schema {
		if text, err = json.Marshal(c.Schema); err != nil {
			return err
		}
		text = append(text, '\n')
	}
	last, err := json.Marshal(line)
	if err != nil {
		return err
	}
	if _, err = w.to.Write(append(append(text, last...), '\n')); err == nil {
		w.schemas[c.Schema.Name] = c.Schema
	}
	return err
}

// line returns an outcome in JSON.
func (c *Case) line(o Outcome, codec Codec) (line outcomeLine, err error) {
	why := func() json.RawMessage {
		if o.Why == "" {
			return json.RawMessage("true")
		}
		text, _ := json.Marshal(o.Why) // a string always has JSON
		return text
	}
	switch o.Kind {
	case KindValue:
		if o.Value == cty.NilVal {
			return line, errors.New("the value is missing")
		}
		line.Value, err = codec.Encode(c.Schema.Block, o.Value)
	case KindErrors:
		line.Errors = &o.Problems
		if o.Problems == nil {
			line.Errors = &[]Problem{}
		}
	case KindPanic:
		line.Panic = why()
	case KindSkip:
		line.Skip = why()
	case KindUnsupported:
		line.Unsupported = why()
	default:
		err = fmt.Errorf("unknown kind of outcome %q", o.Kind)
	}
	return line, err
}
