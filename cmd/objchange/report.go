package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/objchange/objchange"
)

// printRecording prints a line for each request that can be judged, under the
// recording's name.
func printRecording(out io.Writer, name string, results []*result) {
	fmt.Fprintln(out, name)
	var rpc, resourceType, action int // widths
	for _, res := range results {
		if res.judged {
			rpc = max(rpc, len(res.request.rpc))
			resourceType = max(resourceType, len(res.request.resourceType))
			action = max(action, len(res.actionText()))
		}
	}
	for _, res := range results {
		if res.judged {
			fmt.Fprintf(out, "  %-*s  %-*s  %-*s  %s\n", rpc, res.request.rpc,
				resourceType, res.request.resourceType, action, res.actionText(), res.verdict())
			printDetails(out, res)
		}
	}
	fmt.Fprintln(out)
}

// printDetails prints what is wrong, each in a line of its own.
func printDetails(out io.Writer, res *result) {
	for _, d := range res.differs {
		printDetail(out, "proposal", d.path, d.message)
	}
	for _, v := range res.violations {
		message := v.Message
		if !v.Enforced {
			message += " (not enforced)"
		}
		printDetail(out, string(v.Rule), v.PathString(), message)
	}
}

func printDetail(out io.Writer, rule, path, message string) {
	if path == "" {
		path = "(root)"
	}
	fmt.Fprintf(out, "      %s  %s: %s\n", rule, path, message)
}

// actionText returns the action as a column of the report.
func (res *result) actionText() string {
	switch res.action {
	case "":
		return "-"
	case objchange.ActionDelete:
		return "destroy"
	}
	return string(res.action)
}

// wrong reports whether something is not as Core has it or wants it.
func (res *result) wrong() bool {
	return len(res.differs) > 0 || len(res.violations.Enforced()) > 0
}

// verdict returns what is to be said of the request in one line.
func (res *result) verdict() string {
	if res.skipped != "" {
		return "skipped: " + res.skipped
	}
	var parts []string
	if len(res.differs) > 0 {
		parts = append(parts, "proposal differs")
	}
	enforced := len(res.violations.Enforced())
	if enforced > 0 {
		parts = append(parts, count(enforced, "violation"))
	}
	if res.failed != "" {
		parts = append(parts, "failed: "+res.failed)
	}
	if len(parts) == 0 {
		parts = append(parts, "ok")
	}
	if other := len(res.violations) - enforced; other > 0 {
		parts = append(parts, fmt.Sprintf("%d not enforced", other))
	}
	return strings.Join(parts, ", ")
}

// A summary counts requests.
type summary struct {
	recordings                 int
	ok, wrong, failed, skipped int
	notJudged                  map[string]int // by RPC
	notEnforced                int            // with such violations, among the others
}

func (s *summary) add(results []*result) {
	s.recordings++
	for _, res := range results {
		s.count(res)
	}
}

func (s *summary) count(res *result) {
	switch {
	case !res.judged:
		if s.notJudged == nil {
			s.notJudged = map[string]int{}
		}
		s.notJudged[res.request.rpc]++
	case res.skipped != "":
		s.skipped++
	case res.wrong():
		s.wrong++
	case res.failed != "":
		s.failed++
	default:
		s.ok++
	}
	if len(res.violations) > len(res.violations.Enforced()) {
		s.notEnforced++
	}
}

func (s *summary) print(out io.Writer) {
	fmt.Fprintf(out, "summary of %s\n", count(s.recordings, "recording"))
	line := func(what string, n int, more string) {
		fmt.Fprintln(out, strings.TrimRight(fmt.Sprintf("  %-10s  %5d  %s", what, n, more), " "))
	}
	line("ok", s.ok, "")
	line("wrong", s.wrong, "")
	line("failed", s.failed, "")
	line("skipped", s.skipped, "")

	others, rpcs := 0, []string(nil)
	for _, rpc := range slices.Sorted(maps.Keys(s.notJudged)) {
		others += s.notJudged[rpc]
		rpcs = append(rpcs, fmt.Sprintf("%s %d", rpc, s.notJudged[rpc]))
	}
	line("not judged", others, strings.Join(rpcs, ", "))
	if s.notEnforced > 0 {
		fmt.Fprintf(out, "  violations that are not enforced: in %s\n", count(s.notEnforced, "request"))
	}
}

// count returns a number of things in words.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
