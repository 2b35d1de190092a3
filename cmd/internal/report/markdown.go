package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/objchange/objchange/cmd/internal/rulebook"
	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/internal/print"
)

// maxMarkdown limits the size of the report in bytes. A comment on GitHub takes 65536 characters.
const maxMarkdown = 60_000

// A markdownWriter writes the report up to a size. All texts from the input are in code spans of
// one line.
type markdownWriter struct {
	strings.Builder
	room int // remaining bytes of maxMarkdown, without the reserve
}

// sectionEnd exceeds the size of a section's heading and end.
const sectionEnd = 200

func (r *Report) writeMarkdown(w io.Writer) error {
	m := &markdownWriter{room: maxMarkdown - 1000}
	m.add(fmt.Sprintf("### objchange %s: %s\n\n", r.Command, r.Summary))
	if r.Heading != "" {
		m.add(words.Span(r.Heading) + "\n\n")
	}
	if r.Error != "" {
		m.add("**Not everything was checked:** " + words.Span(r.Error) + "\n")
	}
	counting, others, skipped := r.items()
	m.section("", "finding", counting)
	m.section("findings that do not count", "finding", others)
	for _, e := range r.broken() {
		m.section("how to fix "+string(e.Rule), "", []string{e.Fix + "\n"})
	}
	m.section("skipped or failed", "subject", skipped)
	var notes []string
	for _, note := range slices.Concat(r.ignoreNotes(), r.Notes) {
		notes = append(notes, "- "+words.Span(note)+"\n")
	}
	m.section("notes", "note", notes)
	_, err := io.WriteString(w, m.String())
	return err
}

func (m *markdownWriter) add(text string) {
	m.room -= len(text)
	m.WriteString(text)
}

// section writes as many items as there is room for, and counts the others. A section with a title
// is folded. If thing is "", the section has one item, which is omitted if there is no room for it.
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
			more := print.Plural(len(items)-i, thing)
			m.add(fmt.Sprintf("\n%s not shown, because the report would be too long.\n", more))
			break
		}
		m.add(item)
	}
	if title != "" {
		m.add("\n</details>\n")
	}
}

// items returns a list item for each finding that counts, for each other finding, and for each
// subject that was skipped or failed.
func (r *Report) items() (counting, others, skipped []string) {
	for _, s := range r.Subjects {
		for _, f := range s.Findings {
			item := "- **" + f.markdownRule() + "** " + words.Span(s.Name)
			if s.Provider != "" {
				item += " of " + words.Span(s.Provider)
			}
			item += s.placeOf(f).markdown()
			if f.Ignored != "" {
				item += " (ignored: " + words.Span(f.Ignored) + ")"
			} else {
				item += f.note()
			}
			item += "\n  " + words.Span(f.where()+f.Message) + "\n" + f.markdownReproduction()
			if f.Counted {
				counting = append(counting, item)
			} else {
				others = append(others, item)
			}
		}
		if s.Status != Checked {
			skipped = append(skipped, fmt.Sprintf("- %s %s%s\n  %s\n",
				s.Status, words.Span(s.Name), s.Place.markdown(), words.Span(s.skipReason())))
		}
	}
	return counting, others, skipped
}

func (p Place) markdown() string {
	if p.File == "" {
		return ""
	}
	return " in " + words.Span(p.at())
}

// markdownRule returns the name of the rule, with a link to the instructions for a fix.
func (f Finding) markdownRule() string {
	if e, known := rulebook.Find(f.Rule); known {
		return "[" + string(f.Rule) + "](" + e.Rule.Info().URL + ")"
	}
	return words.Span(string(f.Rule))
}
