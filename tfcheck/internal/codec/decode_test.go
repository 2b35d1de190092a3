package codec

import (
	"reflect"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// TestMalformedMessageHasPath checks that decoding a malformed message returns an error with the path, and
// that deeply nested messages are rejected.
func TestMalformedMessageHasPath(t *testing.T) {
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
	const malformed = "it is not a protobuf message"
	response := reflect.New(r6(t, "PlanResourceChange")).Interface()
	for name, test := range map[string]struct {
		err  error
		want string
	}{
		"no message":    {rpc.Response.Unmarshal([]byte{0xff}, response, nil), malformed},
		"cut":           {rpc.Response.Unmarshal([]byte{0x0a, 9}, response, nil), malformed},
		"inside":        {rpc.Response.Unmarshal([]byte(field(1, "\xff")), response, nil), malformed},
		"text":          {rpc.Response.Unmarshal([]byte(field(4, field(2, "\xff"))), response, nil), malformed},
		"path":          {rpc.Response.Unmarshal([]byte(field(2, field(1, ""))), response, nil), "RequiresReplace: [0]: steps[0]: has no selector"},
		"not a struct":  {rpc.Response.Unmarshal(nil, 1, nil), "int does not fit tfplugin6.PlanResourceChange.Response"},
		"other structs": {rpc.Response.Unmarshal([]byte(field(1, "")), &struct{ PlannedState int }{}, nil), "*struct { PlannedState int } does not fit tfplugin6.PlanResourceChange.Response"},
		"type":          {schemas.Response.Unmarshal([]byte(field(1, field(2, field(2, field(2, "x"))))), reflect.New(r6(t, "GetProviderSchema")).Interface(), nil), "Provider: Block: Attributes: [0]: Type: is not the JSON of a type"},
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
