// Package unpack makes documents of what passed between Terraform or OpenTofu and
// providers, as a recording has it.
package unpack

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"path"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/document"
	"github.com/objchange/objchange/cmd/objchange/internal/exchanges"
	"github.com/objchange/objchange/tfcheck"
)

// An Exchange is one request of which rules speak, about one object, with its answer.
type Exchange struct {
	Name     string `json:"name"`
	Line     int    `json:"line"`
	Provider string `json:"provider,omitempty"` // if the recording tells
	RPC      string `json:"rpc"`
	Type     string `json:"type"`
	// Number is that among the requests of the RPC for the type, as replay has it.
	Number int    `json:"number"`
	Object string `json:"object,omitempty"` // its id, as replay has it
	// Document is in a line, and in clear: nothing is hidden in it. Without one there is
	// a Note that says why, and with one what it does not have, if anything.
	Document json.RawMessage `json:"document,omitempty"`
	Note     string          `json:"note,omitempty"`
}

// Read returns the exchanges of a recording, one by one; those whose messages have more
// than so many bytes without documents. The error is an exchanges.LineError, after which
// the next follows, or ends the reading.
func Read(in *exchanges.Reader, most int) iter.Seq2[Exchange, error] {
	return func(yield func(Exchange, error) bool) {
		r := reader{player: exchanges.NewPlayer(in.Header.Program), numbers: map[kind]int{}, most: most}
		for {
			e, err := in.Next()
			if err == io.EOF {
				return
			}
			if e.Provider != nil {
				if err = r.player.Provider(*e.Provider); err != nil {
					err = &exchanges.LineError{Line: e.Line, Err: err}
				}
			}
			if torn := (*exchanges.TornError)(nil); errors.As(err, &torn) {
				yield(Exchange{Name: "the last line", Line: torn.Line, Note: "it is not whole: what recorded it has ended before it was"}, nil)
				return
			}
			if err != nil {
				if !yield(Exchange{}, err) || !errors.As(err, new(*exchanges.LineError)) {
					return
				}
				continue
			}
			if e.RPC == nil {
				continue
			}
			for x := range r.rpc(e.Line, *e.RPC) {
				if !yield(x, nil) {
					return
				}
			}
		}
	}
}

type reader struct {
	player  *exchanges.Player
	packer  document.Packer
	numbers map[kind]int
	most    int
}

// A kind is what requests are numbered by.
type kind struct{ provider, rpc, typeName string }

// rpc returns what there is to say of an RPC: nothing, if no rule speaks of it.
func (r *reader) rpc(line int, x exchanges.RPC) iter.Seq[Exchange] {
	found := Exchange{Line: line, Provider: x.Provider, RPC: path.Base(x.Method), Type: x.Type}
	judging, err := r.player.RPC(x)
	var seen []tfcheck.Witnessed
	if n := size(x); judging != nil && n > r.most {
		judging, err = nil, &exchanges.MissingError{Reason: fmt.Sprintf("its messages have %d bytes, of which %d are the most", n, r.most)}
	}
	if judging != nil {
		found.Type = ""
		seen, err = judging(context.Background())
	}
	switch {
	case errors.Is(err, exchanges.ErrNotAnswered):
		if !tfcheck.Judged(found.RPC) {
			return none
		}
		found.Name, found.Note = fmt.Sprintf("%s %s", found.RPC, found.Type), err.Error() // which has no number
		return only(found)
	case err != nil && !tfcheck.Judged(found.RPC), err == nil && len(seen) == 0:
		return none
	case len(seen) > 0:
		found.Type = seen[len(seen)-1].TypeName
	}
	r.number(&found)
	if err != nil {
		found.Note = err.Error()
		return only(found)
	}
	if found.RPC == imports {
		how := seen[0] // how many, and no object
		if seen = seen[1:]; len(seen) == 0 {
			found.Note = nothing(how)
			return only(found)
		}
	}
	return found.Documents(&r.packer, seen)
}

const imports = "ImportResourceState"

// nothing says why there is no imported object.
func nothing(how tfcheck.Witnessed) string {
	switch {
	case how.Failed:
		return "the provider returned an error"
	case how.Deferred:
		return "the response is deferred"
	}
	return "nothing was imported"
}

func none(func(Exchange) bool) {}

func only(x Exchange) iter.Seq[Exchange] { return func(yield func(Exchange) bool) { yield(x) } }

// size is how large the messages are.
func size(x exchanges.RPC) (n int) {
	for _, message := range slices.Concat(x.Requests, x.Responses) {
		n += len(message)
	}
	return n
}

// number numbers and names an exchange as replay does.
func (r *reader) number(x *Exchange) {
	k := kind{x.Provider, x.RPC, x.Type}
	if k.typeName == "" {
		k.typeName = "-"
	}
	r.numbers[k]++
	x.Number = r.numbers[k]
	x.Name = Name(k.rpc, k.typeName, x.Number)
}

// Name returns what an exchange is called, and its document.
func Name(rpc, typeName string, number int) string {
	return fmt.Sprintf("%s %s #%d", rpc, typeName, number)
}

// Documents returns the exchange with its document, or once for each object of an
// import.
func (x Exchange) Documents(packer *document.Packer, seen []tfcheck.Witnessed) iter.Seq[Exchange] {
	return func(yield func(Exchange) bool) {
		for i, w := range seen {
			one := x
			if len(seen) > 1 {
				one.Name += fmt.Sprintf(", object %d", i+1)
			}
			one.Type, one.Object = w.TypeName, w.Object()
			text, note, err := packer.Document(one.Name, w.Exchange)
			if w.Failed && w.Response == cty.NilVal && slices.ContainsFunc(violations(w), isMismatch) { // something came
				text, err = nil, document.ErrNotDecoded
			}
			one.Document, one.Note = bytes.TrimSuffix(text, []byte("\n")), note
			if err != nil {
				one.Note = why(err, w)
			}
			if !yield(one) {
				return
			}
		}
	}
}

// why says why there is no document: where something could not be decoded, what was
// found.
func why(err error, w tfcheck.Witnessed) string {
	if all := violations(w); len(all) > 0 && errors.Is(err, document.ErrNotDecoded) {
		return err.Error() + ": " + all[0].Message
	}
	return err.Error()
}

func violations(w tfcheck.Witnessed) (all objchange.Violations) {
	for _, f := range w.Findings {
		all = append(all, f.Violations...)
	}
	return all
}

func isMismatch(v *objchange.Violation) bool { return v.Rule == objchange.RuleTypeMismatch }
