package exchanges

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"math/big"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/values"
	"github.com/zclconf/go-cty/cty"
)

// pseudonyms replaces texts and numbers. Equal values get equal pseudonyms, and different values
// get different ones. A pseudonym is a keyed hash. It needs no table, and it reveals no values
// without the key, which is never written.
type pseudonyms []byte // the key

func newPseudonyms() pseudonyms {
	key := make([]byte, sha256.Size)
	_, _ = rand.Read(key) // never fails
	return key
}

var digits = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// textBytes are 80 bits. In a recording with a million texts, the chance that two texts share a
// pseudonym is one in a million million.
const textBytes = 10

// text returns the pseudonym of a string, which begins with a letter. The pseudonym of "" is "",
// because the legacy SDK uses "" for null.
func (p pseudonyms) text(s string) string {
	if s == "" {
		return ""
	}
	return "x" + digits.EncodeToString(p.hash('s', []byte(s))[:textBytes])
}

// number returns the pseudonym of a number. The pseudonym of 0 is 0.
func (p pseudonyms) number(n *big.Float) int64 {
	if n.Sign() == 0 {
		return 0
	}
	return int64(binary.BigEndian.Uint64(p.hash('n', n.Append(nil, 'p', 0)))>>1 | 1)
}

func (p pseudonyms) hash(kind byte, of []byte) []byte {
	h := hmac.New(sha256.New, p)
	h.Write([]byte{kind})
	h.Write(of)
	return h.Sum(nil)
}

// A valueRedactor replaces the data in values of a schema with pseudonyms.
type valueRedactor struct {
	pseudonyms pseudonyms
	ty         cty.Type
	// names are the names of attributes and blocks at all levels, which stay. Names of attributes in
	// dynamic values are not in the schema, and are data.
	names map[string]bool
}

func newValueRedactor(p pseudonyms, block *configschema.Block) *valueRedactor {
	r := &valueRedactor{pseudonyms: p, ty: block.ImpliedType().WithoutOptionalAttributesDeep(), names: map[string]bool{}}
	renamedType(r.ty, func(name string) string {
		r.names[name] = true
		return name
	})
	return r
}

func (r *valueRedactor) name(of string) string {
	if r.names[of] {
		return of
	}
	return r.pseudonyms.text(of)
}

// typ returns the type with pseudonyms for names that are not in the schema.
func (r *valueRedactor) typ(ty cty.Type) cty.Type { return renamedType(ty, r.name) }

// renamedType returns the type with the names of its attributes replaced.
func renamedType(ty cty.Type, name func(string) string) cty.Type {
	switch {
	case ty.IsListType():
		return cty.List(renamedType(ty.ElementType(), name))
	case ty.IsSetType():
		return cty.Set(renamedType(ty.ElementType(), name))
	case ty.IsMapType():
		return cty.Map(renamedType(ty.ElementType(), name))
	case ty.IsTupleType():
		var elements []cty.Type
		for _, element := range ty.TupleElementTypes() {
			elements = append(elements, renamedType(element, name))
		}
		return cty.Tuple(elements)
	case ty.IsObjectType():
		attributes := map[string]cty.Type{}
		for of, attribute := range ty.AttributeTypes() {
			attributes[name(of)] = renamedType(attribute, name)
		}
		return cty.Object(attributes)
	}
	return ty
}

// value returns the value with pseudonyms in it.
func (r *valueRedactor) value(v cty.Value) cty.Value {
	v, _ = cty.Transform(v, func(_ cty.Path, v cty.Value) (cty.Value, error) { return r.replace(v), nil })
	return v
}

// replace replaces one value whose nested values are replaced already.
func (r *valueRedactor) replace(v cty.Value) cty.Value {
	switch ty := v.Type(); {
	case !v.IsKnown():
		return r.unknown(v)
	case v.IsNull():
		return cty.NullVal(r.typ(ty))
	case ty == cty.String:
		return cty.StringVal(r.pseudonyms.text(v.AsString()))
	case ty == cty.Number && !v.AsBigFloat().IsInf(): // infinity stays, because there is a rule about it
		return cty.NumberIntVal(r.pseudonyms.number(v.AsBigFloat()))
	case ty.IsObjectType():
		return cty.ObjectVal(renamed(v, r.name))
	case ty.IsCollectionType() && v.LengthInt() == 0:
		return values.Empty(r.typ(ty))
	case ty.IsMapType():
		return cty.MapVal(renamed(v, r.pseudonyms.text))
	}
	return v
}

// renamed returns the elements of an object or a map with their names replaced.
func renamed(v cty.Value, name func(string) string) map[string]cty.Value {
	elements := map[string]cty.Value{}
	for key, element := range v.AsValueMap() {
		elements[name(key)] = element
	}
	return elements
}

// unknown returns the unknown value. Of its refinements it keeps only the information on null and
// on lengths.
func (r *valueRedactor) unknown(v cty.Value) cty.Value {
	ty := r.typ(v.Type())
	if ty == cty.DynamicPseudoType {
		return cty.DynamicVal
	}
	promised := v.Range()
	b := cty.UnknownVal(ty).Refine()
	if promised.DefinitelyNotNull() {
		b = b.NotNull()
	}
	if ty.IsCollectionType() {
		b = b.CollectionLengthLowerBound(promised.LengthLowerBound())
		b = b.CollectionLengthUpperBound(promised.LengthUpperBound())
	}
	return b.NewValue()
}
