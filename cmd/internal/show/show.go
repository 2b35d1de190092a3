// Package show writes the changes of a resource in a form similar to a plan.
package show

import (
	"io"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
)

// A Terminal is the destination of the output. Width returns the number of columns, or 0 if lines
// are not limited. The other methods apply a style to a text. The type *terminal.Terminal
// implements it.
type Terminal interface {
	Width() int
	Good(s string) string
	Bad(s string) string
	Warn(s string) string
	Dim(s string) string
	Bold(s string) string
}

// Plain is a Terminal that leaves text unchanged.
type Plain struct{}

// Width returns 0: lines are not limited.
func (Plain) Width() int { return 0 }

// Good returns the text unchanged.
func (Plain) Good(s string) string { return s }

// Bad returns the text unchanged.
func (Plain) Bad(s string) string { return s }

// Warn returns the text unchanged.
func (Plain) Warn(s string) string { return s }

// Dim returns the text unchanged.
func (Plain) Dim(s string) string { return s }

// Bold returns the text unchanged.
func (Plain) Bold(s string) string { return s }

// A Resource is a resource instance with its changes.
type Resource struct {
	Address       string
	Schema        *objchange.Schema
	Before, After cty.Value // of the schema's type; null if there is no object
	Action        objchange.Action
	Replace       []cty.Path // the attributes that require replacement
}

// Change writes a line for the resource, and below it the changes. It hides values that are
// sensitive in the schema or marked. It only counts unchanged attributes and blocks. Lines fit the
// width of the terminal, or 100 columns without a terminal.
//
// It returns the errors of objchange.Diff and of writing.
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
			p.comments(1, []string{"(only null and empty blocks differ)"})
		}
		p.comments(1, body.hidden)
	}
	_, err = w.Write(p.out.Bytes())
	return err
}

// Differs is the action of a resource whose Before and After should be equal and are not.
const Differs objchange.Action = "differs"

// These texts replace sensitive and unknown values.
const (
	textSecret  = "(sensitive value)"
	textUnknown = "(known after apply)"
)
