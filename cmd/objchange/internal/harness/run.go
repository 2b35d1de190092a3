package harness

import (
	"context"
	"errors"
	"iter"
	"sync"
	"time"

	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/conformance"
)

// Cases are what is asked, one after the other.
type Cases = iter.Seq2[*conformance.Case, error]

// An Adapter is a program that is asked, and how.
type Adapter struct {
	Command []string // the program and its arguments
	Codec   conformance.Codec
	Timeout time.Duration // for each answer
	GiveUp  int           // after so many faults it is not asked further; 0 is never
	Jobs    int           // how many of it run at once

	Shrink bool                    // make the cases that are shown smaller
	Keep   func(*conformance.Case) // if any, is given those
}

// Run asks the adapter all cases, and reports, with the smallest of those that it fails,
// up to the limit, in full. There is a report beside an error, too: that the
// adapter cannot be started, that a case cannot be read or written, or that the context
// ended. What comes does not depend on how many run at once.
func (a Adapter) Run(ctx context.Context, cases Cases, limit int) (*report.Report, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r := &run{Adapter: a, limit: limit, cancel: cancel, tally: newTally(limit), ready: map[int][]*record{}}
	groups := make(chan group)
	var workers sync.WaitGroup
	for range max(a.Jobs, 1) {
		workers.Go(func() { (&worker{run: r}).work(ctx, groups) })
	}
	err := r.deal(ctx, cases, groups)
	close(groups)
	workers.Wait()
	if err = errors.Join(err, context.Cause(ctx)); err == nil {
		r.show(ctx)
		err = context.Cause(ctx)
	}
	return r.tally.report(), err
}

// A group is cases in a row that have one schema, which one process is asked.
type group struct {
	number int
	cases  []*conformance.Case
}

// most is how many cases a group has at most.
const most = 100

// deal deals out the cases. Those that nobody is asked any more are told all the same.
func (r *run) deal(ctx context.Context, cases Cases, groups chan<- group) error {
	g := group{}
	send := func() {
		if len(g.cases) == 0 {
			return
		}
		if why := r.stopped(ctx, 0); why != "" {
			var records []*record
			for _, c := range g.cases {
				records = append(records, newUnasked(c, why).light())
			}
			r.commit(g.number, records)
		} else {
			groups <- g
		}
		g = group{number: g.number + 1}
	}
	for c, err := range cases {
		if err != nil {
			return err
		}
		if len(g.cases) == most || len(g.cases) > 0 && g.cases[0].Schema != c.Schema {
			send()
		}
		g.cases = append(g.cases, c)
	}
	send()
	return nil
}

// A run is what the workers share.
type run struct {
	Adapter
	limit  int // of failing cases that are shown
	cancel context.CancelCauseFunc

	mu     sync.Mutex
	tally  *tally
	ready  map[int][]*record // of groups that others come before
	next   int               // the group that is counted next
	faults int               // of all that are counted
}

// stopped returns why nothing more is asked, or "". A worker has had more faults that are
// not counted yet.
func (r *run) stopped(ctx context.Context, more int) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		return ended
	case r.GiveUp > 0 && r.faults+more >= r.GiveUp:
		return givenUp
	}
	return ""
}

// Why cases are not asked.
const (
	ended   = "not asked: the run was ended before"
	givenUp = "not asked: the adapter had failed too often before"
)

// commit counts what a group gave, after all groups before it. After as many faults as
// there may be nothing counts as asked, though a worker that was ahead may have asked it.
func (r *run) commit(number int, records []*record) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ready[number] = records
	for r.ready[r.next] != nil {
		for _, rec := range r.ready[r.next] {
			if r.GiveUp > 0 && r.faults >= r.GiveUp {
				rec = rec.unasked(givenUp)
			}
			if rec.fault && !rec.inStep {
				r.faults++
			}
			r.tally.add(rec)
		}
		delete(r.ready, r.next)
		r.next++
	}
}

// note keeps what is wrong with the adapter as a whole.
func (r *run) note(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tally.note(text)
}

// A worker asks one process after the other.
type worker struct {
	*run
	process *process
	last    *record // what the process has answered last

	number int       // of the group at hand
	held   []*record // of the group before, whose last may prove to be answered twice
}

// work asks the cases of groups. What a group gave is kept until the next answer, or the
// end of the process: only then it is known that nothing comes after the last one.
func (w *worker) work(ctx context.Context, groups <-chan group) {
	for g := range groups {
		var records []*record
		for _, c := range g.cases {
			records = append(records, w.record(ctx, c, faults(w.held)+faults(records)))
			if len(records) == 1 {
				w.flush()
			}
		}
		w.number, w.held = g.number, records
	}
	if w.process != nil && ctx.Err() == nil {
		f, wrong := w.process.end(w.Timeout)
		if f != nil && w.last != nil {
			w.last.fail(f)
		}
		w.note(wrong)
	}
	w.drop()
	w.flush()
}

// flush has the group before counted.
func (w *worker) flush() {
	if w.held != nil {
		w.commit(w.number, smallest(w.held, w.limit))
		w.held = nil
	}
}

// drop ends the process, if there is one.
func (w *worker) drop() {
	if w.process != nil {
		w.process.kill()
	}
	w.process, w.last = nil, nil
}

// record returns what comes of a case, after so many faults that are not counted yet.
func (w *worker) record(ctx context.Context, c *conformance.Case, more int) *record {
	if why := w.stopped(ctx, more); why != "" {
		w.drop()
		return newUnasked(c, why)
	}
	rec, err := w.ask(ctx, c)
	if err != nil {
		w.cancel(err)
		w.drop()
		return newUnasked(c, ended)
	}
	return rec
}

// ask asks a case, of a new process if there is none.
func (w *worker) ask(ctx context.Context, c *conformance.Case) (*record, error) {
	for {
		if w.process == nil {
			p, err := start(w.Command, w.Codec)
			if err != nil {
				return nil, err
			}
			w.process = p
		}
		got, f, err := w.process.ask(ctx, c, w.Codec, w.Timeout)
		if err != nil {
			return nil, err
		}
		if f == nil {
			w.last = newRecord(c, got)
			return w.last, nil
		}
		if f.inStep {
			w.last = newUnasked(c, "")
			w.last.fail(f)
			return w.last, nil
		}
		before := w.last
		w.drop()
		if !f.before || before == nil {
			rec := newUnasked(c, "")
			rec.fail(f)
			return rec, nil
		}
		before.fail(f)
	}
}
