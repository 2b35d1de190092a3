package sdkv2

import (
	hcty "github.com/hashicorp/go-cty/cty"
	"github.com/zclconf/go-cty/cty"
)

// toCty converts a value to a value of the type.
func toCty(v hcty.Value, ty cty.Type) (cty.Value, error) {
	switch {
	case v.IsMarked():
		return cty.NilVal, wrong(marked)
	case v.IsNull():
		return cty.NullVal(ty), nil
	case !v.IsKnown():
		return cty.UnknownVal(ty), nil
	case ty == cty.String:
		return cty.StringVal(v.AsString()), nil
	case ty == cty.Number:
		number, err := carried(v.AsBigFloat())
		return cty.NumberVal(number), err
	case ty == cty.Bool:
		return cty.BoolVal(v == hcty.True), nil
	case ty.IsObjectType():
		return objectToCty(v, ty.AttributeTypes())
	case ty.IsMapType():
		return mapToCty(v, ty.ElementType())
	case ty.IsTupleType():
		return tupleToCty(v, ty.TupleElementTypes())
	}
	return elementsToCty(v, ty)
}

func objectToCty(v hcty.Value, types map[string]cty.Type) (cty.Value, error) {
	attrs := make(map[string]cty.Value, len(types))
	first, err := "", error(nil) // the name in the reported error
	for name, ty := range types {
		attr, wrongAttr := toCty(v.GetAttr(name), ty)
		if wrongAttr != nil && (err == nil || name < first) {
			first, err = name, wrongAttr
		}
		attrs[name] = attr
	}
	if err != nil {
		return cty.NilVal, atAttr(first, err)
	}
	return cty.ObjectVal(attrs), nil
}

func mapToCty(v hcty.Value, ty cty.Type) (cty.Value, error) {
	n := v.LengthInt()
	if n == 0 {
		return cty.MapValEmpty(ty), nil
	}
	elems := make(map[string]cty.Value, n)
	for it := v.ElementIterator(); it.Next(); {
		key, elem := it.Element()
		name := key.AsString()
		var err error
		if elems[name], err = toCty(elem, ty); err != nil {
			return cty.NilVal, atKey(name, err)
		}
	}
	return cty.MapVal(elems), nil
}

func tupleToCty(v hcty.Value, types []cty.Type) (cty.Value, error) {
	elems := make([]cty.Value, len(types))
	for i, ty := range types {
		var err error
		if elems[i], err = toCty(v.Index(hcty.NumberIntVal(int64(i))), ty); err != nil {
			return cty.NilVal, atIndex(i, err)
		}
	}
	return cty.TupleVal(elems), nil
}

// elementsToCty returns a list or set.
func elementsToCty(v hcty.Value, collection cty.Type) (cty.Value, error) {
	ty := collection.ElementType()
	elems := make([]cty.Value, 0, v.LengthInt())
	for it := v.ElementIterator(); it.Next(); {
		_, from := it.Element()
		elem, err := toCty(from, ty)
		if err != nil {
			return cty.NilVal, atIndex(len(elems), err)
		}
		elems = append(elems, elem)
	}
	switch {
	case collection.IsSetType() && len(elems) == 0:
		return cty.SetValEmpty(ty), nil
	case collection.IsSetType():
		return cty.SetVal(elems), nil
	case len(elems) == 0:
		return cty.ListValEmpty(ty), nil
	}
	return cty.ListVal(elems), nil
}
