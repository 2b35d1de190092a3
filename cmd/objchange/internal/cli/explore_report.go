package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/cmd/objchange/internal/words"
	"github.com/objchange/objchange/tfcheck/explore"
)

// explored returns the report of an exploration of a provider. It has a subject for each type.
// A finding with several places is reported once, at the first place that no flag or file ignores.
func explored(result *explore.Result, provider string, known func(report.Subject, report.Finding) bool) *report.Report {
	r := &report.Report{Command: "explore"}
	at := map[explore.Place]int{} // of the subject, by its kind and type
	for _, t := range result.Types {
		at[explore.Place{Kind: t.Kind, Type: t.Name}] = len(r.Subjects)
		r.Subjects = append(r.Subjects, subjectOf(t, provider))
	}
	for i, t := range result.Types {
		if s := &r.Subjects[i]; t.Interrupted && s.Status == report.Judged {
			s.Status, s.Reason = report.Skipped, "interrupted before all of it was explored"
		}
	}
	for _, f := range result.Findings {
		subject := func(p explore.Place) *report.Subject {
			return &r.Subjects[at[explore.Place{Kind: p.Kind, Type: p.Type}]]
		}
		if i := slices.IndexFunc(f.Places, func(p explore.Place) bool {
			return !known(*subject(p), report.Finding{Rule: f.Rule, Path: p.Path})
		}); i > 0 {
			f.Places = slices.Concat(f.Places[i:], f.Places[:i])
		}
		s := subject(f.Places[0])
		if s.Ignored == "" {
			s.Status, s.Reason = report.Judged, ""
		}
		s.Findings = append(s.Findings, findingOf(f))
		if f.Known != "" {
			r.Notes = append(r.Notes, fmt.Sprintf("known, so it does not count: %s (%s)", noteOn(f), f.Known))
		}
	}
	reached, of := result.Reached()
	r.Notes = append(r.Notes, fmt.Sprintf("%d of %s reached with %s; %s", reached, words.Plural(of, "type"),
		words.Plural(result.Requests, "request"), words.Plural(len(result.Findings), "different finding")))
	for _, f := range result.Unstable {
		r.Notes = append(r.Notes, "unstable, so it does not count: "+noteOn(f)+" happened only once")
	}
	addUnconfirmed(r, result.Unconfirmed)
	for _, t := range result.Types {
		if t.Unapplied != "" {
			r.Notes = append(r.Notes, fmt.Sprintf("%s: no object was created: %s", t.Name, t.Unapplied))
		}
	}
	for _, left := range result.Left {
		r.Notes = append(r.Notes, strings.TrimSpace(fmt.Sprintf("left: %s %s", left.Type, left.ID))+": "+left.Why)
	}
	r.Notes = append(r.Notes, result.Notes...)
	return r
}

func subjectOf(t explore.Type, provider string) report.Subject {
	s := report.Subject{Group: provider, Kind: string(t.Kind), Type: t.Name, Status: report.Judged}
	switch {
	case t.Skipped != "":
		s.Status, s.Reason, s.Ignored = report.Skipped, "not explored", t.Skipped
	case !t.Reached:
		s.Status, s.Reason = report.Skipped, "no configuration was accepted: "+t.Unreached
	}
	return s
}

func findingOf(f explore.Finding) report.Finding {
	found := report.Finding{
		Rule: f.Rule, Path: f.Places[0].Path, Message: f.Message, Severity: f.Severity, Ignored: f.Known,
		Also: placesOf(f.Places[1:]), HCL: f.HCL, GoTest: f.GoTest, Confirmed: confirmationOf(f.Confirmed),
	}
	for _, s := range f.Steps {
		found.Steps = append(found.Steps, report.Step(s))
	}
	return found
}

// noteOn returns a finding in a line, with its places.
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
