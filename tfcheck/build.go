package tfcheck

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// A format is where the data of values comes from.
type format int

const (
	fromMsgPack format = iota
	fromJSON
	fromTF   // tftypes
	fromData // what a person wrote in Go
)

// A builder makes values of a type from data. It is the one place that knows
// which data makes which value; the codecs of cty panic on some, know no places
// and let others pass that do not conform.
//
// Data is nil, bool, string, *big.Float, json.Number, []any, map[string]any,
// unknown, tftypes.Value, cty.Value, or anything that open makes one of these.
type builder struct {
	format   format
	way      steps
	problems []error
	free     int // how many dynamic places we are in, where names come from the data
}

// unknown is the data of an unknown value, with the MessagePack of its
// refinements if there are any.
type unknown struct{ raw []byte }

// fail records a problem at the place and returns no value.
func (b *builder) fail(format string, args ...any) cty.Value {
	b.problems = append(b.problems, &ValueError{b.way.path(), b.way.String(), b.way.hidden(), fmt.Sprintf(format, args...)})
	return cty.NilVal
}

// done reports whether there is no point in looking further. A person wants to
// know of all problems; what crossed the protocol is broken with the first.
func (b *builder) done() bool { return b.format != fromData && len(b.problems) > 0 }

// result returns what was made, or the problems.
func (b *builder) result(v cty.Value) (cty.Value, error) {
	if err := errors.Join(b.problems...); err != nil {
		return cty.NilVal, err
	}
	return v, nil
}

// at makes the value of a place inside.
func (b *builder) at(s step, make func() cty.Value) cty.Value {
	b.way.list = append(b.way.list, s)
	v := make()
	b.way.list = b.way.list[:len(b.way.list)-1]
	return v
}

// value makes a value of the type. It returns no value, with a problem, if that
// is impossible.
func (b *builder) value(ty cty.Type, data any) cty.Value {
	return b.valueWith(ty, nil, data)
}

// namesOf returns the attributes of an object in order, which all elements of a
// collection share.
func namesOf(ty cty.Type) []string {
	if !ty.IsObjectType() {
		return nil
	}
	return slices.Sorted(maps.Keys(ty.AttributeTypes()))
}

// valueWith is value, with the names of an object's attributes if they are known.
func (b *builder) valueWith(ty cty.Type, names []string, data any) cty.Value {
	if len(b.way.list) > maxDepth {
		return b.fail("%v", errDepth)
	}
	if ty == cty.DynamicPseudoType {
		return b.dynamic(data)
	}
	if tf, ok := data.(tftypes.Value); ok && b.format == fromTF && !b.fits(ty, tf) {
		return cty.NilVal
	}
	data, ok := b.open(ty, data)
	if !ok {
		return cty.NilVal
	}
	switch data := data.(type) {
	case nil:
		return cty.NullVal(ty)
	case cty.Value:
		return b.given(ty, data)
	case unknown:
		return b.unknown(ty, data)
	}
	switch {
	case ty.IsPrimitiveType():
		return b.scalar(ty, data)
	case ty.IsObjectType():
		if names == nil {
			names = namesOf(ty)
		}
		return b.object(ty.AttributeTypes(), names, data)
	case ty.IsTupleType():
		return b.tuple(ty.TupleElementTypes(), data)
	case ty.IsMapType():
		return b.mapping(ty, data, b.elementOf(ty))
	case ty.IsListType() || ty.IsSetType():
		return b.list(ty, data, b.elementOf(ty))
	}
	return b.fail("no data makes a %s", ty.FriendlyName())
}

// elementOf returns what makes the elements of a collection.
func (b *builder) elementOf(collection cty.Type) func(elem any) cty.Value {
	ty := collection.ElementType()
	var names []string
	return func(elem any) cty.Value {
		if names == nil {
			names = namesOf(ty)
		}
		return b.valueWith(ty, names, elem)
	}
}

// mismatch says that the data is of another kind than the type wants.
func (b *builder) mismatch(want string, data any) cty.Value {
	return b.fail("must be %s, not %s", want, kindOf(data))
}

// kindOf says what data is, never what is in it.
func kindOf(data any) string {
	switch data.(type) {
	case nil:
		return "null"
	case bool:
		return "a bool"
	case string:
		return "a string"
	case *big.Float, json.Number:
		return "a number"
	case []any:
		return "a list"
	case map[string]any:
		return "an object or a map"
	case unknown:
		return "unknown"
	}
	return fmt.Sprintf("a %T", data)
}

// scalar makes a value of a primitive type. Only numbers are also text
// everywhere: those that are too large for the protocol's.
func (b *builder) scalar(ty cty.Type, data any) cty.Value {
	v, err := plainValue(data)
	text, isText := data.(string)
	switch {
	case v == cty.NilVal && err == nil:
		return b.mismatch("a "+ty.FriendlyName(), data)
	case err == nil && isText && ty == cty.Number && b.format != fromTF:
		v, err = number(text)
	case err == nil && ty == cty.String && b.format == fromJSON:
		if n, ok := data.(json.Number); ok {
			v = cty.StringVal(n.String()) // as it is written there
		}
	}
	if err != nil {
		return b.fail("%v", err)
	}
	if v.Type() == ty {
		return v
	}
	if b.format == fromJSON || b.format == fromData {
		if converted, err := convert.Convert(v, ty); err == nil {
			return converted
		}
	}
	return b.mismatch("a "+ty.FriendlyName(), data)
}

// plainValue makes the value that plain data stands for, none if it is not
// plain.
func plainValue(data any) (cty.Value, error) {
	switch data := data.(type) {
	case bool:
		return cty.BoolVal(data), nil
	case string:
		return cty.StringVal(data), nil
	case json.Number:
		return number(string(data))
	case *big.Float:
		if farOut(data) {
			return cty.NilVal, errFarOut
		}
		return cty.NumberVal(data), nil
	}
	return cty.NilVal, nil
}

// list makes a list or set.
func (b *builder) list(ty cty.Type, data any, make func(elem any) cty.Value) cty.Value {
	elems, ok := data.([]any)
	if !ok {
		return b.mismatch("a "+ty.FriendlyName(), data)
	}
	values, ok := b.elements(elems, func(_ int, elem any) cty.Value { return make(elem) })
	if !ok {
		return cty.NilVal
	}
	elemType := ty.ElementType()
	switch {
	case len(values) == 0 && ty.IsSetType():
		return cty.SetValEmpty(elemType)
	case len(values) == 0:
		return cty.ListValEmpty(elemType)
	case elemType.HasDynamicTypes() && !cty.CanListVal(values):
		return b.unify(ty, cty.TupleVal(values))
	case ty.IsSetType():
		return cty.SetVal(values)
	}
	return cty.ListVal(values)
}

// elements makes the elements of a list, a set or a tuple, all or none.
func (b *builder) elements(elems []any, make func(i int, elem any) cty.Value) (values []cty.Value, ok bool) {
	ok = true
	for i, elem := range elems {
		v := b.at(step{kind: indexStep, index: i}, func() cty.Value { return make(i, elem) })
		if b.done() {
			return nil, false
		}
		ok = ok && v != cty.NilVal
		values = append(values, v)
	}
	return values, ok
}

// unify makes a collection of elements that are of several types.
func (b *builder) unify(ty cty.Type, v cty.Value) cty.Value {
	if b.format == fromData {
		if converted, err := convert.Convert(v, ty); err == nil {
			return converted
		}
	}
	return b.fail("the elements are of several types")
}

func (b *builder) tuple(types []cty.Type, data any) cty.Value {
	elems, ok := data.([]any)
	if !ok {
		return b.mismatch("a tuple", data)
	}
	if len(elems) != len(types) {
		return b.fail("must have %d elements, not %d", len(types), len(elems))
	}
	values, ok := b.elements(elems, func(i int, elem any) cty.Value { return b.value(types[i], elem) })
	if !ok {
		return cty.NilVal
	}
	return cty.TupleVal(values)
}
