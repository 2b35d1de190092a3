package tfconv

import (
	"errors"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/objchange/objchange/configschema"
	"github.com/zclconf/go-cty/cty"
)

// Schema6 returns a schema of protocol 6 as a schema of package objchange. The schema is valid
// according to its Block.Validate. A schema without a block becomes the schema of an empty block.
//
// It returns an error that joins one error with its path for each problem: a nil schema or a nil
// part, a name that occurs twice, a type, nesting mode or kind of description that does not exist,
// and all problems that Validate finds.
func Schema6(schema *tfprotov6.Schema) (*configschema.Schema, error) {
	if schema == nil {
		return nil, errors.New("the schema is nil")
	}
	block := schema.Block
	if block == nil {
		block = &tfprotov6.SchemaBlock{}
	}
	converted, err := Block6(block)
	if err != nil {
		return nil, err
	}
	return &configschema.Schema{Version: schema.Version, Block: converted}, nil
}

// Block6 returns a block of protocol 6 as a valid block of package objchange. It returns the errors
// of [Schema6], and an error for a nil block.
func Block6(block *tfprotov6.SchemaBlock) (*configschema.Block, error) {
	if block == nil {
		return nil, errors.New("the block is nil")
	}
	var r schemaReader
	converted := r.block(block)
	return validBlock(&converted, r.problems)
}

// IdentitySchema6 returns the schema of a resource identity of protocol 6. The functions for
// resources accept values of the returned schema. An attribute that is required for import is
// Required, one that is optional for import is Optional, and all others are Computed. An attribute
// that is both required and optional for import is Optional. It returns the errors of [Schema6].
func IdentitySchema6(schema *tfprotov6.ResourceIdentitySchema) (*configschema.Schema, error) {
	if schema == nil {
		return nil, errors.New("the identity schema is nil")
	}
	var r schemaReader
	block := &configschema.Block{Attributes: map[string]*configschema.Attribute{}}
	for i, attr := range schema.IdentityAttributes {
		if attr == nil {
			r.fail("attribute %d is nil", i)
			continue
		}
		r.enter(attr.Name)
		addNamed(&r.problems, block.Attributes, attr.Name, &configschema.Attribute{
			Type:        r.typ(attr.Type),
			Required:    attr.RequiredForImport && !attr.OptionalForImport,
			Optional:    attr.OptionalForImport,
			Computed:    !attr.RequiredForImport && !attr.OptionalForImport,
			Description: attr.Description,
		})
		r.leave()
	}
	block, err := validBlock(block, r.problems)
	if err != nil {
		return nil, err
	}
	return &configschema.Schema{Version: schema.Version, Block: block}, nil
}

// A schemaReader reads a schema of protocol 6.
type schemaReader struct{ problems }

func (r *schemaReader) block(from *tfprotov6.SchemaBlock) (to configschema.Block) {
	if from == nil || !r.canDescend() {
		return to
	}
	to = configschema.Block{
		Attributes:         r.attributes(from.Attributes),
		BlockTypes:         map[string]*configschema.NestedBlock{},
		Description:        from.Description,
		DescriptionKind:    stringKind[configschema.StringKind](&r.problems, from.DescriptionKind),
		Deprecated:         from.Deprecated,
		DeprecationMessage: from.DeprecationMessage,
	}
	for i, nested := range from.BlockTypes {
		if nested == nil {
			r.fail("block type %d is nil", i)
			continue
		}
		r.enter(nested.TypeName)
		addNamed(&r.problems, to.BlockTypes, nested.TypeName, &configschema.NestedBlock{
			Block:    r.block(nested.Block),
			Nesting:  nesting(&r.problems, blockNesting, nested.Nesting),
			MinItems: int(nested.MinItems),
			MaxItems: int(nested.MaxItems),
		})
		r.leave()
	}
	return to
}

func (r *schemaReader) attributes(from []*tfprotov6.SchemaAttribute) map[string]*configschema.Attribute {
	to := map[string]*configschema.Attribute{}
	for i, attr := range from {
		if attr == nil {
			r.fail("attribute %d is nil", i)
			continue
		}
		r.enter(attr.Name)
		addNamed(&r.problems, to, attr.Name, r.attribute(attr))
		r.leave()
	}
	return to
}

func (r *schemaReader) attribute(from *tfprotov6.SchemaAttribute) *configschema.Attribute {
	to := &configschema.Attribute{
		Required:           from.Required,
		Optional:           from.Optional,
		Computed:           from.Computed,
		Sensitive:          from.Sensitive,
		WriteOnly:          from.WriteOnly,
		Description:        from.Description,
		DescriptionKind:    stringKind[configschema.StringKind](&r.problems, from.DescriptionKind),
		Deprecated:         from.Deprecated,
		DeprecationMessage: from.DeprecationMessage,
	}
	if from.NestedType != nil {
		if from.Type != nil {
			r.fail("has both a type and a nested type")
		}
		to.NestedType = r.object(from.NestedType)
		return to
	}
	to.Type = r.typ(from.Type)
	return to
}

func (r *schemaReader) object(from *tfprotov6.SchemaObject) *configschema.Object {
	if !r.canDescend() {
		return nil
	}
	mode := nesting(&r.problems, objectNesting, from.Nesting)
	return &configschema.Object{Attributes: r.attributes(from.Attributes), Nesting: mode}
}

var blockNesting = map[configschema.NestingMode]tfprotov6.SchemaNestedBlockNestingMode{
	configschema.NestingSingle: tfprotov6.SchemaNestedBlockNestingModeSingle,
	configschema.NestingGroup:  tfprotov6.SchemaNestedBlockNestingModeGroup,
	configschema.NestingList:   tfprotov6.SchemaNestedBlockNestingModeList,
	configschema.NestingSet:    tfprotov6.SchemaNestedBlockNestingModeSet,
	configschema.NestingMap:    tfprotov6.SchemaNestedBlockNestingModeMap,
}

var objectNesting = map[configschema.NestingMode]tfprotov6.SchemaObjectNestingMode{
	configschema.NestingSingle: tfprotov6.SchemaObjectNestingModeSingle,
	configschema.NestingList:   tfprotov6.SchemaObjectNestingModeList,
	configschema.NestingSet:    tfprotov6.SchemaObjectNestingModeSet,
	configschema.NestingMap:    tfprotov6.SchemaObjectNestingModeMap,
}

// nesting returns the mode that the protocol writes as from. It records a problem if there is none.
func nesting[M ~int32](p *problems, modes map[configschema.NestingMode]M, from M) configschema.NestingMode {
	for mode, written := range modes {
		if written == from {
			return mode
		}
	}
	p.fail("unknown nesting mode %d", int32(from))
	return 0
}

// stringKind converts a kind of description in either direction. It records a problem if there is no
// such kind.
func stringKind[To, From ~int | ~int32](p *problems, from From) To {
	if from != From(configschema.StringPlain) && from != From(configschema.StringMarkdown) {
		p.fail("unknown kind of description %d", from)
		return 0
	}
	return To(from) // the numbers are the same
}

func (r *schemaReader) typ(from tftypes.Type) cty.Type {
	to, err := TypeToCty(from)
	if err != nil {
		r.fail("%v", err)
		return cty.DynamicPseudoType
	}
	return to
}
