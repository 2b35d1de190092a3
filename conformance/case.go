package conformance

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/msgpack"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
)

// LongestLine is how many bytes a line may have.
const LongestLine = 64 << 20

// A Schema is what the values of cases conform to.
type Schema struct {
	Name  string              `json:"schema_name"`
	Block *configschema.Block `json:"block"`
}

// A Case is one question, with the outcomes that are known.
type Case struct {
	ID     string
	Op     Op
	Schema *Schema
	In     map[string]cty.Value // by the names of Op.Arguments
	Want   map[string]Outcome   // by who answered so: "terraform", "opentofu", "spec"
	File   string               // that it is of, or ""
}

// Name returns the id and the question, which no other case has.
func (c *Case) Name() string { return c.ID + " " + string(c.Op) }

// A Kind is what sort of outcome one is.
type Kind string

// The kinds of outcomes.
const (
	KindValue       Kind = "value"       // a value
	KindErrors      Kind = "errors"      // problems, none if the values are accepted
	KindPanic       Kind = "panic"       // it crashed; only in what was recorded
	KindSkip        Kind = "skip"        // what it was cannot be relied on; only in what was recorded
	KindUnsupported Kind = "unsupported" // it does not do that; only in answers
)

// An Outcome is what an implementation makes of a case.
type Outcome struct {
	Kind     Kind
	Value    cty.Value // of KindValue
	Problems []Problem // of KindErrors
	Why      string    // of KindPanic, KindSkip and KindUnsupported
}

// ValueOutcome returns the outcome that is a value.
func ValueOutcome(v cty.Value) Outcome { return Outcome{Kind: KindValue, Value: v} }

// ErrorsOutcome returns the outcome that is a list of problems, none if all is well.
func ErrorsOutcome(problems ...Problem) Outcome { return Outcome{Kind: KindErrors, Problems: problems} }

// UnsupportedOutcome returns the outcome of what an implementation does not do.
func UnsupportedOutcome(why string) Outcome { return Outcome{Kind: KindUnsupported, Why: why} }

// A Problem is why values are not accepted, or why there is no value.
type Problem struct {
	Path    *string `json:"path,omitempty"` // as objchange.PathString writes it; nil if it has none
	Rule    string  `json:"rule,omitempty"`
	Message string  `json:"message,omitempty"`
}

// A Codec writes values into lines, and reads them.
type Codec interface {
	// Encode returns the JSON of a value that conforms to the schema.
	Encode(*configschema.Block, cty.Value) (json.RawMessage, error)
	// Decode returns the value, which conforms to the schema.
	Decode(*configschema.Block, json.RawMessage) (cty.Value, error)
}

// Conform returns an error where the value does not conform to the schema, also inside of
// dynamic blocks, whose type says nothing.
func Conform(schema *configschema.Block, v cty.Value) error {
	compiled, err := objchange.Compile(schema)
	if err != nil {
		return err
	}
	for _, found := range objchange.AssertStateValid(compiled, v) {
		if found.Rule == objchange.RuleTypeMismatch {
			return found
		}
	}
	return nil
}

// MessagePack is the codec of the corpus: a JSON string with the base64 of MessagePack. It
// is for lines of those whom one trusts: what it takes for a length is believed.
type MessagePack struct{}

// Encode returns the JSON string of the value, which must conform and not be marked.
func (MessagePack) Encode(schema *configschema.Block, v cty.Value) (json.RawMessage, error) {
	packed, err := msgpack.Marshal(v, schema.ImpliedType())
	if err != nil {
		return nil, err
	}
	return json.Marshal(packed)
}

// Decode returns the value of a JSON string. The error tells that there is none, or that it
// does not conform.
func (MessagePack) Decode(schema *configschema.Block, text json.RawMessage) (v cty.Value, err error) {
	defer func() {
		if r := recover(); r != nil { // whatever the bytes are
			err = errors.New("the MessagePack has no value")
		}
	}()
	var packed string
	if err := json.Unmarshal(text, &packed); err != nil {
		return cty.NilVal, errors.New("a value must be a string, the base64 of MessagePack")
	}
	data, err := base64.StdEncoding.DecodeString(packed)
	if err != nil {
		return cty.NilVal, err
	}
	if v, err = msgpack.Unmarshal(data, schema.ImpliedType()); err == nil {
		err = Conform(schema, v)
	}
	return v, err
}

// caseLine is a line that is a schema, a case or something else.
type caseLine struct {
	Name   string                     `json:"schema_name,omitempty"`
	Block  *configschema.Block        `json:"block,omitempty"`
	ID     string                     `json:"id,omitempty"`
	Schema string                     `json:"schema,omitempty"`
	Op     Op                         `json:"op,omitempty"`
	In     map[string]json.RawMessage `json:"in,omitempty"`
	Want   map[string]outcomeLine     `json:"want,omitempty"`
}

// outcomeLine is an outcome as it is written.
type outcomeLine struct {
	Value       json.RawMessage `json:"value,omitempty"`
	Errors      *[]Problem      `json:"errors,omitempty"`
	Panic       json.RawMessage `json:"panic,omitempty"`
	Skip        json.RawMessage `json:"skip,omitempty"`
	Unsupported json.RawMessage `json:"unsupported,omitempty"`
}

// Read ranges over the cases of JSON lines, the wanted outcomes with them. Lines of other
// kinds are passed over. An error tells its line, and ends it: one that is no JSON, or
// longer than [LongestLine]; a schema that is not valid, or a case without one or without
// an id; a value that is missing or does not conform. Only a question that there is not
// does not end it, and comes with a case that has nothing but a name.
func Read(r io.Reader, codec Codec) iter.Seq2[*Case, error] { return read(r, codec, nil) }

// read is Read of the cases that are to be kept, or of all.
func read(r io.Reader, codec Codec, keep func(string, Op) bool) iter.Seq2[*Case, error] {
	return func(yield func(*Case, error) bool) {
		schemas := map[string]*Schema{}
		lines := bufio.NewScanner(r)
		lines.Buffer(nil, LongestLine)
		number := 0
		for lines.Scan() {
			number++
			c, err := readLine(lines.Bytes(), schemas, codec, keep)
			if err != nil {
				if !yield(c, fmt.Errorf("line %d: %w", number, err)) || c == nil {
					return
				}
				continue
			}
			if c != nil && !yield(c, nil) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			yield(nil, fmt.Errorf("line %d: %w", number+1, err))
		}
	}
}

// errNoOp is the error for a case of another format, of which only the name is read.
var errNoOp = errors.New("there is no op")

// readLine returns the case of a line, or nil if it is none, and keeps the schema.
func readLine(text []byte, schemas map[string]*Schema, codec Codec, keep func(string, Op) bool) (*Case, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, nil
	}
	var line caseLine
	if err := json.Unmarshal(text, &line); err != nil {
		return nil, err
	}
	switch {
	case line.Name != "":
		if line.Block == nil {
			return nil, fmt.Errorf("schema %q has no block", line.Name)
		}
		schemas[line.Name] = &Schema{line.Name, line.Block}
		if err := line.Block.Validate(); err != nil {
			return nil, fmt.Errorf("schema %q: %w", line.Name, err)
		}
		return nil, nil
	case line.Op == "":
		return nil, nil
	case line.ID == "":
		return nil, fmt.Errorf("a case of %s has no id", line.Op)
	case line.Op.Arguments() == nil:
		return &Case{ID: line.ID, Op: line.Op}, fmt.Errorf("case %q: %w %q", line.ID, errNoOp, line.Op)
	case schemas[line.Schema] == nil:
		return nil, fmt.Errorf("case %q: no line before has the schema %q", line.ID, line.Schema)
	}
	if keep != nil && !keep(line.ID, line.Op) {
		return nil, nil
	}
	c := &Case{ID: line.ID, Op: line.Op, Schema: schemas[line.Schema], In: map[string]cty.Value{}, Want: map[string]Outcome{}}
	if err := c.read(line, codec); err != nil {
		return nil, fmt.Errorf("case %q %s: %w", c.ID, c.Op, err)
	}
	return c, nil
}

// read reads the values and the outcomes.
func (c *Case) read(line caseLine, codec Codec) (err error) {
	for _, name := range c.Op.Arguments() {
		text, given := line.In[name]
		if !given {
			return fmt.Errorf("%s is missing", name)
		}
		if c.In[name], err = codec.Decode(c.Schema.Block, text); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	for _, who := range slices.Sorted(maps.Keys(line.Want)) {
		if c.Want[who], err = c.outcome(line.Want[who], codec); err != nil {
			return fmt.Errorf("what %s answered: %w", who, err)
		}
	}
	return nil
}

// outcome reads an outcome. Nothing at all is errors, of which there are none.
func (c *Case) outcome(line outcomeLine, codec Codec) (Outcome, error) {
	var all []Outcome
	if line.Value != nil {
		v, err := codec.Decode(c.Schema.Block, line.Value)
		if err != nil {
			return Outcome{}, fmt.Errorf("value: %w", err)
		}
		all = append(all, ValueOutcome(v))
	}
	if line.Errors != nil {
		all = append(all, ErrorsOutcome(*line.Errors...))
	}
	for kind, why := range map[Kind]json.RawMessage{KindPanic: line.Panic, KindSkip: line.Skip, KindUnsupported: line.Unsupported} {
		if why == nil || string(why) == "null" {
			continue
		}
		if first := why[0]; kind == KindUnsupported && first != '"' && first != 't' {
			return Outcome{}, errors.New("unsupported: want a text or true")
		}
		all = append(all, Outcome{Kind: kind, Why: words(why)})
	}
	switch len(all) {
	case 0:
		return ErrorsOutcome(), nil
	case 1:
		return all[0], nil
	}
	return Outcome{}, errors.New("it has more than one of value, errors, panic, skip and unsupported")
}

// words returns the text of a JSON string, other JSON as it is, and nothing for true.
func words(text json.RawMessage) string {
	var s string
	if err := json.Unmarshal(text, &s); err != nil && string(text) != "true" {
		return string(text)
	}
	return s
}
