// Package configschema describes the schemas of providers: their resources, data sources and
// provider configuration. It derives the types of values from schemas, validates schemas, and
// reads and writes them in the format of `terraform providers schema -json`.
package configschema

import (
	"fmt"

	"github.com/zclconf/go-cty/cty"
)

// A Block is the schema of a resource, a data source or a provider, or the content of a nested
// block (docs/specification.md#2-schema). Build it in Go, or decode it from the JSON of
// `terraform providers schema -json`.
//
// Methods do not change the Block. A Block is safe for concurrent use as long as no goroutine
// changes it.
type Block struct {
	// Attributes are the arguments and results of the block, by name.
	Attributes map[string]*Attribute
	// BlockTypes are the types of nested blocks, by name.
	BlockTypes map[string]*NestedBlock

	Description        string
	DescriptionKind    StringKind
	Deprecated         bool
	DeprecationMessage string

	// Computed means, for a nested block, that the provider may add blocks if the configuration
	// has none. For a root block, it only changes the result of Validate, which then checks the
	// attributes and blocks as if they were inside a computed block.
	Computed bool
}

// An Attribute is one attribute of a [Block] or an [Object]. Exactly one of Type and NestedType
// must be set.
type Attribute struct {
	// Type is the type of the attribute's value. It may contain cty.DynamicPseudoType.
	Type cty.Type
	// NestedType describes nested attributes: the value is an object with its own schema, or a
	// collection of such objects.
	NestedType *Object

	Required  bool // the configuration must set it
	Optional  bool // the configuration may set it
	Computed  bool // the provider may choose the value if the configuration does not set it
	Sensitive bool // messages never show the value or a part of it
	WriteOnly bool // the provider receives the value, but must return null; messages never show it

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

	// MinItems and MaxItems limit the number of blocks in a configuration. If MaxItems is zero,
	// there is no upper limit.
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

// A NestingMode says whether a nested block or nested attribute is one object or a collection
// of objects, and which kind of collection. The zero value is not a valid mode.
type NestingMode int

const (
	_             NestingMode = iota
	NestingSingle             // one object, or null
	NestingGroup              // one object; the empty object, not null, if the configuration sets nothing
	NestingList               // ordered objects
	NestingSet                // distinct objects without order
	NestingMap                // objects with string keys
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

// Single reports whether the mode is single or group, which have one object and no collection.
func (m NestingMode) Single() bool { return m == NestingSingle || m == NestingGroup }

// Coalesces reports whether the mode is set, in which equal objects become one.
func (m NestingMode) Coalesces() bool { return m == NestingSet }

// Keyed reports whether the mode is map, in which each object has a key.
func (m NestingMode) Keyed() bool { return m == NestingMap }
