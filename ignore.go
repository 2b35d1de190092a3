package objchange

import (
	"maps"

	"github.com/zclconf/go-cty/cty"
)

// IgnoreChanges returns the configuration with the prior value at each of the
// paths, as Terraform does for ignore_changes (section 5). A path that does not
// apply to both values is passed over. One that ends in a string index names one
// key of a map: that key takes the prior element, or is removed if there is
// none; a null map counts as empty, and stays null if nothing was added; an
// unknown one is left alone. An empty path takes the whole prior value.
//
// Both values must conform to the schema. A null prior value gives the
// configuration as it is. Each value keeps its marks, one taken from the prior
// value also those of the prior containers around it. The error is a *Violation
// with [RuleInvalidInput] or [RuleTypeMismatch].
func IgnoreChanges(schema *Block, prior, config cty.Value, paths []cty.Path) (ignored cty.Value, err error) {
	defer rescueValue(&ignored, &err)
	var w walk
	args := [...]argument{{name: "prior", value: prior, known: true}, {name: "config", value: config}}
	if _, ok := w.admit(schema, args[:]); !ok || len(w.found) > 0 {
		return cty.NilVal, w.err()
	}
	p, c := withMarksOf(args[0].value, prior), withMarksOf(args[1].value, config)
	if p.IsNull() {
		return c, nil
	}
	for _, path := range paths {
		switch replaced, ok := replaceAt(p, c, path); {
		case ok && replaced == cty.NilVal:
			w.at(schema, path, RuleTypeMismatch, "the prior value does not fit into the collection that the configuration has")
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
// makes it for ignore_changes = all (section 5): the prior value with each
// computed-only attribute null, at every depth.
//
// The prior value must conform to the schema; null and unknown stay what they
// are, and marks stay where they are. The error is a *Violation with
// [RuleInvalidInput] or [RuleTypeMismatch].
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
	}
	return w.rewrite(schema, "prior", prior)
}

// replaceAt returns c with the part of p at the path. Without ok the path does
// not apply to both. The zero value says that the part does not fit: elements of
// a list or map whose element type is dynamic still have one type.
func replaceAt(p, c cty.Value, path cty.Path) (replaced cty.Value, ok bool) {
	if len(path) == 0 {
		return p, true
	}
	bareP, bareC := bareOnly(p), bareOnly(c)
	if len(path) == 1 && bareC.Type().IsMapType() {
		if key, ok := stringKey(path[0]); ok {
			return replaceKey(p, c, key)
		}
	}
	partP, okP := stepInto(bareP, path[0])
	partC, okC := stepInto(bareC, path[0])
	if !okP || !okC {
		return cty.NilVal, false
	}
	inner, ok := replaceAt(withMarksOf(partP, p), partC, path[1:])
	if !ok || inner == cty.NilVal {
		return cty.NilVal, ok
	}
	return withPart(c, path[0], inner)
}

// replaceKey gives one key of a map what it is in the other map.
func replaceKey(p, c cty.Value, key string) (cty.Value, bool) {
	bareP, bareC := bareOnly(p), bareOnly(c)
	if !bareC.IsKnown() || !bareP.IsKnown() || !bareP.Type().IsMapType() {
		return cty.NilVal, false
	}
	elems := map[string]cty.Value{}
	if !bareC.IsNull() {
		maps.Copy(elems, bareC.AsValueMap())
	}
	was := len(elems)
	delete(elems, key)
	if !bareP.IsNull() && bareP.HasIndex(cty.StringVal(key)) == cty.True {
		elems[key] = withMarksOf(bareP.Index(cty.StringVal(key)), p)
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

func stringKey(s cty.PathStep) (string, bool) {
	if i, ok := s.(cty.IndexStep); ok {
		if to := indexStep(i.Key); to.kind == byKey {
			return cty.NormalizeString(to.name), true
		}
	}
	return "", false
}

// stepInto returns the part of a bare value that a step leads to. Null values
// have no parts; those of unknown values are unknown.
func stepInto(v cty.Value, s cty.PathStep) (cty.Value, bool) {
	if v == cty.NilVal || v.IsNull() {
		return cty.NilVal, false
	}
	ty := v.Type()
	switch s := s.(type) {
	case cty.GetAttrStep:
		if ty.IsObjectType() && ty.HasAttribute(s.Name) {
			return v.GetAttr(s.Name), true
		}
	case cty.IndexStep:
		to := indexStep(s.Key)
		switch {
		case !v.IsKnown() && to.kind != byElem && (ty.IsListType() || ty.IsMapType()):
			return cty.UnknownVal(ty.ElementType()), true
		case !v.IsKnown():
		case to.kind == byIndex && (ty.IsListType() || ty.IsTupleType()):
			if to.pos >= 0 && to.pos < v.LengthInt() {
				return v.Index(indexKey(to.pos)), true
			}
		case to.kind == byKey && ty.IsMapType():
			if key := cty.StringVal(to.name); v.HasIndex(key) == cty.True {
				return v.Index(key), true
			}
		}
	}
	return cty.NilVal, false
}

// withPart returns a value with another part where the step leads, or the zero
// value if the part does not fit. Without ok the value is unknown.
func withPart(marked cty.Value, s cty.PathStep, part cty.Value) (with cty.Value, ok bool) {
	v := bareOnly(marked)
	if !v.IsKnown() {
		return cty.NilVal, false
	}
	if attr, ok := s.(cty.GetAttrStep); ok {
		parts := v.AsValueMap()
		parts[cty.NormalizeString(attr.Name)] = part
		return withMarksOf(cty.ObjectVal(parts), marked), true
	}
	ms := plainNest.open(v)
	ms.load()
	to := indexStep(s.(cty.IndexStep).Key)
	elems := make([]cty.Value, ms.n)
	for i := range elems {
		elems[i] = ms.at(i)
		if at := ms.step(i); at.kind == to.kind && at.pos == to.pos && at.name == cty.NormalizeString(to.name) {
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
