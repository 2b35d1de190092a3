package watch

import (
	"bytes"
	"fmt"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/objchange/objchange/cmd/internal/report"
)

// A thing has an id and a list of blocks. The raw provider returns a thing with an unknown id,
// which Terraform rejects, and with null instead of blocks, which Terraform accepts.
const (
	thingSchemas = `{"resourceSchemas": {"raw_large": {"block": {"attributes": [%s]}}, "raw_thing": {"block": {
		"attributes": [{"name": "id", "type": "InN0cmluZyI=", "computed": true}],
		"blockTypes": [{"typeName": "rule", "nesting": "LIST", "block": {}}]}}}}`
	thingAsked    = `{"typeName": "raw_thing", "currentState": {"json": "eyJpZCI6ICJ4IiwgInJ1bGUiOiBbXX0="}}`
	thingAnswered = `{"newState": {"msgpack": "gqJpZNQAAKRydWxlwA=="}, "diagnostics": [{"severity": "WARNING", "summary": "first"}, {"severity": "WARNING", "summary": "second"}]}`
)

func init() {
	for _, protocol := range []string{"tfplugin5", "tfplugin6"} {
		schemas := func(s grpc.ServerStream, _ []byte) error {
			message := encode(protocol+".GetProviderSchema.Response", fmt.Sprintf(thingSchemas, largeAttributes()))
			return s.SendMsg(&message)
		}
		rawMethods["/"+protocol+".Provider/GetSchema"] = schemas
		rawMethods["/"+protocol+".Provider/GetProviderSchema"] = schemas
		rawMethods["/"+protocol+".Provider/ReadResource"] = func(s grpc.ServerStream, _ []byte) error {
			message := readAnswer(protocol)
			return s.SendMsg(&message)
		}
	}
}

// readAnswer returns the raw provider's response to ReadResource, which has an unknown field.
func readAnswer(protocol string) []byte {
	newer := protowire.AppendString(protowire.AppendTag(nil, 500, protowire.BytesType), "new")
	return append(newer, encode(protocol+".ReadResource.Response", thingAnswered)...)
}

func newMessage(name string) proto.Message {
	kind, err := protoregistry.GlobalTypes.FindMessageByName(protoreflect.FullName(name))
	if err != nil {
		panic(err)
	}
	return kind.New().Interface()
}

func encode(name, text string) []byte {
	m := newMessage(name)
	if err := protojson.Unmarshal([]byte(text), m); err != nil {
		panic(err)
	}
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		panic(err)
	}
	return data
}

// readThing reads the thing through a session, and returns the response and the session's report.
func readThing(t *testing.T, protocol int) (answer []byte, r *report.Report) {
	t.Helper()
	s, connect := rawSession(t, protocol, Config{})
	conn, name := connect(), fmt.Sprintf("tfplugin%d", protocol)
	schema := map[int]string{5: "GetSchema", 6: "GetProviderSchema"}[protocol]
	for _, ask := range []struct {
		rpc     string
		request []byte
	}{{schema, nil}, {"ReadResource", encode(name+".ReadResource.Request", thingAsked)}} {
		answer = nil
		if err := conn.Invoke(t.Context(), "/"+name+".Provider/"+ask.rpc, &ask.request, &answer); err != nil {
			t.Error(err)
		}
	}
	return answer, s.Report()
}

// TestWatchChangesNothing checks that the session passes a response with findings unchanged, with
// its unknown fields.
func TestWatchChangesNothing(t *testing.T) {
	for _, protocol := range []int{5, 6} {
		answer, r := readThing(t, protocol)
		if own := readAnswer(fmt.Sprintf("tfplugin%d", protocol)); !bytes.Equal(answer, own) {
			t.Errorf("protocol %d: got %q, but the provider sent %q", protocol, answer, own)
		}
		if len(r.Subjects) != 1 || len(r.Subjects[0].Findings) != 2 {
			t.Errorf("protocol %d: found %+v", protocol, r)
		}
	}
}
