// Package audit finds plans and states, and reports the findings of package tfplan in them.
package audit

import (
	"errors"
	"fmt"
	"io"

	"github.com/objchange/objchange/cmd/internal/files"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfplan"
)

// maxSize is the maximum size of a plan or a state.
const maxSize = 4 << 30

// Run audits a plan, and the state after apply if there is one. The function open opens them. The error
// says why a document cannot be used, or that nothing could be checked. In the second case there is a
// report too.
func Run(
	pair Pair, schemas *configschema.ProviderSchemas, open func(name string) (io.ReadCloser, error),
) (*report.Report, error) {
	if pair.Err != nil {
		return nil, pair.Err
	}
	plan, err := open(pair.Plan)
	if err != nil {
		return nil, err
	}
	defer plan.Close()
	var after io.Reader
	if pair.State != "" {
		state, err := open(pair.State)
		if err != nil {
			return nil, err
		}
		defer state.Close()
		after = files.Limit(state, maxSize)
	}
	found, err := tfplan.Check(schemas, files.Limit(plan, maxSize), after)
	names := map[tfplan.Document]string{tfplan.InPlan: pair.Plan, tfplan.InState: pair.State}
	if wrong := new(tfplan.Error); errors.As(err, &wrong) {
		wrong.Name = words.FileName(names[wrong.Document])
	}
	if err != nil {
		return nil, err
	}
	r := &report.Report{Command: "audit", Notes: found.Notes}
	for i := range found.Resources {
		r.Subjects = append(r.Subjects, subject(&found.Resources[i], names))
	}
	if r.Unchecked() {
		return r, fmt.Errorf("%s: %w", words.FileName(pair.Plan), report.ErrUnchecked)
	}
	return r, nil
}

// subject returns the subject for a resource. It has line and column only if it has findings or was
// not checked.
func subject(r *tfplan.Resource, names map[tfplan.Document]string) report.Subject {
	s := report.Subject{
		Group: names[tfplan.InPlan], Address: r.String(), Type: r.Type, Provider: r.Provider, Action: string(r.Action),
		Status: report.Status(r.Status), Reason: r.Reason, Idle: r.Idle, Place: place(r.Place, names),
	}
	if r.Imported {
		s.Action += ", imported"
	}
	if r.PreviousAddress != "" {
		s.Action += ", moved from " + r.PreviousAddress
	}
	for _, f := range r.Findings {
		s.Findings = append(s.Findings, finding(f, r, names))
	}
	if len(s.Findings) == 0 && s.Status == report.Checked {
		s.Line, s.Column = 0, 0
	}
	return s
}

func finding(f tfplan.Finding, r *tfplan.Resource, names map[tfplan.Document]string) report.Finding {
	found := report.Finding{
		Rule: f.Rule, Path: f.Path, Shown: f.Shown, Inside: f.Inside,
		Message: f.Message, Phase: f.Phase, Severity: f.Severity,
	}
	if f.Place != r.Place { // otherwise the place of the subject applies
		found.Place = place(f.Place, names)
	}
	return found
}

func place(at tfplan.Place, names map[tfplan.Document]string) report.Place {
	return report.Place{File: names[at.Document], Line: at.Line, Column: at.Column, Pointer: at.Pointer}
}
