package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/internal/print"
	"github.com/objchange/objchange/tfcheck/explore"
)

// explored returns the report of an exploration of a provider. The parameter began is the number of
// types that the exploration had to explore. The report has a subject for each explored type. A
// finding with several places is reported once, at the first place that no flag or file ignores.
func explored(
	result *explore.Result, began int, provider string, known func(report.Subject, report.Finding) bool,
) *report.Report {
	r := &report.Report{Command: "explore", Notes: exploreNotes(result, began)}
	at := map[explore.Place]int{} // index of the subject by kind and type
	for _, t := range result.Types {
		at[explore.Place{Kind: t.Kind, Type: t.Name}] = len(r.Subjects)
		r.Subjects = append(r.Subjects, subjectOf(t, provider))
	}
	subject := func(p explore.Place) *report.Subject {
		return &r.Subjects[at[explore.Place{Kind: p.Kind, Type: p.Type}]]
	}
	for _, f := range result.Findings {
		first := slices.IndexFunc(f.Places, func(p explore.Place) bool {
			return !known(*subject(p), report.Finding{Rule: f.Rule, Path: p.Path})
		})
		if first > 0 {
			f.Places = slices.Concat(f.Places[first:], f.Places[:first])
		}
		s := subject(f.Places[0])
		if s.Ignored == "" {
			s.Status, s.Reason = report.Checked, ""
		}
		s.Findings = append(s.Findings, findingOf(f))
	}
	for _, f := range result.Unconfirmed {
		s := subject(f.Places[0])
		s.Findings = append(s.Findings, findingOf(f))
	}
	for i := range r.Subjects {
		s := &r.Subjects[i]
		ofType := slices.DeleteFunc(slices.Clone(result.Left), func(left explore.Leftover) bool {
			return left.Type != s.Type || s.Kind != string(explore.Resource)
		})
		if err := leftOf(ofType, ""); err != nil {
			s.Status, s.Ignored = report.Failed, ""
			s.Reason = strings.TrimPrefix(s.Reason+"; "+err.Error(), "; ")
		}
	}
	return r
}

func subjectOf(t explore.Type, provider string) report.Subject {
	s := report.Subject{Group: provider, Kind: string(t.Kind), Type: t.Name, Status: report.Checked}
	for _, phase := range t.Limited {
		s.Limited = append(s.Limited, string(phase))
	}
	switch {
	case t.Skipped != "":
		s.Status, s.Reason, s.Ignored = report.Skipped, "not explored", t.Skipped
	case !t.Reached:
		s.Status, s.Reason = report.Skipped, "no configuration was accepted: "+t.Unreached
	case t.Interrupted:
		s.Status, s.Reason = report.Skipped, "interrupted during exploration"
	}
	return s
}

// exploreNotes returns notes on objects, on findings that do not count, and on the numbers of types.
func exploreNotes(result *explore.Result, began int) (notes []string) {
	add := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	never, partly, limited := began, 0, 0 // explore may have ended early
	for _, t := range result.Types {
		if t.Unapplied != "" {
			add("%s: no object was created: %s", t.Name, t.Unapplied)
		}
		if t.Kind != explore.Configuration {
			never--
		}
		if t.Interrupted {
			partly++
		}
		if len(t.Limited) > 0 {
			limited++
		}
	}
	for _, left := range result.Left {
		add("left: %s: %s", strings.TrimSpace(left.Type+" "+left.ID), left.Why)
	}
	reached, of := result.Reached()
	never = max(never, 0)
	add("%d of %s reached with %s; %s", reached, print.Plural(of+never, "type"),
		print.Plural(result.Requests, "request"), print.Plural(len(result.Findings), "different finding"))
	if limited > 0 {
		add("%s reached the limit of --requests in a phase; --all lists the phases", print.Plural(limited, "type"))
	}
	if never+partly > 0 {
		add("not explored: %s, and %d only in part", print.Plural(never, "type"), partly)
	}
	for _, f := range result.Unstable {
		add("unstable, so it does not count: %s: %s [%s] happened only once",
			strings.Join(placesOf(f.Places), ", "), f.Message, f.Rule)
	}
	if n := len(result.Unconfirmed); n > 0 {
		by := result.Unconfirmed[0].Confirmed
		add("not counted: %s that %s %s does not confirm. Please report this bug in objchange.",
			print.Plural(n, "finding"), by.Program, by.Version)
	}
	return append(notes, result.Notes...)
}

// leftOf returns an error if objects remain or may remain, and otherwise nil. The state of objects
// that exist is in the file, unless that is "".
func leftOf(all []explore.Leftover, state string) error {
	exist := 0
	for _, left := range all {
		if left.State != nil {
			exist++
		}
	}
	var parts []string
	if exist > 0 {
		where := " left"
		if state != "" {
			where = " could not be destroyed: the state is in " + state
		}
		parts = append(parts, print.Plural(exist, "object")+where)
	}
	if mayExist := len(all) - exist; mayExist > 0 {
		parts = append(parts, print.Plural(mayExist, "object")+" may exist, in an unknown state")
	}
	if parts == nil {
		return nil
	}
	return errors.New(strings.Join(parts, "; "))
}

func findingOf(f explore.Finding) report.Finding {
	found := report.Finding{
		Rule: f.Rule, Path: f.Places[0].Path, Message: f.Message, Severity: f.Severity,
		Also: placesOf(f.Places[1:]), HCL: f.HCL, GoTest: f.GoTest, GoFunc: f.GoFunc,
	}
	if c := f.Confirmed; c != nil {
		found.Confirmed = &report.Confirmation{
			Program: c.Program, Version: c.Version, Verdict: string(c.Verdict), Error: c.Error, Reason: c.Reason,
			Summary: c.String(),
		}
	}
	for _, s := range f.Steps {
		found.Steps = append(found.Steps, report.Step{Command: s.Command, HCL: s.HCL})
	}
	return found
}

func placesOf(places []explore.Place) (all []string) {
	for _, p := range places {
		all = append(all, strings.TrimSpace(fmt.Sprintf("%s %s %s", p.Kind, p.Type, p.Path)))
	}
	return all
}
