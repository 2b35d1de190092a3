package report

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/objchange/objchange/cmd/objchange/internal/words"
)

// scores writes the failing cases that are shown, and the tables.
func (t textWriter) scores(r *Report) {
	for _, c := range r.Scores.Failing {
		fmt.Fprintln(t, t.Terminal.Bad(inLine(c.Case+" "+c.Op)))
		for line := range strings.Lines(c.Text) {
			fmt.Fprintln(t, strings.TrimRight(subjectIndent+printable(strings.TrimSuffix(line, "\n")), " "))
		}
		fmt.Fprintln(t)
	}
	if t.Quiet {
		return
	}
	if more := t.sum.WithFindings - len(r.Scores.Failing); more > 0 && len(r.Scores.Failing) > 0 {
		fmt.Fprintf(t, "%s not shown: see --limit, and --format json\n\n", words.Plural(more, "more failing case"))
	}
	t.table(r.Scores.operations())
	if rules := r.Scores.rules(); rules != nil {
		fmt.Fprintln(t)
		t.table(rules)
	}
	if len(r.Notes) > 0 || r.Error != "" {
		fmt.Fprintln(t)
		t.notes(r)
	}
}

// table writes rows in columns: the first to the left, all others to the right.
func (t textWriter) table(rows [][]string) {
	var columns widths
	for _, row := range rows {
		columns.fit(row)
	}
	for i, row := range rows {
		cells := columns.aligned(row)
		for i, cell := range row[1:] {
			cells[i+1] = strings.Repeat(" ", columns[i+1]-ansi.StringWidth(inLine(cell))) + inLine(cell)
		}
		line := strings.Join(cells, "  ")
		if i == 0 {
			line = t.Terminal.Bold(line)
		}
		fmt.Fprintln(t, line)
	}
}
