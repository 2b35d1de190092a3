// Package harness asks a program the cases of package conformance, and scores its answers.
package harness

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync"
	"sync/atomic"
	"time"

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
	Shrink  bool          // make the cases that are shown smaller
}

// Run asks the adapter all cases. It returns a report, with the smallest of the wrong cases
// in full, up to the limit. It returns an error beside the report if the adapter cannot be
// started, a case cannot be read or written, or the context ends. The report does not
// depend on how many adapters run at once.
func (a Adapter) Run(ctx context.Context, cases Cases, limit int) (*Report, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r := &run{Adapter: a, cancel: cancel, limit: limit, notes: map[string]bool{}}
	batches := make(chan *batch)
	var workers sync.WaitGroup
	for range max(a.Jobs, 1) {
		workers.Go(func() { (&worker{run: r}).work(ctx, batches) })
	}
	all, err := r.deal(ctx, cases, batches)
	close(batches)
	workers.Wait()
	report := newReport(limit)
	for _, b := range all {
		for _, rec := range b.records {
			if a.GiveUp > 0 && report.faults >= a.GiveUp { // a worker that was ahead may have asked it
				rec = &record{id: rec.id, op: rec.op, file: rec.file, verdict: notAsked, reason: givenUp}
			}
			report.add(rec)
		}
	}
	for note := range r.notes {
		report.note(note)
	}
	if err = errors.Join(err, context.Cause(ctx)); err == nil && a.Shrink {
		for i, rec := range report.worst {
			report.worst[i] = r.shrink(ctx, rec)
		}
		err = context.Cause(ctx)
	}
	return report.finish(), err
}

// A run is what the workers share.
type run struct {
	Adapter
	cancel context.CancelCauseFunc
	limit  int
	faults atomic.Int64

	mu    sync.Mutex
	notes map[string]bool
}

// A batch is cases in a row that have one schema, which one process is asked.
type batch struct {
	cases   []*conformance.Case
	records []*record
}

// most is how many cases a batch has at most.
const most = 100

// Why cases are not asked.
const (
	ended   = "not asked: the run was ended before"
	givenUp = "not asked: the adapter had failed too often before"
)

// deal deals out the cases, and returns all batches in order. Batches that nobody is asked
// any more have records at once.
func (r *run) deal(ctx context.Context, cases Cases, batches chan<- *batch) (all []*batch, err error) {
	b := &batch{}
	send := func() {
		switch {
		case len(b.cases) == 0:
			return
		case ctx.Err() != nil:
			b.skip(ended)
		case r.GiveUp > 0 && r.faults.Load() >= int64(r.GiveUp):
			b.skip(givenUp)
		default:
			batches <- b
		}
		all, b = append(all, b), &batch{}
	}
	for c, err := range cases {
		if err != nil {
			return all, err
		}
		if len(b.cases) == most || len(b.cases) > 0 && b.cases[0].Schema != c.Schema {
			send()
		}
		b.cases = append(b.cases, c)
	}
	send()
	return all, nil
}

// skip makes records of cases that are not asked.
func (b *batch) skip(why string) {
	for _, c := range b.cases[len(b.records):] {
		b.records = append(b.records, newUnasked(c, why))
	}
}

// A worker asks one process after the other.
type worker struct {
	*run
	process *process
}

// work asks the cases of batches.
func (w *worker) work(ctx context.Context, batches <-chan *batch) {
	defer w.drop()
	for b := range batches {
		w.ask(ctx, b)
		b.cases = nil
		wrong := slices.DeleteFunc(slices.Clone(b.records), func(r *record) bool { return r.c == nil })
		slices.SortStableFunc(wrong, bySize)
		for _, r := range wrong[min(w.limit, len(wrong)):] {
			r.c = nil // it is not shown, and takes memory
		}
	}
	if w.process != nil && ctx.Err() == nil {
		if wrong := w.process.end(w.Timeout); wrong != "" {
			w.mu.Lock()
			w.notes[wrong] = true
			w.mu.Unlock()
		}
	}
}

// drop ends the process, if there is one.
func (w *worker) drop() {
	if w.process != nil {
		w.process.kill()
	}
	w.process = nil
}

// ask asks the cases of a batch.
func (w *worker) ask(ctx context.Context, b *batch) {
	faults := 0
	for _, c := range b.cases {
		if w.GiveUp > 0 && faults >= w.GiveUp {
			b.skip(givenUp)
			return
		}
		rec, err := w.record(ctx, c)
		if err != nil {
			w.cancel(err)
			b.skip(ended)
			return
		}
		if rec.fatal {
			faults++
			w.faults.Add(1)
		}
		b.records = append(b.records, rec)
	}
}

// record asks a case, of a new process if there is none.
func (w *worker) record(ctx context.Context, c *conformance.Case) (*record, error) {
	if w.process == nil {
		p, err := start(w.Command, w.Codec)
		if err != nil {
			return nil, err
		}
		w.process = p
	}
	got, f, err := w.process.ask(ctx, c, w.Codec, w.Timeout)
	switch {
	case err != nil:
		return nil, err
	case f == nil:
		return newRecord(c, got), nil
	}
	rec := newWrong(c, f.verdict, f.reason)
	if rec.fatal = w.process.dead; rec.fatal {
		w.drop()
	}
	return rec, nil
}
