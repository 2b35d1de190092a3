package configschema

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/values"
	"github.com/zclconf/go-cty/cty"
)

// maxDepth is how deep blocks and nested attributes may be nested. It also
// ends a schema whose pointers form a cycle.
const maxDepth = 64

// maxFields bounds the attributes and blocks of one schema, counted as often
// as they are reached, so that a few shared pointers cannot keep us busy for
// ever. The largest schemas of public providers have some hundred thousand.
const maxFields = 1 << 20

// Validate returns nil for a schema that Terraform takes from a provider, and
// else an error that joins one error for each problem, each with its place
// (docs/semantics.md#validity). A nil block is invalid. A Computed block is held
// to what a computed nested block is.
//
// Other functions refuse only what has no meaning (see Usable): an attribute
// with neither or both of Type and NestedType, a nesting mode that there is not,
// a name that is both attribute and block or not in Unicode NFC, anything dynamic
// inside a set, nil pointers and cycles. With the rest they work: an attribute
// that is none of Required, Optional and Computed is taken as Optional.
func (b *Block) Validate() error {
	c := schemaCheck{listing: true}
	c.root(b)
	return errors.Join(c.problems...)
}

// Validate returns what is wrong with the attribute and all in it, like that of
// Block.
func (a *Attribute) Validate() error {
	c := schemaCheck{listing: true}
	c.attribute(a, level{})
	return errors.Join(c.problems...)
}

// Validate returns what is wrong with the nested attributes and their nesting
// mode, like that of Block.
func (o *Object) Validate() error {
	c := schemaCheck{listing: true}
	if o == nil {
		c.fail("the object is nil")
	} else {
		c.object(o, level{})
	}
	return errors.Join(c.problems...)
}

// Validate returns what is wrong with the block type, its nesting and numbers
// included, like that of Block.
func (nb *NestedBlock) Validate() error {
	c := schemaCheck{listing: true}
	c.blockType(nb, level{})
	return errors.Join(c.problems...)
}

// Usable returns nil for a schema that has a meaning, and else an
// error that joins one error for each problem, each with its place. A schema that
// Terraform refuses may have a meaning all the same: see Validate.
func (b *Block) Usable() error {
	var c schemaCheck
	if c.root(b); !c.failed {
		return nil
	}
	c = schemaCheck{listing: true, grave: true}
	c.root(b)
	return errors.Join(c.problems...)
}

func (a *Attribute) usable() bool {
	var c schemaCheck
	c.attribute(a, level{})
	return !c.failed
}

func (nb *NestedBlock) usable() bool {
	var c schemaCheck
	c.blockType(nb, level{})
	return !c.failed
}

// schemaCheck walks a schema. It stops at the first problem that leaves it without
// a meaning, or collects all.
type schemaCheck struct {
	listing   bool
	grave     bool // list only what leaves the schema without a meaning
	problems  []error
	path      []paths.Step
	failed    bool
	exhausted bool
	count     int
}

// level is what the outer blocks and attributes say about those inside.
type level struct {
	depth      int
	inSet      bool
	inComputed bool // inside a computed block, and no nested attribute since
}

// fail records what leaves the schema without a meaning.
func (c *schemaCheck) fail(format string, args ...any) {
	c.failed = true
	c.list(format, args...)
}

// refuse records what Terraform refuses and that has a meaning all the same.
func (c *schemaCheck) refuse(format string, args ...any) {
	if !c.grave {
		c.list(format, args...)
	}
}

func (c *schemaCheck) list(format string, args ...any) {
	if !c.listing {
		return
	}
	place := paths.Text(c.path, -1)
	if place != "" {
		place += ": "
	}
	c.problems = append(c.problems, errors.New(place+fmt.Sprintf(format, args...)))
}

func (c *schemaCheck) done() bool { return c.exhausted || c.failed && !c.listing }

// enter steps into the attribute or block type and reports whether to go on.
func (c *schemaCheck) enter(name string) bool {
	if c.done() {
		return false
	}
	if c.count++; c.count > maxFields {
		c.fail("the schema has more than %d attributes and blocks", maxFields)
		c.exhausted = true
		return false
	}
	if c.listing {
		c.path = append(c.path, paths.Step{Name: name})
	}
	if cty.NormalizeString(name) != name {
		c.fail("the name %s is not in Unicode NFC", strconv.QuoteToASCII(name))
	}
	return true
}

func (c *schemaCheck) leave() {
	if c.listing {
		c.path = c.path[:len(c.path)-1]
	}
}

func (c *schemaCheck) root(b *Block) {
	if b == nil {
		c.fail("the schema is nil")
		return
	}
	c.deprecation(b.Deprecated, b.DeprecationMessage)
	c.fields(b, level{inComputed: b.Computed})
}

func (c *schemaCheck) deprecation(deprecated bool, message string) {
	if message != "" && !deprecated {
		c.refuse("DeprecationMessage is set without Deprecated")
	}
}

func (c *schemaCheck) fields(b *Block, l level) {
	if l.depth > maxDepth {
		c.fail("nested deeper than %d levels", maxDepth)
		c.exhausted = true
		return
	}
	each(c.listing, b.Attributes, func(name string, a *Attribute) {
		if c.enter(name) {
			c.attribute(a, l)
			c.leave()
		}
	})
	each(c.listing, b.BlockTypes, func(name string, nb *NestedBlock) {
		if c.enter(name) {
			c.blockName(name, b.Attributes[name] != nil)
			c.blockType(nb, l)
			c.leave()
		}
	})
}

// each calls visit for each entry, by name where order matters.
func each[V any](inOrder bool, m map[string]V, visit func(string, V)) {
	if !inOrder {
		for name, v := range m {
			visit(name, v)
		}
		return
	}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		visit(name, m[name])
	}
}

func (c *schemaCheck) attribute(a *Attribute, l level) {
	if a == nil {
		c.fail("the attribute is nil")
		return
	}
	if (a.Type == cty.NilType) == (a.NestedType == nil) {
		c.fail("exactly one of Type and NestedType must be set")
	}
	if !a.Required && !a.Optional && !a.Computed {
		c.refuse("none of Required, Optional and Computed is set")
	}
	if a.Required && (a.Optional || a.Computed) {
		c.refuse("Required is set together with Optional or Computed")
	}
	if a.WriteOnly && l.inSet {
		c.refuse("WriteOnly is set inside a set")
	}
	c.deprecation(a.Deprecated, a.DeprecationMessage)
	if a.Type != cty.NilType {
		c.plainType(a.Type, l)
	}
	if l.inComputed && !a.Computed {
		c.refuse("not Computed inside a computed block")
	}
	if a.NestedType != nil {
		c.object(a.NestedType, l)
	}
}

func (c *schemaCheck) plainType(ty cty.Type, l level) {
	switch {
	case ty.IsPrimitiveType():
	case !values.TypeUsable(ty):
		c.fail("the type has a part that is the zero cty.Type")
	case l.inSet && ty.HasDynamicTypes():
		c.fail("the type is dynamic inside a set")
	}
}

func (c *schemaCheck) object(o *Object, l level) {
	c.nesting(o.Nesting)
	c.fields(o.Block(), level{depth: l.depth + 1, inSet: l.inSet || o.Nesting.Coalesces()})
}

func (c *schemaCheck) nesting(mode NestingMode) {
	if !mode.valid() {
		c.fail("invalid nesting mode %s", mode)
	}
}

func (c *schemaCheck) blockName(name string, alsoAttribute bool) {
	if alsoAttribute {
		c.fail("the name is both an attribute and a block")
	}
	for _, r := range name {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_' {
			c.refuse("a block's name may hold only a-z, 0-9 and _")
			return
		}
	}
	if name == "" {
		c.refuse("a block's name must not be empty")
	}
}

func (c *schemaCheck) blockType(nb *NestedBlock, l level) {
	if nb == nil {
		c.fail("the block type is nil")
		return
	}
	c.nesting(nb.Nesting)
	c.items(nb)
	c.deprecation(nb.Deprecated, nb.DeprecationMessage)
	if nb.Computed && nb.Nesting == NestingGroup {
		c.refuse("a group block is computed")
	}
	if nb.Computed && nb.MinItems > 0 && !nb.Nesting.Single() {
		c.refuse("MinItems is set on a computed block")
	}
	if l.inComputed && !nb.Computed {
		c.refuse("not Computed inside a computed block")
	}
	c.fields(&nb.Block, level{
		depth:      l.depth + 1,
		inSet:      l.inSet || nb.Nesting.Coalesces(),
		inComputed: l.inComputed || nb.Computed,
	})
}

func (c *schemaCheck) items(nb *NestedBlock) {
	lo, hi := nb.MinItems, nb.MaxItems
	switch mode := nb.Nesting; {
	case !mode.valid():
	case mode == NestingSingle:
		if lo != hi || lo < 0 || lo > 1 {
			c.refuse("MinItems and MaxItems of a single block must both be 0 or both be 1")
		}
	case mode.Single() || mode.Keyed():
		if lo != 0 || hi != 0 {
			c.refuse("MinItems and MaxItems of a %s block must be 0", nb.Nesting)
		}
	default:
		if lo < 0 || hi < 0 || hi != 0 && lo > hi {
			c.refuse("MinItems %d and MaxItems %d leave no valid number of blocks", lo, hi)
		}
	}
}
