package document

import (
	"encoding/json"
	"fmt"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/ctydata"
)

// typed returns the data of $typed.
func (p *plainer) typed(data any) any {
	fields, _ := data.(map[string]any)
	ty, hasType := fields["type"]
	value, hasValue := fields["value"]
	if !hasType || !hasValue || len(fields) != 2 {
		return wrong{fmt.Errorf(`%s must be {"type": ..., "value": ...}`, keyTyped)}
	}
	text, err := json.Marshal(map[string]any{"type": ty})
	attr := new(configschema.Attribute) // which has a type as schemas have it
	if err == nil {
		err = attr.UnmarshalJSON(text)
	}
	if err != nil {
		return wrong{fmt.Errorf("%s: %w", keyTyped, err)}
	}
	return ctydata.Typed{Type: attr.Type, Data: p.plain(value)}
}

// withType returns the data in $typed.
func withType(ty cty.Type, data any) any {
	return map[string]any{keyTyped: map[string]any{"type": typeText(ty), "value": data}}
}

// typeText returns the type as schemas have it.
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
