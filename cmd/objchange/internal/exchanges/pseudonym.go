//go:build !wasm

package exchanges

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"math/big"
	"slices"

	"github.com/objchange/objchange/configschema"
	"github.com/zclconf/go-cty/cty"
)

// pseudonyms stand for texts and numbers: the same for the same, another for another.
// They are hashes with a key that nobody keeps, so that there is nothing to remember,
// however much is recorded, and nothing to try out afterwards. It is the key.
type pseudonyms []byte

func newPseudonyms() pseudonyms {
	key := make([]byte, sha256.Size)
	_, _ = rand.Read(key) // which never fails
	return key
}

var digits = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// textBytes are 80 bits: two of a million texts share a pseudonym in one of a million
// million recordings.
const textBytes = 10

// text returns the pseudonym of a string, which begins with a letter. The empty one is
// its own: the legacy SDK has it for null.
func (p pseudonyms) text(s string) string {
	if s == "" {
		return ""
	}
	hash := p.hash('s', []byte(s))
	return "x" + digits.EncodeToString(hash[:textBytes])
}

// number returns the pseudonym of a number that is not 0, which is its own.
func (p pseudonyms) number(n *big.Float) int64 {
	if n.Sign() == 0 {
		return 0
	}
	hash := p.hash('n', n.Append(nil, 'p', 0))
	return int64(binary.BigEndian.Uint64(hash[:])>>1 | 1)
}

func (p pseudonyms) hash(kind byte, of []byte) [sha256.Size]byte {
	return sha256.Sum256(slices.Concat(p, []byte{kind}, of))
}

// A shape is what a schema says of values.
type shape struct {
	ty    cty.Type
	names map[string]bool // of attributes and blocks, wherever they are
}

func newShape(block *configschema.Block) *shape {
	s := &shape{ty: block.ImpliedType().WithoutOptionalAttributesDeep(), names: map[string]bool{}}
	s.block(block)
	return s
}

func (s *shape) block(b *configschema.Block) {
	for name, a := range b.Attributes {
		s.names[name] = true
		if a.NestedType != nil {
			s.block(a.NestedType.Block())
		} else {
			s.typ(a.Type)
		}
	}
	for name, nested := range b.BlockTypes {
		s.names[name] = true
		s.block(&nested.Block)
	}
}

func (s *shape) typ(ty cty.Type) {
	switch {
	case ty.IsCollectionType():
		s.typ(ty.ElementType())
	case ty.IsTupleType():
		for _, element := range ty.TupleElementTypes() {
			s.typ(element)
		}
	case ty.IsObjectType():
		for name, attribute := range ty.AttributeTypes() {
			s.names[name] = true
			s.typ(attribute)
		}
	}
}

// namedPseudonyms leave the names that the schema has. Those of dynamic values, which
// it has not, are keys.
type namedPseudonyms struct {
	pseudonyms
	names map[string]bool
}

func (p pseudonyms) of(s *shape) namedPseudonyms { return namedPseudonyms{p, s.names} }

func (n namedPseudonyms) name(s string) string {
	if n.names[s] {
		return s
	}
	return n.text(s)
}

// typ returns the type with other names for what is not the schema's.
func (n namedPseudonyms) typ(ty cty.Type) cty.Type {
	switch {
	case ty.IsListType():
		return cty.List(n.typ(ty.ElementType()))
	case ty.IsSetType():
		return cty.Set(n.typ(ty.ElementType()))
	case ty.IsMapType():
		return cty.Map(n.typ(ty.ElementType()))
	case ty.IsTupleType():
		var elements []cty.Type
		for _, element := range ty.TupleElementTypes() {
			elements = append(elements, n.typ(element))
		}
		return cty.Tuple(elements)
	case ty.IsObjectType():
		attributes := map[string]cty.Type{}
		for name, attribute := range ty.AttributeTypes() {
			attributes[n.name(name)] = n.typ(attribute)
		}
		return cty.Object(attributes)
	}
	return ty
}

// value returns the value with pseudonyms in it.
func (n namedPseudonyms) value(v cty.Value) cty.Value {
	switch ty := v.Type(); {
	case !v.IsKnown():
		return n.unknown(v)
	case v.IsNull():
		return cty.NullVal(n.typ(ty))
	case ty == cty.String:
		return cty.StringVal(n.text(v.AsString()))
	case ty == cty.Number && v.AsBigFloat().IsInf():
		return v // a rule speaks of it
	case ty == cty.Number:
		return cty.NumberIntVal(n.number(v.AsBigFloat()))
	case ty.IsObjectType():
		attributes := map[string]cty.Value{}
		for name, attribute := range v.AsValueMap() {
			attributes[n.name(name)] = n.value(attribute)
		}
		return cty.ObjectVal(attributes)
	case ty.IsMapType():
		elements := map[string]cty.Value{}
		for key, element := range v.AsValueMap() {
			elements[n.text(key)] = n.value(element)
		}
		if len(elements) == 0 {
			return cty.MapValEmpty(n.typ(ty.ElementType()))
		}
		return cty.MapVal(elements)
	case ty.IsListType(), ty.IsSetType(), ty.IsTupleType():
		return n.elements(v)
	}
	return v // true or false
}

func (n namedPseudonyms) elements(v cty.Value) cty.Value {
	var elements []cty.Value
	for _, element := range v.AsValueSlice() {
		elements = append(elements, n.value(element))
	}
	ty := v.Type()
	switch {
	case ty.IsTupleType():
		return cty.TupleVal(elements)
	case len(elements) == 0 && ty.IsListType():
		return cty.ListValEmpty(n.typ(ty.ElementType()))
	case len(elements) == 0:
		return cty.SetValEmpty(n.typ(ty.ElementType()))
	case ty.IsListType():
		return cty.ListVal(elements)
	}
	return cty.SetVal(elements)
}

// unknown returns the unknown value with what is promised of its shape.
func (n namedPseudonyms) unknown(v cty.Value) cty.Value {
	ty := n.typ(v.Type())
	if ty == cty.DynamicPseudoType {
		return cty.DynamicVal
	}
	promised := v.Range()
	b := cty.UnknownVal(ty).Refine()
	if promised.DefinitelyNotNull() {
		b = b.NotNull()
	}
	if ty.IsCollectionType() {
		b = b.CollectionLengthLowerBound(promised.LengthLowerBound()).CollectionLengthUpperBound(promised.LengthUpperBound())
	}
	return b.NewValue()
}
