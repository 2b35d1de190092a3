package objchange

import (
	"maps"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/values"
)

// IgnoreChanges returns the configuration with the prior value at each of the paths, as
// Terraform does for ignore_changes (docs/semantics.md#ignored-changes). It skips a path
// that does not apply to both values. A path that ends in a string index names one key of
// a map: that key gets the prior element, or is removed if there is none; a null map
// counts as empty, and stays null if nothing was added; an unknown map stays unknown.
// What has a string index and is no map gets the prior value as a whole, and so does the
// root for an empty path.
//
// Both values must conform to the schema, and the prior value must not be unknown as a
// whole. If it is null, or the zero cty.Value, IgnoreChanges returns the configuration as
// it is. Each value keeps its marks, and one from the prior value also gets those of the
// prior containers around it. The error is an [*InputError].
//
// The cost of each path is that of the containers on its way.
func IgnoreChanges(schema *Schema, prior, config cty.Value, ignored []cty.Path) (result cty.Value, err error) {
	defer rescueError(&result, &err)
	var r review
	p, c := argument{name: "prior", value: prior, mustKnow: true, nilIsNull: true}, argument{name: "config", value: config}
	if !r.admit(schema, &p, &c) {
		return cty.NilVal, r.err()
	}
	result = values.WithMarksOf(c.value, config)
	if p.value.IsNull() {
		return result, nil
	}
	from := values.WithMarksOf(p.value, prior)
	for _, path := range ignored {
		if v, ok := replaceAt(result, from, paths.Steps(path)); ok {
			result = v
		} else {
			r.faults = append(r.faults, fault{rule: RuleTypeMismatch, path: path, input: &inputFault{problem: noFit}})
		}
	}
	if len(r.faults) > 0 {
		return cty.NilVal, r.err()
	}
	return result, nil
}

// replaceAt returns the value with the part of p to which the steps lead, or the value
// itself if they do not apply to both. It returns false if a collection cannot hold that
// part.
func replaceAt(v, p cty.Value, steps []paths.Step) (replaced cty.Value, ok bool) {
	bareV, bareP := values.Unmarked(v), values.Unmarked(p)
	if len(steps) == 0 {
		return p, true
	}
	s, toKey := steps[0], len(steps) == 1 && steps[0].Kind == paths.ByKey
	if toKey && !bareV.Type().IsMapType() {
		return p, true // all of what is indexed
	}
	if !bareV.IsKnown() || toKey && !bareP.IsKnown() {
		return v, true
	}
	if toKey {
		element, _ := s.Fit(bareP.Type()).Into(bareP)
		return withKey(v, s.Name, withMarksOfPresent(element, p))
	}
	inV, has := s.Into(bareV)
	inP, hasP := s.Into(bareP)
	if !has || !hasP {
		return v, true
	}
	part, ok := replaceAt(inV, values.WithMarksOf(inP, p), steps[1:])
	if !ok {
		return cty.NilVal, false
	}
	return withPart(v, s, part)
}

func withMarksOfPresent(element, p cty.Value) cty.Value {
	if element == cty.NilVal {
		return element
	}
	return values.WithMarksOf(element, p)
}

// withKey returns a map with another element, or without that key if the element is the
// zero value.
func withKey(v cty.Value, key string, element cty.Value) (cty.Value, bool) {
	bare := values.Unmarked(v)
	named := map[string]cty.Value{}
	if !bare.IsNull() {
		maps.Copy(named, bare.AsValueMap())
	}
	before := len(named)
	if named[key] = element; element == cty.NilVal {
		delete(named, key)
	}
	switch {
	case len(named) == 0 && before == 0:
		return v, true
	case len(named) == 0:
		return values.WithMarksOf(cty.MapValEmpty(bare.Type().ElementType()), v), true
	case !cty.CanMapVal(named):
		return cty.NilVal, false
	}
	return values.WithMarksOf(cty.MapVal(named), v), true
}

// withPart returns a value with another part where the step leads.
func withPart(v cty.Value, s paths.Step, part cty.Value) (cty.Value, bool) {
	bare := values.Unmarked(v)
	ty := bare.Type()
	switch {
	case ty.IsMapType():
		return withKey(v, s.Name, part)
	case ty.IsObjectType():
		named := maps.Clone(bare.AsValueMap())
		named[s.Name] = part
		return values.WithMarksOf(cty.ObjectVal(named), v), true
	}
	elems := bare.AsValueSlice()
	elems[s.Pos] = part
	switch {
	case ty.IsTupleType():
		return values.WithMarksOf(cty.TupleVal(elems), v), true
	case !cty.CanListVal(elems):
		return cty.NilVal, false
	}
	return values.WithMarksOf(cty.ListVal(elems), v), true
}
