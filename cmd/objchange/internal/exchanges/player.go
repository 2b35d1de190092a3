package exchanges

import (
	"context"
	"errors"
	"fmt"
	"path"

	"github.com/objchange/objchange/tfcheck"
)

// A Player judges the RPCs of a recording by the schemas in it. It is made by NewPlayer.
type Player struct {
	providers map[string]*played
	program   tfcheck.Program
}

type played struct {
	witness *tfcheck.Witness
	schemas Schemas
}

// NewPlayer returns a player without providers. It checks for the program that the Header
// of the recording names; "" is Terraform.
func NewPlayer(program tfcheck.Program) *Player { return &Player{map[string]*played{}, program} }

// Provider adds the provider in a line. The error is a LineError.
func (p *Player) Provider(line int, of Provider) error {
	if p.providers[of.Address] != nil {
		return &LineError{line, fmt.Errorf("the provider %q once more", of.Address)}
	}
	witness, err := tfcheck.NewWitness(of.Protocol, p.program)
	if err != nil {
		return &LineError{line, err}
	}
	p.providers[of.Address] = &played{witness, SchemasOf(of)}
	return nil
}

// ErrNotAnswered is that an RPC has failed, so that there is nothing to judge.
var ErrNotAnswered = errors.New("it was not answered")

// A MissingError is why an RPC cannot be judged of which not all is there.
type MissingError struct{ Reason string }

// Error is the reason.
func (e *MissingError) Error() string { return e.Reason }

// A Judging judges one RPC, as a tfcheck.Witness does.
type Judging func(context.Context) ([]tfcheck.Witnessed, error)

// RPC returns what judges an RPC, or takes its schemas; nil for one of which the rules
// do not speak. The error is ErrNotAnswered, or a MissingError.
func (p *Player) RPC(x RPC) (Judging, error) {
	judged := tfcheck.Judged(path.Base(x.Method))
	of := p.providers[x.Provider]
	if of == nil {
		if judged {
			return nil, &MissingError{"no line before tells of the provider"}
		}
		return nil, nil
	}
	if !of.witness.Wants(x.Method) || x.SameSchemas {
		return nil, nil
	}
	why := whyNot(x)
	switch {
	case !judged && (why != "" || x.Status != nil):
		return nil, nil // it only has schemas
	case x.Status != nil:
		return nil, ErrNotAnswered
	case why != "":
		return nil, &MissingError{why}
	case len(x.Requests) != 1 || len(x.Responses) > 1:
		return nil, nil
	}
	var response []byte
	if len(x.Responses) == 1 {
		response = x.Responses[0]
	}
	return func(ctx context.Context) ([]tfcheck.Witnessed, error) {
		return Guarded(func() ([]tfcheck.Witnessed, error) {
			return of.witness.Judge(ctx, of.schemas.Ask, x.Method, x.Requests[0], response)
		})
	}, nil
}

// ErrMistake is that something went wrong that no input may make go wrong.
var ErrMistake = errors.New("a mistake of objchange itself: please report it")

// Guarded judges, also if that goes wrong.
func Guarded(judging func() ([]tfcheck.Witnessed, error)) (seen []tfcheck.Witnessed, err error) {
	defer func() {
		if recover() != nil { // with which value is not told: it may be secret
			seen, err = nil, ErrMistake
		}
	}()
	return judging()
}

// whyNot returns why the messages of an RPC are not there.
func whyNot(x RPC) string {
	switch {
	case x.Cut:
		return "it is too large to have been recorded whole"
	case x.Dropped != "":
		return "its messages were dropped to redact it: " + string(x.Dropped)
	case x.Requests == nil:
		return "its messages are not in the recording"
	}
	return ""
}
