package document

import (
	"fmt"
	"io"
	"iter"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/cmd/internal/show"
	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/placeholder"
)

// Check checks the documents of a file and adds the results to the report. It calls unusable for
// each document that cannot be used.
func Check(r *report.Report, file string, docs iter.Seq2[*Document, error], unusable func(error)) {
	for d, err := range docs {
		if err != nil {
			unusable(err)
			r.Subjects = append(r.Subjects, Unused(file, err))
			continue
		}
		Add(r, d)
	}
}

// Add checks the document and adds the result to the report.
func Add(r *report.Report, d *Document) {
	r.Subjects = append(r.Subjects, d.Subject())
	if d.Note != "" {
		r.Notes = append(r.Notes, d.Note)
	}
}

// Propose returns the JSON of the proposed new state in the format of documents, indented by two
// spaces per level. Sensitive values are hidden as by placeholder.Shown. The error says which value
// is missing, or that a value does not conform to the schema.
func Propose(d *Document) ([]byte, error) {
	l, config := d.Lifecycle, d.firstConfig()
	switch {
	case l.Prior == cty.NilVal:
		return nil, d.unusable(noPrior)
	case config == cty.NilVal:
		return nil, d.unusable("config is missing")
	}
	proposed, err := objchange.ProposedNew(l.Schema, l.Prior, config)
	if err != nil {
		return nil, d.unusable("%v", err)
	}
	return Encode(l.Schema.Block(), d.marks.Mark(proposed, mark{}, false))
}

const noPrior = "prior is missing: set it to null for a resource to be created"

// Encode returns the JSON of a value in the format of documents, indented by two spaces per level.
// Sensitive values are hidden as by placeholder.Shown.
func Encode(schema *configschema.Block, v cty.Value) ([]byte, error) {
	text, err := words.JSON(placeholder.Shown(schema, v), "  ")
	if err != nil {
		return nil, fmt.Errorf("the value has no JSON: %w", err)
	}
	return text, nil
}

// change returns the change from the prior state to the last plan, or to the new state if there is
// no plan. It also returns the name of that value.
func (d *Document) change() (c show.Resource, to string, err error) {
	l := d.Lifecycle
	if l.Prior == cty.NilVal {
		return c, "", d.unusable(noPrior)
	}
	c = show.Resource{Address: d.Name, Schema: l.Schema, Before: l.Prior}
	switch {
	case l.FinalPlanned != cty.NilVal:
		to, c.After = "final_planned", l.FinalPlanned
	case l.InitialPlanned != cty.NilVal:
		to, c.After = "initial_planned", l.InitialPlanned
	case l.New != cty.NilVal:
		to, c.After = "new", l.New
	default:
		return c, "", d.unusable("the document has no final_planned, initial_planned or new to compare with prior")
	}
	c.Replace, _ = objchange.RequiredReplace(l.Schema, c.Before, c.After, d.RequiresReplace)
	c.Action = objchange.PlanAction(c.Before, c.After, len(c.Replace) > 0)
	return c, to, nil
}

// A difference is one path where a change has another value, in the JSON for programs.
type difference struct {
	Path      string               `json:"path"` // in the format of findings
	Kind      objchange.ChangeKind `json:"kind"`
	Sensitive bool                 `json:"sensitive"`
	Before    any                  `json:"before"` // in the format of documents
	After     any                  `json:"after"`
}

// Diff returns the change as a line of JSON. It includes the differences between the new state and
// the last plan. Sensitive values are hidden.
func Diff(d *Document) ([]byte, error) {
	c, to, err := d.change()
	if err != nil {
		return nil, err
	}
	found, err := differences(c)
	if err != nil {
		return nil, err
	}
	var applied []difference
	if a, ok := d.applied(c, to); ok {
		if applied, err = differences(a); err != nil {
			return nil, err
		}
	}
	replace := []string{}
	for _, path := range c.Replace { // paths end at the first marked value
		i := 0
		for i < len(path) && !markedAt(c.Before, path[:i]) && !markedAt(c.After, path[:i]) {
			i++
		}
		replace = append(replace, c.Schema.PathString(path[:i]))
	}
	return words.JSON(struct {
		Name    string           `json:"name"`
		Action  objchange.Action `json:"action"`
		To      string           `json:"to"`
		Replace []string         `json:"requires_replace"`
		Changes []difference     `json:"changes"`
		Applied []difference     `json:"applied,omitzero"`
	}{c.Address, c.Action, to, replace, found, applied}, "")
}

// differences returns the differences between the two values of a change.
func differences(c show.Resource) ([]difference, error) {
	changes, err := objchange.Diff(c.Schema, c.Before, c.After)
	if err != nil {
		return nil, err
	}
	found := []difference{}
	for _, at := range changes {
		found = append(found, difference{
			at.PathString(), at.Kind, at.Sensitive,
			shownPart(at.Before, at), shownPart(at.After, at),
		})
	}
	return found, nil
}

// applied returns the change from the last plan to the new state, if both are present.
func (d *Document) applied(c show.Resource, to string) (show.Resource, bool) {
	applied := d.Lifecycle.New
	if to == "new" || applied == cty.NilVal {
		return c, false
	}
	c.Before, c.After, c.Action, c.Replace = c.After, applied, show.Differs, nil
	if c.Before.RawEquals(c.After) {
		c.Action = objchange.ActionNoOp
	}
	return c, true
}

// shownPart returns the data of one side of a change. If both sides are null and only the types
// differ, the data include the type.
func shownPart(v cty.Value, of objchange.Change) any {
	data := placeholder.ShownPart(v, of.Sensitive)
	if data == nil && !of.Sensitive && of.Before.IsNull() && of.After.IsNull() && v.Type() != cty.DynamicPseudoType {
		return placeholder.WithType(v.Type(), nil)
	}
	return data
}

func markedAt(v cty.Value, path cty.Path) bool {
	at, err := path.Apply(v)
	return err == nil && at.IsMarked()
}

// WriteDiff writes the change in a form similar to a plan, and then the differences between the new
// state and the last plan.
func WriteDiff(w io.Writer, t show.Terminal, d *Document) error {
	c, to, err := d.change()
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(w, t.Dim("# prior to "+to)); err != nil {
		return err
	}
	if err := show.Change(w, t, c); err != nil {
		return err
	}
	a, ok := d.applied(c, to)
	if !ok {
		return nil
	}
	if _, err := fmt.Fprintln(w, t.Dim("# "+to+" to new")); err != nil {
		return err
	}
	return show.Change(w, t, a)
}
