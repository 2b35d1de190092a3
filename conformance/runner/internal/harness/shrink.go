package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/objchange/objchange/conformance"
	"github.com/objchange/objchange/conformance/runner/internal/cases"
)

// shrinkAll makes the cases that are shown smaller. Those that become the same are one.
func (r *run) shrinkAll(ctx context.Context, t *tally) {
	var shown []*record
	for _, rec := range t.worst {
		if rec.verdict != conformance.VerdictSilent { // each try would take as long
			rec = r.shrink(ctx, rec)
		}
		if !slices.ContainsFunc(shown, rec.same) {
			shown = append(shown, rec)
		}
	}
	t.worst = shown
}

// same reports whether both records are of one question about the same values.
func (r *record) same(other *record) bool {
	schema, _ := json.Marshal(r.c.Schema.Block) // valid ones have JSON
	others, _ := json.Marshal(other.c.Schema.Block)
	same := r.op == other.op && bytes.Equal(schema, others)
	for name, v := range r.c.In {
		same = same && v.RawEquals(other.c.In[name])
	}
	return same
}

// shrink returns the record of the smallest case that fails by the same verdict as the one
// of the record. It counts nothing.
func (r *run) shrink(ctx context.Context, rec *record) *record {
	w := &worker{run: &run{Adapter: r.Adapter, cancel: r.cancel}}
	defer w.drop()
	smallest, tries := rec, 0
	cases.Shrink(rec.c, func(c *conformance.Case) bool {
		if ctx.Err() != nil {
			return false
		}
		tries++
		asked := *c
		asked.ID = fmt.Sprintf("%s-%d", rec.id, tries) // an answer to one is none to the next
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
