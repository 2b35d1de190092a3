package objchange

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/spelling"
	"github.com/objchange/objchange/internal/values"
	"github.com/zclconf/go-cty/cty"
)

// An argument of an exported function.
type argument struct {
	name  string
	value cty.Value
	known bool // it is of no use when it is unknown as a whole
	maybe bool // the zero cty.Value means null
}

// admit checks schema and arguments and returns the fields to walk. It strips
// the arguments' own marks and makes typed values of untyped nulls and
// unknowns. Without ok there is nothing to check; what is wrong is recorded.
func (w *walk) admit(schema *Schema, args []argument) (f fields, ok bool) {
	w.hide = -1
	for i, a := range args {
		w.given[i] = a.value
	}
	if schema.Block() == nil {
		w.violation(RuleInvalidInput, "the schema is nil")
		return fields{}, false
	}
	w.schema.whole, ok = schema.holds, true
	f = fieldsOf(schema.block)
	conforming := true
	for i := range args {
		if !w.admitArgument(schema, &args[i]) {
			ok = false
		} else if !w.schema.conform(f, args[i].value.Type()) {
			conforming = false
			ok = ok && w.admitType(args[i])
		}
	}
	if !ok || conforming {
		return f, ok
	}
	return w.prune(f, args)
}

func (w *walk) admitArgument(schema *Schema, a *argument) bool {
	if a.value == cty.NilVal && a.maybe {
		a.value = absent
	}
	if a.value == cty.NilVal {
		w.violation(RuleInvalidInput, "the "+a.name+" value is the zero cty.Value")
		return false
	}
	a.value = values.Unmarked(a.value)
	if a.known && !a.value.IsKnown() {
		w.violation(RuleInvalidInput, "the "+a.name+" value is unknown as a whole")
		return false
	}
	if a.value.Type() == cty.DynamicPseudoType {
		if ty := schema.ImpliedType(); a.value.IsNull() {
			a.value = cty.NullVal(ty)
		} else {
			a.value = cty.UnknownVal(ty)
		}
	}
	return true
}

func (w *walk) admitType(a argument) bool {
	if !values.TypeUsable(a.value.Type()) {
		w.violation(RuleInvalidInput, "the "+a.name+" value contains the zero cty.Value or type, or is nested too deep")
		return false
	}
	return true
}

// prune reports where the arguments do not conform and returns the fields that
// are left to check.
func (w *walk) prune(f fields, args []argument) (fields, bool) {
	p := pruner{walk: w, mismatched: map[string]bool{}}
	ok := true
	for _, a := range args {
		p.who = "the " + a.name + " value"
		if ty := a.value.Type(); ty.IsObjectType() {
			p.fields(f, ty)
		} else {
			p.mismatch("an object", values.TypeName(ty))
			ok = false
		}
	}
	return p.rest(f), ok
}

// shaped reports whether a bare value has the shape that the nest's dynamic
// type leaves open, and records a mismatch if not. What is static has been
// checked by admit.
func (w *walk) shaped(n nest, v cty.Value) bool {
	if !n.block || v.IsNull() || !v.IsKnown() || n.mode.Single() {
		return true
	}
	ty := v.Type()
	if ty.IsTupleType() || ty.IsObjectType() || w.schema.holds(n.fields).dynamic {
		if !w.schema.conformDynamic(n, ty) {
			w.violation(RuleTypeMismatch, "the value has "+values.TypeName(ty)+" where the schema asks for blocks in "+n.mode.String()+" nesting")
			return false
		}
	}
	return true
}

// conform reports whether values of the type have the shape that the fields
// imply, without making the implied type. The inside of a dynamically typed
// list or map of blocks is left to shaped.
func (k *knowledge) conform(f fields, ty cty.Type) bool {
	if !ty.IsObjectType() {
		return false
	}
	types := ty.AttributeTypes()
	if len(types) != len(f.attrs)+len(f.blocks) {
		return false
	}
	for name, a := range f.attrs {
		if given, ok := types[name]; !ok || !k.attributeConforms(a, given) {
			return false
		}
	}
	for name, nb := range f.blocks {
		if given, ok := types[name]; !ok || !k.conformAll(blockNest(nb), given) {
			return false
		}
	}
	return true
}

func (k *knowledge) attributeConforms(a *configschema.Attribute, ty cty.Type) bool {
	if a.NestedType != nil {
		return k.conformAll(nestOf(a.NestedType), ty)
	}
	return values.TypeConforms(ty, a.Type)
}

// A pruner reports where the types of arguments do not conform, and then takes
// those places out of the schema so that nothing below them is checked.
type pruner struct {
	walk       *walk
	who        string          // the argument at hand
	mismatched map[string]bool // attributes and block types with a mismatch, by place
}

func (p *pruner) mismatch(want, given string) {
	p.walk.violation(RuleTypeMismatch, p.who+" has "+given+" where the schema asks for "+want)
}

func (p *pruner) missing(what, want string) {
	w := p.walk
	w.violation(RuleTypeMismatch, p.who+" lacks the "+what+", which must be there as "+want+", as in the schema's EmptyValue")
	if len(w.found) > 0 {
		w.found[len(w.found)-1].violation.missing = true
	}
}

// place names the place where the walk stands, whatever its names hold.
func (p *pruner) place() string {
	var place strings.Builder
	for _, s := range p.walk.steps() {
		place.WriteString(strconv.Quote(s.Name))
	}
	return place.String()
}

// leaveOut marks the place where the walk stands as not to be checked.
func (p *pruner) leaveOut() { p.mismatched[p.place()] = true }

// fields reports what is wrong with an object type.
func (p *pruner) fields(f fields, ty cty.Type) {
	types := ty.AttributeTypes()
	for name, a := range f.attrs {
		p.field(name, "attribute", isSecret(a), types, a.ImpliedType, func(given cty.Type) { p.attribute(a, given) })
	}
	for name, nb := range f.blocks {
		n := blockNest(nb)
		p.field(name, "blocks", false, types, n.impliedType, func(given cty.Type) { p.nest(n, given) })
	}
	for name := range types {
		if f.attrs[name] == nil && f.blocks[name] == nil {
			p.surplus(name, f.missingIn(types))
		}
	}
}

// missingIn returns the names that an object type lacks, in order.
func (f fields) missingIn(types map[string]cty.Type) (missing []string) {
	for name := range f.attrs {
		if _, ok := types[name]; !ok {
			missing = append(missing, name)
		}
	}
	for name := range f.blocks {
		if _, ok := types[name]; !ok {
			missing = append(missing, name)
		}
	}
	slices.Sort(missing)
	return missing
}

func (p *pruner) field(name, what string, sensitive bool, types map[string]cty.Type, want func() cty.Type, inside func(cty.Type)) {
	p.walk.enter(paths.Step{Name: name}, sensitive)
	defer p.walk.leave()
	if given, ok := types[name]; ok {
		inside(given)
	} else {
		p.missing(what, values.TypeName(want()))
		p.leaveOut()
	}
}

// surplus tells of an attribute that nobody asked for, and which of those that are
// missing it may be.
func (p *pruner) surplus(name string, missing []string) {
	message := p.who + " has an attribute that the schema does not"
	if near := spelling.Nearest(name, missing); near != "" {
		message += fmt.Sprintf("; did you mean %q?", near)
	}
	p.walk.enter(paths.Step{Kind: paths.ByAttr, Name: name}, false)
	p.walk.violation(RuleTypeMismatch, message)
	if n := len(p.walk.found); n > 0 {
		p.walk.found[n-1].violation.surplus = true
	}
	p.walk.leave()
}

func (p *pruner) attribute(a *configschema.Attribute, given cty.Type) {
	if a.NestedType != nil {
		p.nest(nestOf(a.NestedType), given)
		return
	}
	before := len(p.walk.found)
	p.plain(a.Type, given)
	if len(p.walk.found) > before {
		p.leaveOut()
	}
}

func (p *pruner) nest(n nest, given cty.Type) {
	switch {
	case n.mode.Single() && given.IsObjectType():
		p.fields(n.fields, given)
	case !p.walk.schema.conformAll(n, given):
		p.mismatch(values.TypeName(n.impliedType()), values.TypeName(given))
		p.leaveOut()
	}
}

// plain reports where a type without a schema of its own is wrong, if it is: below
// objects and tuples at the part, for a collection at the whole.
func (p *pruner) plain(want, given cty.Type) {
	switch {
	case want.IsObjectType() && given.IsObjectType():
		p.plainObject(want, given)
	case want.IsTupleType() && given.IsTupleType() && want.Length() == given.Length():
		for i, element := range want.TupleElementTypes() {
			p.walk.enter(paths.Step{Kind: paths.ByIndex, Pos: i}, false)
			p.plain(element, given.TupleElementType(i))
			p.walk.leave()
		}
	case !values.TypeConforms(given, want):
		p.mismatch(values.TypeName(want), values.TypeName(given))
	}
}

func (p *pruner) plainObject(want, given cty.Type) {
	for name, ty := range want.AttributeTypes() {
		p.walk.enter(paths.Step{Name: name}, false)
		if given.HasAttribute(name) {
			p.plain(ty, given.AttributeType(name))
		} else {
			p.missing("attribute", values.TypeName(ty))
		}
		p.walk.leave()
	}
	for name := range given.AttributeTypes() {
		if !want.HasAttribute(name) {
			p.surplus(name, nil)
		}
	}
}

// rest returns the fields without those that have a mismatch.
func (p *pruner) rest(f fields) fields {
	kept := fields{make(map[string]*configschema.Attribute, len(f.attrs)), make(map[string]*configschema.NestedBlock, len(f.blocks))}
	for name, a := range f.attrs {
		p.walk.enter(paths.Step{Name: name}, false)
		if !p.mismatched[p.place()] {
			if a.NestedType != nil && a.NestedType.Nesting.Single() {
				pruned := *a
				pruned.NestedType = &configschema.Object{Attributes: p.rest(nestOf(a.NestedType).fields).attrs, Nesting: a.NestedType.Nesting}
				a = &pruned
			}
			kept.attrs[name] = a
		}
		p.walk.leave()
	}
	for name, nb := range f.blocks {
		p.walk.enter(paths.Step{Name: name}, false)
		if !p.mismatched[p.place()] {
			if nb.Nesting.Single() {
				pruned, inner := *nb, p.rest(fieldsOf(&nb.Block))
				pruned.Attributes, pruned.BlockTypes = inner.attrs, inner.blocks
				nb = &pruned
			}
			kept.blocks[name] = nb
		}
		p.walk.leave()
	}
	return kept
}
