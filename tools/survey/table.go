package survey

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
)

const tableHeader = "| SDK | rule | severity | providers | findings | confirmed |\n| --- | --- | --- | ---: | ---: | ---: |\n"

// A cell identifies findings that are counted together.
type cell struct {
	sdk      SDK
	rule     objchange.Rule
	severity tfcheck.Severity
}

// A count contains the number of findings, of their providers, of findings that Terraform ran, and
// of findings that Terraform confirmed.
type count struct{ providers, findings, tried, confirmed int }

// printTable prints a Markdown table of the lines in the files, and a line with totals.
func printTable(w io.Writer, files []string) error {
	var lines []Line
	for _, name := range files {
		more, err := readFile(name)
		if err != nil {
			return err
		}
		lines = append(lines, more...)
	}
	var text strings.Builder
	text.WriteString(tableHeader)
	cells := countFindings(lines)
	for _, c := range slices.SortedFunc(maps.Keys(cells), cell.compare) {
		n := cells[c]
		fmt.Fprintf(&text, "| %s | `%s` | %s | %d | %d |%s |\n", c.sdk, c.rule, c.severity, n.providers, n.findings, n.confirmation())
	}
	fmt.Fprintf(&text, "\n%s\n", totals(lines))
	_, err := io.WriteString(w, text.String())
	return err
}

func countFindings(lines []Line) map[cell]count {
	all := map[cell]count{}
	for _, l := range lines {
		ours := map[cell]bool{}
		for _, f := range l.Findings {
			at := cell{l.SDK, f.Rule, f.Severity}
			c := all[at]
			if !ours[at] {
				ours[at] = true
				c.providers++
			}
			c.findings++
			if f.Confirmed != nil {
				c.tried++
			}
			if f.Confirmed != nil && *f.Confirmed {
				c.confirmed++
			}
			all[at] = c
		}
	}
	return all
}

// confirmation returns how many findings are confirmed, or "" if Terraform ran none of them.
func (c count) confirmation() string {
	if c.tried == 0 {
		return ""
	}
	return fmt.Sprintf(" %d of %d", c.confirmed, c.tried)
}

// compare orders by SDK, then by severity, then by rule.
func (c cell) compare(other cell) int {
	return cmp.Or(
		cmp.Compare(slices.Index(sdks, c.sdk), slices.Index(sdks, other.sdk)),
		cmp.Compare(slices.Index(tfcheck.Severities(), c.severity), slices.Index(tfcheck.Severities(), other.severity)),
		cmp.Compare(c.rule, other.rule),
	)
}

// totals returns a sentence about all lines.
func totals(lines []Line) string {
	var reached, of, requests, explored int
	var seconds float64
	failures := map[Step]int{}
	for _, l := range lines {
		if l.Error != nil {
			failures[l.Error.Step]++
		}
		if r, n := l.reach(); n > 0 {
			explored++
			reached, of = reached+r, of+n
			requests, seconds = requests+l.Requests, seconds+l.Seconds
		}
	}
	text := fmt.Sprintf("%d providers explored: %d types, %d%% reached, %.0f requests per second.",
		explored, of, 100*reached/max(of, 1), float64(requests)/max(seconds, 0.1))
	for _, step := range []Step{StepRequirements, StepBuild, StepExplore} {
		if failures[step] > 0 {
			text += fmt.Sprintf(" Failed in step %s: %d.", step, failures[step])
		}
	}
	return text
}
