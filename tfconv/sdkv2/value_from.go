package sdkv2

import (
	hcty "github.com/hashicorp/go-cty/cty"
	"github.com/zclconf/go-cty/cty"
)

// fromCty converts a value to a value of the type.
func fromCty(v cty.Value, ty hcty.Type) (hcty.Value, error) {
	switch {
	case v.IsMarked():
		return hcty.NilVal, wrong(marked)
	case v.IsNull():
		return hcty.NullVal(ty), nil
	case !v.IsKnown():
		return hcty.UnknownVal(ty), nil
	case ty == hcty.String:
		return hcty.StringVal(v.AsString()), nil
	case ty == hcty.Number:
		number, err := carried(v.AsBigFloat())
		return hcty.NumberVal(number), err
	case ty == hcty.Bool:
		return hcty.BoolVal(v == cty.True), nil
	case ty.IsObjectType():
		return objectFromCty(v, ty.AttributeTypes())
	case ty.IsMapType():
		return mapFromCty(v, ty.ElementType())
	case ty.IsTupleType():
		return tupleFromCty(v, ty.TupleElementTypes())
	}
	return elementsFromCty(v, ty)
}

func objectFromCty(v cty.Value, types map[string]hcty.Type) (hcty.Value, error) {
	attrs := make(map[string]hcty.Value, len(types))
	first, err := "", error(nil) // the name in the reported error
	for name, ty := range types {
		attr, wrongAttr := fromCty(v.GetAttr(name), ty)
		if wrongAttr != nil && (err == nil || name < first) {
			first, err = name, wrongAttr
		}
		attrs[name] = attr
	}
	if err != nil {
		return hcty.NilVal, atAttr(first, err)
	}
	return hcty.ObjectVal(attrs), nil
}

func mapFromCty(v cty.Value, ty hcty.Type) (hcty.Value, error) {
	n := v.LengthInt()
	if n == 0 {
		return hcty.MapValEmpty(ty), nil
	}
	elems := make(map[string]hcty.Value, n)
	for it := v.ElementIterator(); it.Next(); {
		key, elem := it.Element()
		name := key.AsString()
		var err error
		if elems[name], err = fromCty(elem, ty); err != nil {
			return hcty.NilVal, atKey(name, err)
		}
	}
	return hcty.MapVal(elems), nil
}

func tupleFromCty(v cty.Value, types []hcty.Type) (hcty.Value, error) {
	elems := make([]hcty.Value, len(types))
	for i, ty := range types {
		var err error
		if elems[i], err = fromCty(v.Index(cty.NumberIntVal(int64(i))), ty); err != nil {
			return hcty.NilVal, atIndex(i, err)
		}
	}
	return hcty.TupleVal(elems), nil
}

// elementsFromCty returns a list or set.
func elementsFromCty(v cty.Value, collection hcty.Type) (hcty.Value, error) {
	ty := collection.ElementType()
	elems := make([]hcty.Value, 0, v.LengthInt())
	for it := v.ElementIterator(); it.Next(); {
		_, from := it.Element()
		elem, err := fromCty(from, ty)
		if err != nil {
			return hcty.NilVal, atIndex(len(elems), err)
		}
		elems = append(elems, elem)
	}
	switch {
	case collection.IsSetType() && len(elems) == 0:
		return hcty.SetValEmpty(ty), nil
	case collection.IsSetType():
		return hcty.SetVal(elems), nil
	case len(elems) == 0:
		return hcty.ListValEmpty(ty), nil
	}
	return hcty.ListVal(elems), nil
}
