package frameworkprovider

import (
	"maps"
	"math/big"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// An edit returns a changed value.
type edit func(tftypes.Value) tftypes.Value

// of returns the edited value. A nil edit does not change the value.
func (e edit) of(v tftypes.Value) tftypes.Value {
	if e == nil {
		return v
	}
	return e(v)
}

// in edits one attribute of an object. It does not change a null or unknown object.
func in(name string, e edit) edit {
	return func(v tftypes.Value) tftypes.Value {
		var attrs map[string]tftypes.Value
		if v.IsNull() || !v.IsKnown() || v.As(&attrs) != nil {
			return v
		}
		attrs[name] = e(attrs[name])
		return tftypes.NewValue(v.Type(), attrs)
	}
}

// first edits the first element of a list or set, if there is one.
func first(e edit) edit {
	return elements(func(vs []tftypes.Value) []tftypes.Value {
		if len(vs) > 0 {
			vs[0] = e(vs[0])
		}
		return vs
	})
}

// elements edits all elements of a list or set together.
func elements(e func([]tftypes.Value) []tftypes.Value) edit {
	return func(v tftypes.Value) tftypes.Value {
		var vs []tftypes.Value
		if v.IsNull() || !v.IsKnown() || v.As(&vs) != nil {
			return v
		}
		return tftypes.NewValue(v.Type(), e(append([]tftypes.Value(nil), vs...)))
	}
}

// present edits a configured value: not null, and not an empty list.
func present(e edit) edit {
	return func(v tftypes.Value) tftypes.Value {
		var vs []tftypes.Value
		if v.IsNull() || v.IsKnown() && v.Type().Is(tftypes.List{}) && v.As(&vs) == nil && len(vs) == 0 {
			return v
		}
		return e(v)
	}
}

var none = elements(func([]tftypes.Value) []tftypes.Value { return nil })

// rename changes the single key of a map.
func rename(key string) edit {
	return func(v tftypes.Value) tftypes.Value {
		var vs map[string]tftypes.Value
		if v.IsNull() || !v.IsKnown() || v.As(&vs) != nil || len(vs) == 0 {
			return v
		}
		return tftypes.NewValue(v.Type(), map[string]tftypes.Value{key: vs[slices.Min(slices.Collect(maps.Keys(vs)))]})
	}
}

func null(v tftypes.Value) tftypes.Value    { return tftypes.NewValue(v.Type(), nil) }
func unknown(v tftypes.Value) tftypes.Value { return tftypes.NewValue(v.Type(), tftypes.UnknownValue) }

var infinite = to(new(big.Float).SetInf(false))

// to replaces a value.
func to(goValue any) edit {
	return func(v tftypes.Value) tftypes.Value { return tftypes.NewValue(v.Type(), goValue) }
}

// attribute returns one attribute of an object, which must be neither null nor unknown.
func attribute(v tftypes.Value, name string) tftypes.Value {
	var attrs map[string]tftypes.Value
	if v.IsNull() || !v.IsKnown() || v.As(&attrs) != nil {
		return tftypes.Value{}
	}
	return attrs[name]
}

// text returns a string attribute of an object, or "" if it is missing.
func text(v tftypes.Value, name string) string {
	var s string
	if a := attribute(v, name); a.IsKnown() && !a.IsNull() {
		_ = a.As(&s)
	}
	return s
}

// complete replaces all unknown values.
func complete(v tftypes.Value, id string) tftypes.Value {
	v, err := tftypes.Transform(v, func(_ *tftypes.AttributePath, v tftypes.Value) (tftypes.Value, error) {
		switch ty := v.Type(); {
		case v.IsKnown():
			return v, nil
		case ty.Is(tftypes.String):
			return tftypes.NewValue(ty, id), nil
		case ty.Is(tftypes.Number):
			return tftypes.NewValue(ty, 1), nil
		case ty.Is(tftypes.Bool):
			return tftypes.NewValue(ty, true), nil
		default:
			return tftypes.NewValue(ty, nil), nil
		}
	})
	if err != nil { // the values above have the types of the values that they replace
		panic(err)
	}
	return v
}
