package harness

import (
	"context"
	"fmt"

	"github.com/objchange/objchange/cmd/objchange-conformance/internal/cases"
	"github.com/objchange/objchange/conformance"
)

// shrink returns the record of the smallest case that gets the same verdict. It does not count
// faults.
func (r *run) shrink(ctx context.Context, rec *record) *record {
	if rec.verdict == conformance.VerdictSilent { // each try would take the whole timeout
		return rec
	}
	w := &worker{run: &run{Adapter: r.Adapter, cancel: r.cancel}}
	defer w.drop()
	smallest, tries := rec, 0
	cases.Shrink(rec.c, func(c *conformance.Case) bool {
		if ctx.Err() != nil {
			return false
		}
		tries++
		asked := *c
		asked.ID = fmt.Sprintf("%s-%d", rec.id, tries) // a late answer must not match the next try
		again, err := w.record(ctx, &asked)
		if err != nil {
			r.cancel(err)
			return false
		}
		if again.verdict != rec.verdict {
			return false
		}
		smallest = again
		return true
	})
	if smallest != rec {
		smallest.id = rec.id + "-smaller"
	}
	return smallest
}
