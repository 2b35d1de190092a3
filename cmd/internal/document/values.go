package document

import (
	"errors"
	"fmt"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/internal/placeholder"
	"github.com/objchange/objchange/internal/pointer"
)

// A field is a value of the document with its name.
type field struct {
	name string
	to   *cty.Value
}

func (d *Document) values() []field {
	c := &d.Lifecycle
	return []field{
		{"upgraded", &c.Upgraded}, {"imported", &c.Imported}, {"prior", &c.Prior},
		{"config", &c.Config}, {"proposed", &d.Proposed}, {"initial_planned", &c.InitialPlanned},
		{"final_config", &c.FinalConfig}, {"final_planned", &c.FinalPlanned}, {"new", &c.New},
	}
}

// value returns a value of the document, if it is present, and reports problems with it.
func (l *loader) value(name, at string) cty.Value {
	data, given := l.fields[name]
	if !given {
		return cty.NilVal
	}
	delete(l.fields, name) // it may be large
	o := opener{marks: l.marks}
	v, err := l.valueOf(o.open(data))
	if err != nil && o.found {
		o.forget = true // an error could contain sensitive keys
		if _, err = l.valueOf(o.open(data)); err == nil {
			err = fmt.Errorf("the content of a %s does not have the type of its place", placeholder.KeySensitive)
		}
	}
	if err == nil {
		return v
	}
	for _, problem := range words.Problems(err) {
		l.fail(at, problem.Error())
		if wrong := new(ctydata.ValueError); errors.As(problem, &wrong) && !o.found && at != "" {
			l.problems[len(l.problems)-1].Pointer = l.into(name, pointer.Shown(wrong.Path, wrong.Place))
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
	return ctydata.Format{Open: open}.ValueOf(l.Lifecycle.Schema.Block(), data)
}
