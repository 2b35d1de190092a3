package objchange

import (
	"hash/maphash"
	"math/big"

	"github.com/zclconf/go-cty/cty"
)

// What a hash says of a value or place that has no content of its own.
const (
	saysNothing uint64 = iota
	hashNull
	hashUnknown
	hashPresent
	hashOther
)

var seed = maphash.MakeSeed()

func hashString(text string) uint64 { return maphash.String(seed, text) }

// mix combines two hashes, or makes nothing of one that says nothing.
func mix(place, content uint64) uint64 {
	if content == saysNothing {
		return 0
	}
	x := (place ^ content*0x9e3779b97f4a7c15) * 0xd6e8feb86659fd93
	x ^= x >> 32
	x *= 0xd6e8feb86659fd93
	x ^= x >> 32
	return x
}

// hashOf hashes a whole value: equal values (docs/semantics.md#words) have equal
// hashes.
func hashOf(v cty.Value) uint64 {
	v, _ = bare(v)
	switch ty := v.Type(); {
	case !v.IsKnown():
		return hashUnknown
	case v.IsNull():
		return hashNull
	case ty == cty.String:
		return hashString(v.AsString())
	case ty == cty.Number:
		return hashNumber(v)
	case ty == cty.Bool:
		if v == cty.True {
			return hashOther
		}
		return hashOther + 1
	case ty.IsCapsuleType():
		return hashOther
	default:
		return hashElements(v)
	}
}

func hashElements(v cty.Value) uint64 {
	sum := hashOther + uint64(v.LengthInt())
	ty := v.Type()
	for it := v.ElementIterator(); it.Next(); {
		key, elem := it.Element()
		if ty.IsSetType() {
			sum += mix(rootPlace, hashOf(elem))
		} else {
			sum += mix(hashOf(key), hashOf(elem))
		}
	}
	return sum
}

// hashNumber hashes integers by their value and others by their digits, since
// cty also holds those equal that print alike and differ in precision only.
func hashNumber(v cty.Value) uint64 {
	f := v.AsBigFloat()
	if i, acc := f.Int64(); acc == big.Exact {
		return mix(hashOther, uint64(i)+hashOther)
	}
	if f.IsInt() {
		return hashString(f.Text('p', 0)) // the same for all precisions
	}
	if farOut(f) {
		return hashPresent
	}
	return hashString(f.Text('f', -1))
}
