package explore

import (
	"errors"

	"github.com/objchange/objchange/tfcheck/explore/internal/hints"
	"github.com/objchange/objchange/tfcheck/explore/internal/session"
)

// hideResult hides secrets in the texts of the provider. The states of objects stay unchanged.
func hideResult(s hints.Secrets, r *Result) {
	for _, list := range [][]Finding{r.Findings, r.Unstable, r.Unconfirmed} {
		for i := range list {
			f := &list[i]
			f.Message, f.Detail = s.Hide(f.Message), s.Hide(f.Detail)
			hideConfirmation(s, f.Confirmed)
		}
	}
	for i := range r.Types {
		t := &r.Types[i]
		t.Unreached, t.Unapplied = s.Hide(t.Unreached), s.Hide(t.Unapplied)
	}
	for i := range r.Left {
		left := &r.Left[i]
		left.ID, left.Why = s.Hide(left.ID), s.Hide(left.Why)
	}
	for i := range r.Notes {
		r.Notes[i] = s.Hide(r.Notes[i])
	}
}

// hideErr hides secrets and the texts of panics in an error. If that changes the text, the error does
// not wrap the original error, which has the secret.
func hideErr(s hints.Secrets, err error) error {
	if err == nil {
		return nil
	}
	if text := session.WithoutPanics(s.Hide(err.Error())); text != err.Error() {
		return errors.New(text)
	}
	return err
}
