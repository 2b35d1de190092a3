package report_test

import (
	"encoding/xml"
	"strings"
	"testing"

	"github.com/objchange/objchange/cmd/objchange/internal/report"
)

// scores returns a report of so many cases, of which some are right and some are not done.
func scores(cases, same, unsupported, notAsked int) *report.Report {
	s := report.Score{Cases: cases, Same: same, Unsupported: unsupported, NotAsked: notAsked}
	s.Value = cases - same - unsupported - notAsked
	named := s
	named.Name = "proposed"
	return &report.Report{Command: "conformance", Scores: &report.Scores{
		Total: s, Operations: []report.Score{named},
		Failing: []report.FailingCase{{Case: "a", Op: "proposed", Verdict: "value", Text: "a ``` fence\n````\n\x1b[31m"}},
	}}
}

// TestBadge: a score is 100 % only if all is right, it is told how much that is of, and a badge is XML with a title.
func TestBadge(t *testing.T) {
	for _, test := range []struct {
		cases, same, unsupported, notAsked int
		score, colour                      string
	}{
		{30734, 30734, 0, 0, "100 %", "#1a7f37"},
		{30734, 30733, 0, 0, "99.9 %", "#7a6200"},
		{1000, 992, 0, 0, "99.2 %", "#7a6200"},
		{1000, 1, 990, 8, "50 % of 0.2 %", "#b42318"},
		{1000, 0, 1, 0, "0 % of 99.9 %", "#b42318"},
		{1000, 0, 990, 10, "–", "#6a737d"},
	} {
		badge := write(t, scores(test.cases, test.same, test.unsupported, test.notAsked), report.Badge, false)
		var svg struct {
			Label string `xml:"aria-label,attr"`
			Title string `xml:"title"`
			Rects []struct {
				Fill string `xml:"fill,attr"`
			} `xml:"rect"`
			Texts []string `xml:"g>text"`
		}
		if err := xml.Unmarshal(badge, &svg); err != nil {
			t.Fatalf("%v: %s", err, badge)
		}
		if svg.Title != "conformance: "+test.score || svg.Label != svg.Title || strings.Join(svg.Texts, " ") != "conformance "+test.score {
			t.Errorf("%+v, want %s", svg, test.score)
		}
		if svg.Rects[1].Fill != test.colour {
			t.Errorf("%s is %s, want %s", test.score, svg.Rects[1].Fill, test.colour)
		}
	}
}

// TestScoresInMarkdown: nothing in a case ends its block, nor what is below.
func TestScoresInMarkdown(t *testing.T) {
	text := string(write(t, scores(10, 8, 1, 0), report.Markdown, false))
	for _, want := range []string{
		"### objchange conformance: 88.8 % of 9 cases right, 90.0 % covered\n",
		"| operation | cases | same | value | unsupported | score | coverage |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n",
		"| proposed | 10 | 8 | 1 | 1 | 88.8 % | 90.0 % |\n",
		"`````text\na ``` fence\n````\n\\x1b[31m\n`````\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q in\n%s", want, text)
		}
	}
}
