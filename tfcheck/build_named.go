package tfcheck

import (
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/zclconf/go-cty/cty"
)

func (b *builder) mapping(ty cty.Type, data any, make func(elem any) cty.Value) cty.Value {
	entries, ok := data.(map[string]any)
	if !ok {
		return b.mismatch("a map", data)
	}
	values, ok := b.entries(keyStep, entries, make)
	switch {
	case !ok:
		return cty.NilVal
	case len(values) == 0:
		return cty.MapValEmpty(ty.ElementType())
	case ty.ElementType().HasDynamicTypes() && !cty.CanMapVal(values):
		return b.unify(ty, cty.ObjectVal(values))
	}
	return cty.MapVal(values)
}

// entries makes the elements of a map, or the attributes of an object that has
// those of the data, all or none.
func (b *builder) entries(kind stepKind, entries map[string]any, make func(elem any) cty.Value) (values map[string]cty.Value, ok bool) {
	named, ok := b.names(entries)
	if !ok {
		return nil, false
	}
	values = map[string]cty.Value{}
	for _, name := range slices.Sorted(maps.Keys(named)) {
		v := b.at(step{kind: kind, name: name}, func() cty.Value { return make(named[name]) })
		if b.done() {
			return nil, false
		}
		ok = ok && v != cty.NilVal
		values[name] = v
	}
	return values, ok
}

// names returns the entries by names that cty can have.
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
		if !ascii(key) && cty.NormalizeString(key) != key {
			return false
		}
	}
	return true
}

func ascii(key string) bool {
	for i := range len(key) {
		if key[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// object makes an object with attributes of the types, whose names are given in
// order. Only where the data is to be completed may some be missing.
func (b *builder) object(types map[string]cty.Type, names []string, data any) cty.Value {
	return b.fields(names, data, func(name string, data any) cty.Value {
		return b.value(types[name], data)
	})
}

// fields makes an object with attributes, and perhaps blocks, of these names,
// which are in order.
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
		if !given && (b.format == fromMsgPack || b.format == fromTF) {
			ok = false
			b.at(b.fieldStep(name), func() cty.Value { return b.fail("is missing") })
		} else {
			values[name] = b.at(b.fieldStep(name), func() cty.Value { return make(name, field) })
			ok = ok && values[name] != cty.NilVal
		}
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

// surplus says what there is beside the names.
func (b *builder) surplus(named map[string]any, names []string) {
	for _, name := range slices.Sorted(maps.Keys(named)) {
		if _, known := slices.BinarySearch(names, name); !known {
			b.unsupported(name, names)
		}
	}
}

func (b *builder) fieldStep(name string) step {
	if b.free > 0 {
		return step{kind: freeStep, name: name}
	}
	return step{kind: attrStep, name: name}
}

// unsupported says that there is no attribute of that name.
func (b *builder) unsupported(name string, names []string) {
	if b.way.hidden() {
		b.fail("has something that is no attribute")
		return
	}
	b.at(step{kind: freeStep, name: name}, func() cty.Value {
		if near := nearest(name, names); near != "" {
			return b.fail("no such attribute or block; did you mean %q?", near)
		}
		return b.fail("no such attribute or block")
	})
}
