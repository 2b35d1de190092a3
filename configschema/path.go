package configschema

import (
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/paths"
)

// AttributeByPath returns the attribute at the path. It returns nil if the path leads to a
// block, a part of an attribute's value or an element of a nested attribute, and if it leads
// nowhere. Index steps are skipped, whatever their keys. A key of a dynamically typed map of
// blocks is an attribute step.
func (b *Block) AttributeByPath(path cty.Path) *Attribute {
	var found *Attribute
	inMap := false // the next attribute step is a key, if others follow
	steps := paths.Steps(path)
	for i, s := range steps {
		isKey := inMap && i+1 < len(steps)
		found, inMap = nil, false
		if s.Kind != paths.ByName || b == nil || isKey {
			continue
		}
		a, nb := b.Attributes[s.Name], b.BlockTypes[s.Name]
		switch {
		case a != nil:
			found, b = a, a.NestedType.Block()
		case nb != nil:
			b = &nb.Block
			inMap = nb.Nesting == NestingMap && nb.usable() && nb.impliedType() == cty.DynamicPseudoType
		default:
			b = nil
		}
	}
	return found
}

// AttributeByPath returns the attribute at the path from one of the objects, like
// [Block.AttributeByPath].
func (o *Object) AttributeByPath(path cty.Path) *Attribute {
	return o.Block().AttributeByPath(path)
}

// PathString returns the path as people read it, such as `.rule[0].tags["env"]`, but
// hides what may be a secret. Below an attribute that is sensitive or write-only, and
// from a key that is marked on, each step that the schema does not name is
// `[(sensitive)]`, but for set elements, which are `[*]`. The root is "". Without a
// usable schema nothing is named.
func (b *Block) PathString(path cty.Path) string {
	steps, hide := paths.Steps(path), -1
	if b.Usable() != nil {
		b, hide = &Block{}, 0
	}
	at := readings{{block: &NestedBlock{Block: *b, Nesting: NestingSingle}}} // the root
	for i := range steps {
		if paths.IsMarked(path[i]) && hide < 0 {
			hide = i
		}
		named, secret := at.into(steps[i])
		switch s := &steps[i]; {
		case named:
		case s.Kind == paths.ByIndex:
			s.Foreign = true
		case s.Kind == paths.ByName:
			s.Kind = paths.ByAttr
		}
		if secret && hide < 0 {
			hide = i + 1
		}
	}
	return paths.Text(steps, hide)
}

// A reading is one place in the schema that a path may mean.
type reading struct {
	attr  *Attribute
	block *NestedBlock
}

// readings are all of them: indexes may be left out, and a name may be the key of a
// map.
type readings []reading

// fields returns the names that may follow, and whether a step may lead to one of
// several objects first.
func (r reading) fields() (at *Block, several bool) {
	switch {
	case r.block != nil:
		return &r.block.Block, !r.block.Nesting.Single()
	case r.attr.NestedType != nil:
		return r.attr.NestedType.Block(), !r.attr.NestedType.Nesting.Single()
	}
	return &Block{}, true
}

// into follows a step, and reports whether the schema may name it and whether what it
// leads to may be secret.
func (rs *readings) into(s paths.Step) (named, secret bool) {
	if s.Kind != paths.ByName && s.Kind != paths.ByKey {
		return false, false
	}
	var next readings
	add := func(r reading) {
		if !slices.Contains(next, r) {
			next = append(next, r)
		}
	}
	for _, r := range *rs {
		at, several := r.fields()
		if a := at.Attributes[s.Name]; a != nil {
			named, secret = true, secret || a.Sensitive || a.WriteOnly
			add(reading{attr: a})
		}
		if nb := at.BlockTypes[s.Name]; nb != nil {
			named = true
			add(reading{block: nb})
		}
		if several {
			add(r)
		}
	}
	*rs = next
	return named && s.Kind == paths.ByName, secret
}
