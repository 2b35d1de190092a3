package configschema

import (
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
