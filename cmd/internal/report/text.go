package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/tfcheck"
)

// Findings are indented below their subject, and subjects below their group.
const (
	subjectIndent = "  "
	findingIndent = "      "
)

// A textWriter writes the report as text.
type textWriter struct {
	*bufio.Writer
	Options
}

func (r *Report) writeText(w io.Writer, o Options) error {
	t := textWriter{bufio.NewWriter(w), o}
	for _, group := range r.groups() {
		t.group(group)
	}
	if o.Quiet {
		t.quietNotes(r)
	} else {
		t.see(r)
		t.summary(r)
	}
	return t.Flush()
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

// groupName returns the name of a group for display. It is "standard input" for "-".
func groupName(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}

// findings writes findings. The result reports whether the last finding has code below it.
func (t textWriter) findings(found []Finding) (code bool) {
	var columns widths
	for _, f := range found {
		columns.fit([]string{string(f.Rule), string(f.Phase)})
	}
	for _, f := range found {
		if code {
			fmt.Fprintln(t)
		}
		row := columns.aligned([]string{string(f.Rule), string(f.Phase)})
		style := t.Terminal.Warn
		if f.Counted {
			style = t.Terminal.Bad
		}
		row[0] = style(row[0])
		line := fmt.Sprintf("%s%s  %s: %s%s", findingIndent, strings.Join(row, "  "),
			inLine(cmp.Or(f.Path, "(root)")), inLine(f.Message), t.Terminal.Dim(inLine(f.line()+f.standing())))
		fmt.Fprintln(t, t.Terminal.Wrap(line, len(findingIndent)+2))
		const more = findingIndent + subjectIndent
		for _, place := range f.Also {
			fmt.Fprintln(t, t.Terminal.Wrap(more+"also: "+inLine(place), len(more)))
		}
		shown := f.shown()
		if code = shown != ""; code {
			fmt.Fprintf(t, "\n%s%s\n", more, unpadded(lines(shown, len(more))))
		}
	}
	return code
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
	n := s.tally()
	style, parts := t.Terminal.Good, []string(nil)
	if s.Status == Failed {
		style, parts = t.Terminal.Warn, []string{"failed: " + lines(s.Reason, len(findingIndent))}
	}
	if n.counting > 0 {
		style, parts = t.Terminal.Bad, append([]string{words.Plural(n.counting, "finding")}, parts...)
	}
	verdict := style(cmp.Or(strings.Join(parts, ", "), "ok"))
	for _, severity := range tfcheck.Severities() {
		if others := n.others[severity]; others > 0 {
			verdict += t.Terminal.Warn(fmt.Sprintf(", %d %s", others, severity))
		}
	}
	if n.ignored > 0 {
		verdict += t.Terminal.Warn(fmt.Sprintf(", %d ignored", n.ignored))
	}
	return verdict
}

// see prints commands that help further: for each broken rule, how to fix it; for each type with
// findings, how to look for more. Each command is printed once.
func (t textWriter) see(r *Report) {
	var commands []string
	for _, e := range r.broken() {
		commands = append(commands, "objchange explain "+string(e.Rule))
	}
	commands = append(commands, r.explorations()...)
	for _, command := range commands {
		fmt.Fprintln(t, t.Terminal.Dim("see: "+inLine(command)))
	}
	if len(commands) > 0 {
		fmt.Fprintln(t)
	}
}

func (t textWriter) summary(r *Report) {
	sum := t.sum
	heading := "summary"
	if t.Brief { // other output may precede the report
		heading = "objchange " + r.Command
	}
	fmt.Fprintln(t, t.Terminal.Bold(heading))
	line := func(what string, n int, style func(string) string) {
		text := fmt.Sprintf("%-13s %6d", what, n)
		if n > 0 {
			text = style(text)
		}
		if n > 0 || what == "ok" {
			fmt.Fprintf(t, "%s%s\n", subjectIndent, text)
		}
	}
	line("ok", sum.Subjects.OK, t.Terminal.Good)
	line("with findings", sum.Subjects.WithFindings, t.Terminal.Bad)
	line("failed", sum.Subjects.Failed, t.Terminal.Warn)
	line("skipped", sum.Subjects.Skipped, t.Terminal.Warn)
	if findings := sum.Findings.String(); findings != "" {
		t.note("findings: " + findings)
	}
	if n := sum.Subjects.Ignored; n > 0 {
		t.note(fmt.Sprintf("%d of the skipped subjects are ignored", n))
	}
	if r.tolerates() {
		t.note("tolerated: the response has the flag legacy_type_system, so Terraform only logs this, at WARN")
	}
	for _, note := range slices.Concat(r.reasons(), r.IgnoreNotes(), r.Notes) {
		t.note(note)
	}
	if r.Error != "" {
		t.note("not everything was checked because of an error")
	}
}

// quietNotes writes the notes about skipped subjects and about expired entries.
func (t textWriter) quietNotes(r *Report) {
	notes := slices.Concat(r.Notes, r.expiredNotes())
	for _, note := range notes[:min(len(notes), maxReasons)] {
		t.note(note)
	}
	if more := len(notes) - maxReasons; more > 0 {
		t.note(fmt.Sprintf("and %d more notes; run without --quiet to see them", more))
	}
}

func (t textWriter) note(text string) {
	fmt.Fprintln(t, t.Terminal.Wrap(lines(subjectIndent+text, len(subjectIndent)), len(subjectIndent)))
}

// standing returns a note about the severity of the finding, or that the finding is ignored. It
// returns "" if Terraform rejects the value.
func (f Finding) standing() string {
	if f.Ignored != "" {
		return " (ignored: " + f.Ignored + ")"
	}
	return f.Severity.Note()
}

// line returns the line of the value, if it is known. It includes the file if that is not the
// subject's file.
func (f Finding) line() string {
	switch {
	case f.Line == 0:
		return ""
	case f.File != "":
		return fmt.Sprintf(" (%s:%d:%d)", groupName(f.File), f.Line, f.Column)
	}
	return fmt.Sprintf(" (line %d)", f.Line)
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

// inLine returns the text on one line.
func inLine(s string) string { return words.Printable(s, "") }

// lines returns the text with all lines but the first indented.
func lines(s string, indent int) string {
	all := strings.Split(strings.TrimRight(s, "\n"), "\n")
	for i := 1; i < len(all); i++ {
		all[i] = strings.Repeat(" ", indent) + all[i]
	}
	return strings.Join(all, "\n")
}
