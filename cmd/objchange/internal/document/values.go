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
	ty := v.Type()
	switch {
	case v.RawEquals(other):
		return other
	case v.IsMarked() || v.IsNull() || !v.CanIterateElements() || v.LengthInt() == 0:
		return v
	case other.IsMarked() || other.IsNull() || !other.CanIterateElements() || ty.IsSetType() || other.Type().IsSetType():
		return v
	case ty.IsObjectType():
		return cty.ObjectVal(shareNamed(v, other))
	case ty.IsMapType():
		return cty.MapVal(shareNamed(v, other))
	case ty.IsListType():
		return cty.ListVal(shareIndexed(v, other))
	}
	return cty.TupleVal(shareIndexed(v, other))
}

func shareNamed(v, other cty.Value) map[string]cty.Value {
	parts := v.AsValueMap()
	if ty := other.Type(); !ty.IsObjectType() && !ty.IsMapType() {
		return parts
	}
	others := other.AsValueMap()
	for name, part := range parts {
		if same, ok := others[name]; ok {
			parts[name] = share(part, same)
		}
	}
	return parts
}

func shareIndexed(v, other cty.Value) []cty.Value {
	parts := v.AsValueSlice()
	if ty := other.Type(); !ty.IsListType() && !ty.IsTupleType() {
		return parts
	}
	others := other.AsValueSlice()
	for i := range min(len(parts), len(others)) {
		parts[i] = share(parts[i], others[i])
	}
	return parts
}
