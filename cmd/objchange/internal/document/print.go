package document

import (
	"fmt"
	"io"
	"iter"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/cmd/objchange/internal/show"
	"github.com/objchange/objchange/cmd/objchange/internal/words"
)

// Judge adds the documents of a file to the report, and tells of each that cannot be
// used.
func Judge(r *report.Report, file string, docs iter.Seq2[*Document, error], unusable func(error)) {
	for d, err := range docs {
		if err != nil {
			unusable(err)
			r.Subjects = append(r.Subjects, Unused(file, err))
			continue
		}
		Add(r, d)
	}
}

// Add judges the document and adds it to the report.
func Add(r *report.Report, d *Document) {
	r.Subjects = append(r.Subjects, d.Subject())
	if d.Note != "" {
		r.Notes = append(r.Notes, d.Note)
	}
}

// Propose returns the JSON of the proposed new state, as documents have it.
func Propose(d *Document) ([]byte, error) {
	proposed, err := d.Proposal()
	if err != nil {
		return nil, err
	}
	return Encode(d.Lifecycle.Schema.Block(), proposed)
}

// Diff returns the change as a line of JSON.
func Diff(d *Document) ([]byte, error) {
	c, err := d.Change()
	if err != nil {
		return nil, err
	}
	changes, err := c.Differences()
	if err != nil {
		return nil, err
	}
	return words.JSON(struct {
		Name    string           `json:"name"`
		Action  objchange.Action `json:"action"`
		To      string           `json:"to"`
		Replace []string         `json:"requires_replace"`
		Changes []Difference     `json:"changes"`
	}{c.Name, c.Action, c.From, c.ReplaceText(), changes}, "")
}

// WriteDiff writes the change the way one reads a plan.
func WriteDiff(w io.Writer, t show.Terminal, d *Document) error {
	c, err := d.Change()
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(w, t.Dim("# prior to "+c.From)); err != nil {
		return err
	}
	return show.Change(w, t, show.Resource{
		Address: c.Name, Schema: c.Schema, Before: c.Before, After: c.After, Action: c.Action, Replace: c.Replace,
	})
}
