package tfplan

import (
	"slices"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/legacysdk"
	ctyvalues "github.com/objchange/objchange/internal/values"
)

// A resourceConfig is a resource in the configuration. The type of terraform-json loses blocks with
// the nesting modes single and map.
type resourceConfig struct {
	Expressions map[string]any `json:"expressions"`
}

// followsConfig reports whether to compare the planned object with its configuration. An object
// that does not change is not compared, because a plan may keep each prior value.
func (c *change) followsConfig() bool {
	switch c.action {
	case objchange.ActionCreate, objchange.ActionUpdate, objchange.ActionReplace:
		valid := c.before != cty.NilVal && c.after != cty.NilVal
		return valid && !c.after.IsNull() && c.planned.Mode == tfjson.ManagedResourceMode && !c.deposed()
	}
	return false
}

// checkConfig compares the planned object with its configuration, which is nil if it is absent. It
// checks the configuration alone only for the first instance of a resource.
func (c *change) checkConfig(resource *resourceConfig, first bool) Coverage {
	if resource == nil {
		// The configuration of an imported object may not be written yet.
		if c.followsConfig() && c.index.has[configuration] && c.planned.Change.Importing == nil {
			c.contradicts(objchange.RulePlanContradiction,
				"the configuration does not contain the object, but the action is %s", c.action)
		}
		return Coverage{}
	}
	config, coverage := configOf(c.schema, resource.Expressions, c.after)
	config = c.object.sensitive.Mark(config, Sensitive)
	if first {
		for _, f := range findings(objchange.PhaseConfig, writeOnly(c.schema, config)) {
			c.found = append(c.found, finding(objchange.RuleWriteOnlyConstant, objchange.PhaseConfig, f.Shown,
				"is write-only, but a constant in the configuration, so every plan contains the value"))
		}
	}
	if !c.followsConfig() {
		return Coverage{}
	}
	prior := c.before
	if c.action == objchange.ActionReplace {
		prior = cty.NullVal(c.schema.ImpliedType())
	}
	violations := configViolations(c.schema, config, prior, c.after)
	violations = slices.DeleteFunc(violations, func(v *objchange.Violation) bool {
		return v.Rule == objchange.RuleWriteOnlyNotNull // reported without the configuration
	})
	c.found = append(c.found, c.inPlan(violations)...)
	return coverage
}

// configViolations returns the violations of AssertPlanValid that do not depend on unknown parts of
// the configuration. Prior is null for an object that is to be created or replaced, because Core
// plans the new object without the old one.
func configViolations(schema *objchange.Schema, config, prior, planned cty.Value) objchange.Violations {
	before := prior
	if prior.IsNull() {
		before = cty.NilVal
	}
	config = shape{block: schema.Block()}.assumed(config, before, planned)
	if prepared, err := objchange.PrepareComputedBlocks(schema, config); err == nil {
		config = prepared
	}
	found := objchange.AssertPlanValid(schema, prior, config, planned)
	if legacysdk.Resource(schema.Block()) {
		tolerate(found, objchange.PhasePlan, config, planned, func() objchange.Violations {
			null := func(v cty.Value) cty.Value { return legacysdk.Null(schema, v) }
			return objchange.AssertPlanValid(schema, null(prior), null(config), null(planned))
		}, func() objchange.Violations {
			return objchange.AssertPlanValid(legacysdk.Relaxed(schema), prior, config, planned)
		})
	}
	return found
}

// A shape describes the schema of a value, and whether the provider may choose the value.
type shape struct {
	block    *configschema.Block // nil if no part of the value has a schema of its own
	keyed    bool                // the block applies to each element
	computed bool
}

func (s shape) part(name string) shape {
	switch {
	case s.keyed:
		return shape{block: s.block}
	case s.block == nil:
		return shape{}
	case s.block.BlockTypes[name] != nil:
		nested := s.block.BlockTypes[name]
		return shape{&nested.Block, nested.Nesting.Keyed(), nested.Computed}
	case s.block.Attributes[name] != nil:
		attr := s.block.Attributes[name]
		return shape{attr.NestedType.Block(), attr.NestedType != nil && attr.NestedType.Nesting.Keyed(), attr.Computed}
	}
	return shape{}
}

// assumed returns the configuration with the planned value in place of each uncertain part. A part
// is uncertain if it is unknown, or if ignore_changes may have replaced it by the prior value. The
// latter is possible if nothing changes, or if the prior value is null and the provider may choose
// another value. Prior is cty.NilVal if there is no prior object.
func (s shape) assumed(config, prior, planned cty.Value) cty.Value {
	c, marks := config.Unmark()
	p, _ := prior.Unmark()
	n, _ := planned.Unmark()
	ty := c.Type()
	switch {
	case !c.IsKnown(), p != cty.NilVal && (ctyvalues.Equal(p, n, ctyvalues.Content) || p.IsNull() && s.computed):
		return planned
	case n.IsNull() || !n.IsKnown():
	case c.IsNull() && (s.computed || p == cty.NilVal || p.IsNull()):
	case p != cty.NilVal && !p.IsNull() && !ctyvalues.SameType(p.Type(), n.Type()):
		return planned
	case c.IsNull() && s.block == nil && !ty.IsMapType(): // ignore_changes would keep the prior value
	case c.IsNull() && ty.IsMapType(): // ignore_changes may contain keys of the prior value
		if parts := s.assumedParts(cty.MapValEmpty(n.Type().ElementType()), p, n); len(parts) > 0 {
			return cty.MapVal(parts).WithMarks(marks)
		}
	case c.IsNull():
		return s.assumed(p, p, n).WithMarks(marks)
	case ty.IsObjectType() && n.Type().IsObjectType():
		return cty.ObjectVal(s.assumedParts(c, p, n)).WithMarks(marks)
	case !ctyvalues.SameType(ty, n.Type()):
	case ty.IsMapType():
		return collectionOf(ty, s.assumedParts(c, p, n)).WithMarks(marks)
	case (ty.IsListType() || ty.IsTupleType()) && c.LengthInt() == n.LengthInt():
		elems := []cty.Value{}
		s.computed = false
		for i, elem := range c.Elements() {
			elems = append(elems, s.assumed(elem, partOf(p, i), partOf(n, i)))
		}
		if ty.IsTupleType() {
			return cty.TupleVal(elems).WithMarks(marks)
		}
		return collectionOf(ty, elems).WithMarks(marks)
	case p != cty.NilVal && ty.IsCollectionType() && ty.ElementType().IsObjectType() && length(p) == length(n):
		return planned // ignore_changes may contain the whole value, and computed parts of it may change
	}
	return config
}

// assumedParts returns the result of assumed for each part of an object or map.
func (s shape) assumedParts(c, p, n cty.Value) map[string]cty.Value {
	parts := map[string]cty.Value{}
	for key, part := range c.Elements() {
		before, now := partOf(p, key), partOf(n, key)
		switch {
		case now != cty.NilVal:
			parts[key.AsString()] = s.part(key.AsString()).assumed(part, before, now)
		case p == cty.NilVal || before != cty.NilVal: // otherwise, ignore_changes may remove the new part
			parts[key.AsString()] = part
		}
	}
	for key, now := range n.Elements() {
		if before := partOf(p, key); before != cty.NilVal && partOf(c, key) == cty.NilVal {
			parts[key.AsString()] = s.part(key.AsString()).assumed(before, before, now)
		}
	}
	return parts
}
