package placeholder

import (
	"encoding/json"
	"fmt"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/ctydata"
)

// Typed returns the data for a value of $typed.
func Typed(data any) any {
	fields, _ := data.(map[string]any)
	ty, hasType := fields["type"]
	value, hasValue := fields["value"]
	if !hasType || !hasValue || len(fields) != 2 {
		return Wrong{fmt.Errorf(`%s must be {"type": ..., "value": ...}`, KeyTyped)}
	}
	text, err := json.Marshal(map[string]any{"type": ty})
	attr := new(configschema.Attribute) // decodes a type as schemas write it
	if err == nil {
		err = attr.UnmarshalJSON(text)
	}
	if err != nil {
		return Wrong{fmt.Errorf("%s: %w", KeyTyped, err)}
	}
	return ctydata.Typed{Type: attr.Type, Data: value}
}

// WithType returns a $typed placeholder for the data.
func WithType(ty cty.Type, data any) any {
	return map[string]any{KeyTyped: map[string]any{"type": typeText(ty), "value": data}}
}

// typeText returns the type as schemas write it.
func typeText(ty cty.Type) json.RawMessage {
	var attr struct{ Type json.RawMessage }
	text, err := json.Marshal(&configschema.Attribute{Type: ty})
	if err == nil {
		err = json.Unmarshal(text, &attr)
	}
	if err != nil {
		panic(err) // every type of a value has JSON
	}
	return attr.Type
}
