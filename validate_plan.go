package objchange

import (
	"slices"

	"fmt"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/values"
	"github.com/zclconf/go-cty/cty"
)

// AssertPlanValid holds a provider's plan against the configuration
// (docs/semantics.md#the-plan): a configured value must be planned as it is, or
// exactly as the prior state has it, which nobody asks to mean the same, and a
// value that is not configured may only be planned where the provider may
// choose. Set elements, which Terraform Core does not look at, are held against
// the configuration by content (docs/semantics.md#planned-set-elements), with
// violations that are not enforced.
//
// All three values must conform to the schema. The prior value is null, or the
// zero cty.Value, for a resource to be created, and may hold unknown values but
// not be unknown as a whole; the configuration is the prepared one where there
// are computed blocks. Marks are ignored, but what is marked is not shown.
//
// Its cost is that of comparing the values once; set elements are matched in
// time that grows with their number, apart from cty's sorting. Where very many
// match nothing, the search is given up and nothing is reported of the set.
func AssertPlanValid(schema *Schema, prior, config, planned cty.Value) (found Violations) {
	defer rescue(&found)
	var w planCheck
	return w.run(schema, prior, config, planned)
}

func (w *planCheck) run(schema *Schema, prior, config, planned cty.Value) Violations {
	args := [...]argument{
		{name: "prior", value: prior, known: true, maybe: true},
		{name: "config", value: config},
		{name: "planned", value: planned},
	}
	if f, ok := w.admit(schema, args[:]); ok {
		w.root(f, args[0].value, args[1].value, args[2].value)
	}
	return w.found.sorted()
}

// A planCheck walks a plan together with configuration and prior state. The
// values named p, c and n below are the three at one place.
type planCheck struct {
	walk

	// How set elements are held against each other
	// (docs/semantics.md#planned-set-elements).
	tries     int  // pairs that may still be tried
	exhausted bool // too many have been tried
}

func (w *planCheck) root(f fields, p, c, n cty.Value) {
	if !n.IsKnown() {
		w.violation(RulePlanUnknownBlock, "the plan is unknown as a whole")
		return
	}
	if w.schema.whole.writeOnly {
		w.writeOnly(f, n)
	}
	w.object(f, prior{one: p}, c, n)
}

// object checks a root or block object without marks, n being known.
func (w *planCheck) object(f fields, p prior, c, n cty.Value) {
	switch {
	case n.IsNull() && c.IsNull():
	case n.IsNull():
		w.violation(RulePlanAbsent, "what is configured is missing in the plan")
	case c.IsNull():
		w.violation(RulePlanPresent, "the plan has an object that is not configured")
	default:
		w.attributes(f, p, c, n)
		for name, nb := range f.blocks {
			if w.refused {
				return
			}
			w.enter(paths.Step{Name: name}, false)
			w.blocks(nb, p.part(name), part(c, name), part(n, name))
			w.leave()
		}
	}
}

// attributes checks the attributes of an object without marks.
func (w *planCheck) attributes(f fields, p prior, c, n cty.Value) {
	for name, a := range f.attrs {
		if a.WriteOnly || isComputedOnly(a) {
			continue
		}
		if w.refused {
			return
		}
		w.enter(paths.Step{Name: name}, isSecret(a))
		w.attribute(name, a, p, part(c, name), part(n, name))
		w.leave()
	}
}

// attribute checks an attribute that can be configured. Here p is the prior
// object, since its part is hardly ever needed.
func (w *planCheck) attribute(name string, a *configschema.Attribute, p prior, c, n cty.Value) {
	if c.IsNull() {
		switch {
		case a.Computed:
		case !n.IsNull():
			w.tell(RulePlanNotComputed, w.schema.attributeHolds(a).secret, "a value is planned that is neither configured nor computed",
				"%s is planned, which is neither configured nor computed", n)
		case !sameNull(a, n, c):
			w.violation(RulePlanNotConfig, fmt.Sprintf("%s is planned where %s is configured", nullName(n.Type()), nullName(c.Type())))
		}
		return
	}
	if a.NestedType == nil {
		if !equalAs(w.schema.attributeHolds(a), n, c, values.Content) && !p.part(name).equals(n) {
			w.notConfig(a, p.part(name), c, n)
		}
		return
	}
	p = barePrior(p.part(name))
	before := len(w.found)
	w.nestedAttribute(a, p, values.Unmarked(c), values.Unmarked(n))
	if (w.refused || len(w.found) > before) && p.equals(n) {
		w.forgive(before)
	}
}

// notConfig tells of a value that is neither the configured nor the prior one.
func (w *planCheck) notConfig(a *configschema.Attribute, p prior, c, n cty.Value) {
	plain, before := "the planned value is not the configured one", cty.NilVal
	if p.pool == nil && !p.one.IsNull() {
		plain, before = plain+", nor the prior one", p.one
	}
	w.tellDifference(RulePlanNotConfig, w.schema.attributeHolds(a).secret, plain, n, c, func(d *difference) string {
		d.backwards = true
		planned, configured := d.texts()
		if d.a == cty.NilVal || d.b == cty.NilVal {
			return planned + " is planned where " + configured + " is configured"
		}
		if before != cty.NilVal && !d.isJSON {
			prior := paths.Follow(before).Along(d.way)
			if prior != nil && !values.Equal(prior.Value, d.a, values.Exactly) {
				_, was := (&difference{a: d.a, b: values.UnmarkedDeep(prior.Value)}).texts()
				return planned + " is planned, which is neither " + configured + " as configured nor " + was + " as before"
			}
		}
		return planned + " is planned, which is not " + configured + " as configured"
	})
}

// forgive takes back the violations of a plan's rules found since, which are the
// ones that the law excuses there.
func (w *planCheck) forgive(since int) {
	w.refused = false
	kept := w.found[:since]
	for _, f := range w.found[since:] {
		if !slices.Contains(infoOf[f.violation.Rule].Tolerated, PhasePlan) {
			kept = append(kept, f)
		}
	}
	w.found = kept
}

// nestedAttribute checks a nested attribute that is configured.
func (w *planCheck) nestedAttribute(a *configschema.Attribute, p prior, c, n cty.Value) {
	nest := nestOf(a.NestedType)
	switch {
	case n.IsNull():
		w.violation(RulePlanAbsent, "the attribute is configured and planned null")
	case !n.IsKnown():
		if !equalAs(w.schema.holds(nest.fields), n, c, values.Content) {
			w.violation(RulePlanUnknownNested, "the attribute is configured and planned unknown as a whole")
		}
	case nest.mode.Coalesces():
		w.setAttribute(nest, p, c, n)
	case !c.IsKnown() && !nest.mode.Single():
		w.violation(RulePlanCount, fmt.Sprintf("the plan has %s where their number is not known yet", counted(n.LengthInt())))
	default:
		w.members(nest, p, c, n)
	}
}

// blocks checks all blocks of a type.
func (w *planCheck) blocks(nb *configschema.NestedBlock, p prior, c, n cty.Value) {
	p, c, n = barePrior(p), values.Unmarked(c), values.Unmarked(n)
	nest := blockNest(nb)
	if p.pool == nil && !w.shaped(nest, p.one) || !w.shaped(nest, c) || !w.shaped(nest, n) {
		return
	}
	switch {
	case nest.shouldBeEmpty(n):
		w.violation(RulePlanNullBlocks, "the blocks are planned null where there should be an empty "+nest.kind())
	case !c.IsKnown():
		if !equalAs(w.schema.holds(nest.fields), n, c, values.Exactly) {
			w.violation(RulePlanDynamicBlock, "blocks are planned whose number is not known yet")
		}
	case c.IsNull() && nb.Computed:
	case !n.IsKnown():
		w.violation(RulePlanUnknownBlocks, "the blocks are planned unknown as a whole")
	default:
		before := len(w.found)
		if nest.mode.Coalesces() {
			w.setBlocks(nest, p, c, n)
		} else {
			w.members(nest, p, c, n)
		}
		if (w.refused || len(w.found) > before) && values.Equal(n, c, values.Exactly) {
			w.forgive(before)
		}
	}
}

// members checks each object of what is no set. Of a collection, n is known and
// not null, and c known.
func (w *planCheck) members(nest nest, p prior, c, n cty.Value) {
	ns, cs := nest.open(n), nest.openIf(c)
	if ns.kind != paths.ByAttr && ns.n != cs.n {
		count := fmt.Sprintf("the plan has %s where the configuration has %d", counted(ns.n), cs.n)
		w.violation(RulePlanCount, w.withKeys(count, &cs, &ns))
		return
	}
	shared := 0
	ps := p.open(nest)
	w.each(&ns, func(i int) {
		ce, has := cs.like(&ns, i)
		if !has {
			return
		}
		shared++
		if !w.refused {
			w.member(nest, barePrior(ps.like(&ns, i)), values.Unmarked(ce), values.Unmarked(ns.elem(i)))
		}
	})
	if shared != ns.n || shared != cs.n {
		w.violation(RulePlanKey, w.keysChanged("the planned keys are not the configured ones", &cs, &ns))
	}
}

// member checks one element of a collection.
func (w *planCheck) member(nest nest, p prior, c, n cty.Value) {
	switch {
	case !nest.block:
		w.attributes(nest.fields, p, c, n)
	case !n.IsKnown():
		w.violation(RulePlanUnknownBlock, "the block is planned unknown as a whole")
	default:
		w.object(nest.fields, p, c, n)
	}
}
