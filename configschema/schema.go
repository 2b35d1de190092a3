// Package configschema has the schemas of providers and of what they manage: the types
// that their values have, whether they are valid, and their JSON as `terraform providers
// schema -json` writes it.
package configschema

import (
	"fmt"

	"github.com/zclconf/go-cty/cty"
)

// A Block is the schema of a resource, a data source, a provider or the content
// of a nested block (docs/semantics.md#the-schema): what `terraform providers
// schema -json` calls a block. Build it by hand or decode it from that JSON.
//
// Methods only read a Block, so goroutines may share one as long as nobody writes to it.
type Block struct {
	// Attributes are the arguments and results of the block, by name.
	Attributes map[string]*Attribute
	// BlockTypes are the nested blocks, by name.
	BlockTypes map[string]*NestedBlock

	Description        string
	DescriptionKind    StringKind
	Deprecated         bool
	DeprecationMessage string

	// Computed, on a nested block, says that the provider may supply the
	// blocks when the configuration has none. On a root block it means
	// nothing, but Validate holds the block to it.
	Computed bool
}

// An Attribute is one attribute of a [Block] or of an [Object]. Exactly one of
// Type and NestedType is set.
type Attribute struct {
	// Type is the type of the attribute's value. It may be or contain
	// cty.DynamicPseudoType.
	Type cty.Type
	// NestedType, if not nil, says that the value is an object or a
	// collection of objects with a schema of their own.
	NestedType *Object

	Required  bool // the configuration must set it
	Optional  bool // the configuration may set it
	Computed  bool // the provider may choose it when the configuration does not
	Sensitive bool // its value, and all that is in it, is never shown
	WriteOnly bool // the provider reads it and must always return null; it is never shown either

	Description        string
	DescriptionKind    StringKind
	Deprecated         bool
	DeprecationMessage string
}

// An Object is the type of an attribute with a schema of its own: nested
// attributes, and how many objects of them there are.
type Object struct {
	Attributes map[string]*Attribute
	Nesting    NestingMode
}

// Block returns the attributes as a block, which has what can be asked of one
// object: its type and empty value, for example. It is nil for a nil Object.
func (o *Object) Block() *Block {
	if o == nil {
		return nil
	}
	return &Block{Attributes: o.Attributes}
}

// A NestedBlock is a [Block] inside another, and how many of them there are.
type NestedBlock struct {
	Block
	Nesting NestingMode

	// MinItems and MaxItems limit the number of blocks a configuration may
	// have. A MaxItems of zero is no limit.
	MinItems, MaxItems int
}

// StringKind is how a description is written.
type StringKind int

const (
	StringPlain    StringKind = iota // plain text
	StringMarkdown                   // Markdown
)

// String returns "plain" or "markdown", as the schema's JSON has it.
func (k StringKind) String() string {
	switch k {
	case StringPlain:
		return "plain"
	case StringMarkdown:
		return "markdown"
	}
	return fmt.Sprintf("StringKind(%d)", int(k))
}

// NestingMode is how the objects of a nested block or nested attribute are
// held. The zero value is not a valid mode.
type NestingMode int

const (
	_             NestingMode = iota
	NestingSingle             // one object or null
	NestingGroup              // one object, never null in what sets nothing: absence is the empty object
	NestingList               // objects in order
	NestingSet                // objects without order, equal ones coalesced
	NestingMap                // objects by a string key
)

var nestingNames = [...]string{"", "single", "group", "list", "set", "map"}

// String returns the mode's name as the schema's JSON has it.
func (m NestingMode) String() string {
	if m.valid() {
		return nestingNames[m]
	}
	return fmt.Sprintf("NestingMode(%d)", int(m))
}

// valid reports whether there is such a mode.
func (m NestingMode) valid() bool { return m >= NestingSingle && m <= NestingMap }

// Single reports whether there is one object and no collection: single and group
// nesting.
func (m NestingMode) Single() bool { return m == NestingSingle || m == NestingGroup }

// Coalesces reports whether equal objects become one, so that they are told apart
// by their content alone: set nesting.
func (m NestingMode) Coalesces() bool { return m == NestingSet }

// Keyed reports whether each object has a key: map nesting.
func (m NestingMode) Keyed() bool { return m == NestingMap }
