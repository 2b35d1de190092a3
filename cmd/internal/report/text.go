package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/internal/severity"
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
	if r.Heading != "" {
		fmt.Fprintf(t, "%s\n\n", t.Terminal.Wrap(t.Terminal.Warn(inLine(r.Heading)), 0))
	}
	if o.All {
		t.list(r)
	} else {
		t.essence(r)
	}
	t.see(r)
	t.summary(r)
	return t.Flush()
}

// essence writes what a reader needs: the findings that count, what does not count or was not
// checked in a few lines, and a line for each group.
func (t textWriter) essence(r *Report) {
	t.kinds(r.kinds(func(f Finding) bool { return f.Counted }), len(r.groups()) > 1)
	t.unconfirmed(r.Unconfirmed)
	t.few(r.uncountedLines(), t.Terminal.Warn)
	unchecked := t.Terminal.Warn
	if t.FailOnSkipped {
		unchecked = t.Terminal.Bad
	}
	t.few(r.uncheckedLines(), unchecked)
	t.few(r.groupLines(), func(line string) string { return line })
}

// kinds writes findings below the names of the objects in which they were found.
func (t textWriter) kinds(kinds []*kind, several bool) {
	for len(kinds) > 0 {
		same := 1
		for same < len(kinds) && kinds[same].sameObjects(kinds[0]) {
			same++
		}
		var found []Finding
		for _, k := range kinds[:same] {
			found = append(found, k.Finding)
		}
		of := kinds[0].objects
		line := t.Terminal.Bold(of.String())
		if in := of.first[0].origin(several); in != "" {
			line += t.Terminal.Dim("  (" + inLine(in) + ")")
		}
		fmt.Fprintln(t, t.Terminal.Wrap(line, len(findingIndent)))
		t.findings(found)
		fmt.Fprintln(t)
		kinds = kinds[same:]
	}
}

// unconfirmed writes findings that Terraform did not confirm, with what it printed.
func (t textWriter) unconfirmed(all []Unconfirmed) {
	for _, u := range all {
		fmt.Fprintln(t, t.Terminal.Wrap(t.Terminal.Bold(u.Name), len(findingIndent)))
		t.findings([]Finding{u.Finding})
		fmt.Fprintln(t)
	}
}

// origin returns the provider of the subject, and its group if the report has several groups.
func (s Subject) origin(several bool) string {
	parts := []string{s.Provider}
	if several {
		parts = append(parts, groupName(s.Group))
	}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), ", ")
}

// maxLines limits the lines of each part of the report that does not count. A large configuration
// has many types, and a recording many runs.
const maxLines = 12

// maxPlaces limits the other places of a finding.
const maxPlaces = 3

// few writes at most maxLines of the lines, and how many more there are.
func (t textWriter) few(lines []string, style func(string) string) {
	for _, line := range lines[:min(len(lines), maxLines)] {
		fmt.Fprintln(t, t.Terminal.Wrap(style(line), len(findingIndent)))
	}
	if more := len(lines) - maxLines; more > 0 {
		fmt.Fprintf(t, "and %s, which --all lists\n", words.Plural(more, "more line"))
	}
	if len(lines) > 0 {
		fmt.Fprintln(t)
	}
}

// uncountedLines returns a line for each type with findings that do not count.
func (r *Report) uncountedLines() (all []string) {
	for _, t := range r.uncounted() {
		all = append(all, inLine(t.String()))
	}
	return all
}

// uncheckedLines returns a line for each reason why subjects were skipped or failed.
func (r *Report) uncheckedLines() (all []string) {
	type cause struct {
		status Status
		reason string
	}
	found := map[cause]*objects{}
	var causes []cause
	for _, s := range r.Subjects {
		c := cause{s.Status, s.Reason}
		if s.Status == Checked || s.Idle || s.Ignored != "" {
			continue
		}
		if found[c] == nil {
			found[c] = &objects{}
			causes = append(causes, c)
		}
		found[c].add(s)
	}
	for _, c := range causes {
		all = append(all, fmt.Sprintf("%s: %s: %s", c.status, found[c], lines(c.reason, len(findingIndent))))
	}
	return all
}

// groupLines returns a line with the counts of each group that has a name. If there are too many
// groups, those with findings or unchecked subjects come first.
func (r *Report) groupLines() (all []string) {
	var columns widths
	groups := r.groups()
	if len(groups) > maxLines {
		slices.SortStableFunc(groups, func(a, b []Subject) int { return cmp.Compare(notChecked(b), notChecked(a)) })
	}
	for _, group := range groups {
		columns.fit([]string{groupName(group[0].Group)})
	}
	for _, group := range groups {
		if name := groupName(group[0].Group); name != "" {
			all = append(all, columns.aligned([]string{name})[0]+"  "+(&Report{Subjects: group}).summary().checked()+tallyOf(group...).rest())
		}
	}
	return all
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
		for i, place := range f.Also {
			if rest := len(f.Also) - i; rest > 1 && i == maxPlaces && !t.All {
				fmt.Fprintf(t, "%sand %s, which --all lists\n", more, words.Plural(rest, "more place"))
				break
			}
			fmt.Fprintln(t, t.Terminal.Wrap(more+"also: "+inLine(place), len(more)))
		}
		shown := f.shown()
		if code = shown != ""; code {
			fmt.Fprintf(t, "\n%s%s\n", more, unpadded(lines(shown, len(more))))
		}
	}
	return code
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
	fmt.Fprintln(t, t.Terminal.Bold("summary"))
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
	if findings := sum.findings(); findings != "" {
		t.note("findings: " + findings)
	}
	if n := sum.Subjects.Ignored; n > 0 {
		t.note(fmt.Sprintf("%d of the skipped subjects are ignored", n))
	}
	if r.tolerates() {
		t.note("tolerated: the response has the flag legacy_type_system, so Terraform only logs this, at WARN")
	}
	notes := slices.Concat(r.reasons(), r.ignoreNotes(), r.Notes)
	shown := len(notes)
	if !t.All {
		shown = min(shown, maxLines)
	}
	for _, note := range notes[:shown] {
		t.note(note)
	}
	if more := len(notes) - shown; more > 0 {
		t.note(fmt.Sprintf("and %s, which --all lists", words.Plural(more, "more note")))
	}
	if r.Error != "" {
		t.note("not everything was checked because of an error")
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
	if f.unconfirmed() {
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
		return fmt.Sprintf(" (%s:%d:%d)", groupName(f.File), f.Line, f.Column)
	}
	return fmt.Sprintf(" (line %d)", f.Line)
}

// inLine returns the text on one line.
func inLine(s string) string { return words.Printable(s, "") }

// lines returns the printable text with all lines but the first indented.
func lines(s string, indent int) string {
	all := strings.Split(strings.TrimRight(words.Printable(s, "\n"), "\n"), "\n")
	for i := 1; i < len(all); i++ {
		all[i] = strings.Repeat(" ", indent) + all[i]
	}
	return strings.Join(all, "\n")
}
