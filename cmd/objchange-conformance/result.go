package main

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/conformance"
)

// notAsked is the verdict for a case that was not sent to the adapter.
const notAsked conformance.Verdict = "not asked"

// A CaseResult is the result of one case.
type CaseResult struct {
	Case    string              `json:"case"`
	Op      conformance.Op      `json:"op"`
	File    string              `json:"file,omitempty"`
	Verdict conformance.Verdict `json:"verdict"`
	Reason  string              `json:"reason"`
	// Difference has the missing lines after a -, and the surplus lines after a +.
	Difference []string `json:"difference,omitempty"`
	Text       string   `json:"text,omitempty"` // the case as shown to people, for shown cases

	fatal bool              // there is no answer, and the adapter was ended
	c     *conformance.Case // set for a wrong case that may be shown
	size  int
}

// newResult returns the result of a case that is not wrong, or was not sent.
func newResult(c *conformance.Case, verdict conformance.Verdict, reason string) CaseResult {
	return CaseResult{Case: c.ID, Op: c.Op, File: c.File, Verdict: verdict, Reason: words.Printable(reason, "\n")}
}

// compared returns the result of a case with an answer.
func compared(c *conformance.Case, got conformance.Outcome) CaseResult {
	j := c.Compare(got)
	reason := "the value is wrong"
	switch {
	case j.Verdict == conformance.VerdictSame:
		return newResult(c, j.Verdict, "")
	case j.Verdict == conformance.VerdictUnsupported:
		return newResult(c, j.Verdict, strings.TrimSuffix("unsupported: "+short(got.Why), ": "))
	case j.Verdict == conformance.VerdictNaming:
		reason = "it is rejected for other problems"
	case j.Verdict == conformance.VerdictAcceptance && len(got.Problems) > 0:
		reason = "it is rejected, but must be accepted"
	case j.Verdict == conformance.VerdictAcceptance:
		reason = "it is accepted, but must be rejected"
	}
	r := wrong(c, j.Verdict, reason)
	for _, line := range difference(c, j, got) {
		r.Difference = append(r.Difference, words.Printable(line, "\n"))
	}
	return r
}

// wrong returns the result of a wrong case. Its size is the length of the JSON of the schema and the
// values.
func wrong(c *conformance.Case, verdict conformance.Verdict, reason string) CaseResult {
	r := newResult(c, verdict, reason)
	schema, _ := json.Marshal(c.Schema.Block)
	r.c, r.size = c, len(schema)
	for _, v := range c.In {
		text, _ := jsonCodec{}.Encode(c.Schema.Block, v)
		r.size += len(text)
	}
	return r
}

func bySize(a, b CaseResult) int { return cmp.Compare(a.size, b.size) }
