package configschema

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/paths"
)

// AttributeByPath returns the attribute at the path. It returns nil if the path leads to a
// block, to a part of an attribute's value, to an element of a nested attribute, or to nothing
// in the schema. It skips index steps and does not check their keys. In a map of blocks with
// dynamic types, keys are attribute steps.
func (b *Block) AttributeByPath(path cty.Path) *Attribute {
	var found *Attribute
	inMap := false // the next attribute step is a map key, unless it is the last step
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
