package values

import (
	"hash/maphash"
	"math/big"

	"github.com/zclconf/go-cty/cty"
)

// The hashes of values or places that have no content of their own.
const (
	Nothing uint64 = iota
	Null
	Unknown
	Present
	Other
)

var seed = maphash.MakeSeed()

// HashString hashes a text.
func HashString(text string) uint64 { return maphash.String(seed, text) }

// Mix combines two hashes. It returns 0 if the content is Nothing.
func Mix(place, content uint64) uint64 {
	if content == Nothing {
		return 0
	}
	x := (place ^ content*0x9e3779b97f4a7c15) * 0xd6e8feb86659fd93
	x ^= x >> 32
	x *= 0xd6e8feb86659fd93
	x ^= x >> 32
	return x
}

// Hash hashes a whole value. Equal values (docs/specification.md#1-terms) have equal hashes.
func Hash(v cty.Value) uint64 {
	v, _ = Bare(v)
	switch ty := v.Type(); {
	case !v.IsKnown():
		return Unknown
	case v.IsNull():
		return Null
	case ty == cty.String:
		return HashString(v.AsString())
	case ty == cty.Number:
		return hashNumber(v)
	case ty == cty.Bool:
		if v == cty.True {
			return Other
		}
		return Other + 1
	case ty.IsCapsuleType():
		return Other
	default:
		return hashElements(v)
	}
}

func hashElements(v cty.Value) uint64 {
	sum := Other + uint64(v.LengthInt())
	ty := v.Type()
	for it := v.ElementIterator(); it.Next(); {
		key, elem := it.Element()
		if ty.IsSetType() {
			sum += Mix(Present, Hash(elem))
		} else {
			sum += Mix(Hash(key), Hash(elem))
		}
	}
	return sum
}

// hashNumber hashes integers by their value and other numbers by their digits, because cty
// considers numbers equal that print alike and only differ in precision.
func hashNumber(v cty.Value) uint64 {
	f := v.AsBigFloat()
	if i, acc := f.Int64(); acc == big.Exact {
		return Mix(Other, uint64(i)+Other)
	}
	if f.IsInt() {
		return HashString(f.Text('p', 0)) // the same for all precisions
	}
	if FarOut(f) {
		return Present
	}
	return HashString(f.Text('f', -1))
}
