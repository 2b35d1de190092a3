package tfconv

import (
	"math/big"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
)

// giveBack makes a value of tftypes of one that was made of others: what is as it
// is in one of those is the caller's own.
func giveBack(v cty.Value, tf tftypes.Type, from []named) (to tftypes.Value, err error) {
	defer rescue(&to, &err)
	own := make([]owned, len(from))
	for i, arg := range from {
		own[i].value = arg.value
	}
	g, err := back(v, tf, own)
	return g.value, told(err)
}

// owned is a value of the caller's at some place, if there is one, and its parts
// once it is open.
type owned struct {
	value  tftypes.Value
	named  map[string]tftypes.Value
	listed []tftypes.Value
}

// given is a value and of which of the caller's it is the very value.
type given struct {
	value tftypes.Value
	own   uint // a bit for each
}

// back makes a value that is the caller's own where it can be.
func back(v cty.Value, tf tftypes.Type, own []owned) (given, error) {
	same := func(o tftypes.Value) bool { return sameLeaf(v, tf, o) }
	switch tf.(type) {
	case tftypes.Object, tftypes.Map, tftypes.List, tftypes.Set:
		if v.IsKnown() && !v.IsNull() {
			return backParts(v, tf, own)
		}
	case tftypes.Tuple: // rare enough to be compared as a whole
		return backWhole(v, tf, own)
	default:
		if tf.Is(tftypes.DynamicPseudoType) {
			return backWhole(v, tf, own)
		}
	}
	if g := chosen(own, same); g.own > 0 {
		return g, nil
	}
	made, err := fromCty(v, tf)
	return given{value: made}, err
}

func backWhole(v cty.Value, tf tftypes.Type, own []owned) (given, error) {
	made, err := fromCty(v, tf)
	if err != nil {
		return given{}, err
	}
	if g := chosen(own, made.Equal); g.own > 0 {
		return g, nil
	}
	return given{value: made}, nil
}

// chosen returns those of the caller's that are the value.
func chosen(own []owned, same func(tftypes.Value) bool) (g given) {
	for i := len(own) - 1; i >= 0; i-- {
		if o := own[i].value; o.Type() != nil && same(o) {
			g.value = o
			g.own |= 1 << i
		}
	}
	return g
}

// sameLeaf reports whether one of the caller's is a null, unknown or primitive value.
func sameLeaf(v cty.Value, tf tftypes.Type, o tftypes.Value) bool {
	switch {
	case v.IsNull():
		return o.IsNull() && o.Type().Equal(tf)
	case !v.IsKnown():
		return !o.IsKnown() && o.Type().Equal(tf)
	case o.IsNull() || !o.IsKnown():
		return false
	}
	switch v.Type() {
	case cty.String:
		var text string
		return o.As(&text) == nil && cty.NormalizeString(text) == v.AsString()
	case cty.Bool:
		var truth bool
		return o.As(&truth) == nil && truth == v.True()
	}
	var number big.Float
	if o.As(&number) != nil {
		return false
	}
	carried, err := carriedNumber(&number)
	return err == nil && carried.Cmp(v.AsBigFloat()) == 0
}

// backParts is back for what is known and has parts.
func backParts(v cty.Value, tf tftypes.Type, own []owned) (given, error) {
	all := uint(0)
	for i := range own {
		if own[i].open(v.LengthInt()) {
			all |= 1 << i
		}
	}
	inner := make([]owned, len(own))
	switch tf := tf.(type) {
	case tftypes.Object:
		parts := make(map[string]tftypes.Value, len(tf.AttributeTypes))
		for name, attr := range tf.AttributeTypes {
			part, err := back(v.GetAttr(name), attr, ofName(own, inner, name))
			if err != nil {
				return part, atAttr(name, err)
			}
			parts[name] = part.value
			all &= part.own
		}
		return whole(tf, parts, own, all)
	case tftypes.Map:
		parts := make(map[string]tftypes.Value, v.LengthInt())
		for key, elem := range v.Elements() {
			name := key.AsString()
			part, err := back(elem, tf.ElementType, ofName(own, inner, name))
			if err != nil {
				return part, atKey(name, err)
			}
			parts[name] = part.value
			all &= part.own
		}
		return whole(tf, parts, own, all)
	case tftypes.List:
		return backElements(v, tf.ElementType, tf, own, all)
	}
	return backElements(v, tf.(tftypes.Set).ElementType, tf, own, all)
}

func backElements(v cty.Value, elem, collection tftypes.Type, own []owned, all uint) (given, error) {
	parts, inner := make([]tftypes.Value, 0, v.LengthInt()), make([]owned, len(own))
	for i, e := range v.AsValueSlice() {
		for j := range own {
			inner[j] = owned{}
			if i < len(own[j].listed) {
				inner[j].value = own[j].listed[i]
			}
		}
		part, err := back(e, elem, inner)
		if err != nil {
			return part, atIndex(i, err)
		}
		parts = append(parts, part.value)
		all &= part.own
	}
	return whole(collection, parts, own, all)
}

// whole returns the caller's value if all parts are its parts, or else makes one.
func whole(tf tftypes.Type, parts any, own []owned, all uint) (given, error) {
	for i := range own {
		if all&(1<<i) != 0 {
			return given{own[i].value, all}, nil
		}
	}
	made, err := newValue(tf, parts)
	return given{value: made}, err
}

// ofName makes the parts of one name of those of the caller's.
func ofName(own, inner []owned, name string) []owned {
	for i := range own {
		inner[i] = owned{value: own[i].named[name]}
	}
	return inner
}

// open takes a value apart, and reports whether it has that many parts.
func (o *owned) open(n int) bool {
	if o.value.Type() == nil || o.value.IsNull() || !o.value.IsKnown() {
		return false
	}
	switch o.value.Type().(type) {
	case tftypes.Object, tftypes.Map:
		return o.value.As(&o.named) == nil && len(o.named) == n
	}
	return o.value.As(&o.listed) == nil && len(o.listed) == n
}
