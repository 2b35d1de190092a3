package main

import (
	"cmp"
	"encoding/json"

	"github.com/objchange/objchange/conformance"
)

// A CaseResult is the result of one case.
type CaseResult struct {
	ID         string              `json:"case"`
	Op         conformance.Op      `json:"op"`
	Verdict    conformance.Verdict `json:"verdict"`
	Reason     string              `json:"reason,omitempty"`     // of an answer that cannot be compared
	Difference []string            `json:"difference,omitempty"` // missing lines after a -, surplus lines after a +

	of    *conformance.Case
	fatal bool // there is no answer, and the adapter was ended
	size  int  // the length of the JSON of the schema and the values of a wrong case
}

// compared returns the result of a case with an answer.
func compared(c *conformance.Case, got conformance.Outcome) CaseResult {
	j := c.Compare(got)
	r := newResult(c, j.Verdict, "")
	if r.wrong() {
		r.Difference = difference(c, j, got)
	}
	return r
}

func newResult(c *conformance.Case, verdict conformance.Verdict, reason string) CaseResult {
	r := CaseResult{ID: c.ID, Op: c.Op, of: c, Verdict: verdict, Reason: reason}
	if r.wrong() {
		schema, _ := json.Marshal(c.Schema.Block)
		r.size = len(schema)
		for _, v := range c.In {
			r.size += len(valueText(c, v))
		}
	}
	return r
}

func (r CaseResult) wrong() bool {
	return r.Verdict != conformance.VerdictSame && r.Verdict != conformance.VerdictUnsupported
}

func bySize(a, b CaseResult) int { return cmp.Compare(a.size, b.size) }
