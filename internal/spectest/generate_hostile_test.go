package spectest

import (
	"math"
	"math/big"
	"reflect"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/spectest/generate"
	"github.com/objchange/objchange/internal/spectest/parts"
	. "github.com/objchange/objchange/internal/testcty"
)

// The fuzz tests build hostile schemas and values from bytes.

// A hostileBuilder builds invalid and unusual schemas and values. Its decider reads the bytes. After
// the last byte it returns zero, the simplest choice.
type hostileBuilder struct {
	decider
	panics bool // a capsule type with operations that panic was used
}

func newHostileBuilder(data []byte) *hostileBuilder {
	return &hostileBuilder{decider: decider{func(n int) int {
		if len(data) == 0 {
			return 0
		}
		b := data[0]
		data = data[1:]
		return int(b) % n
	}}}
}

// withoutPanic returns the result of make, or the fallback if make panics.
func withoutPanic[V any](make func() V, fallback V) (v V) {
	defer func() {
		if recover() != nil {
			v = fallback
		}
	}()
	return make()
}

// schema generates a valid schema and changes up to three parts of it. In rare cases it returns nil.
func (h *hostileBuilder) schema() *configschema.Block {
	if h.OneIn(60) {
		return nil
	}
	schema := h.Schema(generate.Scope{Depth: 1 + h.Choose(3)})
	for range h.Choose(4) {
		h.corruptSchema(schema)
	}
	return schema
}

// A location identifies an attribute or a block type in a schema.
type location struct {
	attrs  Attrs
	blocks Blocks
	name   string
}

func locations(f parts.Fields, depth int) (all []location) {
	if depth == 0 {
		return nil
	}
	for _, name := range sorted(f.Attributes) {
		all = append(all, location{f.Attributes, f.BlockTypes, name})
		if a := f.Attributes[name]; a != nil && a.NestedType != nil {
			all = append(all, locations(parts.Fields{Attributes: a.NestedType.Attributes}, depth-1)...)
		}
	}
	for _, name := range sorted(f.BlockTypes) {
		all = append(all, location{f.Attributes, f.BlockTypes, name})
		if nb := f.BlockTypes[name]; nb != nil {
			all = append(all, locations(parts.Fields{Attributes: nb.Attributes, BlockTypes: nb.BlockTypes}, depth-1)...)
		}
	}
	return all
}

// corruptSchema changes one attribute or block type. The schema often becomes invalid.
func (h *hostileBuilder) corruptSchema(schema *configschema.Block) {
	all := locations(parts.RootOf(schema).Fields, 5)
	at, other := pick(h.decider, all...), pick(h.decider, all...)
	if a := at.attrs[at.name]; a != nil {
		h.corruptAttribute(at, other, a)
	} else if nb := at.blocks[at.name]; nb != nil {
		h.corruptBlock(at, other, nb)
	}
}

var oddNames = []string{"", "a.b", "u\u0308", "\u00fc", "x y", "A", "\xff", "a", "x", "p"}

func (h *hostileBuilder) corruptAttribute(at, other location, a *configschema.Attribute) {
	switch h.Choose(12) {
	case 0, 1:
		a.Type, a.NestedType = h.anyType(3), nil
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
		at.attrs[pick(h.decider, oddNames...)] = a
	case 9:
		if a.NestedType != nil {
			a.NestedType.Nesting = configschema.NestingMode(h.Choose(8) - 1)
		}
	case 10:
		at.attrs[at.name] = other.attrs[other.name] // may be shared, nil or a parent of itself
	case 11:
		if a.NestedType != nil {
			a.NestedType.Attributes = other.attrs
		}
	}
}

func (h *hostileBuilder) corruptBlock(at, other location, nb *configschema.NestedBlock) {
	switch h.Choose(8) {
	case 0:
		nb.Nesting = configschema.NestingMode(h.Choose(8) - 1)
	case 1:
		at.blocks[at.name] = nil
	case 2:
		nb.MinItems, nb.MaxItems = h.Choose(4)-1, h.Choose(4)-1
	case 3:
		nb.Computed = !nb.Computed
	case 4:
		at.blocks[pick(h.decider, oddNames...)] = nb
	case 5:
		at.blocks[at.name] = other.blocks[other.name]
	case 6:
		nb.Attributes, nb.BlockTypes = other.attrs, other.blocks
	case 7:
		nb.BlockTypes = at.blocks // nb contains itself
	}
}

// comparableType is a capsule type with its own operations.
var comparableType = cty.CapsuleWithOps("comparable", reflect.TypeOf(0), &cty.CapsuleOps{
	Equals:    func(a, b any) cty.Value { return cty.BoolVal(*a.(*int) == *b.(*int)) },
	RawEquals: func(a, b any) bool { return *a.(*int) == *b.(*int) },
	HashKey:   func(a any) string { return string(rune('a' + *a.(*int))) },
})

// anyType generates any type, valid or not.
func (h *hostileBuilder) anyType(depth int) cty.Type {
	n := 8
	if depth > 0 {
		n = 14
	}
	switch h.Choose(n) {
	case 1:
		return cty.Number
	case 2:
		return cty.Bool
	case 3:
		return cty.DynamicPseudoType
	case 4:
		return BoxType
	case 5:
		return comparableType
	case 6:
		if h.OneIn(3) {
			h.panics = true
			return PanicType
		}
	case 7:
		if h.OneIn(4) {
			return cty.NilType
		}
	case 8:
		return cty.List(h.anyType(depth - 1))
	case 9:
		return cty.Set(h.anyType(depth - 1))
	case 10:
		return cty.Map(h.anyType(depth - 1))
	case 11:
		return cty.Tuple([]cty.Type{h.anyType(depth - 1), h.anyType(depth - 1)}[:h.Choose(3)])
	case 12:
		return cty.Object(map[string]cty.Type{"x": h.anyType(depth - 1), pick(h.decider, oddNames...): h.anyType(depth - 1)})
	case 13:
		return cty.ObjectWithOptionalAttrs(map[string]cty.Type{"x": h.anyType(depth - 1), "y": h.anyType(depth - 1)}, []string{"y"})
	}
	return cty.String
}

var oddNumbers = []cty.Value{
	Num(0), Num(1), Num(-1), Num(math.MaxInt64), Num(math.MinInt64), cty.NumberFloatVal(0.1), cty.MustParseNumberVal("0.1"),
	cty.NumberFloatVal(1 + 1.0/(1<<24)), cty.MustParseNumberVal("1.0000000596046448"), cty.PositiveInfinity, cty.NegativeInfinity,
	cty.NumberFloatVal(1e23), cty.MustParseNumberVal("1e23"), cty.NumberFloatVal(math.Copysign(0, -1)), cty.MustParseNumberVal("1e-400"),
	cty.NumberVal(new(big.Float).SetPrec(2).SetInt64(1000)), cty.MustParseNumberVal("1e4000"), cty.NumberUIntVal(math.MaxUint64),
	cty.NumberVal(new(big.Float).Quo(big.NewFloat(1).SetPrec(512), big.NewFloat(3))),
}

var oddStrings = []string{"a", "b", "ab", "", "\xff", "u\u0308", "\u00fc", "0", "\x00", "<nil>", "\u202e"}

// anyValue generates a value that usually has the type.
func (h *hostileBuilder) anyValue(ty cty.Type, depth int) cty.Value {
	switch h.Choose(16) {
	case 1:
		return cty.NullVal(ty)
	case 2, 3:
		return withoutPanic(func() cty.Value { return h.Unknown(ty) }, cty.UnknownVal(ty))
	case 4:
		return cty.DynamicVal
	case 5:
		return generate.NoValue
	case 6:
		return h.anyValue(ty, depth).Mark(pick(h.decider, "one", "two"))
	case 7:
		if h.OneIn(4) {
			return cty.NilVal
		}
		return h.anyValue(h.anyType(2), 2)
	}
	return withoutPanic(func() cty.Value { return h.knownValue(ty, depth) }, cty.NullVal(ty))
}

// knownValue generates a known value of the type. Its parts may be unknown or have another type.
func (h *hostileBuilder) knownValue(ty cty.Type, depth int) cty.Value {
	switch {
	case ty == cty.String:
		return Str(pick(h.decider, oddStrings...))
	case ty == cty.Number:
		return pick(h.decider, oddNumbers...)
	case ty == cty.Bool:
		return cty.BoolVal(h.OneIn(2))
	case ty == cty.DynamicPseudoType || ty == cty.NilType:
		return h.anyValue(h.anyType(2), depth-1)
	case ty.IsCapsuleType():
		h.panics = h.panics || ty.Equals(PanicType)
		n := h.Choose(3)
		return cty.CapsuleVal(ty, &n)
	}
	b := parts.Builder{Type: ty.WithoutOptionalAttributesDeep()}
	switch {
	case ty.IsObjectType():
		for _, name := range sorted(ty.AttributeTypes()) {
			b.Add(name, h.anyValue(ty.AttributeType(name), depth-1))
		}
	case ty.IsTupleType():
		for _, elem := range ty.TupleElementTypes() {
			b.Add("", h.anyValue(elem, depth-1))
		}
	case depth > 0:
		for range h.length() {
			b.Add(pick(h.decider, oddStrings...), h.anyValue(ty.ElementType(), depth-1))
		}
	}
	return b.Value()
}

// length returns a small number of elements, or in rare cases up to 229.
func (h *hostileBuilder) length() int {
	if h.OneIn(40) {
		return 30 + h.Choose(200)
	}
	return h.Choose(4)
}

// corruptValue replaces parts of a value. Each part is replaced once in rate calls on average.
func (h *hostileBuilder) corruptValue(v cty.Value, rate int) cty.Value {
	if h.OneIn(rate) {
		return h.anyValue(v.Type(), 3)
	}
	if h.OneIn(8 * rate) {
		for range 10 * h.Choose(256) {
			v = List(v)
		}
		return v
	}
	if v.IsMarked() || len(elementsWithoutPanic(v)) == 0 {
		return v
	}
	poisoned := Tuple()
	return withoutPanic(func() cty.Value {
		var elems []cty.Value
		v := parts.MapElements(v, func(elem cty.Value) cty.Value {
			elem = h.corruptValue(elem, rate)
			elems = append(elems, elem)
			poisoned = Tuple(elems...)
			return elem
		})
		return v
	}, poisoned)
}

// values generates three values of the schema and replaces parts of them. If the schema is not
// valid, the values have any type.
func (h *hostileBuilder) values(schema *configschema.Block) []cty.Value {
	values := []cty.Value{generate.NoValue, generate.NoValue, generate.NoValue}
	rate := pick(h.decider, 0, 30, 8, 60)
	for i := range values {
		v := generate.NoValue
		if i > 0 {
			v = values[i-1]
		}
		if schema.Validate() == nil {
			v = withoutPanic(func() cty.Value {
				return h.Value(schema, v, pick(h.decider, generate.Anything, generate.AsState, generate.AsConfig))
			}, schema.EmptyValue())
		} else {
			v = h.anyValue(h.anyType(4), 4)
		}
		values[i] = withoutPanic(func() cty.Value { return h.corruptValue(v, rate) }, v)
	}
	return values
}

// path generates a path. Some steps exist in the value, and others do not or are invalid.
func (h *hostileBuilder) path(v cty.Value) cty.Path {
	path := cty.Path{}
	for range h.Choose(5) {
		switch elems := elementsWithoutPanic(v); h.Choose(4) {
		case 0:
			path = append(path, pick[cty.PathStep](h.decider, nil, cty.IndexStep{}, cty.GetAttrStep{}, cty.IndexStep{Key: h.anyValue(h.anyType(2), 2)}))
		case 1:
			path = path.GetAttr(pick(h.decider, "a", "p", "x"))
		case 2:
			path = path.Index(pick(h.decider, Str("k"), Num(0), Num(-1), cty.NumberFloatVal(0.5), cty.PositiveInfinity, UnknownStr, NoNum))
		default:
			if len(elems) > 0 {
				e := pick(h.decider, elems...)
				path, v = append(path, e.Step), e.Value
			}
		}
	}
	return path
}
