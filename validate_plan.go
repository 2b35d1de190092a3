package objchange

import (
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/values"
)

// AssertPlanValid checks a provider's plan against the configuration and the prior state
// (docs/specification.md#10-plan). The plan must contain each configured value unchanged, or the
// value from the prior state. It may contain a value that is not configured only if the schema
// allows the provider to choose the value.
//
// Terraform Core does not check set elements. AssertPlanValid compares them with the configured
// elements by content (docs/specification.md#103-set-elements) and reports violations that are
// Unchecked.
//
// All three values must conform to the schema. To create a resource, prior is null or the zero
// cty.Value. prior may contain unknown values, but must not be unknown as a whole. If the schema
// has computed blocks, pass the configuration from [PrepareComputedBlocks]. Marks are ignored,
// but marked values are not shown.
//
// The cost is the same as for one comparison of the values. The time to match set elements grows
// linearly with their number, apart from the sorting in cty, if the elements differ in primitive
// values or in single nested objects. If very many elements that differ in other ways have no
// match, the search stops, and nothing is reported for the set.
func AssertPlanValid(schema *Schema, prior, config, planned cty.Value) (found Violations) {
	defer rescue(&found)
	r := reviewPlan(schema, prior, config, planned)
	return r.violations()
}

func reviewPlan(schema *Schema, prior, config, planned cty.Value) (r review) {
	p := argument{name: "prior", value: prior, mustKnow: true, nilIsNull: true}
	c, n := argument{name: "config", value: config}, argument{name: "planned", value: planned}
	if r.admit(schema, &p, &c, &n) {
		var w planCheck
		w.root(schema.root, p.value, c.value, n.value)
		r.faults = w.faults
	}
	return r
}

// A planCheck walks a plan together with the configuration and the prior state. At each place,
// p is the prior value, c the configured value and v the planned value.
type planCheck struct{ walk }

func (w *planCheck) root(n *node, p, c, v cty.Value) {
	if !v.IsKnown() {
		w.report(fault{rule: RulePlanUnknownBlock})
		return
	}
	w.writeOnly(n, v)
	w.object(n, priorPlace{one: p}, c, v)
}

// object checks a root or block object. The values are unmarked, and v is known.
func (w *planCheck) object(n *node, p priorPlace, c, v cty.Value) {
	switch {
	case v.IsNull() && c.IsNull():
	case v.IsNull():
		w.report(fault{rule: RulePlanAbsent})
	case c.IsNull():
		w.report(fault{rule: RulePlanPresent})
	default:
		w.parts(n, p, c, v)
	}
}

// parts checks the attributes and blocks of an unmarked object. Read-only attributes need no
// check.
func (w *planCheck) parts(n *node, p priorPlace, c, v cty.Value) {
	for _, child := range n.children {
		switch {
		case w.failed:
			return
		case child.block:
			w.enterName(child.name)
			configured, planned := values.Unmarked(partOf(c, child.name)), values.Unmarked(partOf(v, child.name))
			w.blocks(child, p.part(child).unmarked(), configured, planned)
			w.leave()
		case !child.writeOnly && !child.readOnly():
			w.attribute(child, p, typedPart(c, child.name), typedPart(v, child.name))
		}
	}
}

// typedPart is like partOf, but a part of a null object has the type of the attribute.
func typedPart(object cty.Value, name string) cty.Value {
	if object.IsNull() && object.Type().IsObjectType() {
		return cty.NullVal(object.Type().AttributeType(name))
	}
	return partOf(object, name)
}

// attribute checks an attribute that can be configured. p is the prior object, because the
// prior value of the attribute is seldom needed.
func (w *planCheck) attribute(n *node, p priorPlace, c, v cty.Value) {
	switch {
	case c.IsNull() && n.computed:
	case c.IsNull() && !v.IsNull():
		w.reportAt(n.name, fault{rule: RulePlanNotComputed, now: v})
	case c.IsNull():
		if n.anyType() && !values.SameType(c.Type(), v.Type()) {
			w.reportAt(n.name, fault{rule: RulePlanNotConfig, was: c, now: v})
		}
	case !n.nested():
		if !n.equal(v, c, values.Content) && !p.part(n).equals(n, v) {
			w.reportAt(n.name, fault{rule: RulePlanNotConfig, was: c, now: v, prior: p.part(n).one})
		}
	default:
		w.enterName(n.name)
		mark := w.mark()
		w.nested(n, p.part(n).unmarked(), values.Unmarked(c), values.Unmarked(v))
		if w.foundSince(mark) && p.part(n).equals(n, values.Unmarked(v)) {
			w.discardSince(mark)
		}
		w.leave()
	}
}

// nested checks a configured nested attribute.
func (w *planCheck) nested(n *node, p priorPlace, c, v cty.Value) {
	switch {
	case v.IsNull():
		w.report(fault{rule: RulePlanAbsent})
	case !v.IsKnown():
		if !n.equal(v, c, values.Content) {
			w.report(fault{rule: RulePlanUnknownNested})
		}
	case n.set():
		if !mayBeAsLong(c, v) {
			w.report(fault{rule: RulePlanCount, was: c, now: v})
		}
		if c.IsKnown() {
			w.set(n, p, c, v)
		}
	case !c.IsKnown() && !n.single():
		w.report(fault{rule: RulePlanCount, was: c, now: v})
	default:
		w.members(n, p, c, v)
	}
}

// blocks checks all blocks of a type.
func (w *planCheck) blocks(n *node, p priorPlace, c, v cty.Value) {
	switch {
	case n.shouldBeEmpty(v):
		w.report(fault{rule: RulePlanNullBlocks})
	case !c.IsKnown():
		if !n.equal(v, c, values.Exactly) {
			w.report(fault{rule: RulePlanDynamicBlock})
		}
	case c.IsNull() && n.computed:
	case !v.IsKnown():
		w.report(fault{rule: RulePlanUnknownBlocks})
	default:
		mark := w.mark()
		if n.set() {
			w.set(n, p, c, v)
		} else {
			w.members(n, p, c, v)
		}
		if w.foundSince(mark) && values.Equal(v, c, values.Exactly) {
			w.discardSince(mark)
		}
	}
}

// members checks each object of a value that is not a set. A collection must be known in c and
// v, and not null in v.
func (w *planCheck) members(n *node, p priorPlace, c, v cty.Value) {
	vs, cs := n.open(v), n.open(c)
	if vs.kind != paths.ByAttr && vs.n != cs.n {
		w.report(fault{rule: RulePlanCount, was: c, now: v})
		return
	}
	shared, ps := 0, p.open(n)
	w.each(&vs, func(i int) {
		ce, has := cs.like(&vs, i)
		switch ve := values.Unmarked(vs.elem(i)); {
		case w.failed:
		case has:
			shared++
			w.member(n, ps.like(&vs, i).unmarked(), values.Unmarked(ce), ve)
		case n.block && vs.kind == paths.ByKey && !ve.IsKnown():
			w.report(fault{rule: RulePlanUnknownBlock})
		}
	})
	if !w.failed && (shared != vs.n || shared != cs.n) {
		w.report(fault{rule: RulePlanKey, was: c, now: v})
	}
}

// member checks one object.
func (w *planCheck) member(n *node, p priorPlace, c, v cty.Value) {
	switch {
	case !n.block:
		w.parts(n, p, c, v)
	case !v.IsKnown():
		w.report(fault{rule: RulePlanUnknownBlock})
	default:
		w.object(n, p, c, v)
	}
}

// mayBeAsLong reports whether two sets may have the same number of elements in the end.
func mayBeAsLong(c, v cty.Value) bool {
	if c.IsKnown() && c.LengthInt() == v.LengthInt() {
		return true
	}
	lo, hi := lengthRange(c)
	vlo, vhi := lengthRange(v)
	return vlo <= hi && lo <= vhi
}

// lengthRange returns the limits of the number of elements that a set may have in the end, because
// unknown elements may become equal to others. The set is not null.
func lengthRange(set cty.Value) (lo, hi int) {
	switch {
	case !set.IsKnown():
		return set.Range().LengthLowerBound(), set.Range().LengthUpperBound()
	case set.IsWhollyKnown():
		return set.LengthInt(), set.LengthInt()
	}
	return 1, set.LengthInt()
}

// planning describes when a planned element could have come from a configured element: all
// values that the provider must not choose are equal.
var planning = relation{
	treat: func(n *node, v cty.Value, first bool) treatment {
		switch {
		case n.readOnly() || n.writeOnly:
			return notCompared
		case first && n.computed && v.IsNull():
			return anyValue
		case !n.block && (!n.nested() || v.IsNull()):
			return equalValue
		}
		return itsParts
	},
	null:    func(bool) treatment { return equalValue },
	nullAll: func(bool) treatment { return itsParts },
}

// set compares the planned and the configured elements of a set by content
// (docs/specification.md#103-set-elements). Each element must have a counterpart under the
// rules for plans.
func (w *planCheck) set(n *node, p priorPlace, c, v cty.Value) {
	if w.failed {
		return
	}
	cs, vs := n.open(c), n.open(v)
	cs.load()
	vs.load()
	for i, elem := range vs.elems {
		if n.block && !elem.IsKnown() {
			w.enter(vs.step(i))
			w.report(fault{rule: RulePlanUnknownBlock})
			w.leave()
		}
	}
	mark := w.mark()
	if !slices.ContainsFunc(cs.elems, isUnknown) && !slices.ContainsFunc(vs.elems, isUnknown) {
		w.match(n, p.elements(n), cs.elems, vs.elems)
	}
	if vs.n > cs.n && !w.foundSince(mark) {
		w.report(fault{rule: RulePlanSetElement, was: c, now: v, lengths: true})
	}
}

func isUnknown(v cty.Value) bool { return !v.IsKnown() }

// match looks for a configured element for each planned element, and for a planned element for
// each configured element. It reports the first element that has none. The matcher does not
// know that values equal to the prior value are valid. Therefore match compares unpaired
// elements with all others.
func (w *planCheck) match(n *node, p priorPlace, cs, vs []cty.Value) {
	probe := &planCheck{walk{probing: true}}
	agree := func(i, j int) bool {
		probe.failed = false
		probe.member(n, p, cs[i], vs[j])
		return !probe.failed
	}
	m := planning.matcher(n, cs, vs)
	configured, planned := m.Match(agree)
	for _, j := range planned {
		i := firstOf(len(cs), func(i int) bool { return m.Try(i, j, agree) })
		if i < 0 {
			w.report(fault{rule: RulePlanSetElement, now: vs[j], others: pick(cs, configured)})
			return
		}
		configured = slices.DeleteFunc(configured, func(other int) bool { return other == i })
	}
	for _, i := range configured {
		if firstOf(len(vs), func(j int) bool { return m.Try(i, j, agree) }) < 0 {
			w.report(fault{rule: RulePlanSetElement, was: cs[i], others: pick(vs, planned)})
			return
		}
	}
}

// A priorPlace is the prior value at a place in a plan. Inside a set, it is the pool of all values
// that the prior elements have at the place, because a planned element does not show which
// prior element it was made from.
type priorPlace struct {
	one  cty.Value
	pool *pool
}

func (p priorPlace) unmarked() priorPlace {
	if p.pool == nil {
		p.one = values.Unmarked(p.one)
	}
	return p
}

// part returns the prior value of a part of an unmarked prior object.
func (p priorPlace) part(child *node) priorPlace {
	if p.pool != nil {
		return p
	}
	return priorPlace{one: partOf(p.one, child.name)}
}

// equals reports whether a value at the node equals a prior value that is not null.
func (p priorPlace) equals(n *node, v cty.Value) bool {
	if p.pool != nil {
		return p.pool.has(n, v)
	}
	return !p.one.IsNull() && values.Equal(v, p.one, values.Content)
}

// open returns the members of an unmarked prior collection.
func (p priorPlace) open(n *node) priorMembers {
	if p.pool != nil {
		return priorMembers{pool: p.pool}
	}
	return priorMembers{members: n.open(p.one)}
}

// elements returns the pool of the elements of a prior set.
func (p priorPlace) elements(n *node) priorPlace {
	if p.pool != nil {
		return p
	}
	return priorPlace{pool: &pool{n: n, set: p.one}}
}

type priorMembers struct {
	members
	pool *pool
}

// like returns the prior member at the same index or key as a planned member.
func (ps *priorMembers) like(vs *members, i int) priorPlace {
	if ps.pool != nil {
		return priorPlace{pool: ps.pool}
	}
	one, _ := ps.members.like(vs, i)
	return priorPlace{one: one}
}

// A pool has all values in the elements of a prior set, by node. It is filled on first use. A
// plan that equals the configuration never uses it.
type pool struct {
	n      *node
	set    cty.Value
	values map[*node]map[uint64][]cty.Value
}

// has reports whether the pool contains an equal value.
func (p *pool) has(n *node, v cty.Value) bool {
	if v.IsNull() || p.set.IsNull() {
		return false
	}
	if p.values == nil {
		p.values = map[*node]map[uint64][]cty.Value{}
		p.addMembers(p.n, p.set)
	}
	return slices.ContainsFunc(p.values[n][values.Hash(v)], func(other cty.Value) bool {
		return values.Equal(v, other, values.Content)
	})
}

func (p *pool) addMembers(n *node, v cty.Value) {
	ms := n.open(v)
	ms.load()
	for i := range ms.n {
		object := values.Unmarked(ms.elem(i))
		if object.IsNull() {
			continue
		}
		for _, child := range n.children {
			p.add(child, values.Unmarked(object.GetAttr(child.name)))
		}
	}
}

func (p *pool) add(n *node, v cty.Value) {
	if v.IsNull() {
		return
	}
	if p.values[n] == nil {
		p.values[n] = map[uint64][]cty.Value{}
	}
	h := values.Hash(v)
	p.values[n][h] = append(p.values[n][h], v)
	if n.nested() {
		p.addMembers(n, v)
	}
}
