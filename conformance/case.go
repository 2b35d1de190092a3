package conformance

import (
	"bufio"
	"bytes"
	"compress/gzip"
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

// LongestLine is the largest length of a line, in bytes.
const LongestLine = 64 << 20

// A Schema is the schema of the values of a case.
type Schema struct {
	Name  string              `json:"schema_name"`
	Block *configschema.Block `json:"block"`
}

// A Case is one operation with its arguments and the recorded outcomes.
type Case struct {
	ID     string
	Op     Op
	Schema *Schema
	In     map[string]cty.Value // the arguments, by the names of Op.Arguments
	Want   map[string]Outcome   // the recorded outcomes by source: "terraform", "opentofu" or "spec"
	File   string               // the file of the case, or ""
}

// Name returns the id and the operation. Together they are unique.
func (c *Case) Name() string { return c.ID + " " + string(c.Op) }

// A Kind is the kind of an outcome.
type Kind string

// The kinds of outcomes.
const (
	KindValue       Kind = "value"       // a value
	KindErrors      Kind = "errors"      // problems; none if the values are accepted
	KindPanic       Kind = "panic"       // a crash; only in recorded outcomes
	KindSkip        Kind = "skip"        // an outcome that is not reliable; only in recorded outcomes
	KindUnsupported Kind = "unsupported" // the operation is not implemented; only in answers
)

// An Outcome is the result of a case in an implementation.
type Outcome struct {
	Kind     Kind
	Value    cty.Value // for KindValue
	Problems []Problem // for KindErrors
	Why      string    // for KindPanic, KindSkip and KindUnsupported
}

// ValueOutcome returns an outcome of [KindValue].
func ValueOutcome(v cty.Value) Outcome { return Outcome{Kind: KindValue, Value: v} }

// ErrorsOutcome returns an outcome of [KindErrors]. Without problems, it means that the values
// are accepted.
func ErrorsOutcome(problems ...Problem) Outcome { return Outcome{Kind: KindErrors, Problems: problems} }

// UnsupportedOutcome returns an outcome of [KindUnsupported], with the reason.
func UnsupportedOutcome(why string) Outcome { return Outcome{Kind: KindUnsupported, Why: why} }

// A Problem is a reason why values are not accepted, or why no value can be made.
type Problem struct {
	Path    *string `json:"path,omitempty"` // in the format of objchange.PathString; nil without a path
	Rule    string  `json:"rule,omitempty"`
	Message string  `json:"message,omitempty"`
}

// A Codec encodes values in lines, and decodes them.
type Codec interface {
	// Encode returns the JSON of a value that conforms to the schema.
	Encode(*configschema.Block, cty.Value) (json.RawMessage, error)
	// Decode returns the value. It returns an error if the value does not conform to the
	// schema.
	Decode(*configschema.Block, json.RawMessage) (cty.Value, error)
}

// Conform returns an error if the value does not conform to the schema. It also checks blocks
// with dynamic types, which a comparison with the implied type does not check.
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

// MessagePack is the codec of the corpus. A value is a JSON string with MessagePack in base64.
// Use it only for trusted input, because it believes the lengths in the input.
type MessagePack struct{}

// Encode returns the JSON string of a value. It returns an error if the value does not conform
// or is marked.
func (MessagePack) Encode(schema *configschema.Block, v cty.Value) (json.RawMessage, error) {
	packed, err := msgpack.Marshal(v, schema.ImpliedType())
	if err != nil {
		return nil, err
	}
	return json.Marshal(packed)
}

// Decode returns the value of a JSON string. It returns an error if the input is not a valid
// value or does not conform.
func (MessagePack) Decode(schema *configschema.Block, text json.RawMessage) (v cty.Value, err error) {
	defer func() {
		if r := recover(); r != nil { // msgpack may panic on invalid bytes
			err = errors.New("the MessagePack contains no value")
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

// caseLine is a line with a schema, a case or other data.
type caseLine struct {
	Name   string                     `json:"schema_name,omitempty"`
	Block  *configschema.Block        `json:"block,omitempty"`
	ID     string                     `json:"id,omitempty"`
	Schema string                     `json:"schema,omitempty"`
	Op     Op                         `json:"op,omitempty"`
	In     map[string]json.RawMessage `json:"in,omitempty"`
	Want   map[string]outcomeLine     `json:"want,omitempty"`
}

// outcomeLine is an outcome in JSON.
type outcomeLine struct {
	Value       json.RawMessage `json:"value,omitempty"`
	Errors      *[]Problem      `json:"errors,omitempty"`
	Panic       json.RawMessage `json:"panic,omitempty"`
	Skip        json.RawMessage `json:"skip,omitempty"`
	Unsupported json.RawMessage `json:"unsupported,omitempty"`
}

// Read ranges over the cases in JSON lines, with their recorded outcomes. The lines may be
// compressed with gzip. Read skips lines of other kinds. An error contains the number of its line.
//
// These errors end the sequence: a line that is not JSON or is longer than [LongestLine], an
// invalid schema, a case without a schema or an id, and a value that is missing or does not
// conform. An unknown operation does not end the sequence. Its error comes with a case that has
// only ID and Op.
func Read(r io.Reader, codec Codec) iter.Seq2[*Case, error] { return read(r, codec, nil) }

// read is like Read, for the cases that keep selects. A nil keep selects all cases.
func read(r io.Reader, codec Codec, keep func(string, Op) bool) iter.Seq2[*Case, error] {
	return func(yield func(*Case, error) bool) {
		plain, err := uncompressed(r)
		if err != nil {
			yield(nil, err)
			return
		}
		schemas := map[string]*Schema{}
		lines := bufio.NewScanner(plain)
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

// uncompressed returns a reader of the uncompressed input.
func uncompressed(r io.Reader) (io.Reader, error) {
	buffered := bufio.NewReader(r)
	if start, _ := buffered.Peek(2); !bytes.Equal(start, []byte{0x1f, 0x8b}) {
		return buffered, nil
	}
	return gzip.NewReader(buffered)
}

// errNoOp is the error for a case with an unknown operation, which has only a name.
var errNoOp = errors.New("unknown op")

// readLine returns the case of a line, or nil for other lines. It adds schemas to the map.
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
		return nil, fmt.Errorf("case %q: no earlier line has the schema %q", line.ID, line.Schema)
	}
	if keep != nil && !keep(line.ID, line.Op) {
		return nil, nil
	}
	c := &Case{
		ID: line.ID, Op: line.Op, Schema: schemas[line.Schema], In: map[string]cty.Value{}, Want: map[string]Outcome{},
	}
	if err := c.read(line, codec); err != nil {
		return nil, fmt.Errorf("case %q %s: %w", c.ID, c.Op, err)
	}
	return c, nil
}

// read decodes the arguments and the recorded outcomes.
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

// outcome decodes an outcome. An empty outcome means that the values are accepted.
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
	for kind, why := range map[Kind]json.RawMessage{
		KindPanic: line.Panic, KindSkip: line.Skip, KindUnsupported: line.Unsupported,
	} {
		if why == nil || string(why) == "null" {
			continue
		}
		if first := why[0]; kind == KindUnsupported && first != '"' && first != 't' {
			return Outcome{}, errors.New("unsupported: must be a string or true")
		}
		all = append(all, Outcome{Kind: kind, Why: textOf(why)})
	}
	switch len(all) {
	case 0:
		return ErrorsOutcome(), nil
	case 1:
		return all[0], nil
	}
	return Outcome{}, errors.New("it has more than one of value, errors, panic, skip and unsupported")
}

// textOf returns the text of a JSON string, nothing for true, and other JSON unchanged.
func textOf(text json.RawMessage) string {
	var s string
	if err := json.Unmarshal(text, &s); err != nil && string(text) != "true" {
		return string(text)
	}
	return s
}
