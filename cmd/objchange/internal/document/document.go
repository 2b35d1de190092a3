// Package document reads the JSON document of a run with one resource instance:
// its schema and the values that configuration, state and provider had. It
// judges it, and writes values as the document has them.
package document

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/cmd/objchange/internal/words"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/placeholder"
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

	marks *marks
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

// Proposal returns the proposed new state of the run. The error says which
// value is missing, or that one does not conform to the schema.
func (d *Document) Proposal() (cty.Value, error) {
	l, config := d.Lifecycle, d.firstConfig()
	switch {
	case l.Prior == cty.NilVal:
		return cty.NilVal, d.unusable("prior is missing, which is null for a resource to be created")
	case config == cty.NilVal:
		return cty.NilVal, d.unusable("config is missing")
	}
	proposed, err := objchange.ProposedNew(l.Schema, l.Prior, config)
	if err != nil {
		return cty.NilVal, d.unusable("%v", err)
	}
	return d.marks.on(proposed), nil
}

// Encode returns the JSON of a value as documents have it, with two blanks for
// each level. What is sensitive or write-only in the schema, or sensitive by a
// mark, is {"$sensitive": {"$unknown": true}} unless it is null. Everything else reads
// back as the same value.
func Encode(schema *configschema.Block, v cty.Value) ([]byte, error) {
	text, err := words.JSON(placeholder.Shown(schema, v), "  ")
	if err != nil {
		return nil, fmt.Errorf("the value has no JSON: %w", err)
	}
	return text, nil
}

// firstConfig is the configuration that the first plan was made of.
func (d *Document) firstConfig() cty.Value {
	if d.Lifecycle.Config == cty.NilVal {
		return d.Lifecycle.FinalConfig
	}
	return d.Lifecycle.Config
}

// A Change is what a run plans to do with its object.
type Change struct {
	Name          string
	Schema        *objchange.Schema
	Before, After cty.Value
	From          string // the value of the document that After is
	Action        objchange.Action
	Replace       []cty.Path // what requires replacement
}

// Change returns the change from the prior state to what was planned at last,
// or to the new state if no plan is there.
func (d *Document) Change() (Change, error) {
	l := d.Lifecycle
	if l.Prior == cty.NilVal {
		return Change{}, d.unusable("prior is missing, which is null for a resource to be created")
	}
	c := Change{Name: d.Name, Schema: l.Schema, Before: l.Prior}
	switch {
	case l.FinalPlanned != cty.NilVal:
		c.From, c.After = "final_planned", l.FinalPlanned
	case l.InitialPlanned != cty.NilVal:
		c.From, c.After = "initial_planned", l.InitialPlanned
	case l.New != cty.NilVal:
		c.From, c.After = "new", l.New
	default:
		return Change{}, d.unusable("there is no final_planned, initial_planned or new to compare with prior")
	}
	c.Replace, _ = objchange.RequiredReplace(l.Schema, c.Before, c.After, d.RequiresReplace)
	c.Action = objchange.PlanAction(c.Before, c.After, len(c.Replace) > 0)
	return c, nil
}

// A Difference is one place where Before and After differ, for programs.
type Difference struct {
	Path      string               `json:"path"` // as findings have it
	Kind      objchange.ChangeKind `json:"kind"`
	Sensitive bool                 `json:"sensitive"`
	Before    any                  `json:"before"` // as documents have them
	After     any                  `json:"after"`
}

// Differences returns what differs, place by place. What is sensitive is hidden
// as by Encode.
func (c Change) Differences() ([]Difference, error) {
	changes, err := objchange.Diff(c.Schema, c.Before, c.After)
	if err != nil {
		return nil, err
	}
	found := []Difference{}
	for _, d := range changes {
		found = append(found, Difference{
			Path: d.PathString(), Kind: d.Kind, Sensitive: d.Sensitive,
			Before: placeholder.ShownPart(d.Before, d.Sensitive), After: placeholder.ShownPart(d.After, d.Sensitive),
		})
	}
	return found, nil
}

// ReplaceText returns what requires replacement as findings have paths, down to
// where it is marked.
func (c Change) ReplaceText() []string {
	texts := []string{}
	for _, path := range c.Replace {
		for i := range path {
			if c.marked(path[:i]) {
				path = path[:i]
				break
			}
		}
		texts = append(texts, c.Schema.PathString(path))
	}
	return texts
}

func (c Change) marked(path cty.Path) bool {
	for _, v := range []cty.Value{c.Before, c.After} {
		if at, err := path.Apply(v); err == nil && at.IsMarked() {
			return true
		}
	}
	return false
}
