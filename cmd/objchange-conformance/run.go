package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/objchange/objchange/conformance"
)

// score runs all cases against the adapter. It returns a report that shows the smallest wrong
// cases in full, up to the limit. If the adapter cannot be started, a case cannot be read or
// written, or the context ends, it returns an error and the report so far. The report does not
// depend on the number of jobs.
func (o *options) score(ctx context.Context, cases caseSeq) (*Report, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r := &runner{o: o, cancel: cancel, notes: map[string]bool{}}
	batches := make(chan *batch)
	var workers sync.WaitGroup
	for range max(o.jobs, 1) {
		workers.Go(func() { (&worker{r: r}).work(ctx, batches) })
	}
	all, err := r.deal(ctx, cases, batches)
	close(batches)
	workers.Wait()
	report := newReport(o.limit)
	for _, b := range all {
		for _, rec := range b.records {
			if o.giveUp > 0 && report.faults >= o.giveUp { // another worker may already have sent the case
				rec = &record{result: CaseResult{Case: rec.result.Case, Op: rec.result.Op, File: rec.result.File, Verdict: notAsked, Reason: givenUp}}
			}
			report.add(rec)
		}
	}
	for note := range r.notes {
		report.note(note)
	}
	if err = errors.Join(err, context.Cause(ctx)); err == nil && o.shrink {
		for i, rec := range report.worst {
			report.worst[i] = r.smallest(ctx, rec)
		}
		err = context.Cause(ctx)
	}
	return report.finish(), err
}

// A runner has the state that the workers share.
type runner struct {
	o      *options
	cancel context.CancelCauseFunc
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
func (r *runner) deal(ctx context.Context, cases caseSeq, batches chan<- *batch) (all []*batch, err error) {
	b := &batch{}
	send := func() {
		switch {
		case len(b.cases) == 0:
			return
		case ctx.Err() != nil:
			b.skip(ended)
		case r.o.giveUp > 0 && r.faults.Load() >= int64(r.o.giveUp):
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
	r       *runner
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
		for _, r := range wrong[min(w.r.o.limit, len(wrong)):] {
			r.c = nil // free the memory of a case that is not shown
		}
	}
	if w.process != nil && ctx.Err() == nil {
		if wrong := w.process.end(w.r.o.timeout); wrong != "" {
			w.r.mu.Lock()
			w.r.notes[wrong] = true
			w.r.mu.Unlock()
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
		if w.r.o.giveUp > 0 && faults >= w.r.o.giveUp {
			b.skip(givenUp)
			return
		}
		rec, err := w.record(ctx, c)
		if err != nil {
			w.r.cancel(err)
			b.skip(ended)
			return
		}
		if rec.fatal {
			faults++
			w.r.faults.Add(1)
		}
		b.records = append(b.records, rec)
	}
}

// record sends a case to the process and returns its record. It starts a process if necessary.
func (w *worker) record(ctx context.Context, c *conformance.Case) (*record, error) {
	if w.process == nil {
		p, err := start(w.r.o.command, w.r.o.codec)
		if err != nil {
			return nil, err
		}
		w.process = p
	}
	got, f, err := w.process.ask(ctx, c, w.r.o.codec, w.r.o.timeout)
	switch {
	case err != nil:
		return nil, err
	case f == nil:
		return newRecord(c, got), nil
	}
	rec := newWrong(c, f.verdict, f.reason)
	if rec.fatal = w.process.ended; rec.fatal {
		w.drop()
	}
	return rec, nil
}

// smallest returns the record of the smallest case that gets the same verdict. It does not count
// faults.
func (r *runner) smallest(ctx context.Context, rec *record) *record {
	if rec.result.Verdict == conformance.VerdictSilent { // each try would take the whole timeout
		return rec
	}
	w := &worker{r: &runner{o: r.o, cancel: r.cancel}}
	defer w.drop()
	smallest, tries := rec, 0
	shrink(rec.c, func(c *conformance.Case) bool {
		if ctx.Err() != nil {
			return false
		}
		tries++
		asked := *c
		asked.ID = fmt.Sprintf("%s-%d", rec.result.Case, tries) // a late answer must not match the next try
		again, err := w.record(ctx, &asked)
		if err != nil {
			r.cancel(err)
			return false
		}
		if again.result.Verdict != rec.result.Verdict {
			return false
		}
		smallest = again
		return true
	})
	if smallest != rec {
		smallest.result.Case = rec.result.Case + "-smaller"
	}
	return smallest
}
