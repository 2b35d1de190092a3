package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/objchange/objchange/cmd/internal/words"
)

// list writes all subjects with all findings.
func (t textWriter) list(r *Report) {
	for _, group := range r.groups() {
		t.group(group)
	}
	t.unconfirmed(r.Unconfirmed)
}

func (t textWriter) group(subjects []Subject) {
	if name := subjects[0].Group; name != "" {
		fmt.Fprintln(t, t.Terminal.Bold(inLine(groupName(name))))
	}
	var columns widths
	for _, s := range subjects {
		columns.fit(s.Columns())
	}
	code := false
	for _, s := range subjects {
		if code {
			fmt.Fprintln(t)
		}
		line := subjectIndent + strings.Join(append(columns.aligned(s.Columns()), t.verdict(s)), "  ")
		if s.Provider != "" && (len(s.notable()) > 0 || s.Status != Checked) {
			line += t.Terminal.Dim("  (" + inLine(s.Provider) + ")")
		}
		fmt.Fprintln(t, t.Terminal.Wrap(line, len(findingIndent)))
		code = t.findings(s.notable())
	}
	fmt.Fprintln(t)
}

// verdict returns the result of the subject on one line.
func (t textWriter) verdict(s Subject) string {
	if s.Status == Skipped {
		style := t.Terminal.Warn
		if s.Counts(t.Options) {
			style = t.Terminal.Bad
		}
		return style("skipped: " + lines(s.skipReason(), len(findingIndent)))
	}
	n := tallyOf(s)
	style, parts := t.Terminal.Good, []string(nil)
	if s.Status == Failed {
		style, parts = t.Terminal.Warn, []string{"failed: " + lines(s.Reason, len(findingIndent))}
	}
	if n.counting > 0 {
		style, parts = t.Terminal.Bad, append([]string{words.Plural(n.counting, "finding")}, parts...)
	}
	verdict := style(cmp.Or(strings.Join(parts, ", "), "ok"))
	if len(s.Limited) > 0 {
		verdict += ", limit reached in " + strings.Join(s.Limited, ", ")
	}
	return verdict + t.Terminal.Warn(n.rest())
}

// widths are the widths of columns. Each column is as wide as its widest cell.
type widths []int

// fit widens the columns for the cells of a row.
func (w *widths) fit(row []string) {
	for i, cell := range row {
		if i == len(*w) {
			*w = append(*w, 0)
		}
		(*w)[i] = max((*w)[i], ansi.StringWidth(inLine(cell)))
	}
}

// aligned returns the row with printable cells, padded to the width of their columns. It omits
// columns without text.
func (w widths) aligned(row []string) (out []string) {
	for i, width := range w {
		cell := ""
		if i < len(row) {
			cell = inLine(row[i])
		}
		if width > 0 {
			out = append(out, cell+strings.Repeat(" ", width-ansi.StringWidth(cell)))
		}
	}
	return out
}
