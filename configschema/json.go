package configschema

import (
	"fmt"

	"github.com/zclconf/go-cty/cty"
)

// This file has the format of schemas in the JSON that `terraform providers
// schema -json` writes. What a type's JSON looks like is told once, by its
// method jsonFields, for reading and for writing; how that is done is in
// schema_codec.go, and the types of cty are in schema_json_type.go.

func (b *Block) jsonFields(c *codec) {
	entries(c, "attributes", &b.Attributes)
	entries(c, "block_types", &b.BlockTypes)
	optional(c, "description", &b.Description)
	c.value("description_kind", &b.DescriptionKind)
	optional(c, "deprecated", &b.Deprecated)
	optional(c, "deprecation_message", &b.DeprecationMessage)
	optional(c, "computed", &b.Computed)
}

func (a *Attribute) jsonFields(c *codec) {
	c.ctyType("type", &a.Type)
	child(c, "nested_type", &a.NestedType)
	if (a.Type == cty.NilType) == (a.NestedType == nil) {
		c.failf("must have either type or nested_type")
	}
	optional(c, "description", &a.Description)
	c.value("description_kind", &a.DescriptionKind)
	optional(c, "deprecated", &a.Deprecated)
	optional(c, "deprecation_message", &a.DeprecationMessage)
	optional(c, "required", &a.Required)
	optional(c, "optional", &a.Optional)
	optional(c, "computed", &a.Computed)
	optional(c, "sensitive", &a.Sensitive)
	optional(c, "write_only", &a.WriteOnly)
}

func (o *Object) jsonFields(c *codec) {
	entries(c, "attributes", &o.Attributes)
	c.require("nesting_mode")
	c.value("nesting_mode", &o.Nesting)
}

func (nb *NestedBlock) jsonFields(c *codec) {
	c.require("nesting_mode", "block")
	c.value("nesting_mode", &nb.Nesting)
	c.object("block", nb.Block.jsonFields)
	optional(c, "min_items", &nb.MinItems)
	optional(c, "max_items", &nb.MaxItems)
}

// MarshalJSON writes the block as `terraform providers schema -json` does,
// always the same for the same block: what is empty is left out, names are in
// order. A nil *Block is null.
//
// It returns an error, with its place, for what has no JSON: a nil attribute
// or block type, an attribute that has not exactly one of Type and NestedType,
// a capsule type or a type with a part that is the zero cty.Type, an unknown
// nesting mode or kind of description, and a schema nested without end or too
// large. Other faults that [Block.Validate] finds are written as they are.
func (b Block) MarshalJSON() ([]byte, error) { return marshal(&b) }

// UnmarshalJSON reads a block as `terraform providers schema -json` writes it.
// Fields it does not know are ignored; null stands for an absent field, and as
// the whole input changes nothing.
//
// It returns an error, with its place, for a malformed document: a field or an
// entry of the wrong JSON type, one that must be there and is not, a type,
// nesting mode or kind of description that does not exist, nesting beyond all
// reason. It does not ask whether the schema is valid: see [Block.Validate].
func (b *Block) UnmarshalJSON(data []byte) error { return unmarshal(data, b) }

// MarshalJSON writes the nested block: its nesting mode, the block and how
// many there may be. Its errors are those of [Block.MarshalJSON].
func (nb NestedBlock) MarshalJSON() ([]byte, error) { return marshal(&nb) }

// UnmarshalJSON reads a nested block, like [Block.UnmarshalJSON].
func (nb *NestedBlock) UnmarshalJSON(data []byte) error { return unmarshal(data, nb) }

// MarshalJSON writes the attribute. Its errors are those of
// [Block.MarshalJSON].
func (a Attribute) MarshalJSON() ([]byte, error) { return marshal(&a) }

// UnmarshalJSON reads an attribute, like [Block.UnmarshalJSON].
func (a *Attribute) UnmarshalJSON(data []byte) error { return unmarshal(data, a) }

// MarshalJSON writes the type of a nested attribute. Its errors are those of
// [Block.MarshalJSON].
func (o Object) MarshalJSON() ([]byte, error) { return marshal(&o) }

// UnmarshalJSON reads the type of a nested attribute, like
// [Block.UnmarshalJSON].
func (o *Object) UnmarshalJSON(data []byte) error { return unmarshal(data, o) }

// MarshalText returns the kind's name, as String does, or an error for a kind
// that does not exist.
func (k StringKind) MarshalText() ([]byte, error) {
	if k != StringPlain && k != StringMarkdown {
		return nil, fmt.Errorf("invalid description kind %s", k)
	}
	return []byte(k.String()), nil
}

// UnmarshalText sets the kind to the one of that name, or returns an error if
// there is none.
func (k *StringKind) UnmarshalText(text []byte) error {
	for _, kind := range []StringKind{StringPlain, StringMarkdown} {
		if string(text) == kind.String() {
			*k = kind
			return nil
		}
	}
	return fmt.Errorf("unknown description kind %.60q", text)
}

// MarshalText returns the mode's name, as String does, or an error for an
// invalid mode.
func (m NestingMode) MarshalText() ([]byte, error) {
	if !m.valid() {
		return nil, fmt.Errorf("invalid nesting mode %s", m)
	}
	return []byte(m.String()), nil
}

// UnmarshalText sets the mode to the one of that name, or returns an error if
// there is none.
func (m *NestingMode) UnmarshalText(text []byte) error {
	for mode := NestingSingle; mode.valid(); mode++ {
		if string(text) == mode.String() {
			*m = mode
			return nil
		}
	}
	return fmt.Errorf("unknown nesting mode %.60q", text)
}
