package scenario

import (
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/objchange/objchange"
)

// A Need is a value in a scenario's configuration that another resource provides.
type Need struct {
	Slot string // slot with the value
	Attr string // attribute at the root of the other resource
	// Value is the value when the scenario was made. It is unknown if the other resource was only
	// planned and the plan does not contain the value.
	Value cty.Value
	Of    *Origin
}

// An Origin is a resource that provides values.
type Origin struct {
	TypeName string
	Schema   *objchange.Schema
	Config   cty.Value
	Object   cty.Value // when the scenario was made
	Needs    []*Need
	Applied  bool // otherwise it is planned
}

// In reports whether the configuration contains the value.
func (n *Need) In(config cty.Value) bool {
	return !n.Replace(config, cty.NullVal(cty.String)).RawEquals(config)
}

// at reports whether v is the value of the need and is in the slot of the need.
func (n *Need) at(slot string, v cty.Value) bool {
	if slot != n.Slot || !v.Type().IsPrimitiveType() {
		return false
	}
	same, err := convert.Convert(n.Value, v.Type())
	return err == nil && same.RawEquals(v)
}

// Replace returns the configuration with another value in place of the need's value.
func (n *Need) Replace(config, by cty.Value) cty.Value {
	replaced, err := cty.Transform(config, func(path cty.Path, v cty.Value) (cty.Value, error) {
		if !n.at(slotOf(path), v) {
			return v, nil
		}
		return convert.Convert(by, v.Type())
	})
	if err != nil {
		return config
	}
	return replaced
}

// slotOf returns the slot of a path: the names without indexes.
func slotOf(path cty.Path) string {
	var names []string
	for _, step := range path {
		if at, named := step.(cty.GetAttrStep); named {
			names = append(names, at.Name)
		}
	}
	return strings.Join(names, ".")
}

// Provided returns the need for the value of the slot, or nil.
func Provided(needs []*Need, slot string, v cty.Value) *Need {
	for _, n := range needs {
		if n.at(slot, v) {
			return n
		}
	}
	return nil
}
