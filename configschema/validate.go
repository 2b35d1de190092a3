package configschema

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/values"
)

const (
	// maxDepth limits the nesting depth of blocks and nested attributes. A cycle of pointers
	// exceeds it.
	maxDepth = 64

	// maxFields limits the number of attributes and blocks in a schema. A shared node counts
	// each time that it is reached, which bounds the work for schemas that share nodes. The
	// largest schemas of public providers have some hundred thousand attributes and blocks.
	maxFields = 1 << 20

	// maxTypeDepth and maxTypeParts limit the types of a schema in the same way.
	maxTypeDepth = 100_000
	maxTypeParts = 1 << 22
)

// Validate returns nil if Terraform accepts the schema from a provider. Otherwise it returns an
// error that joins one error for each problem, each with its path
// (docs/specification.md#23-valid-schemas). A nil Block is invalid.
//
// Functions that check or make values also accept some schemas that are not valid: see
// [Block.Usable].
func (b *Block) Validate() error {
	return check(refused, func(v *validation) { v.block(b) })
}

// Validate returns the problems of the attribute, like [Block.Validate].
func (a *Attribute) Validate() error {
	return check(refused, func(v *validation) { v.attribute(a, level{}) })
}

// Validate returns the problems of the block type, like [Block.Validate].
func (nb *NestedBlock) Validate() error {
	return check(refused, func(v *validation) { v.blockType(nb, level{}) })
}

// Usable returns nil if values can be checked against the schema. Otherwise it returns an error
// that joins one error for each problem, each with its path.
//
// The problems are: nil pointers, cycles, a schema or type that is too large or nested too
// deep, an attribute with neither or both of Type and NestedType, a type with a part that is
// the zero cty.Type, an unknown nesting mode, a name of both an attribute and a block, a name
// that is not in Unicode NFC, and a dynamic type inside set nesting.
//
// Usable does not report the other problems that [Block.Validate] reports. An attribute without
// Required, Optional and Computed counts as Optional.
func (b *Block) Usable() error {
	return check(unusable, func(v *validation) { v.block(b) })
}

func (a *Attribute) usable() bool {
	return check(unusable, func(v *validation) { v.attribute(a, level{}) }) == nil
}

func (nb *NestedBlock) usable() bool {
	return check(unusable, func(v *validation) { v.blockType(nb, level{}) }) == nil
}

// A problemLevel says what a problem prevents.
type problemLevel int

const (
	refused  problemLevel = iota // Terraform rejects the schema
	unusable                     // Terraform rejects the schema, and values cannot be checked against it
)

// A validation visits a schema and collects its problems. It stops if the schema is too large.
type validation struct {
	least problemLevel // of the problems to collect

	path     []paths.Step
	fields   int // visited so far
	types    values.TypeCheck
	tooLarge bool
	problems []error
}

// A level describes what encloses an attribute or block.
type level struct {
	depth      int
	inSet      bool
	inComputed bool // inside a computed block, without a nested attribute in between
}

// check returns an error that joins the problems of at least the given severity, in order of names.
func check(least problemLevel, visit func(*validation)) error {
	v := validation{least: least, types: values.TypeCheck{MaxDepth: maxTypeDepth, MaxParts: maxTypeParts}}
	visit(&v)
	return errors.Join(v.problems...)
}

// report records a problem of the current attribute or block type.
func (v *validation) report(s problemLevel, format string, args ...any) {
	if s < v.least {
		return
	}
	place := paths.Text(v.path, -1)
	if place != "" {
		place += ": "
	}
	v.problems = append(v.problems, errors.New(place+fmt.Sprintf(format, args...)))
}

// enter adds an attribute or block type to the path, and records problems of its name. It returns
// false, and does not change the path, if the schema is too large to be visited further.
func (v *validation) enter(name string) bool {
	if v.tooLarge {
		return false
	}
	v.fields++
	if v.fields > maxFields {
		v.tooLarge = true
		v.report(unusable, "the schema has more than %d attributes and blocks", maxFields)
		return false
	}
	v.path = append(v.path, paths.Step{Name: name})
	if cty.NormalizeString(name) != name {
		v.report(unusable, "the name %s is not in Unicode NFC", strconv.QuoteToASCII(name))
	}
	return true
}

func (v *validation) leave() { v.path = v.path[:len(v.path)-1] }

func (v *validation) block(b *Block) {
	if b == nil {
		v.report(unusable, "the schema is nil")
		return
	}
	v.deprecation(b.Deprecated, b.DeprecationMessage)
	v.content(b, level{inComputed: b.Computed})
}

func (v *validation) content(b *Block, l level) {
	if l.depth > maxDepth {
		v.tooLarge = true
		v.report(unusable, "nested deeper than %d levels", maxDepth)
		return
	}
	for _, name := range slices.Sorted(maps.Keys(b.Attributes)) {
		if v.enter(name) {
			v.attribute(b.Attributes[name], l)
			v.leave()
		}
	}
	for _, name := range slices.Sorted(maps.Keys(b.BlockTypes)) {
		if v.enter(name) {
			v.blockName(name, b.Attributes[name] != nil)
			v.blockType(b.BlockTypes[name], l)
			v.leave()
		}
	}
}

func (v *validation) deprecation(deprecated bool, message string) {
	if message != "" && !deprecated {
		v.report(refused, "DeprecationMessage is set without Deprecated")
	}
}

func (v *validation) attribute(a *Attribute, l level) {
	if a == nil {
		v.report(unusable, "the attribute is nil")
		return
	}
	if err := a.checkTypes(); err != nil {
		v.report(unusable, "%s", err)
	}
	if !a.Required && !a.Optional && !a.Computed {
		v.report(refused, "none of Required, Optional and Computed is set")
	}
	if a.Required && (a.Optional || a.Computed) {
		v.report(refused, "Required is set together with Optional or Computed")
	}
	if a.WriteOnly && l.inSet {
		v.report(refused, "WriteOnly is set inside a set")
	}
	v.deprecation(a.Deprecated, a.DeprecationMessage)
	if l.inComputed && !a.Computed {
		v.report(refused, "must be Computed inside a computed block")
	}
	if a.Type != cty.NilType {
		v.attributeType(a.Type, l)
	}
	if a.NestedType != nil {
		v.object(a.NestedType, l)
	}
}

func (a *Attribute) checkTypes() error {
	if (a.Type == cty.NilType) == (a.NestedType == nil) {
		return errTypes
	}
	return nil
}

var errTypes = errors.New("exactly one of Type and NestedType must be set")

func (v *validation) attributeType(ty cty.Type, l level) {
	if ty.IsPrimitiveType() {
		return
	}
	switch isType := v.types.Usable(ty); {
	case v.types.TooLarge:
		v.tooLarge = true
		v.report(unusable, "the type is too large or nested too deep")
	case !isType:
		v.report(unusable, "the type has a part that is the zero cty.Type")
	case l.inSet && ty.HasDynamicTypes():
		v.report(unusable, "the type is dynamic inside a set")
	}
}

func (v *validation) object(o *Object, l level) {
	v.nesting(o.Nesting)
	v.content(o.Block(), level{depth: l.depth + 1, inSet: l.inSet || o.Nesting.Coalesces()})
}

func (v *validation) nesting(mode NestingMode) {
	if !mode.valid() {
		v.report(unusable, "invalid nesting mode %s", mode)
	}
}

func (v *validation) blockName(name string, alsoAttribute bool) {
	if alsoAttribute {
		v.report(unusable, "the name is both an attribute and a block")
	}
	for _, r := range name {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_' {
			v.report(refused, "a block's name may contain only a-z, 0-9 and _")
			return
		}
	}
	if name == "" {
		v.report(refused, "a block's name must not be empty")
	}
}

func (v *validation) blockType(nb *NestedBlock, l level) {
	if nb == nil {
		v.report(unusable, "the block type is nil")
		return
	}
	v.nesting(nb.Nesting)
	v.items(nb)
	v.deprecation(nb.Deprecated, nb.DeprecationMessage)
	if nb.Computed && nb.Nesting == NestingGroup {
		v.report(refused, "a group block is computed")
	}
	if nb.Computed && nb.MinItems > 0 && !nb.Nesting.Single() {
		v.report(refused, "MinItems is set on a computed block")
	}
	if l.inComputed && !nb.Computed {
		v.report(refused, "must be Computed inside a computed block")
	}
	v.content(&nb.Block, level{
		depth:      l.depth + 1,
		inSet:      l.inSet || nb.Nesting.Coalesces(),
		inComputed: l.inComputed || nb.Computed,
	})
}

func (v *validation) items(nb *NestedBlock) {
	lo, hi := nb.MinItems, nb.MaxItems
	switch nb.Nesting {
	case NestingSingle:
		if lo != hi || lo < 0 || lo > 1 {
			v.report(refused, "MinItems and MaxItems of a single block must both be 0 or both be 1")
		}
	case NestingGroup, NestingMap:
		if lo != 0 || hi != 0 {
			v.report(refused, "MinItems and MaxItems of a %s block must be 0", nb.Nesting)
		}
	case NestingList, NestingSet:
		if lo < 0 || hi < 0 || hi != 0 && lo > hi {
			v.report(refused, "MinItems %d and MaxItems %d leave no valid number of blocks", lo, hi)
		}
	}
}
