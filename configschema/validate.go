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
	return check(refused, func(w *walk) { w.block(b) })
}

// Validate returns the problems of the attribute, like [Block.Validate].
func (a *Attribute) Validate() error {
	return check(refused, func(w *walk) { w.attribute(a, level{}) })
}

// Validate returns the problems of the block type, like [Block.Validate].
func (nb *NestedBlock) Validate() error {
	return check(refused, func(w *walk) { w.blockType(nb, level{}) })
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
	return check(unusable, func(w *walk) { w.block(b) })
}

func (a *Attribute) usable() bool {
	return check(unusable, func(w *walk) { w.attribute(a, level{}) }) == nil
}

func (nb *NestedBlock) usable() bool {
	return check(unusable, func(w *walk) { w.blockType(nb, level{}) }) == nil
}

// A problemLevel says what a problem prevents.
type problemLevel int

const (
	refused  problemLevel = iota // Terraform rejects the schema
	unusable                     // Terraform rejects the schema, and values cannot be checked against it
)

// A walk visits a schema and collects its problems. It stops if the schema is too large.
type walk struct {
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
func check(least problemLevel, visit func(*walk)) error {
	w := walk{least: least, types: values.TypeCheck{MaxDepth: maxTypeDepth, MaxParts: maxTypeParts}}
	visit(&w)
	return errors.Join(w.problems...)
}

// report records a problem of the current attribute or block type.
func (w *walk) report(s problemLevel, format string, args ...any) {
	if s < w.least {
		return
	}
	place := paths.Text(w.path, -1)
	if place != "" {
		place += ": "
	}
	w.problems = append(w.problems, errors.New(place+fmt.Sprintf(format, args...)))
}

// enter adds an attribute or block type to the path, and records problems of its name. It returns
// false, and does not change the path, if the schema is too large to be visited further.
func (w *walk) enter(name string) bool {
	if w.tooLarge {
		return false
	}
	w.fields++
	if w.fields > maxFields {
		w.tooLarge = true
		w.report(unusable, "the schema has more than %d attributes and blocks", maxFields)
		return false
	}
	w.path = append(w.path, paths.Step{Name: name})
	if cty.NormalizeString(name) != name {
		w.report(unusable, "the name %s is not in Unicode NFC", strconv.QuoteToASCII(name))
	}
	return true
}

func (w *walk) leave() { w.path = w.path[:len(w.path)-1] }

func (w *walk) block(b *Block) {
	if b == nil {
		w.report(unusable, "the schema is nil")
		return
	}
	w.deprecation(b.Deprecated, b.DeprecationMessage)
	w.content(b, level{inComputed: b.Computed})
}

func (w *walk) content(b *Block, l level) {
	if l.depth > maxDepth {
		w.tooLarge = true
		w.report(unusable, "nested deeper than %d levels", maxDepth)
		return
	}
	for _, name := range slices.Sorted(maps.Keys(b.Attributes)) {
		if w.enter(name) {
			w.attribute(b.Attributes[name], l)
			w.leave()
		}
	}
	for _, name := range slices.Sorted(maps.Keys(b.BlockTypes)) {
		if w.enter(name) {
			w.blockName(name, b.Attributes[name] != nil)
			w.blockType(b.BlockTypes[name], l)
			w.leave()
		}
	}
}

func (w *walk) deprecation(deprecated bool, message string) {
	if message != "" && !deprecated {
		w.report(refused, "DeprecationMessage is set without Deprecated")
	}
}

func (w *walk) attribute(a *Attribute, l level) {
	if a == nil {
		w.report(unusable, "the attribute is nil")
		return
	}
	if err := a.checkTypes(); err != nil {
		w.report(unusable, "%s", err)
	}
	if !a.Required && !a.Optional && !a.Computed {
		w.report(refused, "none of Required, Optional and Computed is set")
	}
	if a.Required && (a.Optional || a.Computed) {
		w.report(refused, "Required is set together with Optional or Computed")
	}
	if a.WriteOnly && l.inSet {
		w.report(refused, "WriteOnly is set inside a set")
	}
	w.deprecation(a.Deprecated, a.DeprecationMessage)
	if l.inComputed && !a.Computed {
		w.report(refused, "must be Computed inside a computed block")
	}
	if a.Type != cty.NilType {
		w.attributeType(a.Type, l)
	}
	if a.NestedType != nil {
		w.object(a.NestedType, l)
	}
}

func (a *Attribute) checkTypes() error {
	if (a.Type == cty.NilType) == (a.NestedType == nil) {
		return errTypes
	}
	return nil
}

var errTypes = errors.New("exactly one of Type and NestedType must be set")

func (w *walk) attributeType(ty cty.Type, l level) {
	if ty.IsPrimitiveType() {
		return
	}
	switch isType := w.types.Usable(ty); {
	case w.types.TooLarge:
		w.tooLarge = true
		w.report(unusable, "the type is too large or nested too deep")
	case !isType:
		w.report(unusable, "the type has a part that is the zero cty.Type")
	case l.inSet && ty.HasDynamicTypes():
		w.report(unusable, "the type is dynamic inside a set")
	}
}

func (w *walk) object(o *Object, l level) {
	w.nesting(o.Nesting)
	w.content(o.Block(), level{depth: l.depth + 1, inSet: l.inSet || o.Nesting.Coalesces()})
}

func (w *walk) nesting(mode NestingMode) {
	if !mode.valid() {
		w.report(unusable, "invalid nesting mode %s", mode)
	}
}

func (w *walk) blockName(name string, alsoAttribute bool) {
	if alsoAttribute {
		w.report(unusable, "the name is both an attribute and a block")
	}
	for _, r := range name {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_' {
			w.report(refused, "a block's name may contain only a-z, 0-9 and _")
			return
		}
	}
	if name == "" {
		w.report(refused, "a block's name must not be empty")
	}
}

func (w *walk) blockType(nb *NestedBlock, l level) {
	if nb == nil {
		w.report(unusable, "the block type is nil")
		return
	}
	w.nesting(nb.Nesting)
	w.items(nb)
	w.deprecation(nb.Deprecated, nb.DeprecationMessage)
	if nb.Computed && nb.Nesting == NestingGroup {
		w.report(refused, "a group block is computed")
	}
	if nb.Computed && nb.MinItems > 0 && !nb.Nesting.Single() {
		w.report(refused, "MinItems is set on a computed block")
	}
	if l.inComputed && !nb.Computed {
		w.report(refused, "must be Computed inside a computed block")
	}
	w.content(&nb.Block, level{
		depth:      l.depth + 1,
		inSet:      l.inSet || nb.Nesting.Coalesces(),
		inComputed: l.inComputed || nb.Computed,
	})
}

func (w *walk) items(nb *NestedBlock) {
	lo, hi := nb.MinItems, nb.MaxItems
	switch nb.Nesting {
	case NestingSingle:
		if lo != hi || lo < 0 || lo > 1 {
			w.report(refused, "MinItems and MaxItems of a single block must both be 0 or both be 1")
		}
	case NestingGroup, NestingMap:
		if lo != 0 || hi != 0 {
			w.report(refused, "MinItems and MaxItems of a %s block must be 0", nb.Nesting)
		}
	case NestingList, NestingSet:
		if lo < 0 || hi < 0 || hi != 0 && lo > hi {
			w.report(refused, "MinItems %d and MaxItems %d leave no valid number of blocks", lo, hi)
		}
	}
}
