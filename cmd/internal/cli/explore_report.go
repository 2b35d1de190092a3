package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/tfcheck/explore"
)

// explored returns the report of an exploration of a provider. The parameter began is the number of
// types that the exploration had to explore. The report has a subject for each explored type. A
// finding with several places is reported once, at the first place that no flag or file ignores.
func explored(result *explore.Result, began int, provider string, known func(report.Subject, report.Finding) bool) *report.Report {
	r := &report.Report{Command: "explore"}
	at := map[explore.Place]int{} // index of the subject by kind and type
	for _, t := range result.Types {
		at[explore.Place{Kind: t.Kind, Type: t.Name}] = len(r.Subjects)
		r.Subjects = append(r.Subjects, subjectOf(t, provider))
	}
	subject := func(p explore.Place) *report.Subject {
		return &r.Subjects[at[explore.Place{Kind: p.Kind, Type: p.Type}]]
	}
	for _, f := range result.Findings {
		if i := slices.IndexFunc(f.Places, func(p explore.Place) bool {
			return !known(*subject(p), report.Finding{Rule: f.Rule, Path: p.Path})
		}); i > 0 {
			f.Places = slices.Concat(f.Places[i:], f.Places[:i])
		}
		s := subject(f.Places[0])
		if s.Ignored == "" {
			s.Status, s.Reason = report.Checked, ""
		}
		s.Findings = append(s.Findings, findingOf(f))
	}
	for i := range r.Subjects {
		if left := leftIn(result.Left, r.Subjects[i]); left != nil {
			s := &r.Subjects[i]
			s.Status, s.Ignored = report.Failed, ""
			s.Reason = strings.TrimPrefix(s.Reason+"; "+left.Error(), "; ")
		}
	}
	r.Notes = append(objectNotes(result), findingNotes(result, began)...)
	for i, f := range result.Unconfirmed {
		s := subject(f.Places[0])
		s.Findings = append(s.Findings, findingOf(f))
		if i == 0 {
			r.Notes = append(r.Notes, fmt.Sprintf("not counted: %s that %s %s does not confirm. Please report this bug in objchange.",
				words.Plural(len(result.Unconfirmed), "finding"), f.Confirmed.Program, f.Confirmed.Version))
		}
	}
	r.Notes = append(r.Notes, result.Notes...)
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

// findingNotes returns notes on the findings, and on the numbers of explored types.
func findingNotes(result *explore.Result, began int) (notes []string) {
	for _, f := range result.Findings {
		if f.Known != "" {
			notes = append(notes, fmt.Sprintf("known, so it does not count: %s (%s)", noteOn(f), f.Known))
		}
	}
	reached, of := result.Reached()
	never, partly := unexplored(result, began)
	notes = append(notes, fmt.Sprintf("%d of %s reached with %s; %s", reached, words.Plural(of+never, "type"),
		words.Plural(result.Requests, "request"), words.Plural(len(result.Findings), "different finding")))
	limited := 0
	for _, t := range result.Types {
		if len(t.Limited) > 0 {
			limited++
		}
	}
	if limited > 0 {
		notes = append(notes, fmt.Sprintf("%s reached the limit of --requests in a phase; --all lists the phases", words.Plural(limited, "type")))
	}
	if never+partly > 0 {
		notes = append(notes, fmt.Sprintf("not explored: %s, and %d only in part", words.Plural(never, "type"), partly))
	}
	for _, f := range result.Unstable {
		notes = append(notes, "unstable, so it does not count: "+noteOn(f)+" happened only once")
	}
	return notes
}

// unexplored returns the number of types that were not explored, and of those that were explored
// only in part, because explore ended early.
func unexplored(result *explore.Result, began int) (never, partly int) {
	never = began
	for _, t := range result.Types {
		if t.Kind != explore.Configuration {
			never--
		}
		if t.Interrupted {
			partly++
		}
	}
	return max(never, 0), partly
}

// objectNotes returns notes on types without a created object, and on remaining objects.
func objectNotes(result *explore.Result) (notes []string) {
	for _, t := range result.Types {
		if t.Unapplied != "" {
			notes = append(notes, fmt.Sprintf("%s: no object was created: %s", t.Name, t.Unapplied))
		}
	}
	for _, left := range result.Left {
		notes = append(notes, strings.TrimSpace(fmt.Sprintf("left: %s %s", left.Type, left.ID))+": "+left.Why)
	}
	return notes
}

// leftOf returns an error if objects remain or may remain, and otherwise nil. The state of objects
// that exist is in the file, unless that is "".
func leftOf(all []explore.Leftover, state string) error {
	exist, mayExist := 0, 0
	for _, left := range all {
		if left.State == nil {
			mayExist++
		} else {
			exist++
		}
	}
	var parts []string
	if exist > 0 {
		where := " left"
		if state != "" {
			where = " could not be destroyed: the state is in " + state
		}
		parts = append(parts, words.Plural(exist, "object")+where)
	}
	if mayExist > 0 {
		parts = append(parts, words.Plural(mayExist, "object")+" may exist, in an unknown state")
	}
	if parts == nil {
		return nil
	}
	return errors.New(strings.Join(parts, "; "))
}

// leftIn is leftOf for a subject, without the state file.
func leftIn(all []explore.Leftover, s report.Subject) error {
	return leftOf(slices.DeleteFunc(slices.Clone(all), func(left explore.Leftover) bool {
		return left.Type != s.Type || s.Kind != string(explore.Resource)
	}), "")
}

func findingOf(f explore.Finding) report.Finding {
	found := report.Finding{
		Rule: f.Rule, Path: f.Places[0].Path, Message: f.Message, Severity: f.Severity, Ignored: f.Known,
		Also: placesOf(f.Places[1:]), HCL: f.HCL, GoTest: f.GoTest,
	}
	if c := f.Confirmed; c != nil {
		found.Confirmed = &report.Confirmation{
			Program: c.Program, Version: c.Version, Verdict: string(c.Verdict), Error: c.Error, Reason: c.Reason, Summary: c.String(),
		}
	}
	for _, s := range f.Steps {
		found.Steps = append(found.Steps, report.Step{Command: s.Command, HCL: s.HCL})
	}
	return found
}

// noteOn returns a finding with its places on one line.
func noteOn(f explore.Finding) string {
	return fmt.Sprintf("%s: %s [%s]", strings.Join(placesOf(f.Places), ", "), f.Message, f.Rule)
}

// placesOf returns places as text.
func placesOf(places []explore.Place) (all []string) {
	for _, p := range places {
		all = append(all, strings.TrimSpace(fmt.Sprintf("%s %s %s", p.Kind, p.Type, p.Path)))
	}
	return all
}
