package objchange

import (
	"fmt"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/values"
	"github.com/zclconf/go-cty/cty"
)

// AssertConfigValid holds a configuration against its schema
// (docs/semantics.md#configuration): required attributes are set, computed-only
// ones are not, and there are as many blocks as the schema allows. It is what a
// provider can rely on when it is asked to validate a configuration. All
// violations are enforced.
//
// The value must conform to the schema. Null is fine, for a resource to be
// deleted, and so is all that is unknown: it has the benefit of the doubt. Marks
// are ignored, but what is marked is not shown.
func AssertConfigValid(schema *Schema, config cty.Value) (found Violations) {
	defer rescue(&found)
	var w configCheck
	return w.run(schema, config)
}

// AssertConfigConsistent holds the configuration at apply against the one at
// plan (docs/semantics.md#configuration): it may only fill in what was unknown,
// by the value rules of two plans, and must be wholly known. All violations are
// enforced.
//
// Both values must conform to the schema; marks are ignored, but what is marked
// is not shown. It costs as much as comparing the two.
func AssertConfigConsistent(schema *Schema, initial, final cty.Value) (found Violations) {
	defer rescue(&found)
	w := consistencyCheck{judging: true, state: true, config: true}
	return w.runConfig(schema, initial, final)
}

func (w *consistencyCheck) runConfig(schema *Schema, initial, final cty.Value) Violations {
	args := [...]argument{{name: "initial", value: initial}, {name: "final", value: final}}
	if f, ok := w.admit(schema, args[:]); ok {
		w.configuration(f, args[0].value, args[1].value)
	}
	return w.found.sorted()
}

// configuration checks a root object by the value rules.
func (w *consistencyCheck) configuration(f fields, was, now cty.Value) {
	root := scope{nested: true, fields: f}
	if w.unknownState(now) {
		return
	}
	if !w.judge(root, was, now) {
		w.stateOnly(root, now)
		return
	}
	for name, a := range f.attrs {
		w.enter(paths.Step{Name: name}, isSecret(a))
		w.whole(w.scope(a), w.schema.attributeHolds(a).dynamic, was.GetAttr(name), now.GetAttr(name))
		w.leave()
	}
	for name, nb := range f.blocks {
		w.enter(paths.Step{Name: name}, false)
		old, new := was.GetAttr(name), now.GetAttr(name)
		if w.fits(w.blockScope(nb), old, new) {
			w.whole(w.blockScope(nb), w.schema.holds(fieldsOf(&nb.Block)).dynamic, old, new)
		}
		w.leave()
	}
}

// A configCheck walks a configuration.
type configCheck struct{ walk }

func (w *configCheck) run(schema *Schema, config cty.Value) Violations {
	args := [...]argument{{name: "config", value: config}}
	if f, ok := w.admit(schema, args[:]); ok {
		w.object(f, args[0].value)
	}
	return w.found.sorted()
}

// object checks the fields of an object without marks.
func (w *configCheck) object(f fields, c cty.Value) {
	if c.IsNull() || !c.IsKnown() {
		return
	}
	for name, a := range f.attrs {
		v := c.GetAttr(name)
		if a.Required && v.IsNull() {
			w.fieldViolation(name, RuleConfigRequired, "the attribute is required and not set")
		}
		if isComputedOnly(a) && v.IsKnown() && !isUnset(a, v) {
			w.fieldViolation(name, RuleConfigComputedOnly, "only the provider may set the attribute")
		}
		if a.NestedType != nil {
			n, v := nestOf(a.NestedType), values.Unmarked(v)
			ms := n.openIf(v)
			w.enter(paths.Step{Name: name}, isSecret(a))
			w.each(n, &ms)
			w.leave()
		}
	}
	for name, nb := range f.blocks {
		w.enter(paths.Step{Name: name}, false)
		w.blocks(nb, values.Unmarked(c.GetAttr(name)))
		w.leave()
	}
}

func (w *configCheck) fieldViolation(name string, rule Rule, message string) {
	w.enter(paths.Step{Name: name}, false)
	w.violation(rule, message)
	w.leave()
}

// blocks checks all blocks of a type.
func (w *configCheck) blocks(nb *configschema.NestedBlock, v cty.Value) {
	n := blockNest(nb)
	if !v.IsKnown() || !w.shaped(n, v) {
		return
	}
	if isNullable(n.mode) && nb.MinItems > 0 && v.IsNull() {
		w.violation(RuleConfigBlockCount, "the block is required and there is none")
	}
	ms := n.openIf(v)
	ms.load()
	if !n.mode.Single() && !n.mode.Keyed() {
		w.count(nb, &ms)
	}
	w.each(n, &ms)
}

// count judges the number of blocks, of which unknown ones may stand for any
// number, and in sets may turn out to be equal.
func (w *configCheck) count(nb *configschema.NestedBlock, ms *members) {
	certain, unknown := 0, false
	for i := range ms.n {
		switch elem := values.Unmarked(ms.elem(i)); {
		case !elem.IsKnown():
			unknown = true
		case ms.kind != paths.ByElem || elem.IsWhollyKnown():
			certain++
		}
	}
	if !unknown && ms.n < nb.MinItems {
		w.violation(RuleConfigBlockCount, fmt.Sprintf("there must be at least %d blocks, and the configuration has %d", nb.MinItems, ms.n))
	}
	if nb.MaxItems > 0 && certain > nb.MaxItems {
		w.violation(RuleConfigBlockCount, fmt.Sprintf("there may be %d blocks at most, and the configuration has %d", nb.MaxItems, ms.n))
	}
}

// each checks each object of a nested attribute or block type. A group that sets
// nothing is not there.
func (w *configCheck) each(n nest, ms *members) {
	if isGroupMode(n.mode) && n.allNull(ms.value) {
		return
	}
	w.walk.each(ms, func(i int) { w.object(n.fields, values.Unmarked(ms.elem(i))) })
}
