package explore

import (
	"slices"

	"github.com/objchange/objchange/tfcheck/explore/internal/hints"
	"github.com/objchange/objchange/tfcheck/explore/internal/repro"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
	"github.com/objchange/objchange/tfcheck/explore/internal/session"
)

// hideScenario returns a scenario with hidden secrets.
func hideScenario(s hints.Secrets, sc scenario.Scenario) scenario.Scenario {
	sc.Config, sc.Then, sc.Provider = s.Value(sc.Config), s.Value(sc.Then), s.Value(sc.Provider)
	sc.Before = slices.Clone(sc.Before)
	for i, st := range sc.Before {
		sc.Before[i].Config, sc.Before[i].Then = s.Value(st.Config), s.Value(st.Then)
	}
	sc.Needs = hideNeeds(s, sc.Needs, map[*scenario.Origin]*scenario.Origin{})
	return sc
}

// hideNeeds returns needs with hidden secrets. Needs with the same origin share a copy of it.
func hideNeeds(s hints.Secrets, all []*scenario.Need, shown map[*scenario.Origin]*scenario.Origin) (hidden []*scenario.Need) {
	for _, n := range all {
		if shown[n.Of] == nil {
			of := *n.Of
			of.Config, of.Needs = s.Value(of.Config), hideNeeds(s, of.Needs, shown)
			shown[n.Of] = &of
		}
		hidden = append(hidden, &scenario.Need{Slot: n.Slot, Attr: n.Attr, Value: s.Value(n.Value), Of: shown[n.Of]})
	}
	return hidden
}

// hideNaming returns a naming whose user has hidden secrets.
func hideNaming(s hints.Secrets, n repro.Naming) repro.Naming {
	if n.User != nil {
		user := hideScenario(s, *n.User)
		n.User = &user
	}
	return n
}

// hideResult hides secrets in the texts of the provider.
func hideResult(s hints.Secrets, r *Result) *Result {
	for _, list := range [][]Finding{r.Findings, r.Unstable, r.Unconfirmed} {
		for i := range list {
			f := &list[i]
			f.Message, f.About, f.Detail = s.Hide(f.Message), s.Hide(f.About), s.Hide(f.Detail)
			f.Confirmed = hideConfirmation(s, f.Confirmed)
		}
	}
	for i := range r.Types {
		t := &r.Types[i]
		t.Unreached, t.Unapplied = s.Hide(t.Unreached), s.Hide(t.Unapplied)
	}
	for i := range r.Notes {
		r.Notes[i] = s.Hide(r.Notes[i])
	}
	return r
}

// hideLeft hides secrets in the reasons and IDs of objects that are left. The states stay unchanged.
func hideLeft(s hints.Secrets, all []Leftover) []Leftover {
	for i := range all {
		all[i].ID, all[i].Why = s.Hide(all[i].ID), s.Hide(all[i].Why)
	}
	return all
}

// A hiddenError is an error whose text has hidden secrets.
type hiddenError struct {
	error
	text string
}

func (e *hiddenError) Error() string { return e.text }

// Unwrap returns the error with the original text.
func (e *hiddenError) Unwrap() error { return e.error }

// hideErr hides secrets and the texts of panics in an error. It wraps the error only if that changes its
// text.
func hideErr(s hints.Secrets, err error) error {
	if err == nil {
		return nil
	}
	if text := session.WithoutPanics(s.Hide(err.Error())); text != err.Error() {
		return &hiddenError{err, text}
	}
	return err
}
