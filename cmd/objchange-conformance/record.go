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

// A record is the result of one case, with what is needed to show it.
type record struct {
	result CaseResult
	fatal  bool // there is no answer, and the adapter was ended

	c    *conformance.Case // set for a wrong case that may be shown
	size int
}

// newUnasked returns the record of a case that was not sent to the adapter.
func newUnasked(c *conformance.Case, why string) *record {
	return &record{result: CaseResult{Case: c.ID, Op: c.Op, File: c.File, Verdict: notAsked, Reason: words.Printable(why, "\n")}}
}

// newRecord returns the record of a case with an answer.
func newRecord(c *conformance.Case, got conformance.Outcome) *record {
	j := c.Compare(got)
	switch j.Verdict {
	case conformance.VerdictSame:
		r := newUnasked(c, "")
		r.result.Verdict = j.Verdict
		return r
	case conformance.VerdictUnsupported:
		r := newUnasked(c, strings.TrimSuffix("unsupported: "+short(got.Why), ": "))
		r.result.Verdict = j.Verdict
		return r
	}
	reason := "the value is wrong"
	switch {
	case j.Verdict == conformance.VerdictNaming:
		reason = "it is rejected for other problems"
	case j.Verdict == conformance.VerdictAcceptance && len(got.Problems) > 0:
		reason = "it is rejected, but must be accepted"
	case j.Verdict == conformance.VerdictAcceptance:
		reason = "it is accepted, but must be rejected"
	}
	r := newWrong(c, j.Verdict, reason)
	for _, line := range difference(c, j, got) {
		r.result.Difference = append(r.result.Difference, words.Printable(line, "\n"))
	}
	return r
}

// newWrong returns the record of a wrong case. Its size is the length of the JSON of the schema
// and the values.
func newWrong(c *conformance.Case, verdict conformance.Verdict, reason string) *record {
	r := newUnasked(c, reason)
	r.result.Verdict, r.c = verdict, c
	schema, _ := json.Marshal(c.Schema.Block)
	r.size = len(schema)
	for _, v := range c.In {
		text, _ := jsonCodec{}.Encode(c.Schema.Block, v)
		r.size += len(text)
	}
	return r
}

func bySize(a, b *record) int { return cmp.Compare(a.size, b.size) }
