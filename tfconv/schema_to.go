package tfconv

import (
	"errors"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/objchange/objchange/configschema"
)

// SchemaTo6 returns a schema as a schema of protocol 6. [Schema6] reads the same schema back.
// Attributes and blocks are sorted by name. A schema without a block becomes a schema with an empty
// block.
//
// It returns an error that joins one error with its path for each problem: a nil schema, all reasons
// why the schema is invalid (see configschema.Block.Validate), and all parts that the protocol
// cannot represent. These parts are computed blocks, nested attributes with group nesting, and
// capsule types. The cost is proportional to the size of the schema.
func SchemaTo6(schema *configschema.Schema) (*tfprotov6.Schema, error) {
	if schema == nil {
		return nil, errors.New("the schema is nil")
	}
	block := schema.Block
	if block == nil {
		block = &configschema.Block{}
	}
	if block.Usable() != nil {
		return nil, block.Validate() // all problems
	}
	var w schemaWriter
	converted := w.block(block)
	if err := errors.Join(w.list...); err != nil {
		return nil, err
	}
	return &tfprotov6.Schema{Version: schema.Version, Block: converted}, nil
}

// A schemaWriter writes a valid schema in the structs of protocol 6.
type schemaWriter struct{ problems }

func (w *schemaWriter) block(from *configschema.Block) *tfprotov6.SchemaBlock {
	if from.Computed {
		w.fail("the block is computed, and the protocol does not support computed blocks")
	}
	to := &tfprotov6.SchemaBlock{
		Attributes:         w.attributes(from.Attributes),
		Description:        from.Description,
		DescriptionKind:    stringKind[tfprotov6.StringKind](&w.problems, from.DescriptionKind),
		Deprecated:         from.Deprecated,
		DeprecationMessage: from.DeprecationMessage,
	}
	for _, name := range slices.Sorted(maps.Keys(from.BlockTypes)) {
		nested := from.BlockTypes[name]
		w.enter(name)
		to.BlockTypes = append(to.BlockTypes, &tfprotov6.SchemaNestedBlock{
			TypeName: name,
			Block:    w.block(&nested.Block),
			Nesting:  blockNesting[nested.Nesting],
			MinItems: int64(nested.MinItems),
			MaxItems: int64(nested.MaxItems),
		})
		w.leave()
	}
	return to
}

func (w *schemaWriter) attributes(from map[string]*configschema.Attribute) []*tfprotov6.SchemaAttribute {
	var to []*tfprotov6.SchemaAttribute
	for _, name := range slices.Sorted(maps.Keys(from)) {
		w.enter(name)
		to = append(to, w.attribute(name, from[name]))
		w.leave()
	}
	return to
}

func (w *schemaWriter) attribute(name string, from *configschema.Attribute) *tfprotov6.SchemaAttribute {
	to := &tfprotov6.SchemaAttribute{
		Name:               name,
		Required:           from.Required,
		Optional:           from.Optional,
		Computed:           from.Computed,
		Sensitive:          from.Sensitive,
		WriteOnly:          from.WriteOnly,
		Description:        from.Description,
		DescriptionKind:    stringKind[tfprotov6.StringKind](&w.problems, from.DescriptionKind),
		Deprecated:         from.Deprecated,
		DeprecationMessage: from.DeprecationMessage,
	}
	switch nested := from.NestedType; {
	case nested == nil:
		ty, err := TypeFromCty(from.Type)
		if err != nil {
			w.fail("%v", err)
		}
		to.Type = ty
	default:
		mode, ok := objectNesting[nested.Nesting]
		if !ok {
			w.fail("nested attributes of %s nesting, which the protocol does not have", nested.Nesting)
		}
		to.NestedType = &tfprotov6.SchemaObject{Attributes: w.attributes(nested.Attributes), Nesting: mode}
	}
	return to
}
