package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/internal/print"
)

// writeJUnit writes a test suite for each group and a test case for each subject. The test case
// fails if a finding counts.
func (r *Report) writeJUnit(w io.Writer, o Options) error {
	suites := junit.Testsuites{Name: "objchange " + r.Command}
	add := func(name string, cases []junit.Testcase) {
		suite := junit.Testsuite{Name: cmp.Or(words.FileName(name), suites.Name), ID: len(suites.Suites), Time: "0"}
		for _, tc := range cases {
			suite.AddTestcase(tc)
		}
		suites.AddSuite(suite)
	}
	for _, group := range r.groups() {
		var cases []junit.Testcase
		for _, s := range group {
			cases = append(cases, s.testcase(r.Command, o))
		}
		add(group[0].Group, cases)
	}
	if r.Error != "" {
		failed := &junit.Result{Message: r.Error}
		add("", []junit.Testcase{{Name: "everything is checked", Classname: r.Command, Error: failed}})
	}
	suites.Skipped = 0 // the XML schema of JUnit has this attribute only for suites
	var text strings.Builder
	if err := suites.WriteXML(&text); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, words.Printable(text.String(), "\n\t"))
	return err
}

func (s Subject) testcase(command string, o Options) junit.Testcase {
	tc := junit.Testcase{Name: s.Name, Classname: command}
	if s.Group != "" {
		tc.Classname += "." + words.FileName(s.Group)
	}
	if s.Place.Line > 0 && command != "audit" { // the names of audit are unique, and must not depend on lines
		tc.Name += fmt.Sprintf(" (line %d)", s.Place.Line)
	}
	var counting, others []string
	first := Finding{}
	for _, f := range s.Findings {
		line := f.text() + inLine(f.line()) + f.note() + f.reproduction()
		if !f.Counted {
			others = append(others, line)
		} else if counting = append(counting, line); len(counting) == 1 {
			first = f
		}
	}
	switch {
	case len(counting) > 0:
		message := first.text() + inLine(first.line()) + first.note()
		if more := len(counting) - 1; more > 0 {
			message += fmt.Sprintf(" (and %s)", print.Plural(more, "more finding"))
		}
		if s.Provider != "" {
			counting = append(counting, "provider: "+s.Provider)
		}
		tc.Failure = &junit.Result{Message: message, Type: string(first.Rule), Data: strings.Join(counting, "\n")}
	case s.Counts(o):
		tc.Error = &junit.Result{Message: "skipped: " + s.Reason}
	case s.Status == Skipped:
		tc.Skipped = &junit.Result{Message: s.skipReason()}
	case s.Status == Failed:
		tc.Skipped = &junit.Result{Message: "failed: " + s.Reason}
	}
	if len(others) > 0 {
		tc.SystemOut = &junit.Output{Data: strings.Join(others, "\n")}
	}
	return tc
}

// text returns the finding on one line: phase, path, message and rule.
func (f Finding) text() string { return f.where() + f.Message + " [" + string(f.Rule) + "]" }

// where returns the phase and the path, as the beginning of a text.
func (f Finding) where() (text string) {
	for _, part := range []string{string(f.Phase), f.Path} {
		if part != "" {
			text += part + ": "
		}
	}
	return text
}
