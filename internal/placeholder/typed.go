package placeholder

import (
	"encoding/json"
	"fmt"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/internal/values"
)

// Typed returns the data for a value of $typed.
func Typed(data any) any {
	fields, _ := data.(map[string]any)
	ty, hasType := fields["type"]
	value, hasValue := fields["value"]
	if !hasType || !hasValue || len(fields) != 2 {
		return Wrong{fmt.Errorf(`%s must be {"type": ..., "value": ...}`, KeyTyped)}
	}
	of, err := values.TypeOf(ty)
	if err != nil {
		return Wrong{fmt.Errorf("%s: %w", KeyTyped, err)}
	}
	return ctydata.TypedData{Type: of, Data: value}
}

// WithType returns a $typed placeholder for the data.
func WithType(ty cty.Type, data any) any {
	return map[string]any{KeyTyped: map[string]any{"type": typeText(ty), "value": data}}
}

// typeText returns the type as schemas write it.
func typeText(ty cty.Type) json.RawMessage {
	text, err := values.TypeJSON(ty)
	if err != nil {
		panic(err) // every type of a value has JSON
	}
	return text
}
