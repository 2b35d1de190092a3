package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
)

// A refusal is what the framework has no way to express, and where that is.
type refusal struct {
	path cty.Path
	why  string
}

const writeOnlySet = "a write-only set"

func refuse(path cty.Path, format string, args ...any) error {
	return &refusal{path, fmt.Sprintf(format, args...)}
}

func (r *refusal) Error() string { return objchange.PathString(r.path) + ": " + r.why }

// schemaOf returns the schema as a provider written with the framework has it. How many
// blocks there may be is left out, since there that is for validators, which planning does
// not ask; so are descriptions and what is deprecated. The error is a refusal.
func schemaOf(b *configschema.Block) (schema.Schema, error) {
	attrs, blocks, err := content(nil, b)
	return schema.Schema{Attributes: attrs, Blocks: blocks}, err
}

func content(path cty.Path, b *configschema.Block) (map[string]schema.Attribute, map[string]schema.Block, error) {
	attrs, err := each(path, b.Attributes, attribute)
	if err != nil {
		return nil, nil, err
	}
	blocks, err := each(path, b.BlockTypes, block)
	return attrs, blocks, err
}

// each converts all parts of something, by name.
func each[From, To any](path cty.Path, from map[string]From, convert func(cty.Path, From) (To, error)) (map[string]To, error) {
	to := make(map[string]To, len(from))
	for _, name := range slices.Sorted(maps.Keys(from)) {
		var err error
		if to[name], err = convert(path.GetAttr(name), from[name]); err != nil {
			return nil, err
		}
	}
	return to, nil
}

func block(path cty.Path, b *configschema.NestedBlock) (schema.Block, error) {
	if b.Computed {
		return nil, refuse(path, "a computed block")
	}
	attrs, blocks, err := content(path, &b.Block)
	if err != nil {
		return nil, err
	}
	object := schema.NestedBlockObject{Attributes: attrs, Blocks: blocks}
	switch b.Nesting {
	case configschema.NestingSingle:
		return schema.SingleNestedBlock{Attributes: attrs, Blocks: blocks}, nil
	case configschema.NestingList:
		return schema.ListNestedBlock{NestedObject: object}, nil
	case configschema.NestingSet:
		return schema.SetNestedBlock{NestedObject: object}, nil
	}
	return nil, refuse(path, "a block of %s nesting", b.Nesting)
}

func attribute(path cty.Path, a *configschema.Attribute) (schema.Attribute, error) {
	if a.NestedType != nil {
		return nestedAttribute(path, a)
	}
	switch a.Type {
	case cty.String:
		return schema.StringAttribute{Required: a.Required, Optional: a.Optional, Computed: a.Computed, Sensitive: a.Sensitive, WriteOnly: a.WriteOnly}, nil
	case cty.Number:
		return schema.NumberAttribute{Required: a.Required, Optional: a.Optional, Computed: a.Computed, Sensitive: a.Sensitive, WriteOnly: a.WriteOnly}, nil
	case cty.Bool:
		return schema.BoolAttribute{Required: a.Required, Optional: a.Optional, Computed: a.Computed, Sensitive: a.Sensitive, WriteOnly: a.WriteOnly}, nil
	case cty.DynamicPseudoType:
		return schema.DynamicAttribute{Required: a.Required, Optional: a.Optional, Computed: a.Computed, Sensitive: a.Sensitive, WriteOnly: a.WriteOnly}, nil
	}
	ty, err := typeOf(path, a.Type)
	if err != nil {
		return nil, err
	}
	switch ty := ty.(type) {
	case types.ListType:
		return schema.ListAttribute{ElementType: ty.ElemType, Required: a.Required, Optional: a.Optional, Computed: a.Computed, Sensitive: a.Sensitive, WriteOnly: a.WriteOnly}, nil
	case types.SetType:
		if a.WriteOnly {
			return nil, refuse(path, writeOnlySet)
		}
		return schema.SetAttribute{ElementType: ty.ElemType, Required: a.Required, Optional: a.Optional, Computed: a.Computed, Sensitive: a.Sensitive}, nil
	case types.MapType:
		return schema.MapAttribute{ElementType: ty.ElemType, Required: a.Required, Optional: a.Optional, Computed: a.Computed, Sensitive: a.Sensitive, WriteOnly: a.WriteOnly}, nil
	}
	return schema.ObjectAttribute{AttributeTypes: ty.(types.ObjectType).AttrTypes, Required: a.Required, Optional: a.Optional, Computed: a.Computed, Sensitive: a.Sensitive, WriteOnly: a.WriteOnly}, nil
}

func nestedAttribute(path cty.Path, a *configschema.Attribute) (schema.Attribute, error) {
	attrs, err := each(path, a.NestedType.Attributes, attribute)
	if err != nil {
		return nil, err
	}
	object := schema.NestedAttributeObject{Attributes: attrs}
	switch a.NestedType.Nesting {
	case configschema.NestingSingle:
		return schema.SingleNestedAttribute{Attributes: attrs, Required: a.Required, Optional: a.Optional, Computed: a.Computed, Sensitive: a.Sensitive, WriteOnly: a.WriteOnly}, nil
	case configschema.NestingList:
		return schema.ListNestedAttribute{NestedObject: object, Required: a.Required, Optional: a.Optional, Computed: a.Computed, Sensitive: a.Sensitive, WriteOnly: a.WriteOnly}, nil
	case configschema.NestingSet:
		if a.WriteOnly {
			return nil, refuse(path, writeOnlySet)
		}
		return schema.SetNestedAttribute{NestedObject: object, Required: a.Required, Optional: a.Optional, Computed: a.Computed, Sensitive: a.Sensitive}, nil
	case configschema.NestingMap:
		return schema.MapNestedAttribute{NestedObject: object, Required: a.Required, Optional: a.Optional, Computed: a.Computed, Sensitive: a.Sensitive, WriteOnly: a.WriteOnly}, nil
	}
	return nil, refuse(path, "nested attributes of %s nesting", a.NestedType.Nesting)
}

// typeOf returns the type of values as the framework has it.
func typeOf(path cty.Path, ty cty.Type) (attr.Type, error) {
	switch {
	case ty == cty.String:
		return types.StringType, nil
	case ty == cty.Number:
		return types.NumberType, nil
	case ty == cty.Bool:
		return types.BoolType, nil
	case ty == cty.DynamicPseudoType:
		return types.DynamicType, nil
	case ty.IsCollectionType():
		elem, err := typeOf(path, ty.ElementType())
		switch {
		case err != nil:
			return nil, err
		case ty.IsListType():
			return types.ListType{ElemType: elem}, nil
		case ty.IsSetType():
			return types.SetType{ElemType: elem}, nil
		}
		return types.MapType{ElemType: elem}, nil
	case ty.IsObjectType() && len(ty.OptionalAttributes()) == 0:
		attrs, err := each(path, ty.AttributeTypes(), typeOf)
		return types.ObjectType{AttrTypes: attrs}, err
	case ty.IsObjectType():
		return nil, refuse(path, "an object with optional attributes")
	}
	return nil, refuse(path, "a %s", ty.FriendlyName())
}
