package objchange

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/setorder"
	"github.com/objchange/objchange/internal/values"
)

// ProposedNew returns the proposed new state of a resource
// (docs/specification.md#3-proposed-new-state). It is the configuration, in which attributes that
// are not configured keep the prior values that the provider chose. Terraform Core sends it to the
// provider in PlanResourceChange.
//
// The error is an [*InputError].
//
// Both values must conform to the schema. To create a resource, prior is null or the zero
// cty.Value. To delete a resource, config is null, and the result is null too. prior may contain
// unknown values. If it is unknown as a whole, the result is the same as from
// [PlannedDataResource].
//
// Marks are kept. Each value that is taken from config or prior keeps its own marks. A value
// from prior also gets the marks of the containers around it in prior. A container in the
// result has the marks of the container in config.
//
// The cost of correlating set elements (docs/specification.md#4-set-elements) grows linearly with
// their number, apart from the sorting in cty, if the elements differ in primitive values or in
// single nested objects. Otherwise it is quadratic.
func ProposedNew(schema *Schema, prior, config cty.Value) (proposed cty.Value, err error) {
	defer rescueError(&proposed, &err)
	return propose(schema, argument{name: "prior", value: prior, nilIsNull: true}, config, false)
}

// PlannedDataResource returns the planned value of a data source or an ephemeral resource that
// cannot be read before apply. It is the configuration, with unknown values for the attributes
// that the provider chooses (docs/specification.md#51-data-sources). It equals the result of
// [ProposedNew] for an unknown prior value.
//
// The error is an [*InputError].
//
// The configuration must conform to the schema. The result is null for a null configuration and
// unknown for an unknown configuration. Marks are kept.
func PlannedDataResource(schema *Schema, config cty.Value) (planned cty.Value, err error) {
	defer rescueError(&planned, &err)
	return propose(schema, argument{name: "prior", value: cty.DynamicVal}, config, false)
}

func init() {
	setorder.ProposedNew = func(schema any, prior, config cty.Value) (proposed cty.Value, err error) {
		defer rescueError(&proposed, &err)
		return propose(schema.(*Schema), argument{name: "prior", value: prior}, config, true)
	}
}

func propose(schema *Schema, prior argument, config cty.Value, listSets bool) (cty.Value, error) {
	var r review
	p, c := prior, argument{name: "config", value: config}
	if !r.admit(schema, &p, &c) {
		return cty.NilVal, r.err()
	}
	w := proposer{listSets: listSets}
	m := w.nested(schema.root, values.WithMarksOf(p.value, prior.value), values.WithMarksOf(c.value, config), nil)
	r.faults = w.faults
	if len(r.faults) > 0 {
		return cty.NilVal, r.err()
	}
	return m.value, nil
}

// A proposer merges prior values, named p, into configured values, named c.
type proposer struct {
	walk
	parts    []cty.Value // stack of the parts of the enclosing objects, reused to save allocations
	listSets bool        // return lists in place of sets, except inside a collection; see package setorder
}

// A mergedValue is a proposed value. isC means that it is the configured value itself, and isP that
// it is the prior value itself. If the same is true of all parts of a container, the container is
// reused.
type mergedValue struct {
	value    cty.Value
	isC, isP bool
}

// keepConfig returns the configured value. If share is set, it also compares it with the prior
// value, which costs time.
func keepConfig(n *node, p, c cty.Value, share bool) mergedValue {
	return mergedValue{c, true, share && n.equal(p, c, values.Interchangeable)}
}

// object proposes the attributes and blocks of one object
// (docs/specification.md#3-proposed-new-state). The values are unmarked, and c is not null. above
// are the marks of the prior containers. The result can be the prior object itself only if share is
// set.
func (w *proposer) object(n *node, p, c cty.Value, above cty.ValueMarks, share bool) mergedValue {
	base := len(w.parts)
	defer func() { w.parts = w.parts[:base] }()
	isC, isP := c.IsKnown(), share && p.IsKnown() && !p.IsNull()
	for _, child := range n.children {
		var m mergedValue
		if ce := c.GetAttr(child.name); child.block {
			w.enterName(child.name)
			m = w.nested(child, partOf(p, child.name), ce, above)
			w.leave()
		} else {
			m = w.attribute(n, child, p, ce, above, isP)
		}
		w.parts = append(w.parts, m.value)
		isC, isP = isC && m.isC, isP && m.isP
	}
	switch {
	case isC:
		return mergedValue{c, true, isP}
	case isP:
		return mergedValue{p, false, true}
	}
	return mergedValue{value: n.objectOf(w.parts[base:])}
}

// attribute proposes one attribute of an object (docs/specification.md#31-attributes). p is
// the prior object.
func (w *proposer) attribute(parent, n *node, p, c cty.Value, above cty.ValueMarks, share bool) mergedValue {
	switch {
	case n.computed && c.IsNull():
		p := parent.priorPart(p, n)
		if n.optional && n.nested() && wasConfigured(n, p) {
			return mergedValue{value: c, isC: true}
		}
		return takePrior(n, p, c, above)
	case !n.nested() && !share:
		return mergedValue{value: c, isC: true}
	case !n.nested():
		return keepConfig(n, parent.priorPart(p, n), c, true)
	}
	w.enterName(n.name)
	defer w.leave()
	return w.nested(n, parent.priorPart(p, n), c, above)
}

// priorPart returns the prior value of an attribute. If the object p is null, the value is
// null: of the dynamic type below a block, and of the type that the null object has below a
// nested attribute.
func (n *node) priorPart(p cty.Value, child *node) cty.Value {
	switch {
	case !p.IsNull():
		return p.GetAttr(child.name)
	case n.block && child.group(): // the empty value of a block has an object here
		return child.emptyAll()
	case n.block || !p.Type().IsObjectType():
		return absentValue
	}
	return cty.NullVal(p.Type().AttributeType(child.name))
}

// takePrior returns the prior value, with its type, for an attribute that is null in the
// configuration. A part of a null or unknown prior object has no type and gets the type of the
// schema.
func takePrior(n *node, p, c cty.Value, above cty.ValueMarks) mergedValue {
	v, isP := p, true
	if p.Type() == cty.DynamicPseudoType {
		ty := c.Type()
		if n.dynamic {
			ty = n.ty
		}
		v = cty.NullVal(ty)
		if !p.IsNull() {
			v = cty.UnknownVal(ty)
		}
		v, isP = values.WithMarksOf(v, p), ty == cty.DynamicPseudoType
	}
	v = values.WithMarks(v, above)
	return mergedValue{v, v.IsNull() && n.equal(v, c, values.Interchangeable), isP}
}

// wasConfigured reports whether a prior value contains, at any depth, a value that is not null
// in an attribute that is not computed. Only a configuration can have set such a value.
func wasConfigured(n *node, p cty.Value) bool {
	p = values.Unmarked(p)
	if p.IsNull() || !p.IsKnown() {
		return false
	}
	ps := n.open(p)
	ps.load()
	for i := range ps.n {
		object := values.Unmarked(ps.elem(i))
		if object.IsNull() || !object.IsKnown() {
			continue
		}
		for _, child := range n.children {
			v := object.GetAttr(child.name)
			if !child.computed && !v.IsNull() || child.nested() && wasConfigured(child, v) {
				return true
			}
		}
	}
	return false
}

// nested proposes the value of a nested attribute or block type
// (docs/specification.md#32-nested-attributes and docs/specification.md#33-block-types).
func (w *proposer) nested(n *node, p, c cty.Value, above cty.ValueMarks) mergedValue {
	bareC, markedC := values.Bare(c)
	if !bareC.IsKnown() || bareC.IsNull() {
		return keepConfig(n, p, c, true)
	}
	bareP, markedP := values.Bare(p)
	if markedP {
		above = values.UnionMarks(above, p)
	}
	share := len(above) == 0 && !markedC
	var m mergedValue
	if n.single() {
		m = w.object(n, bareP, bareC, above, share)
	} else {
		m = w.members(n, bareP, bareC, above, share)
	}
	m.value = values.WithMarksOf(m.value, c)
	return m
}

// members proposes each object of a collection. Only p may be null or unknown.
func (w *proposer) members(n *node, p, c cty.Value, above cty.ValueMarks, share bool) mergedValue {
	cs, ps := n.open(c), n.open(p)
	if cs.n == 0 {
		return keepConfig(n, p, c, share)
	}
	cs.load()
	var from []int // for a set: the index of the prior element for each configured element
	if cs.kind == paths.ByElem {
		ps.load()
		from = correlate(n, ps.elems, cs.elems)
	}
	elems := make([]cty.Value, cs.n)
	isC, isP := true, share && ps.n == cs.n
	listSets := w.listSets
	w.listSets = false
	w.each(&cs, func(i int) {
		pe, has := n.priorMember(&ps, &cs, from, i)
		m := w.member(n, pe, has, cs.elem(i), cs.kind == paths.ByIndex, above, isP)
		elems[i] = m.value
		isC, isP = isC && m.isC, isP && m.isP
	})
	w.listSets = listSets
	switch {
	case n.set() && listSets:
		return mergedValue{value: cty.ListVal(setorder.Sorted(elems))}
	case isC:
		return mergedValue{c, true, isP}
	case isP:
		return mergedValue{p, false, true}
	}
	v, ok := cs.rebuild(elems, n.dynamic)
	if !ok {
		w.report(fault{rule: RuleTypeMismatch, input: &inputFault{problem: mixedElements}})
	}
	return mergedValue{value: v}
}

// priorMember returns the prior member for the configured member i, and whether it exists. In
// an unknown set, no prior member exists. In an unknown list or map, each one exists and is
// unknown. If a key is absent or the map is unknown, the value has the type of the configured
// element, except for an absent block.
func (n *node) priorMember(ps, cs *members, from []int, i int) (v cty.Value, has bool) {
	switch {
	case from != nil:
		if j := from[i]; j >= 0 {
			return ps.elems[j], true
		}
		return absentValue, false
	case ps.value.IsKnown():
		v, has = ps.like(cs, i)
		if !has && n.keyed() && !n.block {
			v = cty.NullVal(cs.elem(i).Type())
		}
		return v, has
	case n.keyed():
		return cty.UnknownVal(cs.elem(i).Type()), true
	}
	return unknownMember(ps.value.Type(), i), true
}

// member proposes one object of a collection.
func (w *proposer) member(
	n *node, p cty.Value, has bool, c cty.Value, indexed bool, above cty.ValueMarks, share bool,
) mergedValue {
	bareC, markedC := values.Bare(c)
	switch {
	case bareC.IsNull(), n.block && !bareC.IsKnown():
		return keepConfig(n, p, c, share && has)
	case !has && indexed:
		return mergedValue{value: c, isC: true}
	}
	bareP, markedP := values.Bare(p)
	if markedP {
		above = values.UnionMarks(above, p)
	}
	m := w.object(n, bareP, bareC, above, len(above) == 0 && !markedC)
	m.value = values.WithMarksOf(m.value, c)
	return m
}
