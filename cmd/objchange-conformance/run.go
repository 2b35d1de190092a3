package main

import (
	"context"
	"errors"
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
	return report.finish(), stopped
}
