package show

import (
	"fmt"
	"strconv"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/configschema"
	"github.com/zclconf/go-cty/cty"
)

// A sign is the symbol of an item's action.
type sign byte

const (
	signNone   sign = ' '
	signAdd    sign = '+'
	signRemove sign = '-'
	signUpdate sign = '~'
)

// An item is one entry of the output: a value, or a structure with nested items.
type item struct {
	sign     sign
	label    string // "" for an element of a set
	block    bool   // a block: the label is followed by the opening bracket
	was, now string // values on one line; "" if absent
	note     bool   // a comment about the surrounding text
	open     string // "{", "[" or "<<EOT"
	items    []*item
	hidden   []string // comments about hidden parts
	replaced bool
}

func (it *item) hide(n int, what string) {
	if n > 0 {
		it.hidden = append(it.hidden, "("+words.Plural(n, "unchanged "+what)+" hidden)")
	}
}

// A shape describes the schema of a value.
type shape struct {
	schema *configschema.Block // of nested objects; nil for a value without a schema of its own
	mode   configschema.NestingMode
	secret bool
	inSet  bool // the object is an element of a set
}

func shapeOf(attr *configschema.Attribute, n *node) shape {
	s := shape{secret: attr.Sensitive || attr.WriteOnly && (n.change != nil || len(n.inside) > 0)}
	if attr.NestedType != nil {
		s.schema, s.mode = attr.NestedType.Block(), attr.NestedType.Nesting
	}
	return s
}

// fill sets the fields for the changes at a node.
func (it *item) fill(s shape, n *node, before, after cty.Value) {
	before, after, secret := bare(before, after)
	it.sign, it.replaced = signOf(before, after), n.replaced
	known := before.IsKnown() && after.IsKnown()
	switch {
	case secret || s.secret:
		it.now = textSecret
	case n.change != nil && (s.schema == nil || !known):
		it.leaf(n.change)
	case s.schema == nil && len(n.inside) == 0: // only the replacement is of interest
		it.sign, it.now = signUpdate, "(write-only value)"
	case s.inSet && known:
		it.whole(s.schema, before, after)
	case s.schema != nil && s.mode.Single():
		it.object(s.schema, n, before, after)
	default:
		stayed, what := it.elements(s, n, before, after)
		if it.sign == signUpdate {
			it.hide(stayed, what)
		}
	}
}

// whole sets the fields for an element of a set, which is added or removed as a whole. Its
// attributes may be sensitive individually.
func (it *item) whole(schema *configschema.Block, before, after cty.Value) {
	compiled, err := objchange.Compile(schema)
	var changes []objchange.Change
	if err == nil {
		changes, err = objchange.Diff(compiled, before, after)
	}
	if err != nil {
		it.now = textSecret
		return
	}
	it.object(schema, treeOf(changes), before, after)
}

// object sets the fields for the changes in an object: first its attributes, then its blocks.
func (it *item) object(schema *configschema.Block, n *node, before, after cty.Value) {
	it.open = "{"
	changed := map[string]bool{}
	for _, in := range n.inside {
		name := label(in.step, false)
		if attr := schema.Attributes[name]; attr != nil {
			changed[name] = true
			inner := &item{label: name}
			inner.fill(shapeOf(attr, in), in, part(before, in.step), part(after, in.step))
			it.items = append(it.items, inner)
		}
	}
	attributes, blocks := 0, 0 // unchanged ones
	for name := range schema.Attributes {
		s := cty.GetAttrStep{Name: name}
		if !changed[name] && !(part(before, s).IsNull() && part(after, s).IsNull()) {
			attributes++
		}
	}
	for name, nb := range schema.BlockTypes {
		blocks += count(nb.Nesting, part(after, cty.GetAttrStep{Name: name}))
	}
	update := !before.IsNull() && !after.IsNull()
	if update {
		it.hide(attributes, "attribute")
	}
	for _, in := range n.inside {
		if nb := schema.BlockTypes[label(in.step, false)]; nb != nil {
			items, stayed := blockItems(nb, in, part(before, in.step), part(after, in.step))
			it.items = append(it.items, items...)
			blocks += stayed - count(nb.Nesting, part(after, in.step))
		}
	}
	if update {
		it.hide(blocks, "block")
	}
}

// count returns the number of objects in the value of a block type. It returns 1 for a marked value
// to hide their number.
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

// blockItems returns an item for each changed block of a type, and the number of unchanged blocks.
// It makes no difference between null and an empty collection.
func blockItems(nb *configschema.NestedBlock, n *node, before, after cty.Value) (items []*item, stayed int) {
	name := label(n.step, false)
	s := shape{schema: &nb.Block, mode: nb.Nesting}
	before, after, secret := bare(before, after)
	if secret || nb.Nesting.Single() || n.change != nil && (!before.IsKnown() || !after.IsKnown()) {
		one := &item{label: name}
		s.secret = secret
		one.fill(s, n, before, after)
		one.block = one.open != ""
		return []*item{one}, 0
	}
	all := &item{}
	stayed, _ = all.elements(s, n, before, after)
	for _, it := range all.items {
		it.replaced = it.replaced || n.replaced
		it.block = it.open != ""
		if it.label != "" && it.label[0] != '[' {
			it.label = "[" + it.label + "]"
		}
		it.label = name + it.label
	}
	return all.items, stayed
}

// elements adds an item for each changed element of a collection. It returns the number of
// unchanged elements after the change, and their name in messages.
func (it *item) elements(s shape, n *node, before, after cty.Value) (stayed int, what string) {
	some := after
	if some.IsNull() {
		some = before
	}
	ty := some.Type()
	it.open, what = "[", "element"
	if s.schema != nil && s.mode.Keyed() || s.schema == nil && (ty.IsMapType() || ty.IsObjectType()) {
		it.open = "{"
	}
	if s.schema == nil && ty.IsObjectType() {
		what = "attribute"
	}
	if !after.IsNull() && after.IsKnown() && after.CanIterateElements() {
		stayed = after.LengthInt()
	}
	inSet := s.mode.Coalesces() || ty.IsSetType()
	for _, in := range n.inside {
		inner := &item{label: label(in.step, s.schema != nil)}
		b, a := part(before, in.step), part(after, in.step)
		if inSet {
			inner.label = ""
			if in.change != nil {
				b, a = in.change.Before, in.change.After
			}
		}
		inner.fill(shape{schema: s.schema, mode: configschema.NestingSingle, inSet: inSet && s.schema != nil}, in, b, a)
		if inner.sign != signRemove {
			stayed--
		}
		it.items = append(it.items, inner)
	}
	return max(stayed, 0), what
}

// leaf sets the fields for a value that changes as a whole.
func (it *item) leaf(c *objchange.Change) {
	before, _ := c.Before.UnmarkDeep()
	after, _ := c.After.UnmarkDeep()
	switch {
	case c.Sensitive:
		it.was, it.now = textSecret, textSecret
	case before.IsNull() && after.IsNull(): // with different types
		it.was, it.now = nullText(before), nullText(after)
		return
	case isText(before) && isText(after) && (many(before) || many(after)):
		it.open, it.items = "<<EOT", textLines(before, after)
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

// nullText returns the text of a null value with its type.
func nullText(v cty.Value) string {
	if v.Type() == cty.DynamicPseudoType {
		return "null without a type"
	}
	return "null of type " + v.Type().FriendlyName()
}

func signOf(before, after cty.Value) sign {
	switch {
	case before.IsNull() && !after.IsNull():
		return signAdd
	case after.IsNull() && !before.IsNull():
		return signRemove
	}
	return signUpdate
}

// label returns the name of a step. If keys is true, an attribute name is quoted, because it is the
// key of a map of blocks with different types.
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
			return fmt.Sprintf("[%s]", key.AsBigFloat().Text('f', -1))
		}
	}
	return ""
}
