package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/conformance"
)

// A Report has the results of a run.
type Report struct {
	Total      *Score       `json:"total"`
	Operations []*Score     `json:"operations"`
	NotSame    []CaseResult `json:"not_same,omitempty"` // all cases with another verdict than same
	Shown      []CaseResult `json:"shown,omitempty"`    // the smallest wrong cases, in full
	Notes      []string     `json:"notes,omitempty"`
	Error      string       `json:"error,omitempty"` // why the run is incomplete

	limit          int
	ops            map[conformance.Op]*Score
	worst          []*record // the smallest wrong cases, in order of size
	faults, gaveUp int       // cases that ended the adapter, and cases not sent because there were too many of them
}

func newReport(limit int) *Report {
	return &Report{Total: newScore("all"), limit: limit, ops: map[conformance.Op]*Score{}}
}

// add counts a record.
func (r *Report) add(rec *record) {
	if r.ops[rec.result.Op] == nil {
		r.ops[rec.result.Op] = newScore(string(rec.result.Op))
	}
	for _, s := range []*Score{r.Total, r.ops[rec.result.Op]} {
		s.count(rec.result.Verdict)
	}
	if rec.fatal {
		r.faults++
	}
	if rec.result.Reason == givenUp {
		r.gaveUp++
	}
	if rec.result.Verdict != conformance.VerdictSame {
		r.NotSame = append(r.NotSame, rec.result)
	}
	if rec.c != nil {
		r.worst = append(r.worst, rec)
		slices.SortStableFunc(r.worst, bySize)
		r.worst = r.worst[:min(len(r.worst), r.limit)]
	}
}

// note adds a note to the end of the report, once.
func (r *Report) note(text string) {
	if text != "" && !slices.Contains(r.Notes, text) {
		r.Notes = append(r.Notes, text)
	}
}

// finish completes the report after all cases.
func (r *Report) finish() *Report {
	for _, op := range conformance.Ops() {
		if r.ops[op] != nil {
			r.Operations = append(r.Operations, r.ops[op])
		}
	}
	r.worst = slices.CompactFunc(r.worst, func(a, b *record) bool { // for example if the script of the adapter is missing
		return a.fatal && b.fatal && a.result.Verdict == b.result.Verdict && a.result.Reason == b.result.Reason
	})
	for _, rec := range r.worst {
		shown := rec.result
		if shown.Text = rec.show(); rec.result.Verdict == conformance.VerdictCrashed && r.Total.Answered() == 0 {
			shown.Text = string(shown.Verdict) + ": " + shown.Reason // the case is not the cause
		}
		r.Shown = append(r.Shown, shown)
	}
	if r.Total.Verdicts[conformance.VerdictSilent] > 0 && r.Total.Answered() == 0 {
		r.note("the adapter never answered: it must flush its output after each line")
	}
	if r.gaveUp > 0 {
		r.note(fmt.Sprintf("%d cases not asked, after %d cases without an answer: see --give-up", r.gaveUp, r.faults))
	}
	slices.Sort(r.Notes)
	return r
}

// A Score counts the cases of one operation, or of all operations, by verdict.
type Score struct {
	Operation string                      `json:"operation"`
	Cases     int                         `json:"cases"`
	Verdicts  map[conformance.Verdict]int `json:"verdicts"`
	// Score is the number of right cases divided by the number of supported cases. Coverage is
	// the number of supported cases divided by the number of all cases. They are 0 without
	// cases.
	Score    float64 `json:"score"`
	Coverage float64 `json:"coverage"`
}

func newScore(name string) *Score {
	return &Score{Operation: name, Verdicts: map[conformance.Verdict]int{}}
}

// A CaseResult is the result of one case.
type CaseResult struct {
	Case    string              `json:"case"`
	Op      conformance.Op      `json:"op"`
	File    string              `json:"file,omitempty"`
	Verdict conformance.Verdict `json:"verdict"`
	Reason  string              `json:"reason"`
	// Difference has the missing lines after a -, and the surplus lines after a +.
	Difference []string `json:"difference,omitempty"`
	Text       string   `json:"text,omitempty"` // the case as shown to people, for shown cases
}

// Answered returns the number of cases with an answer.
func (s *Score) Answered() int {
	return s.Cases - s.Verdicts[notAsked] - s.Verdicts[conformance.VerdictMalformed] -
		s.Verdicts[conformance.VerdictCrashed] - s.Verdicts[conformance.VerdictSilent]
}

// Left returns the number of cases that are unsupported or were not sent.
func (s *Score) Left() int { return s.Verdicts[notAsked] + s.Verdicts[conformance.VerdictUnsupported] }

// Wrong returns the number of wrong cases.
func (s *Score) Wrong() int { return s.Cases - s.Left() - s.Verdicts[conformance.VerdictSame] }

// count counts a case.
func (s *Score) count(v conformance.Verdict) {
	s.Cases++
	s.Verdicts[v]++
	tried := s.Cases - s.Left()
	s.Score = float64(s.Verdicts[conformance.VerdictSame]) / float64(max(tried, 1))
	s.Coverage = float64(tried) / float64(s.Cases)
}

// percent formats a ratio. It rounds down, so only 1 becomes 100 %.
func percent(part float64) string {
	return strconv.FormatFloat(math.Floor(part*1000)/10, 'f', 1, 64) + " %"
}

// columns are the verdicts in the order of the table.
var columns = []conformance.Verdict{
	conformance.VerdictSame, conformance.VerdictValue, conformance.VerdictAcceptance, conformance.VerdictNaming, conformance.VerdictMalformed,
	conformance.VerdictCrashed, conformance.VerdictSilent, conformance.VerdictUnsupported, notAsked,
}

// JSON writes the report for programs.
func (r *Report) JSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}

// Text writes the report for people: the shown cases, the scores and the notes.
func (r *Report) Text(w io.Writer) error {
	var b bytes.Buffer
	for _, c := range r.Shown {
		fmt.Fprintf(&b, "%s %s\n", words.Printable(c.Case, ""), c.Op)
		for line := range strings.Lines(c.Text) {
			b.WriteString(strings.TrimRight("  "+line, " \n") + "\n")
		}
		b.WriteString("\n")
	}
	if more := r.Total.Wrong() - len(r.Shown); more > 0 && len(r.Shown) > 0 {
		fmt.Fprintf(&b, "%d more wrong cases: see --limit and --format json\n\n", more)
	}
	r.operations(&b)
	for i, note := range r.Notes {
		if i == 0 {
			b.WriteString("\n")
		}
		b.WriteString("  " + words.Printable(note, "") + "\n")
	}
	_, err := w.Write(b.Bytes())
	return err
}

// operations writes the table of scores, without columns for verdicts that do not occur.
func (r *Report) operations(b *bytes.Buffer) {
	shown := slices.Clone(columns)
	shown = slices.DeleteFunc(shown, func(v conformance.Verdict) bool {
		return v != conformance.VerdictSame && r.Total.Verdicts[v] == 0
	})
	head := []string{"operation", "cases"}
	for _, v := range shown {
		head = append(head, string(v))
	}
	rows := [][]string{append(head, "score", "coverage")}
	for _, s := range append(slices.Clone(r.Operations), r.Total) {
		row := []string{s.Operation, fmt.Sprint(s.Cases)}
		for _, v := range shown {
			row = append(row, fmt.Sprint(s.Verdicts[v]))
		}
		score := percent(s.Score)
		if s.Left() == s.Cases {
			score = "–"
		}
		rows = append(rows, append(row, score, percent(s.Coverage)))
	}
	table(b, rows)
}

// table writes rows in columns. The first column is left-aligned, and the others are
// right-aligned.
func table(b *bytes.Buffer, rows [][]string) {
	wide := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			wide[i] = max(wide[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		fmt.Fprintf(b, "%-*s", wide[0], row[0])
		for i, cell := range row[1:] {
			fmt.Fprintf(b, "  %*s", wide[i+1], cell)
		}
		b.WriteString("\n")
	}
}
