package conformance

import (
	"encoding/json"
	"iter"
	"maps"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/lawtest/parts"
)

// Shrink returns the smallest case it finds that fails as c does: with fewer attributes
// and block types, fewer flags and plainer types, and values that have fewer elements, more
// nulls and plainer leaves. None of these steps makes it smaller. The function is asked of
// hundreds of cases, whose answer is that of package objchange since nobody has
// recorded any; if c itself does not fail so, it is returned as it is.
func Shrink(c *Case, fails func(*Case) bool) *Case {
	smallest := *c
	smallest.Want = nil
	if !fails(&smallest) {
		return c
	}
	for shrunk := true; shrunk; {
		shrunk = false
		for _, steps := range []func(*Case) iter.Seq[*Case]{withoutNames, withoutFlags, ofStrings, plainer} {
			for found := true; found; {
				found = false
				for candidate := range steps(&smallest) {
					if candidate.sound() && fails(candidate) {
						smallest, found, shrunk = *candidate, true, true
						break
					}
				}
			}
		}
	}
	return &smallest
}

// sound reports whether the schema is valid and all values conform to it. Of what
// was proposed it makes the proposal again.
func (c *Case) sound() bool {
	if c.Schema.Block.Validate() != nil {
		return false
	}
	if c.Op == OpComputed {
		schema, err := objchange.Compile(c.Schema.Block)
		if err != nil {
			return false
		}
		proposed, err := objchange.ProposedNew(schema, c.In["prior"], c.In["config"])
		if err != nil || c.In["config"].IsNull() {
			return false
		}
		c.In["proposed"] = proposed
	}
	if c.Op == OpComputed && c.Judge(Ask(c)).Verdict != VerdictSame { // no plan is right
		return false
	}
	for _, v := range c.In {
		if !carried(c.Schema.Block, v) {
			return false
		}
	}
	return true
}

// with returns a copy of the case where something of the schema is changed, to which the
// values are fitted, or nil if they cannot be.
func (c *Case) with(change func(*configschema.Block)) (changed *Case) {
	defer func() {
		if recover() != nil { // elements that are of several types then, and the like
			changed = nil
		}
	}()
	text, err := json.Marshal(c.Schema.Block)
	if err != nil {
		return nil
	}
	block := &configschema.Block{}
	if err := json.Unmarshal(text, block); err != nil {
		return nil
	}
	change(block)
	root := parts.RootOf(block)
	root.Type = block.ImpliedType()
	copied := *c
	copied.Schema, copied.In = &Schema{c.Schema.Name, block}, map[string]cty.Value{}
	for name, v := range c.In {
		copied.In[name] = fit(root, v)
	}
	return &copied
}

// fit returns the value with what the nest has, of which the value may have more.
func fit(n parts.Nest, v cty.Value) cty.Value {
	switch {
	case v.IsNull():
		return cty.NullVal(n.Type)
	case !v.IsKnown():
		return cty.UnknownVal(n.Type)
	case n.Single():
		object := map[string]cty.Value{}
		for name, a := range n.Attributes {
			if object[name] = v.GetAttr(name); a.NestedType != nil {
				object[name] = fit(parts.NestOf(a), object[name])
			} else if a.Type == cty.String {
				object[name] = asString(object[name])
			}
		}
		for name, nb := range n.BlockTypes {
			object[name] = fit(parts.BlocksOf(nb), v.GetAttr(name))
		}
		return cty.ObjectVal(object)
	}
	elem := parts.Nest{Fields: n.Fields, Mode: configschema.NestingSingle, Type: n.ObjectType()}
	bag := parts.Bag{Type: n.Type}
	if n.Type == cty.DynamicPseudoType && n.Mode == configschema.NestingMap {
		bag.Type = cty.EmptyObject
	}
	for _, e := range parts.ElementsOf(v) {
		bag.Add(e.Key, fit(elem, e.Value))
	}
	return bag.Value()
}

// asString returns a string that is null or unknown where the value is.
func asString(v cty.Value) cty.Value {
	switch {
	case v.Type() == cty.String:
		return v
	case v.IsNull():
		return cty.NullVal(cty.String)
	case !v.IsKnown():
		return cty.UnknownVal(cty.String)
	}
	return plainest[cty.String]
}

// A visit changes something at one place of a schema.
type visit func(parts.Fields, string)

// places returns the places of the schema, as the way to each of them: the names of
// nested attributes and block types, and its own.
func places(f parts.Fields) (all [][]string) {
	names := slices.Sorted(maps.Keys(f.Attributes))
	names = append(names, slices.Sorted(maps.Keys(f.BlockTypes))...)
	for _, name := range names {
		all = append(all, []string{name})
		for _, inner := range places(below(f, name)) {
			all = append(all, append([]string{name}, inner...))
		}
	}
	return all
}

// below returns what a nested attribute or block type has.
func below(f parts.Fields, name string) parts.Fields {
	if nb := f.BlockTypes[name]; nb != nil {
		return parts.BlocksOf(nb).Fields
	}
	if a := f.Attributes[name]; a.NestedType != nil {
		return parts.NestOf(a).Fields
	}
	return parts.Fields{}
}

// atEach ranges over the case with each of the places of its schema changed so.
func (c *Case) atEach(change visit) iter.Seq[*Case] {
	return func(yield func(*Case) bool) {
		for _, way := range places(parts.RootOf(c.Schema.Block).Fields) {
			changed := c.with(func(block *configschema.Block) {
				f := parts.RootOf(block).Fields
				for _, name := range way[:len(way)-1] {
					f = below(f, name)
				}
				change(f, way[len(way)-1])
			})
			if changed != nil && !yield(changed) {
				return
			}
		}
	}
}

// withoutNames takes away one attribute or block type.
func withoutNames(c *Case) iter.Seq[*Case] {
	return c.atEach(func(f parts.Fields, name string) {
		delete(f.Attributes, name)
		delete(f.BlockTypes, name)
	})
}

// withoutFlags takes away one flag or bound.
func withoutFlags(c *Case) iter.Seq[*Case] {
	return func(yield func(*Case) bool) {
		for _, clear := range []visit{
			attributeFlag(func(a *configschema.Attribute) *bool { return &a.Sensitive }),
			attributeFlag(func(a *configschema.Attribute) *bool { return &a.WriteOnly }),
			attributeFlag(func(a *configschema.Attribute) *bool { return &a.Computed }),
			ofBlock(func(nb *configschema.NestedBlock) { nb.MinItems = 0 }),
			ofBlock(func(nb *configschema.NestedBlock) { nb.MaxItems = 0 }),
			ofBlock(func(nb *configschema.NestedBlock) { nb.MinItems, nb.MaxItems = 0, 0 }),
			ofBlock(func(nb *configschema.NestedBlock) { nb.Computed = false }),
		} {
			before, _ := json.Marshal(c.Schema.Block) // it has JSON: with would not else
			for changed := range c.atEach(clear) {
				if after, _ := json.Marshal(changed.Schema.Block); string(after) != string(before) && !yield(changed) {
					return
				}
			}
		}
	}
}

// ofStrings makes one attribute a string.
func ofStrings(c *Case) iter.Seq[*Case] {
	return func(yield func(*Case) bool) {
		changes := false
		for changed := range c.atEach(func(f parts.Fields, name string) {
			a := f.Attributes[name]
			if changes = a != nil && a.NestedType == nil && a.Type != cty.String; changes {
				a.Type = cty.String
			}
		}) {
			if changes && !yield(changed) {
				return
			}
		}
	}
}

func attributeFlag(flag func(*configschema.Attribute) *bool) visit {
	return func(f parts.Fields, name string) {
		if a := f.Attributes[name]; a != nil {
			*flag(a) = false
		}
	}
}

func ofBlock(clear func(*configschema.NestedBlock)) visit {
	return func(f parts.Fields, name string) {
		if nb := f.BlockTypes[name]; nb != nil {
			clear(nb)
		}
	}
}

// plainer makes all values plainer in one part that they have, or one of them.
func plainer(c *Case) iter.Seq[*Case] {
	return func(yield func(*Case) bool) {
		names := c.Op.Arguments()
		if c.Op == OpComputed { // what is proposed follows from the others
			names = names[:2]
		}
		for _, name := range names {
			whole := parts.Part{Value: c.In[name]}
			for _, part := range append([]parts.Part{whole}, parts.All(whole.Value)...) {
				for _, make := range plainerThan(part.Value) {
					for _, in := range [][]string{names, {name}} {
						if next := c.replace(in, part.Path, make); next != nil && !yield(next) {
							return
						}
					}
				}
			}
		}
	}
}

// replace returns a copy of the case with a part of some values replaced, or nil where it
// cannot be or nothing changes.
func (c *Case) replace(names []string, at cty.Path, make func(cty.Value) cty.Value) (changed *Case) {
	defer func() {
		if recover() != nil { // an element of another type, and the like
			changed = nil
		}
	}()
	copied := *c
	copied.In = maps.Clone(c.In)
	same := true
	for _, name := range names {
		copied.In[name] = parts.ChangeAt(c.In[name], at, make)
		same = same && copied.In[name].RawEquals(c.In[name])
	}
	if same {
		return nil
	}
	return &copied
}

// plainest are the leaves that are as good as any other.
var plainest = map[cty.Type]cty.Value{cty.String: cty.StringVal("a"), cty.Number: cty.Zero, cty.Bool: cty.False}

// plainerThan returns what may be made of a value: without one of its elements, null,
// the plainest leaf, and of an unknown one what promises nothing. Of other
// values they make the same, if they can.
func plainerThan(v cty.Value) (all []func(cty.Value) cty.Value) {
	for i := range parts.ElementsOf(v) {
		all = append(all, func(v cty.Value) cty.Value { return without(v, i) })
	}
	if v.IsNull() {
		return nil
	}
	all = append(all, func(v cty.Value) cty.Value { return cty.NullVal(v.Type()) })
	if v.IsKnown() && v.Type().IsPrimitiveType() {
		return append(all, func(v cty.Value) cty.Value {
			if v.IsNull() || !v.IsKnown() {
				return v
			}
			return plainest[v.Type()]
		})
	}
	return append(all, func(v cty.Value) cty.Value {
		if v.IsKnown() {
			return v
		}
		return cty.UnknownVal(v.Type())
	})
}

// without returns the value without its i-th element, if it has any.
func without(v cty.Value, i int) cty.Value {
	elements := parts.ElementsOf(v)
	if i >= len(elements) {
		return v
	}
	bag := parts.Bag{Type: v.Type()}
	for _, e := range slices.Delete(elements, i, i+1) {
		bag.Add(e.Key, e.Value)
	}
	return bag.Value()
}
