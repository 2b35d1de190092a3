package document

import (
	"errors"
	"fmt"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/tfcheck"
)

// Subject judges the document. One without a value that a rule speaks of by
// itself is skipped.
func (d *Document) Subject() report.Subject {
	s := report.Subject{Group: d.Place.File, Document: d.Name, Status: report.Judged, Place: d.Place}
	if d.empty() {
		s.Status, s.Reason = report.Skipped, "nothing to judge: the document has no value"
		if d.Proposed != cty.NilVal {
			s.Reason = "nothing to judge: proposed is held against prior and config, which the document does not have"
		}
		return s
	}
	s.Findings = d.findings()
	return s
}

// empty reports whether the document has no value, but for a proposed one.
func (d *Document) empty() bool {
	return !slices.ContainsFunc(d.values(), func(f field) bool { return f.to != &d.Proposed && *f.to != cty.NilVal })
}

// Unused returns the subject for what cannot be judged, for the reason that the
// error says.
func Unused(file string, err error) report.Subject {
	s := report.Subject{
		Group: file, Document: file, Status: report.Skipped,
		Reason: err.Error(), Place: report.Place{File: file},
	}
	if unusable := new(Error); errors.As(err, &unusable) {
		s.Place, s.Reason = unusable.Place, unusable.where()
		if s.Place.Line > 0 {
			s.Reason = fmt.Sprintf("line %d: %s", s.Place.Line, s.Reason)
		}
		if unusable.Name != "" {
			s.Document = unusable.Name
		}
	}
	return s
}

// findings are those of the whole lifecycle, and what is wrong with the proposed
// state and the paths that require replacement.
func (d *Document) findings() (found []report.Finding) {
	l := d.Lifecycle
	l.LegacyTypeSystem = false // to know what it tolerates
	vs := append(l.Check(), d.judgeProposed()...)
	for _, v := range append(vs, d.judgePaths()...) {
		tolerated := d.Lifecycle.LegacyTypeSystem && v.Tolerated(d.Lifecycle.Deletes())
		f := report.Of(objchange.Violations{v}, tolerated)
		f[0].Pointer = d.pointerOf(v)
		found = append(found, f...)
	}
	d.locate(found)
	return found
}

// judgeProposed holds the proposed state, if there is one, against the one that
// Core would have sent.
func (d *Document) judgeProposed() (found objchange.Violations) {
	l, config := d.Lifecycle, d.firstConfig()
	if l.Prior == cty.NilVal || config == cty.NilVal || d.Proposed == cty.NilVal {
		return nil
	}
	core, err := objchange.ProposedNew(l.Schema, l.Prior, config)
	if err == nil && sameBare(core, d.Proposed) {
		return nil
	}
	x := tfcheck.Exchange{RPC: "PlanResourceChange", Schema: l.Schema, Prior: l.Prior, Config: config, Proposed: d.Proposed}
	for _, f := range x.Findings() {
		found = append(found, only(tfcheck.RuleProposedNotCore, objchange.PhasePlan, f.Violations)...)
	}
	return found
}

// sameBare reports whether two values are the same but for their marks. A
// proposed state has those of what it was made of, in its own way.
func sameBare(a, b cty.Value) bool {
	a, _ = a.UnmarkDeep()
	b, _ = b.UnmarkDeep()
	return a.RawEquals(b)
}

// judgePaths asks whether the paths that require replacement are there. Nobody
// asks a plan to destroy for any.
func (d *Document) judgePaths() (found objchange.Violations) {
	l := d.Lifecycle
	planned, phase := l.InitialPlanned, objchange.PhasePlan
	if planned == cty.NilVal {
		planned, phase = l.FinalPlanned, objchange.PhaseReplan
	}
	if l.Deletes() || l.Prior == cty.NilVal || planned == cty.NilVal {
		return nil
	}
	_, vs := objchange.RequiredReplace(l.Schema, l.Prior, planned, d.RequiresReplace)
	return only(objchange.RuleReplacePath, phase, vs) // what else there is Check has found
}

func only(rule objchange.Rule, phase objchange.Phase, vs objchange.Violations) (found objchange.Violations) {
	for _, v := range vs {
		if v.Rule == rule {
			v.Phase = phase
			found = append(found, v)
		}
	}
	return found
}
