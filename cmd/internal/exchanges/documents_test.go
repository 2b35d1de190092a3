package exchanges

import (
	"bytes"
	"testing"
)

// TestNoDocument checks the note for exchanges without a document.
func TestNoDocument(t *testing.T) {
	p := recordedProvider(t, 6)
	const noObject = "the new state does not match the schema: the value: must be an object, not a string"
	for name, test := range map[string]struct {
		rpc      string
		response fields
		want     string
	}{
		"not a resource": {"OpenEphemeralResource", fields{}, "OpenEphemeralResource cloud_thing #1: documents do not support OpenEphemeralResource"},
		"no import":      {"ImportResourceState", fields{}, "ImportResourceState cloud_thing #1: the provider imported no object"},
		"no value":       {"ReadResource", fields{"new_state": fields{"msgpack": "oWE="}}, "ReadResource cloud_thing #1: a value cannot be decoded: " + noObject},
		"no such type":   {"ImportResourceState", fields{"imported_resources": []fields{{"type_name": "nope"}}}, `ImportResourceState nope #1: a value cannot be decoded: the provider has no schema of the resource type "nope"`},
	} {
		method := "/tfplugin6.Provider/" + test.rpc
		found := unpacked(t, p, RPC{
			Method: method, Requests: [][]byte{message(t, method, false, fields{"type_name": "cloud_thing"})}, Responses: [][]byte{message(t, method, true, test.response)},
		})
		if got := found.Name + ": " + found.Note; got != test.want || found.Document != nil {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

// unpacked returns the exchange for an RPC.
func unpacked(t failer, p Provider, rpc RPC) (found Exchange) {
	in, err := NewReader(bytes.NewReader(recorded(false, p, rpc)))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for x, err := range Documents(in) {
		if err != nil {
			t.Fatal(err)
		}
		found = x
		n++
	}
	if n != 1 {
		t.Fatalf("%d exchanges of one", n)
	}
	return found
}
