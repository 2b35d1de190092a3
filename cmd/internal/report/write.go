package report

import (
	"cmp"
	"io"
	"slices"

	"github.com/objchange/objchange/cmd/internal/terminal"
	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/internal/print"
)

// A Format is an output format of a report.
type Format string

// These are the formats.
const (
	Text     Format = "text"     // for people
	JSON     Format = "json"     // for programs
	SARIF    Format = "sarif"    // for code scanning
	JUnit    Format = "junit"    // for continuous integration
	Markdown Format = "markdown" // for comments and summaries
)

// Formats returns all formats.
func Formats() []Format { return []Format{Text, JSON, SARIF, JUnit, Markdown} }

// Options are the options for writing a report.
type Options struct {
	FailOn        FailOn             // which findings count; FailOnCore if it is ""
	FailOnSkipped bool               // skipped subjects count
	All           bool               // list each subject and finding, also each LegacySDK, as JSON and JUnit always do
	Terminal      *terminal.Terminal // the destination of text
	Version       string             // of the command
}

// Write writes the report in the format. It does not change the report.
func (r *Report) Write(w io.Writer, format Format, o Options) error {
	o.FailOn = cmp.Or(o.FailOn, FailOnCore)
	r = r.prepared(o)
	if !o.All && format != JSON && format != JUnit {
		r.sumUpLegacy()
	}
	switch format {
	case JSON:
		return writeJSON(w, r)
	case SARIF:
		return r.writeSARIF(w, o)
	case JUnit:
		return r.writeJUnit(w, o)
	case Markdown:
		return r.writeMarkdown(w)
	}
	return r.writeText(w, o)
}

// prepared returns a copy of the report with the names of subjects, the standings of findings and what follows
// from the options.
func (r *Report) prepared(o Options) *Report {
	p := *r
	p.Subjects = append([]Subject{}, r.Subjects...) // not null if empty
	for i := range p.Subjects {
		s := &p.Subjects[i]
		s.Name = s.name()
		s.Findings = append([]Finding{}, s.Findings...)
		for i := range s.Findings {
			f := &s.Findings[i]
			f.standing = f.standingWith(o.FailOn)
			f.Counted = f.standing == counting
		}
	}
	sum := summaryOf(p.Subjects...)
	p.FormatVersion, p.FailOn, p.FailOnSkipped, p.Summary = formatVersion, o.FailOn, o.FailOnSkipped, &sum
	return &p
}

const formatVersion = "1.0"

// writeJSON writes JSON in one call, with characters escaped that control a terminal.
func writeJSON(w io.Writer, doc any) error {
	text, err := words.JSON(doc, "  ")
	if err == nil {
		_, err = w.Write(text)
	}
	return err
}

// sumUpLegacy removes the findings that the legacy SDK causes and adds a note with their number.
func (r *Report) sumUpLegacy() {
	n := 0
	for i := range r.Subjects {
		s := &r.Subjects[i]
		all := len(s.Findings)
		s.Findings = slices.DeleteFunc(s.Findings, func(f Finding) bool { return f.standing == legacySDK })
		n += all - len(s.Findings)
	}
	if n > 0 {
		note := print.Plural(n, "finding") + " caused by the legacy SDK, listed with --all"
		r.Notes = append([]string{note}, r.Notes...)
	}
}
