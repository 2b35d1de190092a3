package exchanges

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path"

	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/encoded"
)

// A Played is a recorded RPC with the function to check it.
type Played struct {
	Line int
	RPC  *RPC // nil if the line belongs to a newer version of the format
	// Check checks the RPC, or learns schemas from it. It is nil if there are no rules for the RPC,
	// or if Err is not nil.
	Check func(context.Context) ([]encoded.Result, error)
	// Err says why the RPC cannot be checked. It is ErrNotAnswered, or says what is missing.
	Err error
}

// ErrNotAnswered is the error for an RPC that failed and therefore has no response to check.
var ErrNotAnswered = errors.New("it has no response")

// Play returns the RPCs of a recording. They must be checked in order, because they provide schemas
// for each other. A LineError is about one line, and more lines follow. Any other error is the last
// result.
func Play(in *Reader) iter.Seq2[Played, error] {
	return func(yield func(Played, error) bool) {
		p := player{program: in.Header.Program, providers: map[string]*played{}}
		for {
			e, err := in.Next()
			if err == io.EOF {
				return
			}
			if e.Provider != nil {
				err = p.provider(e.Line, *e.Provider)
			}
			switch {
			case err != nil:
				if !yield(Played{}, err) || !errors.As(err, new(*LineError)) {
					return
				}
			case e.Provider == nil:
				if !yield(p.play(e), nil) {
					return
				}
			}
		}
	}
}

// A player has the providers of a recording.
type player struct {
	program   tfcheck.Program
	providers map[string]*played
}

type played struct {
	encoded *encoded.Checker
	Provider
}

// provider adds the provider of a line. The error is a LineError.
func (p *player) provider(line int, of Provider) error {
	if p.providers[of.Address] != nil {
		return &LineError{line, fmt.Errorf("duplicate provider %q", of.Address)}
	}
	encoded, err := encoded.New(of.Protocol, p.program)
	if err != nil {
		return &LineError{line, err}
	}
	p.providers[of.Address] = &played{encoded, of}
	return nil
}

// play returns the RPC of a line with the function to check it.
func (p *player) play(e Entry) Played {
	found := Played{Line: e.Line, RPC: e.RPC}
	if e.RPC == nil {
		return found
	}
	x := *e.RPC
	checked, why, of := tfcheck.Checks(path.Base(x.Method)), whyNot(x), p.providers[x.Provider]
	switch {
	case of == nil && checked:
		found.Err = errors.New("no earlier line describes the provider")
	case of == nil, !of.encoded.Wants(x.Method), x.SameSchemas:
	case !checked && (why != "" || x.Status != nil): // the RPC only returns schemas
	case x.Status != nil:
		found.Err = ErrNotAnswered
	case why != "":
		found.Err = errors.New(why)
	case len(x.Requests) == 1 && len(x.Responses) <= 1:
		found.Check = func(ctx context.Context) ([]encoded.Result, error) {
			return Guarded(func() ([]encoded.Result, error) {
				var response []byte
				if len(x.Responses) == 1 {
					response = x.Responses[0]
				}
				return of.encoded.Check(ctx, of.Ask, x.Method, x.Requests[0], response)
			})
		}
	}
	return found
}

// ErrMistake is the error of a check that panicked.
var ErrMistake = errors.New("a bug in objchange: please report it")

// Guarded returns the results of check, or ErrMistake if check panics.
func Guarded[T any](check func() (T, error)) (result T, err error) {
	defer func() {
		if recover() != nil { // do not show the value, it may be secret
			err = ErrMistake
		}
	}()
	return check()
}

// whyNot returns the reason why the messages of an RPC are missing, or "".
func whyNot(x RPC) string {
	switch {
	case x.Cut:
		return "it was too large to be recorded completely"
	case x.Dropped != "":
		return "its messages were dropped to redact it: " + string(x.Dropped)
	case x.Requests == nil:
		return "its messages are not in the recording"
	}
	return ""
}
