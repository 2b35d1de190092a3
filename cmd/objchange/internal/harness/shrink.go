package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"github.com/objchange/objchange/conformance"
)

// Generated ranges over the cases of that many random resources, which the seed decides.
func Generated(seed uint64, resources int) Cases {
	return without(conformance.Generate(seed, resources))
}

// Listed ranges over the cases.
func Listed(cases []*conformance.Case) Cases {
	return without(slices.Values(cases))
}

// without ranges over cases that come without errors.
func without(cases iter.Seq[*conformance.Case]) Cases {
	return func(yield func(*conformance.Case, error) bool) {
		for c := range cases {
			if !yield(c, nil) {
				return
			}
		}
	}
}

// show has the cases that are shown made smaller, if that is asked for, and kept. Those
// that become the same are one.
func (r *run) show(ctx context.Context) {
	var shown []*record
	for _, rec := range r.tally.worst {
		if r.Shrink && rec.verdict != conformance.VerdictSilent { // each try would take as long
			rec = r.shrink(ctx, rec)
		}
		if slices.ContainsFunc(shown, rec.asks) {
			continue
		}
		shown = append(shown, rec)
		if r.Keep != nil {
			r.Keep(rec.c)
		}
	}
	r.tally.worst = shown
}

// asks reports whether both records are of the same question about the same values.
func (r *record) asks(other *record) bool {
	schema, _ := json.Marshal(r.c.Schema.Block) // valid ones have JSON
	others, _ := json.Marshal(other.c.Schema.Block)
	same := r.op == other.op && bytes.Equal(schema, others)
	for name, v := range r.c.In {
		same = same && v.RawEquals(other.c.In[name])
	}
	return same
}

// shrink returns the record of the smallest case that fails as the one of the record does,
// by the same verdict. What it asks is not counted.
func (r *run) shrink(ctx context.Context, rec *record) *record {
	apart := &run{Adapter: r.Adapter, cancel: r.cancel, tally: newTally(0)}
	w := &worker{run: apart}
	defer w.drop()
	smallest, tries := rec, 0
	small := conformance.Shrink(rec.c, func(c *conformance.Case) bool {
		if ctx.Err() != nil {
			return false
		}
		tries++
		asked := *c
		asked.ID = fmt.Sprintf("%s-%d", rec.id, tries) // an answer to one is none to the next
		again, err := w.ask(ctx, &asked)
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
	if smallest == rec {
		return rec
	}
	named := *small
	named.ID += "-smaller"
	smallest.c, smallest.id = &named, named.ID
	smallest.measure()
	return smallest
}
