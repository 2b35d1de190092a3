package harness

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/document"
	"github.com/objchange/objchange/cmd/objchange/internal/words"
	"github.com/objchange/objchange/conformance"
)

// notAsked is the verdict of a case that was not asked.
const notAsked conformance.Verdict = "not asked"

// A record is what came of one case. What it takes to show that is in it for as long as
// it may be shown.
type record struct {
	id      string
	op      conformance.Op
	file    string
	verdict conformance.Verdict
	reason  string // why it is not same, in words
	fault   bool   // there is no answer, though it was asked
	inStep  bool   // there is one of no use, and the adapter is asked further

	wanted, missed, surplus []string // rules
	unnamed                 bool     // the answer has problems, and none with a rule

	c      *conformance.Case
	got    conformance.Outcome
	judged conformance.Judgement
	size   int
}

// newUnasked returns the record of a case that was not asked.
func newUnasked(c *conformance.Case, why string) *record {
	return &record{id: c.ID, op: c.Op, file: c.File, verdict: notAsked, reason: why, c: c, wanted: wantedRules(c)}
}

// unasked returns the record as if the case had not been asked.
func (r *record) unasked(why string) *record {
	return &record{id: r.id, op: r.op, file: r.file, verdict: notAsked, reason: why, wanted: r.wanted}
}

// light returns the record without what shows it.
func (r *record) light() *record {
	r.c, r.got, r.judged = nil, conformance.Outcome{}, conformance.Judgement{}
	return r
}

// wantedRules returns the rules that an answer to the case is to name.
func wantedRules(c *conformance.Case) []string {
	if !c.Op.Checks() {
		return nil
	}
	return rulesOf(c.Right().Problems)
}

// rulesOf returns the rules of problems, each once, in order.
func rulesOf(problems []conformance.Problem) (rules []string) {
	for _, p := range problems {
		if p.Rule != "" {
			rules = append(rules, p.Rule)
		}
	}
	slices.Sort(rules)
	return slices.Compact(rules)
}

// newRecord returns the record of a case that was answered.
func newRecord(c *conformance.Case, got conformance.Outcome) *record {
	r := newUnasked(c, "")
	j := c.Judge(got)
	r.verdict, r.got, r.judged = j.Verdict, got, j
	switch j.Verdict {
	case conformance.VerdictSame:
	case conformance.VerdictUnsupported:
		r.reason = strings.TrimSuffix("unsupported: "+got.Why, ": ")
	default:
		r.reason = r.why()
	}
	if c.Op.Checks() && j.Verdict != conformance.VerdictUnsupported {
		r.missed, r.surplus = rulesOf(j.Missing), rulesOf(j.Surplus)
		r.unnamed = len(got.Problems) > 0 && len(rulesOf(got.Problems)) == 0
	}
	return r
}

// fail makes the record that of a case without an answer.
func (r *record) fail(f *fault) {
	r.verdict, r.reason, r.fault, r.inStep = f.verdict, f.reason, true, f.inStep
	r.got, r.judged = conformance.Outcome{}, conformance.Judgement{}
	r.missed, r.surplus = nil, nil
}

// wrong reports whether the case is one that the implementation fails.
func (r *record) wrong() bool {
	switch r.verdict {
	case conformance.VerdictSame, conformance.VerdictUnsupported, notAsked:
		return false
	}
	return true
}

// why says in a line what is wrong with the answer.
func (r *record) why() string {
	want := r.judged.Want
	switch {
	case r.op == conformance.OpComputed && r.got.Kind == conformance.KindValue:
		return "what is planned breaks " + listed(r.judged.Missing)
	case r.got.Kind == conformance.KindErrors && (want.Kind == conformance.KindValue || r.op == conformance.OpComputed):
		return strings.TrimSuffix("there is no value: "+listed(r.got.Problems), ": ")
	case r.verdict == conformance.VerdictValue:
		return "the value is another one " + r.places()
	case r.verdict == conformance.VerdictAcceptance && len(want.Problems) == 0:
		return "it is rejected, and is to be accepted: " + listed(r.got.Problems)
	case r.verdict == conformance.VerdictAcceptance && want.Problems[0] == conformance.Problem{}: // only the verdict is recorded
		return "it is accepted, and is to be rejected"
	case r.verdict == conformance.VerdictAcceptance:
		return "it is accepted, and is to be rejected: " + listed(want.Problems)
	}
	var parts []string
	if len(r.judged.Missing) > 0 {
		parts = append(parts, "missing: "+listed(r.judged.Missing))
	}
	if len(r.judged.Surplus) > 0 {
		parts = append(parts, "surplus: "+listed(r.judged.Surplus))
	}
	return strings.Join(parts, "; ")
}

// several is how many problems or places a line has.
const several = 3

// places says where the value differs.
func (r *record) places() string {
	schema, err := objchange.Compile(r.c.Schema.Block)
	if err != nil {
		return "in what is known of it, or in its type"
	}
	changes, err := objchange.Diff(schema, r.judged.Want.Value, r.got.Value)
	if err != nil || len(changes) == 0 {
		return "in what is known of it, or in its type"
	}
	var paths []string
	for _, c := range changes[:min(len(changes), several)] {
		paths = append(paths, cmp.Or(c.PathString(), "the whole"))
	}
	return "at " + strings.Join(paths, ", ") + andMore(len(changes))
}

// listed returns problems in a line.
func listed(problems []conformance.Problem) string {
	var texts []string
	for _, p := range problems[:min(len(problems), several)] {
		texts = append(texts, words.Short(inLine(problemText(p)), longest))
	}
	return strings.Join(texts, "; ") + andMore(len(problems))
}

func andMore(n int) string {
	if n <= several {
		return ""
	}
	return fmt.Sprintf(" and %d more", n-several)
}

// problemText returns a problem in words: its place and rule, or what it says else.
func problemText(p conformance.Problem) string {
	var parts []string
	if p.Path != nil {
		parts = append(parts, cmp.Or(*p.Path, "(root)"))
	}
	if p.Rule != "" {
		parts = append(parts, p.Rule)
	}
	if len(parts) == 0 {
		parts = append(parts, cmp.Or(p.Message, "a problem without path, rule and message"))
	}
	return strings.Join(parts, " ")
}

func inLine(s string) string { return words.Printable(words.Valid(s), "") }

// measure sets how large the case is: the length of its schema and its values.
func (r *record) measure() {
	schema, _ := json.Marshal(r.c.Schema.Block)
	r.size = len(schema)
	for _, v := range r.c.In {
		text, _ := document.Codec{}.Encode(r.c.Schema.Block, v)
		r.size += len(text)
	}
}

// smallest leaves what shows them in the smallest of the records that are wrong, up to the
// limit, and takes it from all others.
func smallest(records []*record, limit int) []*record {
	var wrong []*record
	for _, r := range records {
		if r.c == nil {
			continue
		}
		if r.wrong() {
			if r.size == 0 {
				r.measure()
			}
			wrong = append(wrong, r)
		} else {
			r.light()
		}
	}
	slices.SortStableFunc(wrong, bySize)
	for _, r := range wrong[min(limit, len(wrong)):] {
		r.light()
	}
	return records
}

func bySize(a, b *record) int { return cmp.Compare(a.size, b.size) }

// faults counts the cases without an answer.
func faults(records []*record) (n int) {
	for _, r := range records {
		if r.fault && !r.inStep {
			n++
		}
	}
	return n
}
