package watch

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/objchange/objchange/cmd/objchange/internal/exchanges"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/cmd/objchange/internal/words"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/witness"
)

// Replay checks the RPCs of the recordings in the same way as during the recorded run. It opens the
// recordings by name. It skips RPCs with missing messages.
//
// Replay always returns a report, which has the results of the checked RPCs. The error lists
// unreadable recordings and lines with file and line. If no RPC could be checked although there
// were some, the error says why.
func Replay(recordings []exchanges.Recording, open func(name string) (io.ReadCloser, error)) (*report.Report, error) {
	all := &report.Report{Command: "replay"}
	var errs, inVain []error
	judged := false
	for _, rec := range recordings {
		r := &replay{file: rec.File, shown: rec.Shown(), judge: idleJudge()}
		if err := r.readAll(open); err != nil {
			errs = append(errs, err)
		}
		told := r.judge.told("replay")
		judged = judged || r.judged
		if err := r.inVain(told); err != nil {
			inVain = append(inVain, err)
		}
		if len(recordings) > 1 {
			for i := range told.Subjects {
				told.Subjects[i].Group = rec.Name + ": " + told.Subjects[i].Group
			}
		}
		all.Subjects = append(all.Subjects, told.Subjects...)
		all.Notes = append(append(all.Notes, r.notes...), told.Notes...)
	}
	if len(errs) == 0 && !judged {
		errs = inVain
	}
	return all, errors.Join(errs...)
}

// A replay checks one recording.
type replay struct {
	file    string
	shown   string // the name in messages
	judge   *judge
	judged  bool            // at least one RPC was checked
	wrong   report.Failures // invalid lines, after which reading goes on
	unknown int             // number of lines of an unknown kind
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
	if in.Header.Redacted {
		defer r.sayAlike()
	}
	for x, err := range exchanges.Play(in) {
		switch {
		case errors.As(err, new(*exchanges.TornError)):
			r.notes = append(r.notes, fmt.Sprintf("%s:%v", r.shown, err))
		case errors.As(err, new(*exchanges.LineError)):
			r.wrong.Add(fmt.Errorf("%s:%w", r.shown, err))
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

// sayAlike adds to findings about redacted texts whether the texts differ only in case or white
// space.
func (r *replay) sayAlike() {
	for _, s := range r.judge.subjects {
		for i := range s.Findings {
			s.Findings[i].Message += exchanges.Alike(s.Findings[i].Message)
		}
	}
}

// ended returns the error for all invalid lines.
func (r *replay) ended() error {
	if r.unknown > 0 {
		r.notes = append(r.notes, fmt.Sprintf("%s: %s of a newer objchange, passed over", r.shown, words.Plural(r.unknown, "line")))
	}
	return r.wrong.Err()
}

// rpc checks an RPC, if there are rules for it.
func (r *replay) rpc(x exchanges.Played) {
	p := &rpc{method: x.RPC.Method, address: x.RPC.Provider, explore: Provider{Address: x.RPC.Provider}.forExplore(), place: report.Place{File: r.file, Line: x.Line}}
	switch {
	case errors.Is(x.Err, exchanges.ErrNotAnswered):
		r.judge.lose(p, x.RPC.Type)
	case x.Err != nil:
		r.judge.skip(p, x.RPC.Type, x.Err)
	case x.Check != nil:
		p.judged = func() ([]witness.Witnessed, error) { return x.Check(context.Background()) }
		before := len(r.judge.subjects)
		r.judge.judge(p)
		r.judged = r.judged || tfcheck.Judged(p.name()) && (len(r.judge.subjects) == before || r.judge.subjects[before].Status != report.Skipped)
	}
}

// inVain returns an error if all RPCs with rules were skipped. It says why the first one was.
func (r *replay) inVain(told *report.Report) error {
	if r.judged || len(told.Subjects) == 0 {
		return nil
	}
	first := told.Subjects[0]
	return fmt.Errorf("%s: no request could be judged, of %d: the first, in line %d: %s", r.shown, len(told.Subjects), first.Place.Line, first.Reason)
}
