package spectest

import (
	"math"
	"math/big"
	"reflect"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/spectest/generate"
	"github.com/objchange/objchange/internal/spectest/parts"
)

// The fuzz tests build hostile schemas and values from bytes.

// A hostile builds invalid and unusual schemas and values. Its die reads the bytes. After the last
// byte it returns zero, the simplest choice.
type hostile struct {
	die
	bombs bool // a capsule type with operations that panic was used
}

func newHostile(data []byte) *hostile {
	return &hostile{die: die{func(n int) int {
		if len(data) == 0 {
			return 0
		}
		b := data[0]
		data = data[1:]
		return int(b) % n
	}}}
}

// attempt returns the result of make, or the fallback if make panics.
func attempt[V any](make func() V, fallback V) (v V) {
	defer func() {
		if recover() != nil {
			v = fallback
		}
	}()
	return make()
}

// schema generates a valid schema and changes up to three parts of it. In rare cases it returns nil.
func (h *hostile) schema() *configschema.Block {
	if h.OneIn(60) {
		return nil
	}
	schema := h.Schema(generate.Scope{Depth: 1 + h.Die(3)})
	for range h.Die(4) {
		h.twist(schema)
	}
	return schema
}

// A spot is the location of an attribute or a block type in a schema.
type spot struct {
	attrs  attrs
	blocks blocks
	name   string
}

func spots(f parts.Fields, depth int) (all []spot) {
	if depth == 0 {
		return nil
	}
	for _, name := range sorted(f.Attributes) {
		all = append(all, spot{f.Attributes, f.BlockTypes, name})
		if a := f.Attributes[name]; a != nil && a.NestedType != nil {
			all = append(all, spots(parts.Fields{Attributes: a.NestedType.Attributes}, depth-1)...)
		}
	}
	for _, name := range sorted(f.BlockTypes) {
		all = append(all, spot{f.Attributes, f.BlockTypes, name})
		if nb := f.BlockTypes[name]; nb != nil {
			all = append(all, spots(parts.Fields{Attributes: nb.Attributes, BlockTypes: nb.BlockTypes}, depth-1)...)
		}
	}
	return all
}

// twist changes one attribute or block type. The schema often becomes invalid.
func (h *hostile) twist(schema *configschema.Block) {
	all := spots(parts.RootOf(schema).Fields, 5)
	at, other := pick(h.die, all...), pick(h.die, all...)
	if a := at.attrs[at.name]; a != nil {
		h.twistAttribute(at, other, a)
	} else if nb := at.blocks[at.name]; nb != nil {
		h.twistBlock(at, other, nb)
	}
}

var oddNames = []string{"", "a.b", "u\u0308", "\u00fc", "x y", "A", "\xff", "a", "x", "p"}

func (h *hostile) twistAttribute(at, other spot, a *configschema.Attribute) {
	switch h.Die(12) {
	case 0, 1:
		a.Type, a.NestedType = h.typ(3), nil
	case 2:
		at.attrs[at.name] = nil
	case 3:
		a.Type, a.NestedType = cty.String, &configschema.Object{Nesting: configschema.NestingSingle}
	case 4:
		a.Type, a.NestedType = cty.NilType, nil
	case 5:
		a.Required, a.Optional, a.Computed = h.OneIn(2), h.OneIn(2), h.OneIn(2)
	case 6:
		a.WriteOnly = !a.WriteOnly
	case 7:
		a.Sensitive = !a.Sensitive
	case 8:
		at.attrs[pick(h.die, oddNames...)] = a
	case 9:
		if a.NestedType != nil {
			a.NestedType.Nesting = configschema.NestingMode(h.Die(8) - 1)
		}
	case 10:
		at.attrs[at.name] = other.attrs[other.name] // may be shared, nil or a parent of itself
	case 11:
		if a.NestedType != nil {
			a.NestedType.Attributes = other.attrs
		}
	}
}

func (h *hostile) twistBlock(at, other spot, nb *configschema.NestedBlock) {
	switch h.Die(8) {
	case 0:
		nb.Nesting = configschema.NestingMode(h.Die(8) - 1)
	case 1:
		at.blocks[at.name] = nil
	case 2:
		nb.MinItems, nb.MaxItems = h.Die(4)-1, h.Die(4)-1
	case 3:
		nb.Computed = !nb.Computed
	case 4:
		at.blocks[pick(h.die, oddNames...)] = nb
	case 5:
		at.blocks[at.name] = other.blocks[other.name]
	case 6:
		nb.Attributes, nb.BlockTypes = other.attrs, other.blocks
	case 7:
		nb.BlockTypes = at.blocks // nb contains itself
	}
}

// handyType is a capsule type with its own operations.
var handyType = cty.CapsuleWithOps("handy", reflect.TypeOf(0), &cty.CapsuleOps{
	Equals:    func(a, b any) cty.Value { return cty.BoolVal(*a.(*int) == *b.(*int)) },
	RawEquals: func(a, b any) bool { return *a.(*int) == *b.(*int) },
	HashKey:   func(a any) string { return string(rune('a' + *a.(*int))) },
})

// typ generates any type, valid or not.
func (h *hostile) typ(depth int) cty.Type {
	n := 8
	if depth > 0 {
		n = 14
	}
	switch h.Die(n) {
	case 1:
		return cty.Number
	case 2:
		return cty.Bool
	case 3:
		return cty.DynamicPseudoType
	case 4:
		return boxType
	case 5:
		return handyType
	case 6:
		if h.OneIn(3) {
			h.bombs = true
			return bombType
		}
	case 7:
		if h.OneIn(4) {
			return cty.NilType
		}
	case 8:
		return cty.List(h.typ(depth - 1))
	case 9:
		return cty.Set(h.typ(depth - 1))
	case 10:
		return cty.Map(h.typ(depth - 1))
	case 11:
		return cty.Tuple([]cty.Type{h.typ(depth - 1), h.typ(depth - 1)}[:h.Die(3)])
	case 12:
		return cty.Object(map[string]cty.Type{"x": h.typ(depth - 1), pick(h.die, oddNames...): h.typ(depth - 1)})
	case 13:
		return cty.ObjectWithOptionalAttrs(map[string]cty.Type{"x": h.typ(depth - 1), "y": h.typ(depth - 1)}, []string{"y"})
	}
	return cty.String
}

var oddNumbers = []cty.Value{
	num(0), num(1), num(-1), num(math.MaxInt64), num(math.MinInt64), cty.NumberFloatVal(0.1), cty.MustParseNumberVal("0.1"),
	cty.NumberFloatVal(1 + 1.0/(1<<24)), cty.MustParseNumberVal("1.0000000596046448"), cty.PositiveInfinity, cty.NegativeInfinity,
	cty.NumberFloatVal(1e23), cty.MustParseNumberVal("1e23"), cty.NumberFloatVal(math.Copysign(0, -1)), cty.MustParseNumberVal("1e-400"),
	cty.NumberVal(new(big.Float).SetPrec(2).SetInt64(1000)), cty.MustParseNumberVal("1e4000"), cty.NumberUIntVal(math.MaxUint64),
	cty.NumberVal(new(big.Float).Quo(big.NewFloat(1).SetPrec(512), big.NewFloat(3))),
}

var oddStrings = []string{"a", "b", "ab", "", "\xff", "u\u0308", "\u00fc", "0", "\x00", "<nil>", "\u202e"}

// of generates a value that usually has the type.
func (h *hostile) of(ty cty.Type, depth int) cty.Value {
	switch h.Die(16) {
	case 1:
		return cty.NullVal(ty)
	case 2, 3:
		return attempt(func() cty.Value { return h.Unknown(ty) }, cty.UnknownVal(ty))
	case 4:
		return cty.DynamicVal
	case 5:
		return generate.NoValue
	case 6:
		return h.of(ty, depth).Mark(pick(h.die, "one", "two"))
	case 7:
		if h.OneIn(4) {
			return cty.NilVal
		}
		return h.of(h.typ(2), 2)
	}
	return attempt(func() cty.Value { return h.proper(ty, depth) }, cty.NullVal(ty))
}

// proper generates a known value of the type. Parts of the value may be unknown or have another type.
func (h *hostile) proper(ty cty.Type, depth int) cty.Value {
	switch {
	case ty == cty.String:
		return str(pick(h.die, oddStrings...))
	case ty == cty.Number:
		return pick(h.die, oddNumbers...)
	case ty == cty.Bool:
		return cty.BoolVal(h.OneIn(2))
	case ty == cty.DynamicPseudoType || ty == cty.NilType:
		return h.of(h.typ(2), depth-1)
	case ty.IsCapsuleType():
		h.bombs = h.bombs || ty.Equals(bombType)
		n := h.Die(3)
		return cty.CapsuleVal(ty, &n)
	}
	b := parts.Bag{Type: ty.WithoutOptionalAttributesDeep()}
	switch {
	case ty.IsObjectType():
		for _, name := range sorted(ty.AttributeTypes()) {
			b.Add(name, h.of(ty.AttributeType(name), depth-1))
		}
	case ty.IsTupleType():
		for _, elem := range ty.TupleElementTypes() {
			b.Add("", h.of(elem, depth-1))
		}
	case depth > 0:
		for range h.size() {
			b.Add(pick(h.die, oddStrings...), h.of(ty.ElementType(), depth-1))
		}
	}
	return b.Value()
}

// size returns a small number of elements, or in rare cases up to 229.
func (h *hostile) size() int {
	if h.OneIn(40) {
		return 30 + h.Die(200)
	}
	return h.Die(4)
}

// poison replaces parts of a value. Each part is replaced once in rate calls on average.
func (h *hostile) poison(v cty.Value, rate int) cty.Value {
	if h.OneIn(rate) {
		return h.of(v.Type(), 3)
	}
	if h.OneIn(8 * rate) {
		for range 10 * h.Die(256) {
			v = list(v)
		}
		return v
	}
	if v.IsMarked() || len(triedElements(v)) == 0 {
		return v
	}
	poisoned := tuple()
	return attempt(func() cty.Value {
		var elems []cty.Value
		v := parts.MapElements(v, func(elem cty.Value) cty.Value {
			elem = h.poison(elem, rate)
			elems = append(elems, elem)
			poisoned = tuple(elems...)
			return elem
		})
		return v
	}, poisoned)
}

// values generates three values of the schema and replaces parts of them. If the schema is not
// valid, the values have any type.
func (h *hostile) values(schema *configschema.Block) []cty.Value {
	values := []cty.Value{generate.NoValue, generate.NoValue, generate.NoValue}
	rate := pick(h.die, 0, 30, 8, 60)
	for i := range values {
		v := generate.NoValue
		if i > 0 {
			v = values[i-1]
		}
		if schema.Validate() == nil {
			v = attempt(func() cty.Value {
				return h.Value(schema, v, pick(h.die, generate.Anything, generate.AsState, generate.AsConfig))
			}, schema.EmptyValue())
		} else {
			v = h.of(h.typ(4), 4)
		}
		values[i] = attempt(func() cty.Value { return h.poison(v, rate) }, v)
	}
	return values
}

// path generates a path. Some steps exist in the value, and others do not or are invalid.
func (h *hostile) path(v cty.Value) cty.Path {
	path := cty.Path{}
	for range h.Die(5) {
		switch elems := triedElements(v); h.Die(4) {
		case 0:
			path = append(path, pick[cty.PathStep](h.die, nil, cty.IndexStep{}, cty.GetAttrStep{}, cty.IndexStep{Key: h.of(h.typ(2), 2)}))
		case 1:
			path = path.GetAttr(pick(h.die, "a", "p", "x"))
		case 2:
			path = path.Index(pick(h.die, str("k"), num(0), num(-1), cty.NumberFloatVal(0.5), cty.PositiveInfinity, unknownStr, noNum))
		default:
			if len(elems) > 0 {
				e := pick(h.die, elems...)
				path, v = append(path, e.Step), e.Value
			}
		}
	}
	return path
}
