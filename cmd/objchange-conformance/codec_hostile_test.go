package main

import (
	"encoding/json"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
)

// hostileSchema has attributes for long values, extreme numbers and values of any type.
var hostileSchema = &configschema.Block{
	Attributes: map[string]*configschema.Attribute{
		"numbers": {Type: cty.Set(cty.Number), Optional: true},
		"strings": {Type: cty.List(cty.String), Optional: true},
	},
	BlockTypes: map[string]*configschema.NestedBlock{"any": {
		Nesting: configschema.NestingMap,
		Block:   configschema.Block{Attributes: map[string]*configschema.Attribute{"v": {Type: cty.DynamicPseudoType, Optional: true}}},
	}},
}

// packed returns a string with the MessagePack of an object that has one value and is otherwise
// null.
func packed(name, value string) json.RawMessage {
	raw := []byte{0x83}
	for _, other := range []string{"any", "numbers", "strings"} {
		raw = append(append(raw, 0xa0|byte(len(other))), other...)
		if other == name {
			raw = append(raw, value...)
		} else {
			raw = append(raw, 0xc0)
		}
	}
	text, _ := json.Marshal(raw) // bytes always have JSON
	return text
}

// TestHostileValues checks that input with false lengths, extreme numbers or values that do not
// conform is an error and does not cause large allocations.
func TestHostileValues(t *testing.T) {
	for name, text := range map[string]json.RawMessage{
		"a length of four billion":  packed("strings", "\xdd\xff\xff\xff\xff"),
		"a number far out in a set": packed("numbers", "\x91\xac1e1000000000"),
		"a block that is a string":  packed("any", "\x92\xc4\x08\"string\"\xa1x"),
		"more after the value":      packed("strings", "\xc0\xc0"),
		"no MessagePack":            json.RawMessage(`"wQ=="`),
		"no base64":                 json.RawMessage(`"?"`),
		"a number far out in JSON":  json.RawMessage(`{"any": {}, "numbers": [1e1000000000], "strings": null}`),
		"blocks that do not fit":    json.RawMessage(`{"any": {"k": {}}, "numbers": null, "strings": null}`),
	} {
		if v, err := (jsonCodec{}).Decode(hostileSchema, text); err == nil {
			t.Errorf("%s is %#v", name, v)
		}
	}
	if _, err := (jsonCodec{}).Decode(hostileSchema, packed("strings", "\x91\xa1a")); err != nil {
		t.Error("valid values cannot be read:", err) // to be sure that the other inputs fail for their own reason
	}
}

// FuzzDecode checks that Decode returns a value or an error for any input.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(packed("strings", "\x91\xa1a")))
	f.Add([]byte(packed("numbers", "\x91\x01")))
	f.Add([]byte(`{"any": {"k": {"v": {"$typed": {"type": "number", "value": {"$unknown": {"minimum": 1}}}}}}, "numbers": [1.5], "strings": null}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := jsonCodec{}.Decode(hostileSchema, text)
		if err != nil {
			return
		}
		again, err := jsonCodec{}.Encode(hostileSchema, v)
		if err != nil {
			t.Fatalf("%#v cannot be written: %v", v, err)
		}
		if _, err := (jsonCodec{}).Decode(hostileSchema, again); err != nil {
			t.Fatalf("%s cannot be read again: %v", again, err)
		}
	})
}
