// Package configschema describes what a provider's resources, data sources and own
// configuration look like. It returns the types of their values, validates schemas, and
// reads and writes them as `terraform providers schema -json` does.
package configschema

import (
	"fmt"

	"github.com/zclconf/go-cty/cty"
)

// A Block is the schema of a resource, a data source or a provider, or the content of a
// nested block (docs/semantics.md#the-schema). Build it by hand, or decode it from the JSON
// of `terraform providers schema -json`.
//
// No method changes a Block. Goroutines may share one that none of them changes.
type Block struct {
	// Attributes are the arguments and results of the block, by name.
	Attributes map[string]*Attribute
	// BlockTypes are the nested blocks, by name.
	BlockTypes map[string]*NestedBlock

	Description        string
	DescriptionKind    StringKind
	Deprecated         bool
	DeprecationMessage string

	// Computed, on a nested block, says that the provider may supply the blocks if the
	// configuration has none. It has no effect on a root block, but Validate checks it there.
	Computed bool
}

// An Attribute is one attribute of a [Block] or an [Object]. Exactly one of Type and
// NestedType must be set.
type Attribute struct {
	// Type is the type of the attribute's value. It may contain cty.DynamicPseudoType.
	Type cty.Type
	// NestedType describes a value that is an object with a schema of its own, or a
	// collection of such objects.
	NestedType *Object

	Required  bool // the configuration must set it
	Optional  bool // the configuration may set it
	Computed  bool // the provider may choose the value if the configuration does not set it
	Sensitive bool // its value, and everything inside it, is never shown
	WriteOnly bool // the provider reads it and must return null; it is never shown either

	Description        string
	DescriptionKind    StringKind
	Deprecated         bool
	DeprecationMessage string
}

// An Object is the type of an attribute with nested attributes.
type Object struct {
	Attributes map[string]*Attribute `json:"attributes,omitempty"`
	Nesting    NestingMode           `json:"nesting_mode"`
}

// Block returns a block with the attributes of one object. It returns nil for a nil Object.
func (o *Object) Block() *Block {
	if o == nil {
		return nil
	}
	return &Block{Attributes: o.Attributes}
}

// A NestedBlock is a [Block] inside another block.
type NestedBlock struct {
	Block
	Nesting NestingMode

	// MinItems and MaxItems limit how many blocks a configuration may have. A MaxItems of
	// zero means no limit.
	MinItems, MaxItems int
}

// A StringKind is the format of a description.
type StringKind int

const (
	StringPlain    StringKind = iota // plain text
	StringMarkdown                   // Markdown
)

var stringKinds = [...]string{"plain", "markdown"}

// String returns the name of the kind in JSON: "plain" or "markdown".
func (k StringKind) String() string {
	if k.valid() {
		return stringKinds[k]
	}
	return fmt.Sprintf("StringKind(%d)", int(k))
}

func (k StringKind) valid() bool { return k == StringPlain || k == StringMarkdown }

// A NestingMode says how many objects a nested block or nested attribute has, and how they
// are kept. The zero value is not a valid mode.
type NestingMode int

const (
	_             NestingMode = iota
	NestingSingle             // one object, or null
	NestingGroup              // one object; if the configuration sets nothing, the empty object instead of null
	NestingList               // objects in order
	NestingSet                // distinct objects without order
	NestingMap                // objects by a string key
)

var nestingModes = [...]string{"", "single", "group", "list", "set", "map"}

// String returns the name of the mode in JSON, such as "list".
func (m NestingMode) String() string {
	if m.valid() {
		return nestingModes[m]
	}
	return fmt.Sprintf("NestingMode(%d)", int(m))
}

func (m NestingMode) valid() bool { return m >= NestingSingle && m <= NestingMap }

// Single reports whether the mode is single or group: there is one object, not a collection.
func (m NestingMode) Single() bool { return m == NestingSingle || m == NestingGroup }

// Coalesces reports whether the mode is set: equal objects become one.
func (m NestingMode) Coalesces() bool { return m == NestingSet }

// Keyed reports whether the mode is map: each object has a key.
func (m NestingMode) Keyed() bool { return m == NestingMap }
