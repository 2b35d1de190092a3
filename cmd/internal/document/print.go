package document

import (
	"iter"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/internal/placeholder"
)

// Check checks the documents of a file and adds the results to the report. It returns an error for
// each document that cannot be used.
func Check(r *report.Report, file string, docs iter.Seq2[*Document, error]) (unusable []error) {
	for d, err := range docs {
		if err != nil {
			unusable = append(unusable, err)
			r.Subjects = append(r.Subjects, Unused(file, err))
			continue
		}
		r.Subjects = append(r.Subjects, d.Subject())
		if d.Note != "" {
			r.Notes = append(r.Notes, d.Note)
		}
	}
	return unusable
}

// Propose returns the JSON of the proposed new state in the format of documents, indented by two
// spaces per level. Sensitive values are hidden as by placeholder.Shown. The error says which value
// is missing, or that a value does not conform to the schema.
func Propose(d *Document) ([]byte, error) {
	l, config := d.Lifecycle, d.firstConfig()
	switch {
	case l.Prior == cty.NilVal:
		return nil, d.unusable("prior is missing: set it to null for a resource to be created")
	case config == cty.NilVal:
		return nil, d.unusable("config is missing")
	}
	proposed, err := objchange.ProposedNew(l.Schema, l.Prior, config)
	if err != nil {
		return nil, d.unusable("%v", err)
	}
	return words.JSON(placeholder.Shown(l.Schema.Block(), proposed), "  ")
}
