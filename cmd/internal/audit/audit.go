// Package audit finds plans and states, and reports the findings of package tfplan in them.
package audit

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/objchange/objchange/cmd/internal/files"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfplan"
)

// An Input is a plan or a state. Name is its name in messages, or "-" for stdin.
type Input struct {
	Name string
	io.Reader
}

// maxSize is the maximum size of a plan or a state.
const maxSize = 4 << 30

// Run audits a plan, and the state after apply unless it is nil. The error says why a document
// cannot be used, or that nothing could be checked. In the second case there is a report too.
func Run(planned Input, after *Input, schemas *configschema.ProviderSchemas) (*report.Report, error) {
	names := map[tfplan.Document]string{tfplan.InPlan: planned.Name}
	var state io.Reader
	if after != nil {
		state = after.limited()
		names[tfplan.InState] = after.Name
	}
	found, err := tfplan.Check(schemas, planned.limited(), state)
	if wrong := new(tfplan.Error); errors.As(err, &wrong) {
		wrong.Name = shown(names[wrong.Document])
	}
	if err != nil {
		return nil, err
	}
	r := &report.Report{Command: "audit"}
	for i := range found.Resources {
		r.Subjects = append(r.Subjects, subject(&found.Resources[i], names))
	}
	for _, note := range found.Notes {
		r.Notes = append(r.Notes, note.String())
	}
	if r.Unchecked() {
		return r, fmt.Errorf("%s: %w", shown(planned.Name), report.ErrUnchecked)
	}
	return r, nil
}

// limited returns the reader with its size limited. It returns a regular file unchanged, because
// tfplan can read it in place.
func (in Input) limited() io.Reader {
	if file, ok := in.Reader.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() && info.Size() <= maxSize {
			return file
		}
	}
	return files.Limit(in.Reader, maxSize)
}

// shown returns the name of a document in errors.
func shown(name string) string {
	if name == "-" {
		return "stdin"
	}
	return name
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
		Rule: f.Rule, Path: f.Path, Inside: f.Inside, Message: f.Message, Phase: f.Phase, Severity: f.Severity,
	}
	if f.Place != r.Place { // otherwise the place of the subject applies
		found.Place = place(f.Place, names)
	}
	return found
}

func place(at tfplan.Place, names map[tfplan.Document]string) report.Place {
	return report.Place{File: names[at.Document], Line: at.Line, Column: at.Column, Pointer: at.Pointer}
}
