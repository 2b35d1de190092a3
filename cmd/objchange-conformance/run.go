package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/objchange/objchange/conformance"
)

// Reasons why cases are not sent.
const (
	ended   = "not asked: the run was stopped before"
	givenUp = "not asked: the adapter had failed too often before"
)

// score runs all cases against the adapter. It returns a report that shows the smallest wrong
// cases in full, up to the limit. If the adapter cannot be started, a case cannot be read or
// written, or the context ends, it returns an error and the report so far.
func (o *options) score(ctx context.Context, cases caseSeq) (*Report, error) {
	report, a := newReport(o.limit), &adapter{o: o}
	defer a.stop()
	var stopped error
	for c, err := range cases {
		if err != nil {
			return report.finish(), errors.Join(stopped, err)
		}
		result := newResult(c, notAsked, ended)
		switch {
		case stopped != nil:
		case o.giveUp > 0 && report.faults >= o.giveUp:
			result.Reason = givenUp
		default:
			var asked CaseResult
			asked, stopped = a.ask(ctx, c)
			if stopped == nil {
				result = asked
			}
		}
		report.add(result)
	}
	if stopped == nil {
		if note := a.end(); note != "" {
			report.Notes = append(report.Notes, note)
		}
	}
	for i, shown := range report.Shown {
		if o.shrink && stopped == nil {
			report.Shown[i], stopped = o.smallest(ctx, shown)
		}
	}
	return report.finish(), stopped
}

// smallest returns the result of the smallest case that gets the same verdict. It does not count
// faults.
func (o *options) smallest(ctx context.Context, shown CaseResult) (smallest CaseResult, err error) {
	if shown.Verdict == conformance.VerdictSilent { // each try would take the whole timeout
		return shown, nil
	}
	a := &adapter{o: o}
	defer a.stop()
	smallest, tries := shown, 0
	shrink(shown.c, func(c *conformance.Case) bool {
		if err != nil {
			return false
		}
		tries++
		asked := *c
		asked.ID = fmt.Sprintf("%s-%d", shown.Case, tries) // a late answer must not match the next try
		var again CaseResult
		again, err = a.ask(ctx, &asked)
		if err != nil || again.Verdict != shown.Verdict {
			return false
		}
		smallest = again
		smallest.Case = shown.Case + "-smaller"
		return true
	})
	return smallest, err
}
