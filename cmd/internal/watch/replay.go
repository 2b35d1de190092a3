package watch

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/objchange/objchange/cmd/internal/exchanges"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/tfcheck/encoded"
)

// Replay checks the RPCs of the recordings in the same way as during the recorded run. It opens the
// recordings by name. It skips RPCs with missing messages.
//
// Replay always returns a report, which has the results of the checked RPCs. The error lists
// unreadable recordings and lines with file and line. Unless visit is nil, Replay calls it for each RPC with rules, with
// the results if it could be checked.
func Replay(recordings []exchanges.Recording, open func(name string) (io.ReadCloser, error), visit func(report.Subject, []encoded.Result)) (*report.Report, error) {
	all := &report.Report{Command: "replay"}
	var errs []error
	for _, rec := range recordings {
		r := &replay{file: rec.File, shown: rec.Shown(), checker: idleChecker()}
		r.checker.visit = visit
		if err := r.readAll(open); err != nil {
			errs = append(errs, err)
		}
		r.checker.compareFinals()
		found := r.checker.reportSoFar("replay")
		if len(recordings) > 1 {
			for i := range found.Subjects {
				found.Subjects[i].Group = rec.Name + ": " + found.Subjects[i].Group
			}
		}
		all.Subjects = append(all.Subjects, found.Subjects...)
		all.Notes = append(append(all.Notes, r.notes...), found.Notes...)
	}
	return all, errors.Join(errs...)
}

// A replay checks one recording.
type replay struct {
	file    string
	shown   string // the name in messages
	checker *checker
	wrong   []error // invalid lines, after which reading goes on
	unknown int     // number of lines of an unknown kind
	notes   []string
}

// readAll reads and checks the whole recording.
func (r *replay) readAll(open func(name string) (io.ReadCloser, error)) error {
	file, err := open(r.file)
	if err != nil {
		return err
	}
	defer file.Close()
	in, err := exchanges.NewReader(file)
	if err != nil {
		return fmt.Errorf("%s:%w", r.shown, err)
	}
	for x, err := range exchanges.Play(in) {
		switch {
		case errors.As(err, new(*exchanges.TornError)):
			r.notes = append(r.notes, fmt.Sprintf("%s:%v", r.shown, err))
		case errors.As(err, new(*exchanges.LineError)):
			r.wrong = append(r.wrong, fmt.Errorf("%s:%w", r.shown, err))
		case err != nil:
			return errors.Join(r.ended(), fmt.Errorf("%s:%w", r.shown, err))
		case x.RPC == nil:
			r.unknown++
		default:
			r.rpc(x)
		}
	}
	return r.ended()
}

// ended returns the error for all invalid lines.
func (r *replay) ended() error {
	if r.unknown > 0 {
		r.notes = append(r.notes, fmt.Sprintf("%s: skipped %s of a newer version of objchange", r.shown, words.Plural(r.unknown, "line")))
	}
	return errors.Join(r.wrong...)
}

// rpc checks an RPC, if there are rules for it.
func (r *replay) rpc(x exchanges.Played) {
	p := &rpc{
		method: x.RPC.Method, connection: x.RPC.Connection, address: x.RPC.Provider,
		place: report.Place{File: r.file, Line: x.Line},
	}
	if len(x.RPC.Requests) > 0 {
		p.request = x.RPC.Requests[0]
	}
	r.checker.finals.saw(p)
	switch {
	case errors.Is(x.Err, exchanges.ErrNotAnswered):
		r.checker.unanswered(p, x.RPC.Type)
	case x.Err != nil:
		r.checker.skip(p, x.RPC.Type, x.Err)
	case x.Check != nil:
		p.results = func() ([]encoded.Result, error) { return x.Check(context.Background()) }
		r.checker.check(p)
	}
}
