package report

import (
	"cmp"
	"io"
	"slices"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/tfcheck"
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

// A Terminal is the destination of text. Wrap breaks lines at the width of the terminal. The other
// methods apply a style. The type *terminal.Terminal implements it.
type Terminal interface {
	Wrap(text string, indent int) string
	Good(s string) string
	Bad(s string) string
	Warn(s string) string
	Dim(s string) string
	Bold(s string) string
}

// Options are the options for writing a report.
type Options struct {
	FailOn        FailOn   // which findings count; FailOnCore if it is ""
	FailOnSkipped bool     // skipped subjects count
	All           bool     // list each subject and each finding, also each LegacyZero; JSON and JUnit always do
	Terminal      Terminal // the destination of text
	Version       string   // of the command

	sum summary // of all subjects, also of those that are not written
}

// Write writes the report in the format. It does not change the report.
func (r *Report) Write(w io.Writer, format Format, o Options) error {
	o.FailOn = cmp.Or(o.FailOn, FailOnCore)
	escape := printable
	if format == JSON || format == SARIF { // they have their own escapes, and programs need the values
		escape = words.Valid
	}
	r = r.prepared(o, escape)
	o.sum = r.summary()
	if !o.All && format != JSON && format != JUnit {
		r.sumUpZeros()
	}
	switch format {
	case JSON:
		return r.writeJSON(w, o)
	case SARIF:
		return r.writeSARIF(w, o)
	case JUnit:
		return r.writeJUnit(w, o)
	case Markdown:
		return r.writeMarkdown(w, o)
	}
	return r.writeText(w, o)
}

// prepared returns a copy of the report with the names of subjects and the field Counted set. All
// texts are escaped to valid UTF-8, except file names, which must stay usable.
func (r *Report) prepared(o Options, escape func(string) string) *Report {
	all := func(texts []string) (escaped []string) {
		for _, text := range texts {
			escaped = append(escaped, escape(text))
		}
		return escaped
	}
	p := *r
	p.Notes, p.Error, p.Errors = all(r.Notes), escape(r.Error), all(r.Errors)
	p.Ignores = slices.Clone(r.Ignores)
	for i := range p.Ignores {
		e := &p.Ignores[i]
		e.What, e.Source, e.Reason = escape(e.What), escape(e.Source), escape(e.Reason)
	}
	p.Subjects = append([]Subject{}, r.Subjects...)
	for i := range p.Subjects {
		s := &p.Subjects[i]
		for _, text := range []*string{&s.Group, &s.RPC, &s.Document, &s.Address, &s.Provider, &s.Type, &s.Kind, &s.Object, &s.Action, &s.Reason, &s.Ignored, &s.Explore} {
			*text = escape(*text)
		}
		s.Name = s.name()
		s.Findings = append([]Finding{}, s.Findings...)
		for i := range s.Findings {
			s.Findings[i] = s.Findings[i].escaped(escape)
			s.Findings[i].Counted = s.Findings[i].Counts(o.FailOn)
		}
	}
	p.Unconfirmed = slices.Clone(r.Unconfirmed)
	for i := range p.Unconfirmed {
		u := &p.Unconfirmed[i]
		u.Kind, u.Type, u.Finding = escape(u.Kind), escape(u.Type), u.escaped(escape)
		u.Name = Subject{Kind: u.Kind, Type: u.Type}.name()
	}
	return &p
}

// escaped returns the finding with escaped texts. Its code is only made valid UTF-8.
func (f Finding) escaped(escape func(string) string) Finding {
	f.Rule = objchange.Rule(escape(string(f.Rule)))
	f.Path, f.Inside, f.Message, f.Ignored = escape(f.Path), escape(f.Inside), escape(f.Message), escape(f.Ignored)
	f.Also, f.HCL, f.GoTest = slices.Clone(f.Also), words.Valid(f.HCL), words.Valid(f.GoTest)
	for i := range f.Also {
		f.Also[i] = escape(f.Also[i])
	}
	f.Steps = slices.Clone(f.Steps)
	for i, step := range f.Steps {
		f.Steps[i] = Step{words.Valid(step.Command), words.Valid(step.HCL)}
	}
	if f.Confirmed != nil {
		c := *f.Confirmed
		c.Program, c.Version, c.Error, c.Reason = escape(c.Program), escape(c.Version), escape(c.Error), escape(c.Reason)
		f.Confirmed = &c
	}
	return f
}

// sumUpZeros removes the legacy zero values and adds a note with their number.
func (r *Report) sumUpZeros() {
	zeros := 0
	for i := range r.Subjects {
		s := &r.Subjects[i]
		all := len(s.Findings)
		s.Findings = slices.DeleteFunc(s.Findings, func(f Finding) bool {
			return f.Severity == tfcheck.LegacyZero && f.Ignored == ""
		})
		zeros += all - len(s.Findings)
	}
	if zeros > 0 {
		r.Notes = append([]string{words.Plural(zeros, "zero value") + " of the legacy SDK, listed with --all"}, r.Notes...)
	}
}

// printable escapes characters that control a terminal, except line feeds.
func printable(s string) string { return words.Printable(s, "\n") }
