package show

import (
	"fmt"
	"strconv"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/zclconf/go-cty/cty"
)

// A sign says what happens to an item.
type sign byte

const (
	signNone   sign = ' '
	signAdd    sign = '+'
	signRemove sign = '-'
	signUpdate sign = '~'
)

// An item is something to be shown: a value, or something with items inside.
type item struct {
	sign     sign
	label    string // of an element of a set, ""
	block    bool   // its label is followed by what opens it
	was, now string // values in one line; one of them is "" if it is not there
	text     []textLine
	open     string // "{" or "["
	body
	replaced bool
}

// A body is what is inside an item.
type body struct {
	items  []*item
	hidden []string // what is not shown
}

// objectItems returns what changes in an object: attributes, and then blocks.
func objectItems(schema *configschema.Block, n *node, before, after cty.Value) body {
	var found body
	changed := map[string]bool{}
	for _, in := range n.inside {
		name := label(in.step, false)
		if attr := schema.Attributes[name]; attr != nil {
			changed[name] = true
			found.items = append(found.items, attrItem(attr, in, part(before, in.step), part(after, in.step)))
		}
	}
	if !before.IsNull() && !after.IsNull() {
		found.hide(unchanged(schema, changed, before, after), "attribute")
	}
	blocks := 0
	for name, nb := range schema.BlockTypes {
		blocks += count(nb.Nesting, part(after, cty.GetAttrStep{Name: name}))
	}
	for _, in := range n.inside {
		if nb := schema.BlockTypes[label(in.step, false)]; nb != nil {
			items, stayed := blockItems(nb, in, part(before, in.step), part(after, in.step))
			found.items = append(found.items, items...)
			blocks += stayed - count(nb.Nesting, part(after, in.step))
		}
	}
	if !before.IsNull() && !after.IsNull() {
		found.hide(blocks, "block")
	}
	return found
}

// unchanged counts the attributes that are there and stay.
func unchanged(schema *configschema.Block, changed map[string]bool, before, after cty.Value) (n int) {
	for name := range schema.Attributes {
		s := cty.GetAttrStep{Name: name}
		if !changed[name] && !(part(before, s).IsNull() && part(after, s).IsNull()) {
			n++
		}
	}
	return n
}

func (b *body) hide(n int, what string) {
	switch {
	case n == 1:
		b.hidden = append(b.hidden, fmt.Sprintf("(1 unchanged %s hidden)", what))
	case n > 1:
		b.hidden = append(b.hidden, fmt.Sprintf("(%d unchanged %ss hidden)", n, what))
	}
}

// count returns how many objects a value of a block type has. How many are
// marked is not told.
func count(mode configschema.NestingMode, v cty.Value) int {
	switch {
	case v.IsMarked():
		return 1
	case v.IsNull() || !v.IsKnown():
		return 0
	case mode.Single():
		return 1
	}
	return v.LengthInt()
}

func attrItem(attr *configschema.Attribute, n *node, before, after cty.Value) *item {
	it := &item{label: label(n.step, false), replaced: n.replaced}
	before, after, secret := bare(before, after)
	it.sign = signOf(before, after)
	switch {
	case secret || attr.Sensitive || attr.WriteOnly && (n.change != nil || len(n.inside) > 0):
		it.now = textSecret
	case n.change != nil && (attr.NestedType == nil || !before.IsKnown() || !after.IsKnown()):
		it.leaf(n.change)
	case n.change == nil && len(n.inside) == 0: // it only requires replacement
		it.sign, it.now = signUpdate, "(write-only value)"
	case attr.NestedType == nil:
		it.plain(n, before, after)
	case attr.NestedType.Nesting.Single():
		it.open = "{"
		it.body = objectItems(attr.NestedType.Block(), n, before, after)
	default:
		stayed := 0
		it.open = bracket(attr.NestedType.Nesting)
		it.items, stayed = elementItems(attr.NestedType.Nesting, attr.NestedType.Block(), n, before, after)
		if it.sign == signUpdate {
			it.hide(stayed, "element")
		}
	}
	return it
}

func bracket(mode configschema.NestingMode) string {
	if mode.Keyed() {
		return "{"
	}
	return "["
}

// blockItems returns an item for each block of a type that changes, and how
// many others there are. Whether there are no blocks because of null or because
// of an empty collection is nothing to show.
func blockItems(nb *configschema.NestedBlock, n *node, before, after cty.Value) (items []*item, stayed int) {
	name := label(n.step, false)
	before, after, secret := bare(before, after)
	one := &item{label: name, sign: signOf(before, after), replaced: n.replaced}
	switch {
	case secret:
		one.now = textSecret
		return []*item{one}, 0
	case n.change != nil && (!before.IsKnown() || !after.IsKnown()):
		one.leaf(n.change)
		return []*item{one}, 0
	case nb.Nesting.Single():
		one.block, one.open = true, "{"
		one.body = objectItems(&nb.Block, n, before, after)
		return []*item{one}, 0
	}
	items, stayed = elementItems(nb.Nesting, &nb.Block, n, before, after)
	for _, it := range items {
		it.replaced = it.replaced || n.replaced
		it.block = it.open != ""
		if it.label != "" && it.label[0] != '[' {
			it.label = "[" + it.label + "]"
		}
		it.label = name + it.label
	}
	return items, stayed
}

// elementItems returns an item for each object of a collection that changes, and
// how many others there are after the change.
func elementItems(mode configschema.NestingMode, schema *configschema.Block, n *node, before, after cty.Value) (items []*item, stayed int) {
	stayed = count(mode, after)
	var compiled *objchange.Schema // of one element of a set
	if mode.Coalesces() {
		compiled, _ = objchange.Compile(schema) // Diff reports a schema that is not valid
	}
	for _, in := range n.inside {
		b, a := part(before, in.step), part(after, in.step)
		if mode.Coalesces() && in.change != nil {
			b, a = in.change.Before, in.change.After
		}
		it := elementItem(mode, schema, compiled, in, b, a)
		if it.sign != signRemove {
			stayed--
		}
		items = append(items, it)
	}
	return items, max(stayed, 0)
}

// elementItem returns the item of one object of a collection. The compiled schema is
// for elements of sets.
func elementItem(mode configschema.NestingMode, schema *configschema.Block, compiled *objchange.Schema, n *node, before, after cty.Value) *item {
	it := &item{label: label(n.step, true), replaced: n.replaced}
	if mode.Coalesces() {
		it.label = ""
	}
	before, after, secret := bare(before, after)
	it.sign = signOf(before, after)
	it.open = "{"
	switch {
	case secret:
		it.open, it.now = "", textSecret
	case mode.Coalesces() && before.IsKnown() && after.IsKnown():
		// It came or went as a whole. Its parts have their own secrets.
		changes, err := objchange.Diff(compiled, before, after)
		if err != nil {
			it.open, it.now = "", textSecret
			return it
		}
		it.body = objectItems(schema, treeOf(changes), before, after)
	case n.change != nil && (!before.IsKnown() || !after.IsKnown()):
		it.open = ""
		it.leaf(n.change)
	default: // perhaps with nothing inside
		it.body = objectItems(schema, n, before, after)
	}
	return it
}

// plain fills in what changes in a value without a schema of its own.
func (it *item) plain(n *node, before, after cty.Value) {
	some := after
	if some.IsNull() {
		some = before
	}
	ty := some.Type()
	it.open = "["
	if ty.IsMapType() || ty.IsObjectType() {
		it.open = "{"
	}
	stayed := 0
	if !after.IsNull() && after.IsKnown() && after.CanIterateElements() {
		stayed = after.LengthInt()
	}
	for _, in := range n.inside {
		inner := plainItem(in, ty, part(before, in.step), part(after, in.step))
		if inner.sign != signRemove {
			stayed--
		}
		it.items = append(it.items, inner)
	}
	if it.sign == signUpdate {
		what := "element"
		if ty.IsObjectType() {
			what = "attribute"
		}
		it.hide(max(stayed, 0), what)
	}
}

func plainItem(n *node, in cty.Type, before, after cty.Value) *item {
	it := &item{label: label(n.step, false), replaced: n.replaced}
	if in.IsSetType() {
		it.label = ""
		if n.change != nil {
			before, after = n.change.Before, n.change.After
		}
	}
	before, after, secret := bare(before, after)
	it.sign = signOf(before, after)
	switch {
	case secret:
		it.now = textSecret
	case n.change != nil:
		it.leaf(n.change)
	default:
		it.plain(n, before, after)
	}
	return it
}

// leaf fills in a value that changes as a whole.
func (it *item) leaf(c *objchange.Change) {
	before, _ := c.Before.UnmarkDeep()
	after, _ := c.After.UnmarkDeep()
	switch {
	case c.Sensitive:
		it.was, it.now = textSecret, textSecret
	case isText(before) && isText(after) && (many(before) || many(after)):
		it.text = textLines(before, after)
		return
	default:
		it.was, it.now = text(before), text(after)
	}
	switch {
	case !after.IsKnown():
		it.now = textUnknown
	case after.IsNull():
		it.now = ""
	}
	if before.IsNull() || it.was == textSecret && it.now == textSecret {
		it.was = ""
	}
}

func signOf(before, after cty.Value) sign {
	switch {
	case before.IsNull() && after.IsNull():
		return signUpdate
	case before.IsNull():
		return signAdd
	case after.IsNull():
		return signRemove
	}
	return signUpdate
}

// label returns what a step is called. Names in a map of blocks, whose types may
// differ, are keys.
func label(s cty.PathStep, keys bool) string {
	switch s := s.(type) {
	case cty.GetAttrStep:
		if keys {
			return strconv.Quote(s.Name)
		}
		return s.Name
	case cty.IndexStep:
		key, _ := s.Key.Unmark()
		switch {
		case key.IsNull() || !key.IsKnown():
		case key.Type() == cty.String:
			return strconv.Quote(key.AsString())
		case key.Type() == cty.Number:
			return "[" + key.AsBigFloat().Text('f', -1) + "]"
		}
	}
	return ""
}
