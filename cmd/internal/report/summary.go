package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/rulebook"
)

// A summary counts subjects and findings. Each one is counted in exactly one field, except that
// ignored subjects are counted twice.
type summary struct {
	Subjects struct {
		OK           int `json:"ok"`
		WithFindings int `json:"with_findings"` // with findings that count
		Failed       int `json:"failed"`
		Skipped      int `json:"skipped"`
		Ignored      int `json:"ignored"` // part of Skipped
	} `json:"subjects"`
	Findings struct {
		Counting    int `json:"counting"`
		NotCounting int `json:"not_counting"`          // unless with --fail-on all
		LegacySDK   int `json:"legacy_sdk"`            // never count
		Unconfirmed int `json:"unconfirmed,omitempty"` // never count
		Ignored     int `json:"ignored"`
	} `json:"findings"`
	n map[standing]int // of findings
}

func summaryOf(subjects ...Subject) (sum summary) {
	n := map[standing]int{}
	for _, s := range subjects {
		before := n[counting]
		for _, f := range s.Findings {
			n[f.standing]++
		}
		if s.Ignored != "" {
			sum.Subjects.Ignored++
		}
		switch {
		case n[counting] > before:
			sum.Subjects.WithFindings++
		case s.Status == Skipped:
			sum.Subjects.Skipped++
		case s.Status == Failed:
			sum.Subjects.Failed++
		default:
			sum.Subjects.OK++
		}
	}
	f := &sum.Findings
	f.Counting, f.NotCounting, f.LegacySDK = n[counting], n[tolerated]+n[unchecked], n[legacySDK]
	f.Unconfirmed, f.Ignored, sum.n = n[unconfirmed], n[ignored], n
	return sum
}

// counted joins pairs of a number and a name. It omits pairs with 0.
func counted(separator string, pairs ...any) string {
	var parts []string
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i] != 0 {
			parts = append(parts, fmt.Sprint(pairs[i], " ", pairs[i+1]))
		}
	}
	return strings.Join(parts, separator)
}

// checked returns the counts of subjects on one line.
func (sum summary) checked() string {
	n := sum.Subjects
	text := counted(", ", n.OK, "ok", n.WithFindings, "with findings", n.Failed, "failed", n.Skipped, "skipped")
	return cmp.Or(text, "0 ok")
}

// findings returns the counts of findings on one line. It omits findings that the legacy SDK
// causes, because a note has their number.
func (sum summary) findings() string {
	n := sum.Findings
	return counted(", ", n.Counting, counting, n.NotCounting, "not counting without --fail-on all",
		n.Unconfirmed, unconfirmed, n.Ignored, ignored)
}

// rest returns the counts of findings that do not count, for the end of a line.
func (sum summary) rest() (text string) {
	for _, s := range []standing{tolerated, unchecked, legacySDK, unconfirmed, ignored} {
		if sum.n[s] > 0 {
			text += fmt.Sprintf(", %d %s", sum.n[s], s)
		}
	}
	return text
}

// String returns the counts of subjects and findings on one line.
func (sum summary) String() string {
	return strings.TrimSuffix(sum.checked()+"; findings: "+sum.findings(), "; findings: ")
}

// broken returns the rules of all findings that are not ignored, without duplicates. It omits rules
// that the rules reference does not have.
func (r *Report) broken() (rules []rulebook.Entry) {
	notable := r.rows(counting, tolerated, unchecked, legacySDK, unconfirmed)
	for _, rows := range grouped(notable, func(r row) objchange.Rule { return r.finding.Rule }) {
		if e, known := rulebook.Find(rows[0].finding.Rule); known {
			rules = append(rules, e)
		}
	}
	return rules
}

// ignoreNotes returns a note for each entry that matched nothing or has expired.
func (r *Report) ignoreNotes() (notes []string) {
	for _, i := range r.Ignores {
		switch {
		case i.Expired != "":
			notes = append(notes, fmt.Sprintf("no longer ignored since %s: %s (%s)", i.Expired, i.What, i.Source))
		case i.Used == 0:
			notes = append(notes, fmt.Sprintf("nothing to ignore: %s (%s)", i.What, i.Source))
		}
	}
	return notes
}

// reasons returns a line for each used entry with the reason for ignoring.
func (r *Report) reasons() (lines []string) {
	for _, i := range r.Ignores {
		why := i.Source
		if i.Reason != i.Source { // equal for a flag
			why = i.Reason + "; " + i.Source
		}
		if i.Used > 0 {
			lines = append(lines, fmt.Sprintf("ignored %d: %s (%s)", i.Used, i.What, why))
		}
	}
	return lines
}

// skipReason returns the reason why the subject was skipped or failed, and why that does not count.
func (s Subject) skipReason() string {
	if s.Ignored == "" {
		return s.Reason
	}
	return s.Reason + " (ignored: " + s.Ignored + ")"
}
