package harness

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/cmd/objchange/internal/document"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/conformance"
)

// Read ranges over the cases of a file, which may be compressed. A name that two cases have
// is an error.
func Read(name string, in io.Reader) Cases {
	return func(yield func(*conformance.Case, error) bool) {
		plain, err := uncompressed(in)
		if err != nil {
			yield(nil, fmt.Errorf("%s: %w", name, err))
			return
		}
		names := map[string]bool{}
		for c, err := range conformance.Read(plain, document.Codec{}) {
			if err == nil && names[c.Name()] {
				err = fmt.Errorf("two cases have the name %s", inLine(c.Name()))
			}
			if err != nil {
				yield(nil, fmt.Errorf("%s: %w", name, err))
				return
			}
			names[c.Name()] = true
			if c.File = name; !yield(c, nil) {
				return
			}
		}
	}
}

// uncompressed returns what is read, or what it is of if gzip has compressed it.
func uncompressed(in io.Reader) (io.Reader, error) {
	r := bufio.NewReader(in)
	if start, _ := r.Peek(2); !bytes.Equal(start, []byte{0x1f, 0x8b}) {
		return document.PlainText(r), nil
	}
	return gzip.NewReader(r)
}

// Packed is the codec that writes values as MessagePack, and reads both forms.
type Packed struct{ document.Codec }

// Encode returns the JSON string of the value, which must conform and not be marked.
func (Packed) Encode(schema *configschema.Block, v cty.Value) (json.RawMessage, error) {
	return conformance.MessagePack{}.Encode(schema, v)
}

// A Choice says which cases are meant.
type Choice struct {
	Ops   []conformance.Op         // all if there are none
	Match []func(name string) bool // the id, by any; all if there are none
}

// Of ranges over those of the cases that are meant.
func (ch Choice) Of(cases Cases) Cases {
	return filtered(cases, func(c *conformance.Case) bool { return ch.has(c.ID, c.Op) })
}

// Corpus ranges over those of the recorded cases that are meant.
func (ch Choice) Corpus() Cases { return conformance.Select(ch.has) }

func (ch Choice) has(id string, op conformance.Op) bool {
	return (len(ch.Ops) == 0 || slices.Contains(ch.Ops, op)) &&
		(len(ch.Match) == 0 || slices.ContainsFunc(ch.Match, func(match func(string) bool) bool { return match(id) }))
}

// filtered ranges over the cases that are to be kept.
func filtered(cases Cases, keep func(*conformance.Case) bool) Cases {
	return func(yield func(*conformance.Case, error) bool) {
		for c, err := range cases {
			if err == nil && !keep(c) {
				continue
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

// Held ranges over the cases that there is another outcome of, to which they are then
// held, and counts those that it leaves out. Among these is what any plan answers that is
// valid, so that nothing can be held to another.
func Held(cases Cases, other func(*conformance.Case) (conformance.Outcome, bool, error), left *int) Cases {
	return func(yield func(*conformance.Case, error) bool) {
		for c, err := range cases {
			var want conformance.Outcome
			there := false
			if err == nil && c.Op != conformance.OpComputed {
				want, there, err = other(c)
			}
			if err == nil && !there {
				*left++
				continue
			}
			if err == nil {
				held := *c
				held.Want = map[string]conformance.Outcome{"terraform": want}
				c = &held
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

// Recorded returns the recorded outcome of that name.
func Recorded(name string) func(*conformance.Case) (conformance.Outcome, bool, error) {
	return func(c *conformance.Case) (conformance.Outcome, bool, error) {
		o, there := c.Want[name]
		return o, there, nil
	}
}

// Export writes the cases with what is right, where it is one answer: also of those that
// nobody has recorded.
func Export(w io.Writer, cases Cases, codec conformance.Codec) error {
	lines := conformance.NewWriter(w, codec, true)
	for c, err := range cases {
		if err != nil {
			return err
		}
		if len(c.Want) == 0 && c.Op != conformance.OpComputed {
			answered := *c
			answered.Want = map[string]conformance.Outcome{"spec": c.Right()}
			c = &answered
		}
		if err := lines.Write(c); err != nil {
			return err
		}
	}
	return nil
}
