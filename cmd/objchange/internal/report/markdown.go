package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/objchange/objchange/cmd/objchange/internal/rulebook"
	"github.com/objchange/objchange/cmd/objchange/internal/words"
)

// maxMarkdown is how many bytes there are at most: a comment on GitHub takes 65536
// characters.
const maxMarkdown = 60_000

// A markdownWriter writes the report as far as there is room. All text that is not
// the report's own is in code spans of one line.
type markdownWriter struct {
	strings.Builder
	room int // what is left of maxMarkdown, but for the ends of sections
}

// sectionEnd is more than what each section takes beside its items.
const sectionEnd = 200

func (r *Report) writeMarkdown(w io.Writer, o Options) error {
	m := &markdownWriter{room: maxMarkdown - 1000}
	m.add(fmt.Sprintf("### objchange %s: %s\n\n", r.Command, o.sum))
	subjects, findings := o.sum.Subjects, o.sum.Findings
	m.add("| | ok | with findings | failed | skipped | ignored |\n| --- | ---: | ---: | ---: | ---: | ---: |\n")
	m.add(fmt.Sprintf("| subjects | %d | %d | %d | %d | %d |\n", subjects.OK, subjects.WithFindings, subjects.Failed, subjects.Skipped, subjects.Ignored))
	m.add("\n| | counting | not counting | legacy zero values | ignored |\n| --- | ---: | ---: | ---: | ---: |\n")
	m.add(fmt.Sprintf("| findings | %d | %d | %d | %d |\n", findings.Counting, findings.NotCounting, findings.LegacyZero, findings.Ignored))
	if r.Error != "" {
		m.add("\n**Not everything was checked:** " + words.Span(r.Error) + "\n")
	}
	counting, others, unjudged := r.items()
	m.section("", "finding", counting)
	m.section("findings that do not count", "finding", others)
	for _, e := range r.broken() {
		m.section("how to fix "+string(e.Rule), "", []string{e.FixMarkdown() + "\n"})
	}
	var explorations []string
	for _, command := range r.explorations() {
		explorations = append(explorations, "- "+words.Span(command)+"\n")
	}
	m.section("look for more findings", "command", explorations)
	m.section("skipped or failed", "subject", unjudged)
	all := append(r.IgnoreNotes(), r.Notes...)
	notes := make([]string, len(all))
	for i, note := range all {
		notes[i] = "- " + words.Span(note) + "\n"
	}
	m.section("notes", "note", notes)
	_, err := io.WriteString(w, m.String())
	return err
}

func (m *markdownWriter) add(text string) {
	m.room -= len(text)
	m.WriteString(text)
}

// section writes the items that there is room for, and counts the rest. It is
// folded below its title, if it has one. Without a name for things, it is there as
// a whole or not at all.
func (m *markdownWriter) section(title, thing string, items []string) {
	if len(items) == 0 || thing == "" && len(items[0])+sectionEnd > m.room {
		return
	}
	m.add("\n")
	if title != "" {
		m.add("<details><summary>" + title + "</summary>\n\n")
	}
	for i, item := range items {
		if len(item)+sectionEnd > m.room {
			m.add(fmt.Sprintf("\n%s not shown: there is no room.\n", words.Plural(len(items)-i, thing)))
			break
		}
		m.add(item)
	}
	if title != "" {
		m.add("\n</details>\n")
	}
}

// items returns a list item for each finding that counts, for each that does not,
// and for each subject that was not judged.
func (r *Report) items() (counting, others, unjudged []string) {
	for _, s := range r.Subjects {
		for _, f := range s.Findings {
			item := fmt.Sprintf("- **%s** %s%s%s\n  %s\n%s", f.markdownRule(), words.Span(s.Name)+s.markdownProvider(), s.placeOf(f).markdown(), f.markdownStanding(), words.Span(f.where()+f.Message), f.markdownReproduction())
			if f.Counted {
				counting = append(counting, item)
			} else {
				others = append(others, item)
			}
		}
		if s.Status != Judged {
			unjudged = append(unjudged, fmt.Sprintf("- %s %s%s\n  %s\n", s.Status, words.Span(s.Name), s.Place.markdown(), words.Span(s.unjudged())))
		}
	}
	return counting, others, unjudged
}

// markdownProvider names the provider of the subject, if it has one.
func (s Subject) markdownProvider() string {
	if s.Provider == "" {
		return ""
	}
	return " of " + words.Span(s.Provider)
}

// markdownStanding is the standing, in which the reason is text of others.
func (f Finding) markdownStanding() string {
	if f.Ignored != "" {
		return " (ignored: " + words.Span(f.Ignored) + ")"
	}
	return f.standing()
}

func (p Place) markdown() string {
	if p.File == "" {
		return ""
	}
	at := groupName(p.File)
	for _, n := range []int{p.Line, p.Column} {
		if n > 0 {
			at += fmt.Sprintf(":%d", n)
		}
	}
	return " in " + words.Span(at)
}

// markdownRule links to how to fix what breaks it.
func (f Finding) markdownRule() string {
	if e, known := rulebook.Find(f.Rule); known {
		return "[" + string(f.Rule) + "](" + e.FixURL() + ")"
	}
	return words.Span(string(f.Rule))
}
