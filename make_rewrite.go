package objchange

import (
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/values"
	"github.com/zclconf/go-cty/cty"
)

// A rewriter makes a value with some attributes and blocks replaced. Where
// nothing is, the value itself is returned.
type rewriter struct {
	walk
	// attribute and blocks return what a value without marks is to be replaced
	// with. What they do not replace is walked into. Without attribute, no
	// attribute is looked at.
	attribute func(*configschema.Attribute, cty.Value) (cty.Value, bool)
	blocks    func(*configschema.NestedBlock, cty.Value) (cty.Value, bool)
	// unknown, if any, returns what an object that is unknown as a whole is to
	// be replaced with.
	unknown func(nest, cty.Value) (cty.Value, bool)
	// unknownRoot says that this holds for the root too.
	unknownRoot bool
	// maybe says that the zero cty.Value means null.
	maybe bool
}

func (w *rewriter) rewrite(schema *Schema, name string, v cty.Value) (cty.Value, error) {
	args := [...]argument{{name: name, value: v, maybe: w.maybe}}
	f, ok := w.admit(schema, args[:])
	if !ok || len(w.found) > 0 {
		return cty.NilVal, w.err()
	}
	v = values.WithMarksOf(args[0].value, v)
	if !v.IsKnown() && !w.unknownRoot {
		return v, nil
	}
	m := w.member(root(f), v)
	if err := w.err(); err != nil {
		return cty.NilVal, err
	}
	return m.value, nil
}

// member rewrites one object.
func (w *rewriter) member(n nest, v cty.Value) merged {
	object, _ := values.Bare(v)
	switch {
	case object.IsNull():
		return merged{value: v, isC: true}
	case object.IsKnown():
		m := w.object(n.fields, object)
		return merged{value: values.WithMarksOf(m.value, v), isC: m.isC}
	case w.unknown != nil:
		if replaced, ok := w.unknown(n, object); ok {
			return merged{value: values.WithMarksOf(replaced, v)}
		}
	}
	return merged{value: v, isC: true}
}

func (w *rewriter) object(f fields, object cty.Value) merged {
	b := objectBuilder{fields: f, c: object, p: absent, isC: true}
	for name, a := range f.attrs {
		b.put(name, w.attributeValue(name, a, object.GetAttr(name)))
	}
	for name, nb := range f.blocks {
		w.enter(paths.Step{Name: name}, false)
		b.put(name, w.blocksValue(nb, object.GetAttr(name)))
		w.leave()
	}
	return b.merged()
}

func (w *rewriter) attributeValue(name string, a *configschema.Attribute, v cty.Value) merged {
	if w.attribute == nil {
		return merged{value: v, isC: true}
	}
	unmarked, _ := values.Bare(v)
	if replaced, ok := w.attribute(a, unmarked); ok {
		return merged{value: values.WithMarksOf(replaced, v)}
	}
	if a.NestedType == nil {
		return merged{value: v, isC: true}
	}
	w.enter(paths.Step{Name: name}, isSecret(a))
	defer w.leave()
	return w.members(nestOf(a.NestedType), v, unmarked)
}

func (w *rewriter) blocksValue(nb *configschema.NestedBlock, v cty.Value) merged {
	unmarked, _ := values.Bare(v)
	if !w.shaped(blockNest(nb), unmarked) {
		return merged{value: v, isC: true}
	}
	if replaced, ok := w.blocks(nb, unmarked); ok {
		return merged{value: values.WithMarksOf(replaced, v)}
	}
	return w.members(blockNest(nb), v, unmarked)
}

// members rewrites each object of a nested attribute or block type. The value
// comes with and without its marks.
func (w *rewriter) members(n nest, v, unmarked cty.Value) merged {
	if !unmarked.IsKnown() || unmarked.IsNull() {
		return merged{value: v, isC: true}
	}
	ms := n.open(unmarked)
	if ms.self {
		return w.member(n, v)
	}
	if ms.n == 0 {
		return merged{value: v, isC: true}
	}
	b := membersBuilder{cs: &ms, isC: true}
	w.each(&ms, func(i int) { b.put(i, w.member(n, ms.elem(i))) })
	m, ok := b.merged(&w.schema, n)
	if !ok {
		w.violation(RuleTypeMismatch, "the elements have different types, so no collection can hold them")
	}
	return merged{value: values.WithMarksOf(m.value, v), isC: m.isC}
}
