package document

import (
	"errors"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/internal/jsonpos"
	"github.com/objchange/objchange/internal/placeholder"
	"github.com/objchange/objchange/internal/pointer"
)

// A field is a value of the document with its name and its JSON.
type field struct {
	name string
	to   *cty.Value
	json *jsontext.Value
}

func (d *Document) values(f *fields) []field {
	c := &d.Lifecycle
	return []field{
		{"upgraded", &c.Upgraded, &f.Upgraded}, {"imported", &c.Imported, &f.Imported}, {"prior", &c.Prior, &f.Prior},
		{"config", &c.Config, &f.Config}, {"proposed", &d.Proposed, &f.Proposed},
		{"initial_planned", &c.InitialPlanned, &f.InitialPlanned}, {"final_config", &c.FinalConfig, &f.FinalConfig},
		{"final_planned", &c.FinalPlanned, &f.FinalPlanned}, {"new", &c.New, &f.New},
	}
}

// value returns a value of the document, if it is present, and reports problems with it.
func (l *loader) value(name string, text jsontext.Value) cty.Value {
	if text == nil {
		return cty.NilVal
	}
	v, err := l.valueOf(explicit(jsonpos.Data(text)))
	if err == nil {
		return v
	}
	for _, problem := range words.Problems(err) {
		l.fail(pointer.New(name), problem.Error())
		if wrong := new(ctydata.ValueError); errors.As(problem, &wrong) {
			l.problems[len(l.problems)-1].Pointer = l.doc.into(name, wrong.Shown)
		}
	}
	return cty.NilVal
}

// valueOf returns the value for data. An error about a placeholder shows nothing of it if the
// schema says that the value is sensitive.
func (l *loader) valueOf(data any) (cty.Value, error) {
	open := func(ty cty.Type, data any) (any, error) {
		if data == nil {
			return nil, nil // missing
		}
		opened, err := placeholder.Open(ty, data)
		if err != nil {
			return placeholder.Wrong{Err: err}, nil
		}
		return opened, nil
	}
	return ctydata.Format{Open: open}.ValueOf(l.doc.Lifecycle.Schema.Block(), data)
}

// explicit returns the data with placeholder.Null for each null, because a null block differs from a
// missing one.
func explicit(data any) any {
	switch data := data.(type) {
	case nil:
		return placeholder.Null{}
	case []any:
		for i, part := range data {
			data[i] = explicit(part)
		}
	case map[string]any:
		for name, part := range data {
			data[name] = explicit(part)
		}
	}
	return data
}
