// Package harness runs the cases of package conformance against an adapter and scores its
// answers.
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

// Cases is a sequence of cases.
type Cases = iter.Seq2[*conformance.Case, error]

// An Adapter is the command of an adapter, with the settings of the run.
type Adapter struct {
	Command []string // the program and its arguments
	Codec   conformance.Codec
	Timeout time.Duration // for each answer
	GiveUp  int           // the number of faults after which no more cases are sent; 0 means no limit
	Jobs    int           // the number of adapters that run at once
	Shrink  bool          // make the shown cases smaller
}

// Run runs all cases against the adapter. It returns a report that shows the smallest wrong
// cases in full, up to the limit. If the adapter cannot be started, a case cannot be read or
// written, or the context ends, it returns an error and the report so far. The report does not
// depend on the number of jobs.
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
			if a.GiveUp > 0 && report.faults >= a.GiveUp { // another worker may already have sent the case
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

// A run has the state that the workers share.
type run struct {
	Adapter
	cancel context.CancelCauseFunc
	limit  int
	faults atomic.Int64

	mu    sync.Mutex
	notes map[string]bool
}

// A batch has consecutive cases with the same schema, for one process.
type batch struct {
	cases   []*conformance.Case
	records []*record
}

// most is the maximum number of cases in a batch.
const most = 100

// Reasons why cases are not sent.
const (
	ended   = "not asked: the run was stopped before"
	givenUp = "not asked: the adapter had failed too often before"
)

// deal sends the cases in batches to the workers. It returns all batches in order. If the run
// has ended, it adds the records itself.
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

// skip adds records for the cases that are not sent.
func (b *batch) skip(why string) {
	for _, c := range b.cases[len(b.records):] {
		b.records = append(b.records, newUnasked(c, why))
	}
}

// A worker sends cases to one process at a time.
type worker struct {
	*run
	process *process
}

// work sends the cases of the batches to the process.
func (w *worker) work(ctx context.Context, batches <-chan *batch) {
	defer w.drop()
	for b := range batches {
		w.ask(ctx, b)
		b.cases = nil
		wrong := slices.DeleteFunc(slices.Clone(b.records), func(r *record) bool { return r.c == nil })
		slices.SortStableFunc(wrong, bySize)
		for _, r := range wrong[min(w.limit, len(wrong)):] {
			r.c = nil // free the memory of a case that is not shown
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

// drop kills the process, if there is one.
func (w *worker) drop() {
	if w.process != nil {
		w.process.kill()
	}
	w.process = nil
}

// ask sends the cases of a batch to the process.
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

// record sends a case to the process and returns its record. It starts a process if necessary.
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
