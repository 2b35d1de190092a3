// Package show writes what changes in a resource the way a person reads a plan.
package show

import (
	"io"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
)

// A Terminal is where a change is shown, as *terminal.Terminal is: how many columns it
// has, 0 if there is no end to them, and its styles of text.
type Terminal interface {
	Width() int
	Good(s string) string
	Bad(s string) string
	Warn(s string) string
	Dim(s string) string
	Bold(s string) string
}

// Plain is no terminal: text as it is.
type Plain struct{}

// Width is 0: there is no end.
func (Plain) Width() int { return 0 }

// Good returns the text as it is, as all styles do.
func (Plain) Good(s string) string { return s }

// Bad returns the text as it is.
func (Plain) Bad(s string) string { return s }

// Warn returns the text as it is.
func (Plain) Warn(s string) string { return s }

// Dim returns the text as it is.
func (Plain) Dim(s string) string { return s }

// Bold returns the text as it is.
func (Plain) Bold(s string) string { return s }

// A Resource is a resource instance that changes.
type Resource struct {
	Address       string
	Schema        *objchange.Schema
	Before, After cty.Value // of the schema's type; null where there is no object
	Action        objchange.Action
	Replace       []cty.Path // what requires replacement
}

// Change writes a line for the resource and below it what changes, nothing that
// is sensitive in the schema or marked. What stays as it is, is counted. Lines
// are as long as the terminal is wide, and 100 columns if there is none.
//
// The error is that of objchange.Diff, or of writing.
func Change(w io.Writer, t Terminal, c Resource) error {
	changes, err := objchange.Diff(c.Schema, c.Before, c.After)
	if err != nil {
		return err
	}
	root := treeOf(changes)
	for _, path := range c.Replace {
		root.replace(c.Schema.Block(), path)
	}
	p := newPrinter(t)
	p.header(c)
	before, after, secret := bare(c.Before, c.After)
	switch {
	case secret:
		p.line(1, nil, textSecret)
	case !after.IsKnown():
		p.line(1, nil, textUnknown)
	default:
		body := &item{}
		body.object(c.Schema.Block(), root, before, after)
		p.items(1, body.items)
		if len(changes) > 0 && len(body.items) == 0 && (c.Action == objchange.ActionUpdate || c.Action == Differs) {
			p.comments(1, []string{"(only whether there are no blocks, or null, changes)"})
		}
		p.comments(1, body.hidden)
	}
	_, err = w.Write(p.out.Bytes())
	return err
}

// Differs is the action of a resource that does not change, but is seen twice:
// its Before and After should be the same.
const Differs objchange.Action = "differs"

// What stands for values that are not shown or not there yet.
const (
	textSecret  = "(sensitive value)"
	textUnknown = "(known after apply)"
)
