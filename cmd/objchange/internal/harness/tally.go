package harness

import (
	"fmt"
	"maps"
	"slices"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/cmd/objchange/internal/words"
	"github.com/objchange/objchange/conformance"
)

// A tally counts records.
type tally struct {
	limit int
	all   report.Report
	total report.Score
	ops   map[conformance.Op]*report.Score
	rules map[string]*report.RuleScore
	worst []*record // the smallest of those that are wrong

	faults, gaveUp int // cases without an answer, and those not asked since there were too many
}

func newTally(limit int) *tally {
	return &tally{
		limit: limit, all: report.Report{Command: "conformance"},
		ops: map[conformance.Op]*report.Score{}, rules: map[string]*report.RuleScore{},
	}
}

// add counts a record.
func (t *tally) add(r *record) {
	if t.ops[r.op] == nil {
		t.ops[r.op] = &report.Score{Name: string(r.op)}
	}
	for _, s := range []*report.Score{&t.total, t.ops[r.op]} {
		s.Cases++
		*countOf(s, r.verdict)++
	}
	if r.fault && !r.inStep {
		t.faults++
	}
	if r.reason == givenUp {
		t.gaveUp++
	}
	t.addRules(r)
	t.all.Subjects = append(t.all.Subjects, r.subject())
	if r.wrong() && r.c != nil {
		t.worst = append(t.worst, r)
		smallest(t.worst, t.limit)
		t.worst = slices.DeleteFunc(t.worst, func(r *record) bool { return r.c == nil })
	}
}

// countOf returns the count of a verdict.
func countOf(s *report.Score, v conformance.Verdict) *int {
	return map[conformance.Verdict]*int{
		conformance.VerdictSame: &s.Same, conformance.VerdictValue: &s.Value, conformance.VerdictAcceptance: &s.Verdict,
		conformance.VerdictNaming: &s.Naming, conformance.VerdictMalformed: &s.Malformed, conformance.VerdictCrashed: &s.Crashed,
		conformance.VerdictSilent: &s.Silent, conformance.VerdictUnsupported: &s.Unsupported, notAsked: &s.NotAsked,
	}[v]
}

// addRules counts the rules that are wanted, and of answers what they have of them.
func (t *tally) addRules(r *record) {
	rule := func(name string) *report.RuleScore {
		if t.rules[name] == nil {
			t.rules[name] = &report.RuleScore{Rule: name}
		}
		return t.rules[name]
	}
	answered := r.verdict == conformance.VerdictSame || r.wrong() && !r.fault
	for _, name := range r.wanted {
		rule(name).Wanted++
		switch {
		case !answered || r.unnamed:
		case slices.Contains(r.missed, name):
			rule(name).Missed++
		default:
			rule(name).Found++
		}
	}
	for _, name := range r.surplus {
		rule(name).Surplus++
	}
}

// subject returns the case as reports have it.
func (r *record) subject() report.Subject {
	s := report.Subject{Group: r.file, Columns: []string{r.id, string(r.op)}, Status: report.Judged, Verdict: string(r.verdict)}
	switch {
	case r.wrong():
		s.Findings = []report.Finding{{Rule: objchange.Rule("conformance-" + r.verdict), Message: r.reason, Enforced: true}}
	case r.verdict != conformance.VerdictSame:
		s.Status, s.Reason = report.Skipped, r.reason
	}
	return s
}

// note keeps what is to be said at the end, once.
func (t *tally) note(text string) {
	if text != "" && !slices.Contains(t.all.Notes, text) {
		t.all.Notes = append(t.all.Notes, text)
	}
}

// report returns what is counted.
func (t *tally) report() *report.Report {
	scores := &report.Scores{Total: t.total}
	for _, op := range conformance.Ops() {
		if t.ops[op] != nil {
			scores.Operations = append(scores.Operations, *t.ops[op])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(t.rules)) {
		if r := *t.rules[name]; r.Found+r.Missed+r.Surplus > 0 {
			scores.Rules = append(scores.Rules, r)
		}
	}
	slices.SortStableFunc(t.worst, bySize)
	for _, r := range t.worst {
		scores.Failing = append(scores.Failing, report.FailingCase{
			Case: r.id, Op: string(r.op), Verdict: string(r.verdict), Text: r.show(),
		})
	}
	if t.total.Silent > 0 && t.total.Answered() == 0 {
		t.note("the adapter never answered: it must flush its output after each line")
	}
	if t.gaveUp > 0 {
		t.note(fmt.Sprintf("%s not asked, after %s without an answer: see --give-up",
			words.Plural(t.gaveUp, "case"), words.Plural(t.faults, "case")))
	}
	slices.Sort(t.all.Notes)
	t.all.Scores = scores
	return &t.all
}
