package watch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"

	"github.com/objchange/objchange/cmd/objchange/internal/exchanges"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/cmd/objchange/internal/words"
	"github.com/objchange/objchange/tfcheck"
)

// Replay judges what the recordings have, which it opens by name, as it was judged when
// it passed. RPCs whose messages are not all there are skipped.
//
// The report is there in any case, with what could be judged. The error tells of
// recordings and lines that cannot be read, with file and line, and why if there were
// RPCs to judge and none could be.
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

// A replay is a recording that is read.
type replay struct {
	file    string
	shown   string // its name in messages
	judge   *judge
	player  *exchanges.Player
	judged  bool // an RPC was not skipped
	bad     error
	moreBad int
	unknown int // lines of a kind that is not known here
	notes   []string
}

// readAll reads the recording to its end.
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
	r.player = exchanges.NewPlayer(in.Header.Program)
	for {
		e, err := in.Next()
		if torn := (*exchanges.TornError)(nil); errors.As(err, &torn) {
			r.notes, err = append(r.notes, fmt.Sprintf("%s:%v", r.shown, err)), io.EOF
		}
		switch line := (*exchanges.LineError)(nil); {
		case err == io.EOF:
			return r.ended()
		case errors.As(err, &line):
			r.wrong(err)
		case err != nil:
			return errors.Join(r.ended(), fmt.Errorf("%s:%w", r.shown, err))
		case e.Provider != nil:
			if err := r.player.Provider(e.Line, *e.Provider); err != nil {
				r.wrong(err)
			}
		case e.RPC != nil:
			r.rpc(e.Line, *e.RPC)
		default:
			r.unknown++
		}
	}
}

// wrong keeps the error of a line. Those after it may be right.
func (r *replay) wrong(err error) {
	if r.bad == nil {
		r.bad = fmt.Errorf("%s:%w", r.shown, err)
	} else {
		r.moreBad++
	}
}

// ended returns the error for all lines that are wrong.
func (r *replay) ended() error {
	if r.unknown > 0 {
		r.notes = append(r.notes, fmt.Sprintf("%s: %s of a newer objchange, passed over", r.shown, words.Plural(r.unknown, "line")))
	}
	if r.moreBad > 0 {
		return fmt.Errorf("%w (and %s after it)", r.bad, words.Plural(r.moreBad, "line"))
	}
	return r.bad
}

// rpc judges an RPC, if it is one to be judged.
func (r *replay) rpc(line int, x exchanges.RPC) {
	name, place := path.Base(x.Method), report.Place{File: r.file, Line: line}
	judging, err := r.player.RPC(x)
	switch {
	case errors.Is(err, exchanges.ErrNotAnswered):
		r.judge.lose(passed{rpc: &rpc{method: x.Method}, address: x.Provider}, x.Type)
	case err != nil:
		r.skip(place, x, err.Error())
	case judging != nil:
		before := len(r.judge.subjects)
		seen := &rpc{method: x.Method, judged: func() ([]tfcheck.Witnessed, error) { return judging(context.Background()) }}
		r.judge.judge(passed{rpc: seen, address: x.Provider, place: place})
		r.judged = r.judged || tfcheck.Judged(name) && (len(r.judge.subjects) == before || r.judge.subjects[before].Status != report.Skipped)
	}
}

func (r *replay) skip(place report.Place, x exchanges.RPC, why string) {
	typeName := x.Type
	if typeName == "" {
		typeName = "-"
	}
	r.judge.keep(report.Subject{
		Group: x.Provider, Columns: []string{path.Base(x.Method), typeName, "", "-"}, Status: report.Skipped, Reason: why, Place: place,
	})
}

// inVain returns why all RPCs that there were to judge are skipped, if they are.
func (r *replay) inVain(told *report.Report) error {
	if r.judged || len(told.Subjects) == 0 {
		return nil
	}
	first := told.Subjects[0]
	return fmt.Errorf("%s: no request could be judged, of %d: the first, in line %d: %s", r.shown, len(told.Subjects), first.Place.Line, first.Reason)
}
