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
	Shown      []CaseResult `json:"shown,omitempty"`    // the smallest wrong cases in order of size, in full
	Notes      []string     `json:"notes,omitempty"`
	Error      string       `json:"error,omitempty"` // why the run is incomplete

	limit          int
	faults, gaveUp int // cases that ended the adapter, and cases not sent because there were too many of them
}

func newReport(limit int) *Report {
	r := &Report{Total: newScore("all"), limit: limit}
	for _, op := range conformance.Ops() {
		r.Operations = append(r.Operations, newScore(string(op)))
	}
	return r
}

// add counts a result.
func (r *Report) add(result CaseResult) {
	r.Total.count(result.Verdict)
	r.Operations[slices.Index(conformance.Ops(), result.Op)].count(result.Verdict)
	if result.fatal {
		r.faults++
	}
	if result.Reason == givenUp {
		r.gaveUp++
	}
	if result.c != nil {
		r.Shown = append(r.Shown, result)
		slices.SortStableFunc(r.Shown, bySize)
		r.Shown = r.Shown[:min(len(r.Shown), r.limit)]
	}
	result.c = nil
	if result.Verdict != conformance.VerdictSame {
		r.NotSame = append(r.NotSame, result)
	}
}

// finish completes the report after all cases.
func (r *Report) finish() *Report {
	r.Operations = slices.DeleteFunc(r.Operations, func(s *Score) bool { return s.Cases == 0 })
	// The reasons are equal for example if the script of the adapter is missing.
	r.Shown = slices.CompactFunc(r.Shown, func(a, b CaseResult) bool {
		return a.fatal && b.fatal && a.Verdict == b.Verdict && a.Reason == b.Reason
	})
	for i, shown := range r.Shown {
		r.Shown[i].Text = shown.show()
		if shown.Verdict == conformance.VerdictCrashed && r.Total.Answered() == 0 {
			r.Shown[i].Text = string(shown.Verdict) + ": " + shown.Reason // the case is not the cause
		}
	}
	if r.Total.Verdicts[conformance.VerdictSilent] > 0 && r.Total.Answered() == 0 {
		r.Notes = append(r.Notes, "the adapter never answered: it must flush its output after each line")
	}
	if r.gaveUp > 0 {
		note := fmt.Sprintf("%d cases not asked, after %d cases without an answer: see --give-up", r.gaveUp, r.faults)
		r.Notes = append(r.Notes, note)
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
	conformance.VerdictSame, conformance.VerdictValue, conformance.VerdictAcceptance, conformance.VerdictNaming,
	conformance.VerdictMalformed, conformance.VerdictCrashed, conformance.VerdictSilent,
	conformance.VerdictUnsupported, notAsked,
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
