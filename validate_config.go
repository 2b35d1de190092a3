package objchange

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/values"
)

// AssertConfigValid checks a configuration against its schema
// (docs/specification.md#9-configuration): required attributes are set, read-only attributes are
// not set, and the number of blocks is within the limits of the schema. A provider can rely on
// these properties when it validates a configuration. All violations are Rejected.
//
// The value must conform to the schema. Null is valid, for a resource to be deleted. Unknown
// values are valid, because they may become any value. Marks are ignored, but marked values are
// not shown.
func AssertConfigValid(schema *Schema, config cty.Value) (found Violations) {
	defer rescue(&found)
	r := reviewConfig(schema, config)
	return r.violations()
}

func reviewConfig(schema *Schema, config cty.Value) (r review) {
	c := argument{name: "config", value: config}
	if r.admit(schema, &c) {
		var w configCheck
		w.object(schema.root, c.value)
		r.faults = w.faults
	}
	return r
}

// A configCheck walks a configuration.
type configCheck struct{ walk }

// object checks the parts of an unmarked object.
func (w *configCheck) object(n *node, c cty.Value) {
	if c.IsNull() || !c.IsKnown() {
		return
	}
	for _, child := range n.children {
		v := values.Unmarked(c.GetAttr(child.name))
		if !child.block {
			w.attribute(child, v)
		}
		if child.nested() {
			w.enterName(child.name)
			w.nested(child, v)
			w.leave()
		}
	}
}

func (w *configCheck) attribute(n *node, v cty.Value) {
	if n.required && v.IsNull() {
		w.reportAt(n.name, fault{rule: RuleConfigRequired})
	}
	if n.readOnly() && v.IsKnown() && !n.unset(v) {
		w.reportAt(n.name, fault{rule: RuleConfigComputedOnly})
	}
}

// nested checks the objects of a nested attribute or block type. A group in which nothing is
// set counts as absent.
func (w *configCheck) nested(n *node, v cty.Value) {
	ms := n.open(v)
	if n.block && v.IsKnown() {
		w.count(n, &ms)
	}
	if n.group() && n.nothingSet(v) {
		return
	}
	w.each(&ms, func(i int) { w.object(n, values.Unmarked(ms.elem(i))) })
}

// count checks the number of blocks. An unknown block may become any number of blocks. In a
// set, a block with unknown values may become equal to another block.
func (w *configCheck) count(n *node, ms *members) {
	if n.group() || n.keyed() {
		return
	}
	if n.single() {
		if n.minItems > 0 && ms.value.IsNull() {
			w.report(fault{rule: RuleConfigBlockCount, now: ms.value})
		}
		return
	}
	ms.load()
	certain, unknown := 0, false
	for i := range ms.n {
		switch elem := values.Unmarked(ms.elem(i)); {
		case !elem.IsKnown():
			unknown = true
		case ms.kind != paths.ByElem || elem.IsWhollyKnown():
			certain++
		}
	}
	if !unknown && ms.n < n.minItems || n.maxItems > 0 && certain > n.maxItems {
		w.report(fault{rule: RuleConfigBlockCount, now: ms.value})
	}
}

// AssertConfigConsistent checks the configuration at apply against the configuration at plan
// (docs/specification.md#9-configuration). As between two plans, known values must not change, and
// an unknown value may become any value that its refinements allow. The final configuration must
// be wholly known. All violations are Rejected.
//
// Both values must conform to the schema. Marks are ignored, but marked values are not shown.
// The cost is the same as for a comparison of the two values.
func AssertConfigConsistent(schema *Schema, initial, final cty.Value) (found Violations) {
	defer rescue(&found)
	r := reviewConfigs(schema, initial, final)
	return r.violations()
}

func reviewConfigs(schema *Schema, initial, final cty.Value) (r review) {
	was, now := argument{name: "initial", value: initial}, argument{name: "final", value: final}
	if r.admit(schema, &was, &now) {
		w := consistencyCheck{unknownRule: RuleConfigUnknown}
		w.configuration(schema.root, was.value, now.value)
		r.faults = w.faults
		for i := range r.faults {
			r.faults[i].configured = true
		}
	}
	return r
}

// configuration checks a root object by the value rules.
func (w *consistencyCheck) configuration(n *node, was, now cty.Value) {
	if w.unknown(now) {
		return
	}
	if !w.bothKnown(was, now) {
		was = unplanned
	}
	if now.IsNull() {
		return
	}
	for _, child := range n.children {
		if old, new := earlierPart(was, child.name), now.GetAttr(child.name); !settled(old, new) {
			w.enterName(child.name)
			w.whole(child, old, new)
			w.leave()
		}
	}
}
