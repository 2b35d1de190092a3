package document

import (
	"errors"
	"fmt"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/internal/legacysdk"
	"github.com/objchange/objchange/tfcheck"
)

// Subject checks the document and returns the result. A document without any value that can be
// checked by itself is skipped.
func (d *Document) Subject() report.Subject {
	s := report.Subject{Group: d.Place.File, Document: d.Name, Status: report.Checked, Place: d.Place}
	if d.empty() {
		s.Status, s.Reason = report.Skipped, "nothing to check: the document has no values"
		if d.Proposed != cty.NilVal {
			s.Reason = "nothing to check: proposed is compared with prior and config, but the document has neither"
		}
		return s
	}
	s.Findings = d.findings()
	return s
}

// empty reports whether the document has no value other than a proposed one.
func (d *Document) empty() bool {
	return !slices.ContainsFunc(d.values(&fields{}), func(f field) bool {
		return f.to != &d.Proposed && *f.to != cty.NilVal
	})
}

// Unused returns the skipped subject for a document or file that cannot be used. The error is the
// reason.
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

// findings returns the findings of the lifecycle, of the proposed state and of the paths that
// require replacement.
func (d *Document) findings() (found []report.Finding) {
	vs := d.Lifecycle.Check()
	if d.Lifecycle.LegacyTypeSystem {
		d.markLegacy(vs)
	}
	vs = append(vs, d.checkProposed()...)
	for _, v := range append(vs, d.checkPaths()...) {
		f := report.Of(objchange.Violations{v})
		f[0].Pointer = d.pointerOf(v)
		found = append(found, f...)
	}
	d.locate(found)
	return found
}

// markLegacy gives the severity LegacySDK to violations that the legacy SDK itself causes.
func (d *Document) markLegacy(found objchange.Violations) {
	l := d.Lifecycle
	nulled, relaxed := l, l
	for _, v := range []*cty.Value{
		&nulled.Prior, &nulled.Config, &nulled.InitialPlanned, &nulled.FinalConfig, &nulled.FinalPlanned, &nulled.New,
	} {
		*v = legacysdk.Null(l.Schema, *v)
	}
	relaxed.Schema = legacysdk.Relaxed(l.Schema)
	last := l.FinalPlanned
	if last == cty.NilVal {
		last = l.InitialPlanned
	}
	in := func(phase objchange.Phase) objchange.Violations {
		return slices.DeleteFunc(slices.Clone(found), func(v *objchange.Violation) bool { return v.Phase != phase })
	}
	legacysdk.Mark(in(objchange.PhasePlan), l.Config, l.InitialPlanned, nulled.Check, relaxed.Check)
	legacysdk.Mark(in(objchange.PhaseReplan), l.FinalConfig, l.FinalPlanned, nulled.Check, relaxed.Check)
	legacysdk.Mark(in(objchange.PhaseApply), last, l.New, nulled.Check, relaxed.Check)
}

// checkProposed compares the proposed state, if there is one, with the state that Terraform would
// have sent.
func (d *Document) checkProposed() (found objchange.Violations) {
	l, config := d.Lifecycle, d.firstConfig()
	if l.Prior == cty.NilVal || config == cty.NilVal || d.Proposed == cty.NilVal {
		return nil
	}
	x := tfcheck.Exchange{
		RPC: "PlanResourceChange", Schema: l.Schema, Prior: l.Prior, Config: config, Proposed: d.Proposed,
	}
	for _, f := range x.Findings() {
		found = append(found, only(objchange.RuleProposedNotCore, objchange.PhasePlan, f.Violations)...)
	}
	return found
}

// checkPaths checks that the paths that require replacement exist. It does not apply to plans that
// destroy the object.
func (d *Document) checkPaths() (found objchange.Violations) {
	l := d.Lifecycle
	planned, phase := l.InitialPlanned, objchange.PhasePlan
	if planned == cty.NilVal {
		planned, phase = l.FinalPlanned, objchange.PhaseReplan
	}
	if d.firstConfig() != cty.NilVal && d.firstConfig().IsNull() || l.Prior == cty.NilVal || planned == cty.NilVal {
		return nil
	}
	_, vs := objchange.RequiredReplace(l.Schema, l.Prior, planned, d.RequiresReplace)
	return only(objchange.RuleReplacePath, phase, vs) // Check has found the other violations
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
