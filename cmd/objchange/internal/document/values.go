package document

import (
	"errors"
	"fmt"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/cmd/objchange/internal/words"
	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/internal/placeholder"
)

// A field is where a value of the document goes.
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

// valueNames are the names of the values that a document may have.
var valueNames = func() map[string]bool {
	names := map[string]bool{}
	for _, v := range new(Document).values() {
		names[v.name] = true
	}
	return names
}()

// value makes one value, if the document has it, and reports problems at the pointer.
func (l *loader) value(name, pointer string) cty.Value {
	text, given := l.texts[name]
	if !given {
		return cty.NilVal
	}
	delete(l.texts, name) // it may be large
	o := opener{marks: l.marks}
	make := func() (cty.Value, error) {
		return ctydata.Format{Open: o.open}.ValueOf(l.Lifecycle.Schema.Block(), &part{data: text})
	}
	v, err := make()
	if err != nil && o.secrets {
		o.forget = true // an error could show keys in them
		if _, err = make(); err == nil {
			err = fmt.Errorf("what is in a %s does not fit its place", placeholder.KeySensitive)
		}
	}
	if err != nil {
		for _, problem := range words.Problems(err) {
			l.fail(pointer, problem.Error())
			if wrong := new(ctydata.ValueError); errors.As(problem, &wrong) && !o.secrets && pointer != "" {
				l.problems[len(l.problems)-1].Pointer = l.into(name, shown(wrong.Path, wrong.Place))
			}
		}
		return cty.NilVal
	}
	return l.shared(v)
}

// mark marks all values, whose marks are known by now.
func (l *loader) mark() {
	if l.marks.inside == nil && !l.marks.here {
		return
	}
	l.last = cty.NilVal
	for _, v := range l.values() {
		if marked := l.marks.on(*v.to); marked != cty.NilVal {
			*v.to = l.shared(marked)
		}
	}
}

// large is how long the text of a document is that is worth some care for memory.
const large = 1 << 20

// shared returns a value of the document, which, if that is large, has in common with
// the last one what is the same: most of a resource does not change.
func (l *loader) shared(v cty.Value) cty.Value {
	if !l.large {
		return v
	}
	if l.last != cty.NilVal {
		v = share(v, l.last)
	}
	l.last = v
	return v
}

// share returns the value with parts of the other where they are the same.
func share(v, other cty.Value) cty.Value {
	named, listed := partsOf(other)
	switch {
	case v.RawEquals(other):
		return other
	case v.IsMarked() || v.Type().IsSetType() || len(named)+len(listed) == 0:
		return v
	}
	return rebuilt(v, func(s step, part cty.Value) cty.Value {
		if same, ok := named[s.name]; ok {
			return share(part, same)
		}
		if s.index < len(listed) {
			return share(part, listed[s.index])
		}
		return part
	})
}

// partsOf returns the parts of a value, by name or by index.
func partsOf(v cty.Value) (named map[string]cty.Value, listed []cty.Value) {
	ty := v.Type()
	switch {
	case v.IsMarked() || v.IsNull() || !v.CanIterateElements():
	case ty.IsObjectType() || ty.IsMapType():
		named = v.AsValueMap()
	case ty.IsListType() || ty.IsTupleType():
		listed = v.AsValueSlice()
	}
	return named, listed
}
