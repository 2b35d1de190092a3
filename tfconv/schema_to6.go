package tfconv

import (
	"errors"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/objchange/objchange/configschema"
)

// SchemaTo6 returns a schema as a schema of protocol 6. [Schema6] reads the same schema back.
// Attributes and blocks are sorted by name.
//
// It returns an error that joins one error with its path for each problem: all reasons why the
// schema is invalid (see configschema.Block.Validate), and all parts that the protocol cannot
// represent. These parts are computed blocks, nested attributes with group nesting (in protocol 5,
// nested attributes with any nesting), and capsule types. The cost is proportional to the size of
// the schema.
func SchemaTo6(schema *configschema.Schema) (*tfprotov6.Schema, error) {
	if schema == nil {
		return nil, errors.New("the schema is nil")
	}
	block := schema.Block
	if block == nil {
		block = &configschema.Block{}
	}
	converted, err := BlockTo6(block)
	if err != nil {
		return nil, err
	}
	return &tfprotov6.Schema{Version: schema.Version, Block: converted}, nil
}

// BlockTo6 returns a block as a block of protocol 6. It returns the errors of [SchemaTo6], and an
// error for a nil block.
func BlockTo6(block *configschema.Block) (*tfprotov6.SchemaBlock, error) {
	if block == nil {
		return nil, errors.New("the block is nil")
	}
	if err := usable(block); err != nil {
		return nil, err
	}
	var w schemaWriter6
	converted := w.block(block)
	if err := errors.Join(w.list...); err != nil {
		return nil, err
	}
	return converted, nil
}

// IdentitySchemaTo6 returns the schema of a resource identity as a schema of protocol 6.
// [IdentitySchema6] reads the same schema back. Required attributes are required for import, and
// Optional attributes are optional for import.
//
// It returns the errors of [SchemaTo6], and an error if the schema contains anything except
// attributes with a type and a plain description. Exactly one of Required, Optional and Computed
// must be set for each attribute.
func IdentitySchemaTo6(schema *configschema.Schema) (*tfprotov6.ResourceIdentitySchema, error) {
	if schema == nil {
		return nil, errors.New("the identity schema is nil")
	}
	block := schema.Block
	if block == nil {
		block = &configschema.Block{}
	}
	if err := usable(block); err != nil {
		return nil, err
	}
	var w schemaWriter6
	w.onlyAttributes(block)
	to := &tfprotov6.ResourceIdentitySchema{Version: schema.Version}
	for _, name := range slices.Sorted(maps.Keys(block.Attributes)) {
		attr := block.Attributes[name]
		w.enter(name)
		w.onlyIdentity(attr)
		to.IdentityAttributes = append(to.IdentityAttributes, &tfprotov6.ResourceIdentitySchemaAttribute{
			Name:              name,
			Type:              w.typeOf(attr),
			RequiredForImport: attr.Required,
			OptionalForImport: attr.Optional,
			Description:       attr.Description,
		})
		w.leave()
	}
	if err := errors.Join(w.list...); err != nil {
		return nil, err
	}
	return to, nil
}

// A schemaWriter6 writes a schema of protocol 6. The schema that it reads must be valid.
type schemaWriter6 struct{ problems }

func (w *schemaWriter6) block(from *configschema.Block) *tfprotov6.SchemaBlock {
	if from.Computed {
		w.fail("the block is computed, and the protocol does not support computed blocks")
	}
	to := &tfprotov6.SchemaBlock{
		Attributes:         w.attributes(from.Attributes),
		Description:        from.Description,
		DescriptionKind:    w.stringKind(from.DescriptionKind),
		Deprecated:         from.Deprecated,
		DeprecationMessage: from.DeprecationMessage,
	}
	for _, name := range slices.Sorted(maps.Keys(from.BlockTypes)) {
		nested := from.BlockTypes[name]
		w.enter(name)
		to.BlockTypes = append(to.BlockTypes, &tfprotov6.SchemaNestedBlock{
			TypeName: name,
			Block:    w.block(&nested.Block),
			Nesting:  blockNestingTo6[nested.Nesting],
			MinItems: int64(nested.MinItems),
			MaxItems: int64(nested.MaxItems),
		})
		w.leave()
	}
	return to
}

func (w *schemaWriter6) attributes(from map[string]*configschema.Attribute) []*tfprotov6.SchemaAttribute {
	var to []*tfprotov6.SchemaAttribute
	for _, name := range slices.Sorted(maps.Keys(from)) {
		w.enter(name)
		to = append(to, w.attribute(name, from[name]))
		w.leave()
	}
	return to
}

func (w *schemaWriter6) attribute(name string, from *configschema.Attribute) *tfprotov6.SchemaAttribute {
	to := &tfprotov6.SchemaAttribute{
		Name:               name,
		Required:           from.Required,
		Optional:           from.Optional,
		Computed:           from.Computed,
		Sensitive:          from.Sensitive,
		WriteOnly:          from.WriteOnly,
		Description:        from.Description,
		DescriptionKind:    w.stringKind(from.DescriptionKind),
		Deprecated:         from.Deprecated,
		DeprecationMessage: from.DeprecationMessage,
	}
	// Only protocol 6:
	if from.NestedType != nil {
		to.NestedType = w.object(from.NestedType)
		return to
	}
	// End of only.
	to.Type = w.typeOf(from)
	return to
}

// Only protocol 6:

func (w *schemaWriter6) object(from *configschema.Object) *tfprotov6.SchemaObject {
	modes := map[configschema.NestingMode]tfprotov6.SchemaObjectNestingMode{
		configschema.NestingSingle: tfprotov6.SchemaObjectNestingModeSingle,
		configschema.NestingList:   tfprotov6.SchemaObjectNestingModeList,
		configschema.NestingSet:    tfprotov6.SchemaObjectNestingModeSet,
		configschema.NestingMap:    tfprotov6.SchemaObjectNestingModeMap,
	}
	mode, ok := modes[from.Nesting]
	if !ok {
		w.fail("nested attributes of %s nesting, which the protocol does not have", from.Nesting)
	}
	return &tfprotov6.SchemaObject{Attributes: w.attributes(from.Attributes), Nesting: mode}
}

// End of only.

var blockNestingTo6 = map[configschema.NestingMode]tfprotov6.SchemaNestedBlockNestingMode{
	configschema.NestingSingle: tfprotov6.SchemaNestedBlockNestingModeSingle,
	configschema.NestingGroup:  tfprotov6.SchemaNestedBlockNestingModeGroup,
	configschema.NestingList:   tfprotov6.SchemaNestedBlockNestingModeList,
	configschema.NestingSet:    tfprotov6.SchemaNestedBlockNestingModeSet,
	configschema.NestingMap:    tfprotov6.SchemaNestedBlockNestingModeMap,
}

func (w *schemaWriter6) stringKind(from configschema.StringKind) tfprotov6.StringKind {
	switch from {
	case configschema.StringPlain:
		return tfprotov6.StringKindPlain
	case configschema.StringMarkdown:
		return tfprotov6.StringKindMarkdown
	}
	w.fail("unknown kind of description %d", int(from))
	return tfprotov6.StringKindPlain
}
