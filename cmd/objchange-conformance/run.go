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
	r := &runner{o: o, cancel: cancel}
	batches := make(chan batch)
	var workers sync.WaitGroup
	for range max(o.jobs, 1) {
		workers.Go(func() { (&worker{r: r}).work(ctx, batches) })
	}
	results, err := r.deal(ctx, cases, batches)
	close(batches)
	workers.Wait()
	report := newReport(o.limit)
	for _, result := range results {
		if o.givesUp(report.faults) { // another worker may already have sent the case
			*result = CaseResult{Case: result.Case, Op: result.Op, File: result.File, Verdict: notAsked, Reason: givenUp}
		}
		report.add(*result)
	}
	for _, note := range r.notes {
		report.note(note)
	}
	if err = errors.Join(err, context.Cause(ctx)); err == nil && o.shrink {
		for i, shown := range report.Shown {
			report.Shown[i] = r.smallest(ctx, shown)
		}
		err = context.Cause(ctx)
	}
	return report.finish(), err
}

// givesUp reports whether there are too many faults to send more cases.
func (o *options) givesUp(faults int) bool { return o.giveUp > 0 && faults >= o.giveUp }

// A runner has the state that the workers share.
type runner struct {
	o      *options
	cancel context.CancelCauseFunc
	faults atomic.Int64

	mu    sync.Mutex
	notes []string
}

// A batch has consecutive cases with the same schema, for one process. Their results are "not asked"
// before the cases are sent.
type batch struct {
	cases   []*conformance.Case
	results []*CaseResult
}

// most is the maximum number of cases in a batch.
const most = 100

// Reasons why cases are not sent.
const (
	ended   = "not asked: the run was stopped before"
	givenUp = "not asked: the adapter had failed too often before"
)

// deal sends the cases in batches to the workers, unless the run has ended. It returns the results
// of all cases in order.
func (r *runner) deal(ctx context.Context, cases caseSeq, batches chan<- batch) (results []*CaseResult, err error) {
	var next []*conformance.Case
	send := func() {
		if ctx.Err() == nil && !r.o.givesUp(int(r.faults.Load())) {
			batches <- batch{next, results[len(results)-len(next):]}
		}
		next = nil
	}
	for c, err := range cases {
		if err != nil {
			return results, err
		}
		if len(next) == most || len(next) > 0 && next[0].Schema != c.Schema {
			send()
		}
		unasked := newResult(c, notAsked, ended)
		next, results = append(next, c), append(results, &unasked)
	}
	send()
	return results, nil
}

// A worker sends cases to one process at a time.
type worker struct {
	r       *runner
	process *process
}

// work sends the cases of the batches to the process.
func (w *worker) work(ctx context.Context, batches <-chan batch) {
	defer w.drop()
	for b := range batches {
		if err := w.ask(ctx, b); err != nil {
			w.r.cancel(err)
		}
		wrong := slices.DeleteFunc(slices.Clone(b.results), func(r *CaseResult) bool { return r.c == nil })
		slices.SortStableFunc(wrong, func(a, b *CaseResult) int { return bySize(*a, *b) })
		for _, r := range wrong[min(w.r.o.limit, len(wrong)):] {
			r.c = nil // free the memory of a case that is not shown
		}
	}
	if w.process != nil && ctx.Err() == nil {
		if wrong := w.process.end(w.r.o.timeout); wrong != "" {
			w.r.mu.Lock()
			w.r.notes = append(w.r.notes, wrong)
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

// ask sends the cases of a batch to the process, up to the fault after which the runner gives up.
func (w *worker) ask(ctx context.Context, b batch) error {
	faults := 0
	for i, c := range b.cases {
		result, err := w.result(ctx, c)
		if err != nil {
			return err
		}
		*b.results[i] = result
		if result.fatal {
			w.r.faults.Add(1)
			faults++
		}
		if w.r.o.givesUp(faults) {
			break
		}
	}
	return nil
}

// result sends a case to the process and returns its result. It starts a process if necessary.
func (w *worker) result(ctx context.Context, c *conformance.Case) (CaseResult, error) {
	if w.process == nil {
		p, err := start(w.r.o.command, w.r.o.codec)
		if err != nil {
			return CaseResult{}, err
		}
		w.process = p
	}
	got, f, err := w.process.ask(ctx, c, w.r.o.codec, w.r.o.timeout)
	switch {
	case err != nil:
		return CaseResult{}, err
	case f == nil:
		return compared(c, got), nil
	}
	result := wrong(c, f.verdict, f.reason)
	if result.fatal = w.process.ended; result.fatal {
		w.drop()
	}
	return result, nil
}

// smallest returns the result of the smallest case that gets the same verdict. It does not count
// faults.
func (r *runner) smallest(ctx context.Context, shown CaseResult) CaseResult {
	if shown.Verdict == conformance.VerdictSilent { // each try would take the whole timeout
		return shown
	}
	w := &worker{r: &runner{o: r.o, cancel: r.cancel}}
	defer w.drop()
	smallest, tries := shown, 0
	shrink(shown.c, func(c *conformance.Case) bool {
		if ctx.Err() != nil {
			return false
		}
		tries++
		asked := *c
		asked.ID = fmt.Sprintf("%s-%d", shown.Case, tries) // a late answer must not match the next try
		again, err := w.result(ctx, &asked)
		if err != nil {
			r.cancel(err)
			return false
		}
		if again.Verdict != shown.Verdict {
			return false
		}
		smallest = again
		smallest.Case = shown.Case + "-smaller"
		return true
	})
	return smallest
}
