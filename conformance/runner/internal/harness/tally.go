package harness

import (
	"fmt"
	"slices"
	"strings"

	"github.com/objchange/objchange/conformance"
)

// A tally counts records.
type tally struct {
	limit   int
	total   *Score
	ops     map[conformance.Op]*Score
	notSame []*record
	worst   []*record // the smallest of those that are wrong, in order
	notes   []string

	faults, gaveUp int // cases that ended the adapter, and cases not asked after too many of them
}

func newTally(limit int) *tally {
	return &tally{limit: limit, total: newScore("all"), ops: map[conformance.Op]*Score{}}
}

// add counts a record.
func (t *tally) add(r *record) {
	if t.ops[r.op] == nil {
		t.ops[r.op] = newScore(string(r.op))
	}
	for _, s := range []*Score{t.total, t.ops[r.op]} {
		s.count(r.verdict)
	}
	if r.fatal {
		t.faults++
	}
	if r.reason == givenUp {
		t.gaveUp++
	}
	if r.verdict != conformance.VerdictSame {
		t.notSame = append(t.notSame, r)
	}
	if r.c != nil {
		t.worst = append(t.worst, r)
		slices.SortStableFunc(t.worst, bySize)
		t.worst = t.worst[:min(len(t.worst), t.limit)]
	}
}

// note keeps what the report says at its end, once.
func (t *tally) note(text string) {
	if text != "" && !slices.Contains(t.notes, text) {
		t.notes = append(t.notes, text)
	}
}

// report returns what is counted.
func (t *tally) report() *Report {
	r := &Report{Total: t.total}
	for _, op := range conformance.Ops() {
		if t.ops[op] != nil {
			r.Operations = append(r.Operations, t.ops[op])
		}
	}
	for _, rec := range t.notSame {
		r.NotSame = append(r.NotSame, rec.result())
	}
	for _, rec := range t.worst {
		shown := rec.result()
		shown.Text = rec.show()
		r.Shown = append(r.Shown, shown)
	}
	if t.total.Verdicts[conformance.VerdictSilent] > 0 && t.total.Answered() == 0 {
		t.note("the adapter never answered: it must flush its output after each line")
	}
	if t.gaveUp > 0 {
		t.note(fmt.Sprintf("%d cases not asked, after %d cases without an answer: see --give-up", t.gaveUp, t.faults))
	}
	slices.SortFunc(t.notes, strings.Compare)
	r.Notes = t.notes
	return r
}
