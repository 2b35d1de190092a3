// Package document reads the JSON document of a run with one resource instance:
// its schema and the values that configuration, state and provider had. It
// judges it, and writes values as the document has them.
package document

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/internal/jsonpos"
	"github.com/objchange/objchange/internal/sensitive"
)

// A Document is one run with one resource instance.
type Document struct {
	Name  string // what it is called, never ""
	Place report.Place

	// Lifecycle has the schema, and the values that the document has. What one
	// of them marks as sensitive is marked in all.
	Lifecycle       objchange.Lifecycle
	Proposed        cty.Value // the zero cty.Value if there is none
	RequiresReplace []cty.Path
	// Note says where the schema in the document is none that Terraform takes, and
	// why, or it is "". The rules work with it all the same.
	Note string

	marks *sensitive.Places
	text  jsontext.Value   // of the document
	at    jsonpos.Position // where it begins
}

// An Error says why a document, or the rest of a file, cannot be used.
type Error struct {
	Name   string // of the document, or "" if it is the file
	Place  report.Place
	Reason string
	// Problems are what is wrong inside the document, where that can be told apart,
	// with pointers that begin at the document.
	Problems []Problem
}

// Error begins with the place.
func (e *Error) Error() string {
	at := e.Place.File
	if at == "-" {
		at = "stdin"
	}
	if e.Place.Line > 0 {
		at += fmt.Sprintf(":%d", e.Place.Line)
	}
	return at + ": " + e.where()
}

// where is the error without file and line.
func (e *Error) where() string { return at(e.Place.Pointer, e.Reason) }

// unusable returns an error that says what the document lacks.
func (d *Document) unusable(format string, args ...any) error {
	return &Error{Name: d.Name, Place: d.Place, Reason: fmt.Sprintf(format, args...)}
}

// maxProblems is how many of a document's problems are told.
const maxProblems = 5

// summary returns problems in one line.
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

// firstConfig is the configuration that the first plan was made of.
func (d *Document) firstConfig() cty.Value {
	if d.Lifecycle.Config == cty.NilVal {
		return d.Lifecycle.FinalConfig
	}
	return d.Lifecycle.Config
}
