package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/objchange/objchange/cmd/objchange/internal/words"
)

// A Format is how a report is written. It is a flag's value.
type Format string

// The formats.
const (
	Text     Format = "text"     // for people
	JSON     Format = "json"     // for programs
	SARIF    Format = "sarif"    // for code scanning
	JUnit    Format = "junit"    // for continuous integration
	GitHub   Format = "github"   // for annotations by GitHub Actions
	Markdown Format = "markdown" // for comments and summaries
)

// Formats returns the names of all formats.
func Formats() []string {
	return []string{string(Text), string(JSON), string(SARIF), string(JUnit), string(GitHub), string(Markdown)}
}

// String returns the format's name.
func (f *Format) String() string { return string(*f) }

// Set takes a format by its name.
func (f *Format) Set(name string) error {
	if !slices.Contains(Formats(), name) {
		return fmt.Errorf("want one of %s", strings.Join(Formats(), ", "))
	}
	*f = Format(name)
	return nil
}

// Type is what a flag's help calls the format.
func (f *Format) Type() string { return "FORMAT" }

// A Terminal is where text is written to, as *terminal.Terminal is: it breaks lines
// where its own end, and has styles.
type Terminal interface {
	Wrap(text string, indent int) string
	Good(s string) string
	Bad(s string) string
	Warn(s string) string
	Dim(s string) string
	Bold(s string) string
}

// Options are what the formats need to know beside the report.
type Options struct {
	FailOn        FailOn   // which findings count; FailOnCore if it is ""
	FailOnSkipped bool     // subjects that were skipped count
	Quiet         bool     // only what was found is written
	Brief         bool     // as text, subjects of which there is nothing to say are not listed
	Terminal      Terminal // where text is written to
	Version       string   // the command's own

	sum summary // of all subjects, also those that are not written
}

// Write writes the report in the format.
func (r *Report) Write(w io.Writer, format Format, o Options) error {
	o.FailOn = cmp.Or(o.FailOn, FailOnCore)
	r = r.prepared(o)
	o.sum = r.summary()
	switch {
	case o.Quiet:
		r.Subjects = slices.DeleteFunc(r.Subjects, func(s Subject) bool {
			return len(s.notable()) == 0 && !s.Counts(o) && (s.Status != Skipped || r.Error == "")
		})
	case o.Brief && format == Text:
		r.Subjects = slices.DeleteFunc(r.Subjects, func(s Subject) bool {
			return len(s.notable()) == 0 && s.Status == Judged
		})
	}
	switch format {
	case JSON:
		return r.writeJSON(w, o)
	case SARIF:
		return r.writeSARIF(w, o)
	case JUnit:
		return r.writeJUnit(w, o)
	case GitHub:
		return r.writeGitHub(w, o)
	case Markdown:
		return r.writeMarkdown(w, o)
	}
	return r.writeText(w, o)
}

// prepared returns the report with names of subjects and with what counts, in UTF-8, which
// all formats are written in: bytes that are none are escaped. Only the names of files
// stay, to be found by.
func (r *Report) prepared(o Options) *Report {
	p := *r
	p.Notes, p.Error, p.Errors = allValid(r.Notes), words.Valid(r.Error), allValid(r.Errors)
	p.Subjects = slices.Clone(r.Subjects)
	for i := range p.Subjects {
		s := &p.Subjects[i]
		for _, text := range []*string{&s.Group, &s.RPC, &s.Document, &s.Address, &s.Type, &s.Object, &s.Step, &s.Action, &s.Reason} {
			*text = words.Valid(*text)
		}
		s.Name = s.name()
		s.Findings = append([]Finding{}, s.Findings...)
		for i := range s.Findings {
			f := &s.Findings[i]
			f.Path, f.Inside, f.Message, f.Counted = words.Valid(f.Path), words.Valid(f.Inside), words.Valid(f.Message), f.Counts(o.FailOn)
		}
	}
	return &p
}

// allValid returns the texts themselves where all are valid: there may be many.
func allValid(texts []string) []string {
	if !slices.ContainsFunc(texts, func(text string) bool { return !utf8.ValidString(text) }) {
		return texts
	}
	valid := slices.Clone(texts)
	for i, text := range valid {
		valid[i] = words.Valid(text)
	}
	return valid
}
