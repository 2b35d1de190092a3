package objchange

import (
	"maps"

	"github.com/zclconf/go-cty/cty"
)

// IgnoreChanges returns the configuration with the prior value at each of the
// paths, as Terraform does for ignore_changes
// (docs/semantics.md#ignored-changes). A path that does not apply to both values
// is passed over. One that ends in a string index names one key of a map: that
// key takes the prior element, or is removed if there is none; a null map counts
// as empty, and stays null if nothing was added; an unknown one is left alone.
// What is indexed by a string and is not a map takes the prior value as a whole,
// and so does the root for an empty path.
//
// Both values must conform to the schema, and the prior one not be unknown as a
// whole; null, or the zero cty.Value, gives the configuration as it is. Each
// value keeps its marks, one taken from the prior value also those of the prior
// containers around it. The error is a *Violation with [RuleInvalidInput] or
// [RuleTypeMismatch].
func IgnoreChanges(schema *Block, prior, config cty.Value, paths []cty.Path) (ignored cty.Value, err error) {
	defer rescueValue(&ignored, &err)
	var w walk
	args := [...]argument{{name: "prior", value: prior, known: true, maybe: true}, {name: "config", value: config}}
	if _, ok := w.admit(schema, args[:]); !ok || len(w.found) > 0 {
		return cty.NilVal, w.err()
	}
	p, c := withMarksOf(args[0].value, prior), withMarksOf(args[1].value, config)
	if p.IsNull() {
		return c, nil
	}
	for _, path := range paths {
		switch replaced, ok := replaceAt(p, c, stepsOf(path)); {
		case ok && replaced == cty.NilVal:
			w.violationAt(schema, path, RuleTypeMismatch, "the prior value does not fit into the collection that the configuration has")
		case ok:
			c = replaced
		}
	}
	if err := w.err(); err != nil {
		return cty.NilVal, err
	}
	return c, nil
}

// IgnoreAllChanges returns the configuration that changes nothing, as Terraform
// makes it for ignore_changes = all (docs/semantics.md#ignored-changes): the
// prior value with each computed-only attribute null, at every depth.
//
// The prior value must conform to the schema; null and unknown stay what they
// are, the zero cty.Value means null, and marks stay where they are. The error
// is a *Violation with [RuleInvalidInput] or [RuleTypeMismatch].
func IgnoreAllChanges(schema *Block, prior cty.Value) (ignored cty.Value, err error) {
	defer rescueValue(&ignored, &err)
	w := rewriter{
		attribute: func(a *Attribute, v cty.Value) (cty.Value, bool) {
			if a.computedOnly() && !v.IsNull() {
				return cty.NullVal(v.Type()), true
			}
			return v, false
		},
		blocks: func(_ *NestedBlock, v cty.Value) (cty.Value, bool) { return v, false },
		maybe:  true,
	}
	return w.rewrite(schema, "prior", prior)
}

// replaceAt returns c with the part of p where the way leads. Without ok it does
// not apply to both. The zero value says that the part does not fit: elements of
// a list or map whose element type is dynamic still have one type.
func replaceAt(p, c cty.Value, way []step) (replaced cty.Value, ok bool) {
	if len(way) == 0 {
		return p, true
	}
	bareP, bareC := bareOnly(p), bareOnly(c)
	if len(way) == 1 && way[0].kind == byKey {
		if !bareC.Type().IsMapType() {
			return p, true
		}
		return replaceKey(p, c, way[0])
	}
	partP, okP := way[0].into(bareP)
	partC, okC := way[0].into(bareC)
	if !okP || !okC {
		return cty.NilVal, false
	}
	inner, ok := replaceAt(withMarksOf(partP, p), partC, way[1:])
	if !ok || inner == cty.NilVal {
		return cty.NilVal, ok
	}
	return withPart(c, way[0], inner)
}

// replaceKey gives one key of a map what it is in the prior value.
func replaceKey(p, c cty.Value, key step) (cty.Value, bool) {
	bareP, bareC := bareOnly(p), bareOnly(c)
	if !bareC.IsKnown() || !bareP.IsKnown() {
		return cty.NilVal, false
	}
	elems := map[string]cty.Value{}
	if !bareC.IsNull() {
		maps.Copy(elems, bareC.AsValueMap())
	}
	was := len(elems)
	delete(elems, key.name)
	if elem, ok := key.fit(bareP.Type()).into(bareP); ok {
		elems[key.name] = withMarksOf(elem, p)
	}
	switch {
	case was == 0 && len(elems) == 0:
		return c, true
	case len(elems) == 0:
		return withMarksOf(cty.MapValEmpty(bareC.Type().ElementType()), c), true
	case !cty.CanMapVal(elems):
		return cty.NilVal, true
	}
	return withMarksOf(cty.MapVal(elems), c), true
}

// withPart returns a value with another part where the step leads, or the zero
// value if the part does not fit. Without ok the value is unknown.
func withPart(marked cty.Value, to step, part cty.Value) (with cty.Value, ok bool) {
	v := bareOnly(marked)
	if !v.IsKnown() {
		return cty.NilVal, false
	}
	if v.Type().IsObjectType() {
		parts := v.AsValueMap()
		parts[to.name] = part
		return withMarksOf(cty.ObjectVal(parts), marked), true
	}
	ms := plainNest.open(v)
	ms.load()
	elems := make([]cty.Value, ms.n)
	for i := range elems {
		elems[i] = ms.elem(i)
		if at := ms.step(i); at.kind == to.kind && at.pos == to.pos && at.name == to.name {
			elems[i] = part
		}
	}
	switch ty := v.Type(); {
	case ty.IsTupleType():
		return withMarksOf(cty.TupleVal(elems), marked), true
	case !cty.CanListVal(elems): // neither can a map hold them
		return cty.NilVal, true
	}
	v, ok = plainNest.rebuild(&ms, elems)
	return withMarksOf(v, marked), ok
}
