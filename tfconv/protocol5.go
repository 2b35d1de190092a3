package tfconv

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/objchange/objchange/configschema"
	"github.com/zclconf/go-cty/cty"
)

// Schema5 is like [Schema6] for a schema of protocol 5.
func Schema5(schema *tfprotov5.Schema) (*configschema.Schema, error) {
	if schema == nil {
		return Schema6(nil)
	}
	return Schema6(&tfprotov6.Schema{Version: schema.Version, Block: upgrade{}.block(schema.Block, 0)})
}

// Block5 is like [Block6] for a block of protocol 5.
func Block5(block *tfprotov5.SchemaBlock) (*configschema.Block, error) {
	return Block6(upgrade{}.block(block, 0))
}

// ProposedNew5 is like [ProposedNew6] for a schema of protocol 5.
func ProposedNew5(schema *tfprotov5.Schema, prior, config tftypes.Value) (tftypes.Value, error) {
	p, err := NewProposer5(schema)
	if err != nil {
		return tftypes.Value{}, err
	}
	return p.ProposedNew(prior, config)
}

// NewProposer5 is like [NewProposer6] for a schema of protocol 5.
func NewProposer5(schema *tfprotov5.Schema) (*Proposer, error) {
	converted, err := Schema5(schema)
	if err != nil {
		return nil, fmt.Errorf("the schema: %w", err)
	}
	return NewProposer(converted.Block)
}

// Decode5 is like [Decode6] for a value encoded in protocol 5.
func Decode5(v *tfprotov5.DynamicValue, ty cty.Type) (cty.Value, error) {
	return Decode6((*tfprotov6.DynamicValue)(v), ty)
}

// Encode5 is like [Encode6] for protocol 5.
func Encode5(v cty.Value, ty cty.Type) (*tfprotov5.DynamicValue, error) {
	encoded, err := Encode6(v, ty)
	return (*tfprotov5.DynamicValue)(encoded), err
}

// An upgrade converts blocks of protocol 5 to blocks of protocol 6, each once. So a block that
// contains itself, or that many blocks share, stays so. The reader of protocol 6 bounds the work.
type upgrade map[*tfprotov5.SchemaBlock]*tfprotov6.SchemaBlock

func (u upgrade) block(from *tfprotov5.SchemaBlock, depth int) *tfprotov6.SchemaBlock {
	if from == nil || depth > maxSchemaDepth+1 {
		return nil
	}
	if to, done := u[from]; done {
		return to
	}
	to := &tfprotov6.SchemaBlock{
		Description:        from.Description,
		DescriptionKind:    tfprotov6.StringKind(from.DescriptionKind),
		Deprecated:         from.Deprecated,
		DeprecationMessage: from.DeprecationMessage,
	}
	u[from] = to
	for _, attr := range from.Attributes {
		to.Attributes = append(to.Attributes, upgradeAttribute(attr))
	}
	for _, nested := range from.BlockTypes {
		if nested == nil {
			to.BlockTypes = append(to.BlockTypes, nil)
			continue
		}
		to.BlockTypes = append(to.BlockTypes, &tfprotov6.SchemaNestedBlock{
			TypeName: nested.TypeName,
			Block:    u.block(nested.Block, depth+1),
			Nesting:  tfprotov6.SchemaNestedBlockNestingMode(nested.Nesting),
			MinItems: nested.MinItems,
			MaxItems: nested.MaxItems,
		})
	}
	return to
}

func upgradeAttribute(from *tfprotov5.SchemaAttribute) *tfprotov6.SchemaAttribute {
	if from == nil {
		return nil
	}
	return &tfprotov6.SchemaAttribute{
		Name:               from.Name,
		Type:               from.Type,
		Required:           from.Required,
		Optional:           from.Optional,
		Computed:           from.Computed,
		Sensitive:          from.Sensitive,
		WriteOnly:          from.WriteOnly,
		Description:        from.Description,
		DescriptionKind:    tfprotov6.StringKind(from.DescriptionKind),
		Deprecated:         from.Deprecated,
		DeprecationMessage: from.DeprecationMessage,
	}
}
