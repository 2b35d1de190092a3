package objchange

import (
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/values"
	"github.com/zclconf/go-cty/cty"
)

// ProposedNew returns the proposed new state of a resource: the configuration,
// completed with what the provider chose before where the configuration leaves
// it to the provider (docs/semantics.md#what-is-proposed). It is what Terraform
// Core sends to the provider's PlanResourceChange.
//
// Both values must conform to the schema. The prior value is null, or the zero
// cty.Value, for a resource to be created, and may hold unknown values; unknown
// as a whole, it gives what PlannedDataResource gives. The configuration is
// null for one to be deleted, which proposes null. Marks are kept: each chosen
// value keeps its own, one taken from the prior value also takes those of the
// prior containers around it, and a container keeps those of the
// configuration's.
//
// The error is an [*InputError].
//
// Where nothing differs from the configuration or from the prior value, that
// very value is returned. Set elements are correlated
// (docs/semantics.md#set-elements) in time that grows with their number, apart
// from cty's sorting of them.
func ProposedNew(schema *Schema, prior, config cty.Value) (proposed cty.Value, err error) {
	defer rescueValue(&proposed, &err)
	return propose(schema, argument{name: "prior", value: prior, maybe: true}, config)
}

// PlannedDataResource returns the planned value of a data source or ephemeral
// resource that cannot be read before apply: the configuration, with unknown
// values where the provider is to choose (docs/semantics.md#data-sources). It is
// the proposal for an unknown prior value.
//
// The configuration must conform to the schema; null gives null and unknown
// gives unknown. It keeps its marks. The error is an
// [*InputError].
func PlannedDataResource(schema *Schema, config cty.Value) (planned cty.Value, err error) {
	defer rescueValue(&planned, &err)
	return propose(schema, argument{name: "prior", value: cty.DynamicVal}, config)
}

func propose(schema *Schema, prior argument, config cty.Value) (cty.Value, error) {
	var w proposer
	args := [...]argument{prior, {name: "config", value: config}}
	f, _ := w.admit(schema, args[:])
	if len(w.found) > 0 {
		return cty.NilVal, w.err()
	}
	m := w.nested(root(f), values.WithMarksOf(args[0].value, prior.value), values.WithMarksOf(args[1].value, config), nil)
	if err := w.err(); err != nil {
		return cty.NilVal, err
	}
	return m.value, nil
}

// A proposer merges prior values into configured ones.
type proposer struct{ walk }

// merged is a proposed value, and whether it is the configured (isC) or the
// prior value (isP) itself, so that what holds it may be shared too.
type merged struct {
	value    cty.Value
	isC, isP bool
}

// keep chooses the configured value. wantP asks whether it is the prior one as
// well, which costs a comparison.
func keep(part facts, p, c cty.Value, wantP bool) merged {
	return merged{c, true, wantP && equalAs(part, p, c, values.Interchangeable)}
}

// object proposes the attributes and blocks of one object
// (docs/semantics.md#what-is-proposed). The values have no marks of their own, and
// the configured one is not null;
// above are the marks of the prior containers. The object may be the prior one
// if share says so: if neither it nor the configured one has marks.
func (w *proposer) object(n nest, p, c cty.Value, above cty.ValueMarks, share bool) merged {
	b := objectBuilder{fields: n.fields, p: p, c: c, isC: c.IsKnown(), isP: share && p.IsKnown() && !p.IsNull()}
	for name, a := range n.attrs {
		c := c.GetAttr(name)
		if m, ok := w.unread(a, &b, c); ok {
			b.put(name, m)
			continue
		}
		b.put(name, w.attribute(name, a, n.prior(p, name, a), c, above, b.isP))
	}
	for name, nb := range n.blocks {
		w.enter(paths.Step{Name: name}, false)
		b.put(name, w.nested(blockNest(nb), part(p, name), c.GetAttr(name), above))
		w.leave()
	}
	return b.merged()
}

// prior returns the prior value of an attribute. Below a block that is null it has
// the schema's type, and below a nested attribute the type of that null.
func (n nest) prior(p cty.Value, name string, a *configschema.Attribute) cty.Value {
	switch {
	case !p.IsNull():
		return p.GetAttr(name)
	case n.block && isGroup(a): // the empty value of a block has one
		return emptyValue(a)
	case n.block || !p.Type().IsObjectType():
		return absent
	}
	return cty.NullVal(p.Type().AttributeType(name))
}

// unread proposes a leaf whose prior value need not be read: it is configured in an
// object that is not the prior one, or kept in one that is.
func (w *proposer) unread(a *configschema.Attribute, b *objectBuilder, c cty.Value) (m merged, ok bool) {
	switch {
	case a.NestedType != nil:
		return merged{}, false
	case !b.isP && !(a.Computed && c.IsNull()):
		return merged{value: c, isC: true}, true
	case b.isP && !b.isC && a.Computed && c.IsNull():
		return merged{isP: true}, !w.schema.attributeHolds(a).dynamic
	}
	return merged{}, false
}

// attribute proposes one attribute (docs/semantics.md#proposed-attributes).
func (w *proposer) attribute(name string, a *configschema.Attribute, p, c cty.Value, above cty.ValueMarks, wantP bool) merged {
	if a.Computed && c.IsNull() {
		if a.Optional && a.NestedType != nil && wasConfigured(nestOf(a.NestedType), p) {
			return merged{value: c, isC: true}
		}
		return w.takePrior(a, p, c, above)
	}
	if a.NestedType == nil {
		return keep(w.schema.attributeHolds(a), p, c, wantP)
	}
	w.enter(paths.Step{Name: name}, isSecret(a))
	defer w.leave()
	return w.nested(nestOf(a.NestedType), p, c, above)
}

// takePrior chooses the prior value, type included, for an attribute that is null
// in the configuration. A part of a prior object that is null or unknown has no
// type of its own, and gets the schema's.
func (w *proposer) takePrior(a *configschema.Attribute, p, c cty.Value, above cty.ValueMarks) merged {
	v, isP := p, true
	if p.Type() == cty.DynamicPseudoType {
		ty := w.typeOf(a, c)
		if v = cty.NullVal(ty); !p.IsNull() {
			v = cty.UnknownVal(ty)
		}
		v, isP = values.WithMarksOf(v, p), ty == cty.DynamicPseudoType
	}
	v = values.WithMarks(v, above)
	return merged{v, v.IsNull() && equalAs(w.schema.attributeHolds(a), v, c, values.Interchangeable), isP}
}

// typeOf returns the type that the schema gives an attribute with the configured
// value c. Unless it is dynamic, c has that type.
func (w *proposer) typeOf(a *configschema.Attribute, c cty.Value) cty.Type {
	if !w.schema.attributeHolds(a).dynamic {
		return c.Type()
	}
	return impliedType(a)
}

// wasConfigured reports whether a prior value holds, at any depth below it, a
// non-null value that no provider can have chosen.
func wasConfigured(n nest, p cty.Value) bool {
	p, _ = values.Bare(p)
	if p.IsNull() || !p.IsKnown() {
		return false
	}
	ps := n.open(p)
	ps.load()
	for i := range ps.n {
		object, _ := values.Bare(ps.elem(i))
		if object.IsNull() || !object.IsKnown() {
			continue
		}
		for name, a := range n.attrs {
			v := object.GetAttr(name)
			if !a.Computed && !v.IsNull() || a.NestedType != nil && wasConfigured(nestOf(a.NestedType), v) {
				return true
			}
		}
	}
	return false
}

// nested proposes the value of a nested attribute or block type
// (docs/semantics.md#proposed-nested-attributes, #proposed-blocks).
func (w *proposer) nested(n nest, p, c cty.Value, above cty.ValueMarks) merged {
	bareC, markedC := values.Bare(c)
	bareP, markedP := values.Bare(p)
	if !w.shaped(n, bareP) || !w.shaped(n, bareC) || !bareC.IsKnown() || bareC.IsNull() {
		return keep(w.schema.holds(n.fields), p, c, true)
	}
	if markedP {
		above = values.UnionMarks(above, p)
	}
	m := w.members(n, bareP, bareC, above, len(above) == 0 && !markedC)
	m.value = values.WithMarksOf(m.value, c)
	return m
}

// members proposes each object of a nested attribute or block type. Only p may
// be null or unknown.
func (w *proposer) members(n nest, p, c cty.Value, above cty.ValueMarks, share bool) merged {
	cs, ps := n.open(c), n.openIf(p)
	if cs.self {
		return w.object(n, p, c, above, share)
	}
	if cs.n == 0 {
		return keep(w.schema.holds(n.fields), p, c, share)
	}
	cs.load()
	var from []int
	if cs.kind == paths.ByElem {
		ps.load()
		from = correlate(n.fields, ps.elems, cs.elems)
	}
	b := membersBuilder{cs: &cs, ps: &ps, block: n.block, from: from, isC: true, isP: share && ps.n == cs.n}
	w.each(&cs, func(i int) { b.put(i, w.member(n, &b, i, above)) })
	m, ok := b.merged(&w.schema, n)
	if !ok {
		w.violation(RuleTypeMismatch, "the merged elements have different types, so no collection can hold them")
	}
	return m
}

// member proposes one object of a collection.
func (w *proposer) member(n nest, b *membersBuilder, i int, above cty.ValueMarks) merged {
	c := b.cs.elem(i)
	p, has := b.prior(i)
	bareC, markedC := values.Bare(c)
	switch {
	case bareC.IsNull(), n.block && !bareC.IsKnown():
		return keep(w.schema.holds(n.fields), p, c, b.isP && has)
	case !has && b.cs.kind == paths.ByIndex:
		return merged{value: c, isC: true}
	}
	bareP, markedP := values.Bare(p)
	if markedP {
		above = values.UnionMarks(above, p)
	}
	m := w.object(n, bareP, bareC, above, len(above) == 0 && !markedC)
	m.value = values.WithMarksOf(m.value, c)
	return m
}
