package ctydata

import (
	"maps"
	"slices"

	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/spelling"
	ctyvalues "github.com/objchange/objchange/internal/values"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// list makes a list or set.
func (b *builder) list(ty cty.Type, data any, make func(elem any) cty.Value) cty.Value {
	elems, ok := data.([]any)
	if !ok {
		return b.mismatch(ctyvalues.Noun(ty), data)
	}
	values, ok := b.elements(elems, func(_ int, elem any) cty.Value { return make(elem) })
	if !ok {
		return cty.NilVal
	}
	if ty.IsSetType() && ctyvalues.TooManyUnknown(values) {
		return b.fail("a set of more than %d elements with unknown values", ctyvalues.MaxUnknownElements)
	}
	v, ok := ctyvalues.OfElements(ty, values, ty.HasDynamicTypes())
	if !ok {
		return b.unify(ty, cty.TupleVal(values))
	}
	return v
}

// elements makes the elements of a list, a set or a tuple. It returns false if one of them
// cannot be made.
func (b *builder) elements(elems []any, make func(i int, elem any) cty.Value) (values []cty.Value, ok bool) {
	ok = true
	for i, elem := range elems {
		v := b.at(paths.Step{Kind: paths.ByIndex, Pos: i}, func() cty.Value { return make(i, elem) })
		if b.done() {
			return nil, false
		}
		ok = ok && v != cty.NilVal
		values = append(values, v)
	}
	return values, ok
}

// unify converts elements of different types to one collection.
func (b *builder) unify(ty cty.Type, v cty.Value) cty.Value {
	if !b.Wire && !b.Strict {
		if converted, err := convert.Convert(v, ty); err == nil {
			return converted
		}
	}
	return b.fail("the elements are of several types")
}

func (b *builder) tuple(types []cty.Type, data any) cty.Value {
	elems, ok := data.([]any)
	if !ok {
		return b.mismatch("a tuple", data)
	}
	if len(elems) != len(types) {
		return b.fail("must have the length %d, not %d", len(types), len(elems))
	}
	values, ok := b.elements(elems, func(i int, elem any) cty.Value { return b.value(types[i], elem) })
	if !ok {
		return cty.NilVal
	}
	return cty.TupleVal(values)
}

// tupleOf makes a tuple of any length.
func (b *builder) tupleOf(elems []any, make func(elem any) cty.Value) cty.Value {
	values, ok := b.elements(elems, func(_ int, elem any) cty.Value { return make(elem) })
	if !ok {
		return cty.NilVal
	}
	return cty.TupleVal(values)
}

func (b *builder) mapping(ty cty.Type, data any, make func(elem any) cty.Value) cty.Value {
	entries, ok := data.(map[string]any)
	if !ok {
		return b.mismatch("a map", data)
	}
	values, ok := b.entries(paths.ByKey, entries, make)
	if !ok {
		return cty.NilVal
	}
	v, ok := ctyvalues.OfNames(ty, values, ty.HasDynamicTypes())
	if !ok {
		return b.unify(ty, cty.ObjectVal(values))
	}
	return v
}

// objectOf makes an object with the attributes that the data has.
func (b *builder) objectOf(entries map[string]any, make func(elem any) cty.Value) cty.Value {
	values, ok := b.entries(paths.ByAttr, entries, make)
	if !ok {
		return cty.NilVal
	}
	return cty.ObjectVal(values)
}

// entries makes the elements of a map, or the attributes of an object of any type. It returns
// false if one of them cannot be made.
func (b *builder) entries(
	kind paths.Kind, entries map[string]any, make func(elem any) cty.Value,
) (values map[string]cty.Value, ok bool) {
	named, ok := b.names(entries)
	if !ok {
		return nil, false
	}
	values = map[string]cty.Value{}
	for _, name := range slices.Sorted(maps.Keys(named)) {
		v := b.at(paths.Step{Kind: kind, Name: name}, func() cty.Value { return make(named[name]) })
		if b.done() {
			return nil, false
		}
		ok = ok && v != cty.NilVal
		values[name] = v
	}
	return values, ok
}

// names returns the entries with their names in Unicode NFC, as cty requires.
func (b *builder) names(entries map[string]any) (map[string]any, bool) {
	if allNormal(entries) {
		return entries, true
	}
	named := make(map[string]any, len(entries))
	for key, elem := range entries {
		name := cty.NormalizeString(key)
		if _, twice := named[name]; twice {
			b.fail("two names or keys are the same in Unicode NFC")
			return nil, false
		}
		named[name] = elem
	}
	return named, true
}

func allNormal(entries map[string]any) bool {
	for key := range entries {
		if cty.NormalizeString(key) != key {
			return false
		}
	}
	return true
}

// fields makes an object with the named attributes and blocks. The names are in order. Only a
// strict format requires the data to have all of them.
func (b *builder) fields(names []string, data any, make func(name string, data any) cty.Value) cty.Value {
	entries, ok := data.(map[string]any)
	if !ok {
		return b.mismatch("an object", data)
	}
	named, ok := b.names(entries)
	if !ok {
		return cty.NilVal
	}
	values, known := map[string]cty.Value{}, 0
	for _, name := range names {
		field, given := named[name]
		if given {
			known++
		}
		values[name] = b.at(b.fieldStep(name), func() cty.Value {
			if !given && b.Strict {
				return b.problem(ValueError{Reason: "is missing", Missing: true})
			}
			return make(name, field)
		})
		ok = ok && values[name] != cty.NilVal
		if b.done() {
			return cty.NilVal
		}
	}
	if known < len(named) {
		b.surplus(named, names)
		return cty.NilVal
	}
	if !ok {
		return cty.NilVal
	}
	return cty.ObjectVal(values)
}

func (b *builder) fieldStep(name string) paths.Step {
	if b.dynamicDepth > 0 {
		return paths.Step{Kind: paths.ByAttr, Name: name}
	}
	return paths.Step{Name: name}
}

// surplus records a problem for each entry that is not among the names.
func (b *builder) surplus(named map[string]any, names []string) {
	for _, name := range slices.Sorted(maps.Keys(named)) {
		if _, known := slices.BinarySearch(names, name); !known {
			b.unsupported(name, names)
		}
	}
}

// unsupported records that there is no attribute or block with the name.
func (b *builder) unsupported(name string, names []string) {
	if b.hidden() {
		b.fail("has a name that is not an attribute or block")
		return
	}
	b.at(paths.Step{Kind: paths.ByAttr, Name: name}, func() cty.Value {
		if near := spelling.Nearest(name, names); near != "" {
			return b.fail("no such attribute or block; did you mean %q?", near)
		}
		return b.fail("no such attribute or block")
	})
}
