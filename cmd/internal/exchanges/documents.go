package exchanges

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"path"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/document"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/encoded"
)

// An Exchange is one request with its response, about one object, as a document. Only requests with
// rules are exchanges.
type Exchange struct {
	Name string
	Line int
	RPC  string
	Type string
	// Number counts the requests of the RPC for the type. It is the same number as in replay.
	Number int
	Object string // the object's id, as in replay
	// Document is one line of JSON. It does not hide sensitive values. If there is no document, the
	// Note says why. Otherwise, the Note says which part the document lacks, or is "".
	Document json.RawMessage
	Note     string
}

// Documents returns the exchanges of a recording one by one. The errors are the same as those of
// Play.
func Documents(in *Reader) iter.Seq2[Exchange, error] {
	return func(yield func(Exchange, error) bool) {
		u := unpacker{numbers: map[kind]int{}}
		for x, err := range Play(in) {
			more := true
			if torn := (*TornError)(nil); errors.As(err, &torn) {
				more = yield(Exchange{Name: "the last line", Line: torn.Line, Note: "the line is incomplete"}, nil)
			} else if err != nil {
				more = yield(Exchange{}, err)
			} else if x.RPC != nil {
				more = u.rpc(x, func(x Exchange) bool { return yield(x, nil) })
			}
			if !more {
				return
			}
		}
	}
}

// An unpacker makes documents from the RPCs of one recording.
type unpacker struct {
	packer  document.Packer
	numbers map[kind]int
}

// A kind is the key for numbering requests.
type kind struct{ provider, rpc, typeName string }

// rpc yields the exchanges of an RPC. An RPC without rules has no exchange. The result is false if
// yield returned false.
func (u *unpacker) rpc(x Played, yield func(Exchange) bool) bool {
	found := Exchange{Line: x.Line, RPC: path.Base(x.RPC.Method), Type: x.RPC.Type}
	err := x.Err
	var seen []encoded.Result
	if x.Check != nil {
		found.Type = ""
		seen, err = x.Check(context.Background())
	}
	switch {
	case !tfcheck.Checks(found.RPC), err == nil && len(seen) == 0:
		return true
	case errors.Is(err, ErrNotAnswered): // it has no number
		found.Name, found.Note = fmt.Sprintf("%s %s", found.RPC, found.Type), err.Error()
		return yield(found)
	case len(seen) > 0:
		found.Type = seen[len(seen)-1].TypeName
	}
	k := kind{x.RPC.Provider, found.RPC, cmp.Or(found.Type, "-")}
	u.numbers[k]++
	found.Number, found.Name = u.numbers[k], fmt.Sprintf("%s %s #%d", k.rpc, k.typeName, u.numbers[k]) // as in replay
	if err == nil && found.RPC == "ImportResourceState" {
		how := seen[0] // the import as a whole, not an object
		switch seen = seen[1:]; {
		case len(seen) > 0:
		case how.Failed:
			err = errors.New("the provider returned an error")
		case how.Deferred:
			err = errors.New("the response is deferred")
		default:
			err = errors.New("the provider imported no object")
		}
	}
	if err != nil {
		found.Note = err.Error()
		return yield(found)
	}
	return u.documents(found, seen, yield)
}

// documents yields the exchange with its document, once for each object of an import.
func (u *unpacker) documents(x Exchange, seen []encoded.Result, yield func(Exchange) bool) bool {
	for i, w := range seen {
		one := x
		if len(seen) > 1 {
			one.Name += fmt.Sprintf(", object %d", i+1)
		}
		one.Type, one.Object = w.TypeName, w.Object()
		text, note, err := u.packer.Document(one.Name, w.Exchange)
		found := violations(w)
		for _, v := range found {
			if w.Failed && w.Response == cty.NilVal && v.Rule == objchange.RuleTypeMismatch { // a state came with the error
				text, err = nil, document.ErrNotDecoded
			}
		}
		one.Document, one.Note = bytes.TrimSuffix(text, []byte("\n")), note
		if err != nil {
			one.Note = err.Error()
		}
		if errors.Is(err, document.ErrNotDecoded) && len(found) > 0 {
			one.Note += ": " + found[0].Message
		}
		if !yield(one) {
			return false
		}
	}
	return true
}

func violations(w encoded.Result) (all objchange.Violations) {
	for _, f := range w.Findings {
		all = append(all, f.Violations...)
	}
	return all
}
