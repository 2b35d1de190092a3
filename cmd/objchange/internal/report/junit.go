package report

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"github.com/objchange/objchange/cmd/objchange/internal/words"
)

// writeJUnit writes a test suite for each group and a test case for each
// subject, which fails if a finding counts. What is printable is also XML.
func (r *Report) writeJUnit(w io.Writer, o Options) error {
	suites := junit.Testsuites{Name: "objchange " + r.Command}
	add := func(name string, ignored int, cases ...junit.Testcase) {
		suite := junit.Testsuite{Name: printable(cmp.Or(groupName(name), suites.Name)), ID: len(suites.Suites), Time: "0"}
		for _, tc := range cases {
			suite.AddTestcase(tc)
		}
		if ignored > 0 {
			suite.AddProperty("ignored", strconv.Itoa(ignored))
		}
		suites.AddSuite(suite)
	}
	for _, group := range r.groups() {
		cases := make([]junit.Testcase, len(group))
		for i, s := range group {
			cases[i] = s.testcase(r.Command, o)
		}
		add(group[0].Group, (&Report{Subjects: group}).summary().Ignored, cases...)
	}
	if r.Error != "" {
		add("", 0, junit.Testcase{Name: "everything is judged", Classname: r.Command,
			Error: &junit.Result{Message: printable(r.Error)}})
	}
	suites.Skipped = 0 // each suite has its own; the schema of JUnit's XML has none of all
	if err := suites.WriteXML(w); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w)
	return err
}

func (s Subject) testcase(command string, o Options) junit.Testcase {
	tc := junit.Testcase{Name: printable(s.Name), Classname: command}
	if s.Group != "" {
		tc.Classname += "." + printable(groupName(s.Group))
	}
	if s.Place.Line > 0 && command != "audit" { // whose names are unique already, and stay when lines move
		tc.Name += fmt.Sprintf(" (line %d)", s.Place.Line)
	}
	var counting, others []string
	first := ""
	for _, f := range s.Findings {
		line := printable(fmt.Sprintf("%s%s", f.text(), f.standing()))
		if !f.Counted {
			others = append(others, line)
			continue
		}
		if first == "" {
			first = string(f.Rule)
		}
		counting = append(counting, line)
	}
	switch {
	case len(counting) > 0:
		message := counting[0]
		if more := len(counting) - 1; more > 0 {
			message += fmt.Sprintf(" (and %s)", words.Plural(more, "more finding"))
		}
		tc.Failure = &junit.Result{Message: message, Type: first, Data: strings.Join(counting, "\n")}
	case s.Counts(o):
		tc.Error = &junit.Result{Message: printable("skipped: " + s.Reason)}
	case s.Status == Skipped:
		tc.Skipped = &junit.Result{Message: printable(s.unjudged())}
	case s.Status == Failed:
		tc.Skipped = &junit.Result{Message: printable("failed: " + s.Reason)}
	}
	if len(others) > 0 {
		tc.SystemOut = &junit.Output{Data: strings.Join(others, "\n")}
	}
	return tc
}

// text returns the finding in one line: phase, place, reason and rule.
func (f Finding) text() string { return f.where() + f.Message + " [" + string(f.Rule) + "]" }

// where is the beginning of that: phase and place.
func (f Finding) where() (text string) {
	for _, part := range []string{string(f.Phase), f.Path} {
		if part != "" {
			text += part + ": "
		}
	}
	return text
}
