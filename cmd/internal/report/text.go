package report

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/internal/print"
	"github.com/objchange/objchange/internal/severity"
)

// Findings are indented below their subject, and subjects below their group.
const (
	subjectIndent = "  "
	findingIndent = "      "
)

const (
	// maxLines limits the lines of each part of the report that does not count. A large
	// configuration has many types, and a recording many runs.
	maxLines = 12
	// maxPlaces limits the other places of a finding.
	maxPlaces = 3
)

// few returns the first lines, and how many more there are. It returns all lines with --all, or if only one
// exceeds the limit.
func (t textWriter) few(lines []string, limit int, what string) []string {
	more := len(lines) - limit
	if t.o.All || more <= 1 {
		return lines
	}
	return append(slices.Clone(lines[:limit]), fmt.Sprintf("and %d more %ss, which --all lists", more, what))
}

// A textWriter writes the report as text.
type textWriter struct {
	out *strings.Builder
	o   Options
}

func (r *Report) writeText(w io.Writer, o Options) error {
	t := textWriter{&strings.Builder{}, o}
	if r.Heading != "" {
		t.line(0, o.Terminal.Warn(inLine(r.Heading)))
	}
	if o.All {
		t.list(r)
	} else {
		t.essence(r)
	}
	t.gap()
	for _, e := range r.broken() {
		t.line(0, o.Terminal.Dim("see: objchange explain "+string(e.Rule)))
	}
	t.gap()
	t.summary(r)
	_, err := io.WriteString(w, t.out.String())
	return err
}

// gap writes an empty line between parts of the report, unless there is one already.
func (t textWriter) gap() {
	if text := t.out.String(); text != "" && !strings.HasSuffix(text, "\n\n") {
		t.out.WriteString("\n")
	}
}

// line writes a line. If it is too long for the terminal, the rest is indented.
func (t textWriter) line(indent int, text string) {
	fmt.Fprintln(t.out, t.o.Terminal.Wrap(text, indent))
}

// essence writes what a reader needs: the findings that count or are not confirmed, what does not
// count or was not checked in a few lines, and a line for each group.
func (t textWriter) essence(r *Report) {
	groups, last := r.groups(), ""
	for _, rows := range grouped(r.rows(counting, unconfirmed), row.kind) {
		heading := t.o.Terminal.Bold(objectNames(rows))
		if in := rows[0].subject.origin(len(groups) > 1); in != "" {
			heading += t.o.Terminal.Dim("  (" + inLine(in) + ")")
		}
		if heading != last {
			t.gap()
			t.line(len(findingIndent), heading)
		}
		t.finding(rows[0].finding)
		last = heading
	}
	skipped := t.o.Terminal.Warn
	if t.o.FailOnSkipped {
		skipped = t.o.Terminal.Bad
	}
	t.part(r.uncountedLines(), t.o.Terminal.Warn)
	t.part(r.uncheckedLines(), skipped)
	t.part(r.groupLines(), func(line string) string { return line })
}

// part writes a part of the report that does not count.
func (t textWriter) part(lines []string, style func(string) string) {
	t.gap()
	for _, line := range t.few(lines, maxLines, "line") {
		t.line(len(findingIndent), style(line))
	}
}

func (t textWriter) list(r *Report) {
	for _, group := range r.groups() {
		t.gap()
		if name := group[0].Group; name != "" {
			t.line(0, t.o.Terminal.Bold(inLine(words.FileName(name))))
		}
		var rows [][]string
		for _, s := range group {
			rows = append(rows, s.Columns())
		}
		for i, row := range aligned(rows) {
			s := group[i]
			line := subjectIndent + row + t.verdict(s)
			if s.Provider != "" && (len(s.notable()) > 0 || s.Status != Checked) {
				line += t.o.Terminal.Dim("  (" + inLine(s.Provider) + ")")
			}
			t.line(len(findingIndent), line)
			for _, f := range s.notable() {
				t.finding(f)
			}
		}
	}
}

// aligned returns each row as a line with aligned columns. It omits columns without text.
func aligned(rows [][]string) []string {
	var text bytes.Buffer
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', tabwriter.DiscardEmptyColumns)
	for _, row := range rows {
		for _, cell := range row {
			fmt.Fprint(w, inLine(cell), "\v") // a column of empty cells with this end is omitted
		}
		fmt.Fprintln(w)
	}
	_ = w.Flush() // a buffer has no errors
	return strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n")
}

// verdict returns the result of the subject on one line.
func (t textWriter) verdict(s Subject) string {
	if s.Status == Skipped {
		style := t.o.Terminal.Warn
		if s.Counts(t.o) {
			style = t.o.Terminal.Bad
		}
		return style("skipped: " + lines(s.skipReason(), len(findingIndent)))
	}
	sum := summaryOf(s)
	failed := "failed: " + lines(s.Reason, len(findingIndent))
	var verdict string
	switch n := sum.Findings.Counting; {
	case n > 0 && s.Status == Failed:
		verdict = t.o.Terminal.Bad(print.Plural(n, "finding") + ", " + failed)
	case n > 0:
		verdict = t.o.Terminal.Bad(print.Plural(n, "finding"))
	case s.Status == Failed:
		verdict = t.o.Terminal.Warn(failed)
	default:
		verdict = t.o.Terminal.Good("ok")
	}
	if len(s.Limited) > 0 {
		verdict += ", limit reached in " + strings.Join(s.Limited, ", ")
	}
	return verdict + t.o.Terminal.Warn(sum.rest())
}

// finding writes a finding with its other places, and the code that reproduces it.
func (t textWriter) finding(f Finding) {
	style := t.o.Terminal.Warn
	if f.Counted {
		style = t.o.Terminal.Bad
	}
	text := style(inLine(string(f.Rule))) + "  "
	if f.Phase != "" {
		text += string(f.Phase) + "  "
	}
	text += inLine(cmp.Or(f.Path, "(root)")) + ": " + inLine(f.Message) + t.o.Terminal.Dim(inLine(f.line()+f.note()))
	t.line(len(findingIndent)+2, findingIndent+text)
	const more = findingIndent + subjectIndent
	var also []string
	for _, place := range f.Also {
		also = append(also, "also: "+inLine(place))
	}
	for _, line := range t.few(also, maxPlaces, "place") {
		t.line(len(more), more+line)
	}
	if shown := f.shown(); shown != "" {
		fmt.Fprintf(t.out, "\n%s%s\n\n", more, lines(shown, len(more)))
	}
}

func (t textWriter) summary(r *Report) {
	t.line(0, t.o.Terminal.Bold("summary"))
	count := func(what string, n int, style func(string) string) {
		if n > 0 || what == "ok" {
			t.note(style(fmt.Sprintf("%-13s %6d", what, n)))
		}
	}
	n := r.Summary.Subjects
	count("ok", n.OK, t.o.Terminal.Good)
	count("with findings", n.WithFindings, t.o.Terminal.Bad)
	count("failed", n.Failed, t.o.Terminal.Warn)
	count("skipped", n.Skipped, t.o.Terminal.Warn)
	if findings := r.Summary.findings(); findings != "" {
		t.note("findings: " + findings)
	}
	if n.Ignored > 0 {
		t.note(fmt.Sprintf("%d of the skipped subjects are ignored", n.Ignored))
	}
	if r.Summary.n[tolerated] > 0 {
		t.note("tolerated: the response has the flag legacy_type_system, so Terraform only logs this, at WARN")
	}
	for _, note := range t.few(slices.Concat(r.reasons(), r.ignoreNotes(), r.Notes), maxLines, "note") {
		t.note(lines(note, len(subjectIndent)))
	}
	if r.Error != "" {
		t.note("not everything was checked because of an error")
	}
}

func (t textWriter) note(text string) { t.line(len(subjectIndent), subjectIndent+text) }

// uncheckedLines returns a line for each reason why subjects were skipped or failed.
func (r *Report) uncheckedLines() (all []string) {
	var unchecked []row
	for _, s := range r.Subjects {
		if s.Status != Checked && !s.Idle && s.Ignored == "" {
			unchecked = append(unchecked, row{subject: s})
		}
	}
	cause := func(r row) string { return string(r.subject.Status) + r.subject.Reason }
	for _, same := range grouped(unchecked, cause) {
		s := same[0].subject
		all = append(all, fmt.Sprintf("%s: %s: %s", s.Status, objectNames(same), lines(s.Reason, len(findingIndent))))
	}
	return all
}

// groupLines returns a line with the counts of each group that has a name.
func (r *Report) groupLines() (all []string) {
	var rows [][]string
	for _, group := range r.groups() {
		if name := words.FileName(group[0].Group); name != "" {
			sum := summaryOf(group...)
			rows = append(rows, []string{name})
			all = append(all, sum.checked()+sum.rest())
		}
	}
	if all == nil {
		return nil
	}
	for i, name := range aligned(rows) {
		all[i] = name + all[i]
	}
	return all
}

// origin returns the provider of the subject, and its group if the report has several groups.
func (s Subject) origin(several bool) string {
	if !several || s.Group == "" {
		return s.Provider
	}
	return strings.TrimPrefix(s.Provider+", "+words.FileName(s.Group), ", ")
}

// note returns a note about the severity of the finding, or that the finding is ignored. It
// returns "" if Terraform rejects the value.
func (f Finding) note() string {
	switch f.standing {
	case ignored:
		return " (ignored: " + f.Ignored + ")"
	case unconfirmed:
		return " (not confirmed, so it does not count)"
	}
	return severity.Note(f.Severity)
}

// line returns the line of the value, if it is known. It includes the file if that is not the
// subject's file.
func (f Finding) line() string {
	switch {
	case f.Line == 0:
		return ""
	case f.File != "":
		return " (" + f.at() + ")"
	}
	return fmt.Sprintf(" (line %d)", f.Line)
}

func inLine(s string) string { return words.Printable(s, "") }

// lines returns the printable text with all lines but the first and empty ones indented.
func lines(s string, indent int) string {
	all := strings.TrimRight(words.Printable(s, "\n"), "\n")
	return nextLine.ReplaceAllString(all, "\n"+strings.Repeat(" ", indent)+"$1")
}

var nextLine = regexp.MustCompile(`\n(.)`)
