package watch

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/tfcheck"
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
func readThing(t *testing.T, protocol int, c Config) (answer []byte, r *report.Report) {
	t.Helper()
	s, connect := rawSession(t, protocol, c)
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

// ruleOf matches the rule in a detail.
var ruleOf = regexp.MustCompile(` \[[a-z-]+\]`)

// TestAnnotations checks that findings are added after the provider's diagnostics, with the rule in the
// detail, and that the rest of the response is unchanged. The report does not change. If a check
// fails or takes too long, the response is unchanged and the report has a note.
func TestAnnotations(t *testing.T) {
	begun, forever := make(chan time.Time), make(chan bool)
	defer close(forever)
	slow := func(tfcheck.Finding) tfprotov6.DiagnosticSeverity {
		close(begun)
		<-forever
		return tfprotov6.DiagnosticSeverityInvalid
	}
	nothingKnown := func(report.Subject, report.Finding) bool { return false }
	blocksKnown := func(s report.Subject, f report.Finding) bool {
		return s.Group == "acme/cloud" && s.KnownBy() == "raw_thing" && f.Rule == objchange.RuleStateNullBlocks && f.Path == ".rule"
	}
	const broke, nothingAdded = ", Provider violates a rule: ", "acme/cloud: no findings were added to 1 answer of ReadResource: "
	for _, test := range []struct {
		name       string
		protocol   int
		config     Config
		want, note string
	}{
		{"nothing", 5, Config{}, "", ""},
		{"warned", 5, Config{Annotate: tfcheck.Warn, Known: nothingKnown}, broke + "state-null-blocks [state-null-blocks]", ""},
		{"warned", 6, Config{Annotate: tfcheck.Warn, Known: nothingKnown}, broke + "state-null-blocks [state-null-blocks]", ""},
		{"refused", 6, Config{Annotate: tfcheck.Reject, Known: nothingKnown}, ", Provider produced invalid object [state-unknown]", ""},
		{"known", 6, Config{Annotate: tfcheck.Warn, Known: blocksKnown}, "", ""},
		{"panic", 6, Config{Annotate: func(tfcheck.Finding) tfprotov6.DiagnosticSeverity { panic("secret") }, Known: nothingKnown},
			"", nothingAdded + "a bug in objchange: please report it"},
		{"slow", 6, Config{Annotate: slow, Known: nothingKnown, limit: func() <-chan time.Time { return begun }}, "", nothingAdded + "the check takes too long"},
	} {
		t.Run(fmt.Sprint(test.name, test.protocol), func(t *testing.T) {
			service := fmt.Sprintf("tfplugin%d", test.protocol)
			_, without := readThing(t, test.protocol, Config{})
			if len(without.Subjects) != 1 || len(without.Subjects[0].Findings) != 2 {
				t.Fatalf("found %+v", without)
			}
			if test.note != "" {
				without.Notes = append(without.Notes, test.note)
			}
			answer, r := readThing(t, test.protocol, test.config)
			if own := readAnswer(service); !bytes.HasPrefix(answer, own) || test.want == "" && len(answer) > len(own) {
				t.Errorf("got %q, but the provider sent %q", answer, own)
			}
			m := newMessage(service + ".ReadResource.Response").ProtoReflect()
			if err := proto.Unmarshal(answer, m.Interface()); err != nil {
				t.Fatal(err)
			}
			var got []string
			list := m.Get(m.Descriptor().Fields().ByName("diagnostics")).List()
			for i := range list.Len() {
				d := list.Get(i).Message()
				text := func(field protoreflect.Name) string { return d.Get(d.Descriptor().Fields().ByName(field)).String() }
				got = append(got, text("summary")+ruleOf.FindString(text("detail")))
			}
			if got := strings.Join(got, ", "); got != "first, second"+test.want {
				t.Errorf("got the lines %s", got)
			}
			if diff := cmp.Diff(without, r); diff != "" {
				t.Errorf("report (-without +with):\n%s", diff)
			}
		})
	}
}
