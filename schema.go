package objchange

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
)

// A Schema is the schema of a resource, a data source or anything else that has a
// configuration and values, as [Compile] makes it. It is immutable, and safe for
// concurrent use.
type Schema struct {
	block *configschema.Block
	holds facts
	ty    cty.Type
	empty cty.Value
}

// Compile returns what the functions of this package need to know of a block, which
// must not change after that.
//
// The error joins one error for each problem, each with its place, of a block without a
// meaning: an attribute with neither or both of Type and NestedType, a nesting mode that
// there is not, a name that is both attribute and block or not in Unicode NFC, anything
// dynamic inside a set, nil pointers and cycles. What Terraform would refuse for other
// reasons is no error: see [configschema.Block.Validate].
func Compile(block *configschema.Block) (*Schema, error) {
	if err := block.Usable(); err != nil {
		return nil, err
	}
	return &Schema{block: block, holds: factsOf(fieldsOf(block)), ty: block.ImpliedType(), empty: block.EmptyValue()}, nil
}

// Block returns the block that the schema was made of. It is nil for a nil schema.
func (s *Schema) Block() *configschema.Block {
	if s == nil {
		return nil
	}
	return s.block
}

// ImpliedType returns the type that values of the schema have
// (docs/semantics.md#implied-types). For a nil schema it is cty.DynamicPseudoType.
func (s *Schema) ImpliedType() cty.Type {
	if s.Block() == nil {
		return cty.DynamicPseudoType
	}
	return s.ty
}

// EmptyValue returns the value that sets nothing (docs/semantics.md#empty-values). For a
// nil schema it is a null of the dynamic type.
func (s *Schema) EmptyValue() cty.Value {
	if s.Block() == nil {
		return absent
	}
	return s.empty
}

// PathString returns the path as people read it, as [configschema.Block.PathString]
// does: what may be a secret is `[(sensitive)]`. For a nil schema nothing is named.
func (s *Schema) PathString(path cty.Path) string { return s.Block().PathString(path) }
