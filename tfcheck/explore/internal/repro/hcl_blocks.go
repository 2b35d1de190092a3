package repro

import (
	"maps"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
)

// blocks writes the blocks of a block type. Each block consists of whole lines.
func (w *hclWriter) blocks(slot, name string, nb *configschema.NestedBlock, v, then cty.Value) (all []string) {
	switch {
	case !v.IsKnown():
		if block := w.dynamic(slot, name, nb, v, then); block != "" {
			all = append(all, block)
		}
		return all
	case v.IsNull() || v.RawEquals(nb.EmptyValue()):
		return nil
	case nb.Nesting.Single():
		return []string{hclBlock(name, w.body(slot, nb.Attributes, nb.BlockTypes, v, then))}
	}
	for _, e := range pairs(v, then) {
		if !e.value.IsKnown() || e.value.IsNull() {
			w.note(slot, "has a block that is unknown or null, which a configuration cannot express")
			continue
		}
		header := name
		if nb.Nesting.Keyed() {
			header += " " + w.text(slot, e.key)
		}
		all = append(all, hclBlock(header, w.body(slot, nb.Attributes, nb.BlockTypes, e.value, e.then)))
	}
	return all
}

// dynamic writes a dynamic block, because the number of blocks becomes known during apply.
// Terraform supports this only for lists and sets.
func (w *hclWriter) dynamic(slot, name string, nb *configschema.NestedBlock, v, then cty.Value) string {
	if nb.Nesting.Single() || nb.Nesting.Keyed() {
		w.note(slot, "is unknown, and a configuration cannot express unknown blocks of nesting mode %s", nb.Nesting)
		return ""
	}
	var values []cty.Value
	if then != cty.NilVal && then.IsWhollyKnown() {
		values = objects(nb, then)
	}
	u, input := w.used(slot, nb, values), w.unique(lateOutput, slot)
	w.late = append(w.late, input+" = "+hclList("[", w.literals(slot, u, values), "]"))
	return dynamicBlock(name, lateOutput+input, u)
}

// A used lists the parts of a block type that at least one block sets or that the schema requires.
type used struct {
	block  *configschema.NestedBlock
	attrs  []string
	blocks map[string]used
}

func (w *hclWriter) used(slot string, nb *configschema.NestedBlock, values []cty.Value) used {
	u := used{block: nb, blocks: map[string]used{}}
	for _, name := range slices.Sorted(maps.Keys(nb.Attributes)) {
		if nb.Attributes[name].Required || slices.ContainsFunc(values, func(v cty.Value) bool { return !v.GetAttr(name).IsNull() }) {
			u.attrs = append(u.attrs, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(nb.BlockTypes)) {
		inner := nb.BlockTypes[name]
		var all []cty.Value
		for _, v := range values {
			all = append(all, objects(inner, v.GetAttr(name))...)
		}
		switch {
		case len(all) > 0 && inner.Nesting.Keyed():
			w.note(scenario.Below(slot, name), "has labels, but blocks inside dynamic blocks cannot have labels")
		case len(all) > 0 || inner.MinItems > 0:
			u.blocks[name] = w.used(scenario.Below(slot, name), inner, all)
		}
	}
	return u
}

// objects returns the objects in a value of a block type.
func objects(nb *configschema.NestedBlock, v cty.Value) (all []cty.Value) {
	switch {
	case v.IsNull() || v.RawEquals(nb.EmptyValue()):
		return nil
	case nb.Nesting.Single():
		return []cty.Value{v}
	}
	for _, e := range pairs(v, cty.NilVal) {
		all = append(all, e.value)
	}
	return all
}

// literals writes the values as object literals.
func (w *hclWriter) literals(slot string, u used, values []cty.Value) (all []string) {
	for _, v := range values {
		var args []string
		for _, name := range u.attrs {
			args = append(args, hclKey(name)+" = "+w.attribute(scenario.Below(slot, name), u.block.Attributes[name], v.GetAttr(name), cty.NilVal))
		}
		for _, name := range slices.Sorted(maps.Keys(u.blocks)) {
			inner := u.blocks[name]
			texts := w.literals(scenario.Below(slot, name), inner, objects(inner.block, v.GetAttr(name)))
			args = append(args, name+" = "+hclList("[", texts, "]"))
		}
		all = append(all, hclList("{", args, "}"))
	}
	return all
}

// dynamicBlock writes a dynamic block over the elements of an expression.
func dynamicBlock(name, over string, u used) string {
	content := ""
	for _, attr := range u.attrs {
		content += attr + " = " + name + ".value." + attr + "\n"
	}
	for _, inner := range slices.Sorted(maps.Keys(u.blocks)) {
		content += dynamicBlock(inner, name+".value."+inner, u.blocks[inner])
	}
	return hclBlock("dynamic "+Quoted(name), "for_each = "+over+"\n"+hclBlock("content", content))
}
