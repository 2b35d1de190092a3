package wire

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// TestDecodeErrors checks that decoding a malformed message returns an error with the path, and
// that deeply nested messages are rejected.
func TestDecodeErrors(t *testing.T) {
	rpc, err := Find(Service6, "PlanResourceChange")
	if err != nil {
		t.Fatal(err)
	}
	field := func(number protowire.Number, content string) string {
		return string(protowire.AppendString(protowire.AppendTag(nil, number, protowire.BytesType), content))
	}
	schemas, err := Find(Service6, "GetProviderSchema")
	if err != nil {
		t.Fatal(err)
	}
	deep := ""
	for range deepest + 1 {
		deep = field(3, field(2, deep)) // the block of a nested block
	}
	response := reflect.New(r6(t, "PlanResourceChange")).Interface()
	for name, test := range map[string]struct {
		err  error
		want string
	}{
		"no message":    {rpc.UnmarshalResponse([]byte{0xff}, response), errMalformed.Error()},
		"cut":           {rpc.UnmarshalResponse([]byte{0x0a, 9}, response), errMalformed.Error()},
		"inside":        {rpc.UnmarshalResponse([]byte(field(1, "\xff")), response), "PlannedState: " + errMalformed.Error()},
		"text":          {rpc.UnmarshalResponse([]byte(field(4, field(2, "\xff"))), response), "Diagnostics[0].Summary: is not valid UTF-8"},
		"path":          {rpc.UnmarshalResponse([]byte(field(2, field(1, ""))), response), "RequiresReplace[0].steps[0]: has no selector"},
		"not a struct":  {rpc.UnmarshalResponse(nil, 1), "not a pointer to a struct, or nil"},
		"other structs": {rpc.UnmarshalResponse([]byte(field(1, "")), &struct{ PlannedState int }{}), "*struct { PlannedState int } does not fit tfplugin6.PlanResourceChange.Response"},
		"type":          {schemas.UnmarshalResponse([]byte(field(1, field(2, field(2, field(2, "x"))))), reflect.New(r6(t, "GetProviderSchema")).Interface()), "Provider.Block.Attributes[0].Type: is not the JSON of a type"},
		"deep":          {schemas.UnmarshalResponse([]byte(field(1, field(2, deep))), reflect.New(r6(t, "GetProviderSchema")).Interface()), "messages are nested deeper than 1000 levels"},
	} {
		if test.err == nil || !strings.HasSuffix(test.err.Error(), test.want) {
			t.Errorf("%s: %.300v", name, test.err)
		}
	}
	if _, err := Find(Service6, "Configure"); err == nil || err.Error() != "/tfplugin6.Provider/Configure is not known" {
		t.Errorf("%v", err)
	}
}

// r6 returns the response type of an RPC of protocol 6.
func r6(t *testing.T, name string) reflect.Type {
	t.Helper()
	for _, r := range all(t, Service6) {
		if r.name == name {
			return r.response
		}
	}
	t.Fatalf("there is no %s", name)
	return nil
}

// TestDecodeRepeated checks that repeated message fields are merged, that the last of other
// repeated fields is used, even if it is zero, and that malformed content is an error.
func TestDecodeRepeated(t *testing.T) {
	field := func(number protowire.Number, content string) string {
		return string(protowire.AppendString(protowire.AppendTag(nil, number, protowire.BytesType), content))
	}
	number := func(number protowire.Number, n uint64) string {
		return string(protowire.AppendVarint(protowire.AppendTag(nil, number, protowire.VarintType), n))
	}
	renewed := func(stamp string) string { return field(2, stamp) } // in the response for an ephemeral resource
	entry := func(value ...string) string {
		return field(2, field(1, "a")+strings.Join(value, "")) // in the schemas of resources
	}
	attribute := func(name string) string { return field(2, field(2, field(2, field(1, name)))) } // in a value of that map
	for name, test := range map[string]struct {
		rpc, encoded, want string // JSON, or the end of an error
	}{
		"message":     {"PlanResourceChange", field(1, field(1, "m")) + field(1, field(2, "j")), `{"PlannedState":{"MsgPack":"bQ==","JSON":"ag=="}`},
		"zero":        {"PlanResourceChange", number(5, 1) + number(5, 0), `"UnsafeToUseLegacyTypeSystem":false`},
		"text":        {"PlanResourceChange", field(4, field(2, "a")+field(2, "")), `"Summary":""`},
		"entry":       {"GetProviderSchema", entry(attribute("x"), attribute("y")), `"Name":"x"`},
		"entry again": {"GetProviderSchema", entry(attribute("x"), attribute("y")), `"Name":"y"`},
		"key":         {"GetProviderSchema", field(2, field(1, "\xff")), "a key is not valid UTF-8"},
		"year 10000":  {"OpenEphemeralResource", renewed(number(1, 253402300800)), "RenewAt: is not a valid timestamp"},
		"year 0":      {"OpenEphemeralResource", renewed(number(1, ^uint64(62135596800))), "RenewAt: is not a valid timestamp"},
		"nanos":       {"OpenEphemeralResource", renewed(number(2, 1e9)), "RenewAt: is not a valid timestamp"},
		"nanos below": {"OpenEphemeralResource", renewed(number(2, ^uint64(0))), "RenewAt: is not a valid timestamp"},
	} {
		rpc, err := Find(Service6, test.rpc)
		if err != nil {
			t.Fatal(err)
		}
		response := reflect.New(r6(t, test.rpc)).Interface()
		text := ""
		if err = rpc.UnmarshalResponse([]byte(test.encoded), response); err != nil {
			text = err.Error()
		} else if data, err := json.Marshal(response); err == nil {
			text = string(data)
		}
		if !strings.Contains(text, test.want) {
			t.Errorf("%s: %s", name, text)
		}
	}
}
