package objchange

import (
	"maps"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/values"
)

// IgnoreChanges returns the configuration with the prior value at each of the paths, as
// Terraform makes it for ignore_changes (docs/specification.md#63-ignored-changes).
//
// A path that does not apply to both values is skipped. A path that ends in a string index
// names one key of a map: the key gets the prior element, or is removed if the prior map does
// not have it. A null map counts as empty and stays null if no key is added. An unknown map
// stays unknown. If the value with the string index is not a map, the whole value is replaced
// with the prior value. An empty path replaces the root in the same way.
//
// The error is an [*InputError].
//
// Both values must conform to the schema, and the prior value must not be unknown as a whole.
// If the prior value is null or the zero cty.Value, the configuration is returned unchanged.
// Each value keeps its marks. A value from prior also gets the marks of the containers around
// it in prior.
//
// The cost of each path is the size of the containers along the path.
func IgnoreChanges(schema *Schema, prior, config cty.Value, ignored []cty.Path) (result cty.Value, err error) {
	defer rescueError(&result, &err)
	var r review
	p := argument{name: "prior", value: prior, mustKnow: true, nilIsNull: true}
	c := argument{name: "config", value: config}
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

// replaceAt returns v with the part of p at the steps. It returns v unchanged if the steps do
// not apply to both. It returns false if a collection in v cannot hold the part.
func replaceAt(v, p cty.Value, steps []paths.Step) (replaced cty.Value, ok bool) {
	bareV, bareP := values.Unmarked(v), values.Unmarked(p)
	if len(steps) == 0 {
		return p, true
	}
	s, toKey := steps[0], len(steps) == 1 && steps[0].Kind == paths.ByKey
	if toKey && !bareV.Type().IsMapType() {
		return p, true // the whole indexed value
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

// withKey returns a map with the element under the key. It removes the key if the element is
// the zero cty.Value.
func withKey(v cty.Value, key string, element cty.Value) (cty.Value, bool) {
	bare := values.Unmarked(v)
	named := map[string]cty.Value{}
	if !bare.IsNull() {
		maps.Copy(named, bare.AsValueMap())
	}
	before := len(named)
	if element == cty.NilVal {
		delete(named, key)
	} else {
		named[key] = element
	}
	if len(named) == 0 && before == 0 {
		return v, true
	}
	changed, ok := values.OfNames(bare.Type(), named, true)
	return withMarksOfPresent(changed, v), ok
}

// withPart returns a value with the part at the step replaced.
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
	changed, ok := values.OfElements(ty, elems, true)
	return withMarksOfPresent(changed, v), ok
}
