// Package document reads JSON documents. A document is a run with one resource instance: its
// schema, and its values in the configuration, in the state and in the provider's responses. The
// package also checks documents, and writes values in the format of documents.
package document

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/internal/jsonpos"
)

// A Document is a run with one resource instance.
type Document struct {
	Name  string // never ""
	Place report.Place

	// Lifecycle has the schema and the values of the document.
	Lifecycle       objchange.Lifecycle
	Proposed        cty.Value // the zero cty.Value if absent
	RequiresReplace []cty.Path
	// Note says why Terraform does not accept the schema in the document, or is "". The rules work
	// with such a schema too.
	Note string

	text jsontext.Value   // of the document
	at   jsonpos.Position // where the text begins
}

// An Error says why a document, or the rest of a file, cannot be used.
type Error struct {
	Name   string // of the document, or "" for the file
	Place  report.Place
	Reason string
	// Problems are the problems inside the document, if they are known separately. Their pointers
	// begin at the document.
	Problems []Problem
}

// Error returns the place and the reason.
func (e *Error) Error() string {
	at := words.FileName(e.Place.File)
	if e.Place.Line > 0 {
		at += fmt.Sprintf(":%d", e.Place.Line)
	}
	return at + ": " + e.where()
}

// where returns the error without file and line.
func (e *Error) where() string { return at(e.Place.Pointer, e.Reason) }

func (d *Document) unusable(format string, args ...any) error {
	return &Error{Name: d.Name, Place: d.Place, Reason: fmt.Sprintf(format, args...)}
}

// maxProblems limits the problems that are listed for a document.
const maxProblems = 5

// summary returns the problems on one line.
func summary[E error](all []E) string {
	var problems []string
	for _, problem := range all {
		problems = append(problems, problem.Error())
	}
	more := len(problems) - maxProblems
	if more > 0 {
		problems = append(slices.Clone(problems[:maxProblems]), fmt.Sprintf("and %d more", more))
	}
	return strings.Join(problems, "; ")
}

// firstConfig returns the configuration of the first plan.
func (d *Document) firstConfig() cty.Value {
	if d.Lifecycle.Config == cty.NilVal {
		return d.Lifecycle.FinalConfig
	}
	return d.Lifecycle.Config
}
