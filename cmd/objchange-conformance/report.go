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
	"text/tabwriter"

	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/conformance"
)

// A Report has the results of a run.
type Report struct {
	Total      Score                    `json:"total"`
	Operations map[conformance.Op]Score `json:"operations"`
	Shown      []CaseResult             `json:"shown,omitempty"` // the smallest wrong cases in order of size
	Notes      []string                 `json:"notes,omitempty"`

	limit  int // of shown cases
	faults int // cases that ended the adapter
}

// add counts a result.
func (r *Report) add(result CaseResult) {
	op := result.Op
	if r.Operations[op] == nil {
		r.Operations[op] = Score{}
	}
	r.Operations[op][result.Verdict]++
	r.Total[result.Verdict]++
	if result.fatal {
		r.faults++
	}
	if result.wrong() {
		r.Shown = append(r.Shown, result)
		slices.SortStableFunc(r.Shown, bySize)
		r.Shown = r.Shown[:min(len(r.Shown), r.limit)]
	}
}

// A Score counts cases by verdict.
type Score map[conformance.Verdict]int

// cases returns the number of all cases.
func (s Score) cases() (n int) {
	for _, count := range s {
		n += count
	}
	return n
}

// supported returns the number of cases that the adapter supports.
func (s Score) supported() int { return s.cases() - s[conformance.VerdictUnsupported] }

// wrong returns the number of wrong cases.
func (s Score) wrong() int { return s.supported() - s[conformance.VerdictSame] }

// answered returns the number of cases with an outcome.
func (s Score) answered() int {
	return s.supported() - s[conformance.VerdictMalformed] - s[conformance.VerdictCrashed] - s[conformance.VerdictSilent]
}

// percent formats a ratio. It rounds down, so only 1 becomes 100 %.
func percent(part, of int) string {
	if of == 0 {
		return "–"
	}
	return strconv.FormatFloat(math.Floor(float64(part)/float64(of)*1000)/10, 'f', 1, 64) + " %"
}

// columns are the verdicts in the order of the table.
var columns = []conformance.Verdict{
	conformance.VerdictSame, conformance.VerdictValue, conformance.VerdictAcceptance, conformance.VerdictNaming,
	conformance.VerdictMalformed, conformance.VerdictCrashed, conformance.VerdictSilent, conformance.VerdictUnsupported,
}

// JSON writes the report for programs.
func (r *Report) JSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}

// Text writes the shown cases, the scores and the notes.
func (r *Report) Text(w io.Writer) error {
	var b bytes.Buffer
	for _, c := range r.Shown {
		fmt.Fprintf(&b, "%s %s\n", words.Printable(c.ID, ""), c.Op)
		for line := range strings.Lines(c.show()) {
			b.WriteString(strings.TrimRight("  "+line, " \n") + "\n")
		}
		b.WriteString("\n")
	}
	if more := r.Total.wrong() - len(r.Shown); more > 0 && len(r.Shown) > 0 {
		fmt.Fprintf(&b, "%d more wrong cases: see --limit\n\n", more)
	}
	r.table(&b)
	for i, note := range r.Notes {
		if i == 0 {
			b.WriteString("\n")
		}
		b.WriteString("  " + note + "\n")
	}
	_, err := w.Write(b.Bytes())
	return err
}

// table writes the table of scores, without columns for verdicts that do not occur.
func (r *Report) table(b *bytes.Buffer) {
	table := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(table, "operation\tcases\t")
	var shown []conformance.Verdict
	for _, v := range columns {
		if v == conformance.VerdictSame || r.Total[v] > 0 {
			shown = append(shown, v)
			fmt.Fprintf(table, "%s\t", v)
		}
	}
	fmt.Fprint(table, "score\tcoverage\t\n")
	row := func(name string, s Score) {
		fmt.Fprintf(table, "%s\t%d\t", name, s.cases())
		for _, v := range shown {
			fmt.Fprintf(table, "%d\t", s[v])
		}
		score, coverage := percent(s[conformance.VerdictSame], s.supported()), percent(s.supported(), s.cases())
		fmt.Fprintf(table, "%s\t%s\t\n", score, coverage)
	}
	for _, op := range conformance.Ops() {
		if s := r.Operations[op]; s != nil {
			row(string(op), s)
		}
	}
	row("all", r.Total)
	_ = table.Flush() // a buffer takes everything
}
