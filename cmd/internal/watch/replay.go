package watch

import (
	"errors"
	"fmt"
	"io"

	"github.com/objchange/objchange/cmd/internal/exchanges"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/internal/print"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/encoded"
)

// Replay checks the RPCs of the recordings in the same way as during the recorded run. It opens the
// recordings by name. It skips RPCs with missing messages.
//
// Replay always returns a report, which has the results of the checked RPCs. The error lists
// unreadable recordings and lines with file and line. Unless visit is nil, Replay calls it for each
// RPC with rules, with the results if it could be checked.
func Replay(
	recordings []exchanges.Recording, open func(name string) (io.ReadCloser, error),
	visit func(report.Subject, []encoded.Result),
) (*report.Report, error) {
	all := &report.Report{Command: "replay"}
	var errs []error
	for _, rec := range recordings {
		r := &replay{file: rec.File, shown: words.FileName(rec.File), checker: idleChecker()}
		r.providers, r.checker.visit = map[string]replayedProvider{}, visit
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
	file      string
	shown     string // the name in messages
	program   tfcheck.Program
	checker   *checker
	providers map[string]replayedProvider
	wrong     []error // invalid lines, after which reading goes on
	unknown   int     // number of lines of an unknown kind
	notes     []string
}

// A replayedProvider has what checks the RPCs of a provider, and its recorded schemas.
type replayedProvider struct {
	checker *encoded.Checker
	ask     encoded.Caller
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
	r.program = in.Header.Program
	for {
		e, err := in.Next()
		if e.Provider != nil {
			err = r.provider(e.Line, *e.Provider)
		}
		switch {
		case err == io.EOF:
			return r.ended()
		case errors.As(err, new(*exchanges.TornError)):
			r.notes = append(r.notes, fmt.Sprintf("%s:%v", r.shown, err))
		case errors.As(err, new(*exchanges.LineError)):
			r.wrong = append(r.wrong, fmt.Errorf("%s:%w", r.shown, err))
		case err != nil:
			return errors.Join(r.ended(), fmt.Errorf("%s:%w", r.shown, err))
		case e.RPC != nil:
			r.rpc(e.Line, *e.RPC)
		case e.Provider == nil:
			r.unknown++
		}
	}
}

// ended returns the error for all invalid lines.
func (r *replay) ended() error {
	if r.unknown > 0 {
		note := fmt.Sprintf("%s: skipped %s of a newer version of objchange", r.shown, print.Plural(r.unknown, "line"))
		r.notes = append(r.notes, note)
	}
	return errors.Join(r.wrong...)
}

// provider adds the provider of a line. The error is a LineError.
func (r *replay) provider(line int, of exchanges.Provider) error {
	if _, twice := r.providers[of.Address]; twice {
		return &exchanges.LineError{Line: line, Err: fmt.Errorf("duplicate provider %q", of.Address)}
	}
	checker, err := encoded.New(of.Protocol, r.program)
	if err != nil {
		return &exchanges.LineError{Line: line, Err: err}
	}
	r.providers[of.Address] = replayedProvider{checker, of.Ask}
	return nil
}

// rpc checks an RPC, if there are rules for it, or learns schemas from it.
func (r *replay) rpc(line int, x exchanges.RPC) {
	p := &rpc{exchange: x, place: report.Place{File: r.file, Line: line}}
	r.checker.finals.saw(p)
	hasRules, missing := tfcheck.Checks(p.name()), x.Missing()
	of, known := r.providers[x.Provider]
	switch {
	case !known && hasRules:
		r.checker.skip(p, x.Type, errors.New("no earlier line describes the provider"))
	case !known, !of.checker.Wants(x.Method), x.SameSchemas:
	case !hasRules && (missing != "" || x.Status != nil): // the RPC only returns schemas
	case x.Status != nil:
		r.checker.unanswered(p, x.Type)
	case missing != "":
		r.checker.skip(p, x.Type, errors.New(missing))
	case x.Single():
		p.checkWith(of.checker, of.ask)
		r.checker.check(p)
	}
}
