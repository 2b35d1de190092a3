package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	tfjson "github.com/hashicorp/terraform-json"

	"github.com/objchange/objchange/cmd/objchange/internal/words"
)

// An Input is a document to read. Its Name is for messages, "-" for stdin.
type Input struct {
	Name string
	io.Reader
}

// A plan is what is read of `terraform show -json` of a plan. The types of
// terraform-json are used part by part: its Plan reads the numbers of the prior
// state as floats, and loses what a configuration has in single and map blocks.
type plan struct {
	FormatVersion   string                           `json:"format_version"`
	PlannedValues   *tfjson.StateValues              `json:"planned_values"`
	ResourceChanges []*tfjson.ResourceChange         `json:"resource_changes"`
	ResourceDrift   []*tfjson.ResourceChange         `json:"resource_drift"`
	DeferredChanges []*tfjson.DeferredResourceChange `json:"deferred_changes"`
	PriorState      *state                           `json:"prior_state"`
	Configuration   configuration                    `json:"configuration"`
	Errored         bool                             `json:"errored"`
	others
}

func (p *plan) validate() error {
	if kind := p.kind(); kind != "" {
		return fmt.Errorf("this is %s, not a plan", kind)
	}
	if err := (&tfjson.Plan{FormatVersion: p.FormatVersion}).Validate(); err != nil {
		return err
	}
	if p.PlannedValues == nil && p.ResourceChanges == nil {
		return errors.New("this is not a plan: it has neither planned_values nor resource_changes")
	}
	return nil
}

// A state is what is read of `terraform show -json` of a state.
type state struct {
	FormatVersion string              `json:"format_version"`
	Values        *tfjson.StateValues `json:"values"`
	others
}

func (s *state) validate() error {
	if kind := s.kind(); kind != "" {
		return fmt.Errorf("this is %s, not a state", kind)
	}
	return (&tfjson.State{FormatVersion: s.FormatVersion}).Validate()
}

// others tell documents of other kinds by what only they have. What a document
// has itself is not read here.
type others struct {
	Planned present `json:"planned_values"`
	Changes present `json:"resource_changes"`
	Values  present `json:"values"`
	Schemas present `json:"provider_schemas"`
	Lineage present `json:"lineage"`
}

// kind says which other document it is, or "".
func (o others) kind() string {
	switch {
	case bool(o.Planned || o.Changes):
		return "a plan"
	case bool(o.Values):
		return "a state"
	case bool(o.Schemas):
		return "the schemas of providers"
	case bool(o.Lineage):
		return `a state file, which "terraform show -json" has to print`
	}
	return ""
}

// present is whether there is something, whatever it is.
type present bool

func (p *present) UnmarshalJSON(data []byte) error {
	*p = string(data) != "null"
	return nil
}

// read reads the one document of an input. The error says where it is broken.
func read(in Input, doc interface{ validate() error }) error {
	data, err := io.ReadAll(in)
	if err != nil {
		return in.wrong(err)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := dec.Decode(doc); err != nil {
		return in.unusable(data, err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return in.at(data, dec.InputOffset(), "there is more after the document")
	}
	if err := doc.validate(); err != nil {
		return in.wrong(err)
	}
	return nil
}

// wrong returns an error that names the input.
func (in Input) wrong(err error) error {
	name := in.Name
	if name == "-" {
		name = "stdin"
	}
	return fmt.Errorf("%s: %w", name, err)
}

// broken returns an error at a place that is known by its pointer.
func (in Input) broken(pointer, reason string) error {
	return in.wrong(fmt.Errorf("%s: %s", pointer, reason))
}

// unusable says why data cannot be decoded. It shows nothing of the data.
func (in Input) unusable(data []byte, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case len(bytes.TrimSpace(data)) == 0:
		return in.wrong(errors.New("it is empty"))
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &syntax) && syntax.Offset >= int64(len(data)):
		return in.at(data, int64(len(bytes.TrimRight(data, " \t\r\n"))), "the JSON ends too early")
	case syntax != nil:
		return in.at(data, syntax.Offset, "not JSON: "+syntax.Error())
	case errors.As(err, &kind):
		have, _, _ := strings.Cut(kind.Value, " ") // a number comes with its digits
		return in.at(data, kind.Offset, fmt.Sprintf("must be %s, not %s", kindOf(kind.Type), article(have)))
	}
	return in.wrong(err)
}

// at returns an error with the line and the JSON pointer of an offset.
func (in Input) at(data []byte, offset int64, reason string) error {
	place := fmt.Sprintf("%s:%d", in.Name, words.Line(data, offset))
	if in.Name == "-" {
		place = "stdin" + place[1:]
	}
	if pointer := pointerAt(data, offset); pointer != "" {
		place += ": " + pointer
	}
	return fmt.Errorf("%s: %s", place, reason)
}

// pointerAt returns the JSON pointer of the value that ends or begins at the
// offset, or that is the last one before broken syntax.
func pointerAt(data []byte, offset int64) string {
	dec := jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for dec.InputOffset() < offset {
		if _, err := dec.ReadToken(); err != nil {
			break
		}
	}
	return withoutSecrets(string(dec.StackPointer()))
}

// named are the members of documents with names in them that are no secret, but
// have below them what may be: keys of maps, for one. Resources have values, and
// so has a state.
var named = map[string]bool{
	"before": true, "before_sensitive": true, "before_identity": true,
	"after": true, "after_sensitive": true, "after_unknown": true, "after_identity": true,
	"sensitive_values": true, "identity": true, "expressions": true, "config_values": true,
	"expression": true, "count_expression": true, "for_each_expression": true,
	"attributes": true, "outputs": true, "output_changes": true, "variables": true,
}

// withoutSecrets cuts a JSON pointer below the name of an attribute, an output or
// a variable.
func withoutSecrets(pointer string) string {
	steps := strings.Split(pointer, "/")
	for i, step := range steps {
		ofResource := step == "values" && i > 1 && steps[i-2] == "resources"
		if named[step] || ofResource {
			return strings.Join(steps[:min(i+2, len(steps))], "/")
		}
	}
	return pointer
}

// kindOf says what JSON a Go type is read from.
func kindOf(ty reflect.Type) string {
	switch ty.Kind() {
	case reflect.Pointer:
		return kindOf(ty.Elem())
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Slice, reflect.Array:
		return "an array"
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "a bool"
	}
	return "a whole number"
}

func article(kind string) string {
	if kind == "array" || kind == "object" {
		return "an " + kind
	}
	return "a " + kind
}
