package watch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/tfcheck"
)

// A thing has an id and a list of blocks. The one that the raw provider reads has an
// unknown id, which Core rejects, and null in place of blocks, which it lets pass.
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
			message := encoded(protocol+".GetProviderSchema.Response", fmt.Sprintf(thingSchemas, largeAttributes()))
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

// readAnswer is what the raw provider reads, with a field that nobody knows.
func readAnswer(protocol string) []byte {
	newer := protowire.AppendString(protowire.AppendTag(nil, 500, protowire.BytesType), "new")
	return append(newer, encoded(protocol+".ReadResource.Response", thingAnswered)...)
}

func newMessage(name string) proto.Message {
	kind, err := protoregistry.GlobalTypes.FindMessageByName(protoreflect.FullName(name))
	if err != nil {
		panic(err)
	}
	return kind.New().Interface()
}

func encoded(name, text string) []byte {
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

// address is where a session has made a provider known.
func (s *Session) address(t testing.TB, provider string) string {
	t.Helper()
	var value map[string]struct{ Addr struct{ String string } }
	if err := json.Unmarshal([]byte(s.Value()), &value); err != nil {
		t.Fatal(err)
	}
	return value[provider].Addr.String
}

// readThing reads the thing through a session, and returns the answer and what else
// the session had to say.
func readThing(t *testing.T, protocol int, c Config) (answer []byte, r *report.Report) {
	t.Helper()
	t.Setenv(rawProvider, fmt.Sprint(protocol))
	c.Dir, c.Providers = t.TempDir(), cloudAt(self(t))
	s, err := Start(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := grpc.NewClient("unix:"+s.address(t, "acme/cloud"), grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.ForceCodec(raw{}), grpc.MaxCallRecvMsgSize(math.MaxInt32)))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	name := fmt.Sprintf("tfplugin%d", protocol)
	schema := map[int]string{5: "GetSchema", 6: "GetProviderSchema"}[protocol]
	for _, ask := range []struct {
		rpc     string
		request []byte
	}{{schema, nil}, {"ReadResource", encoded(name+".ReadResource.Request", thingAsked)}} {
		answer = nil
		if err := conn.Invoke(t.Context(), "/"+name+".Provider/"+ask.rpc, &ask.request, &answer); err != nil {
			t.Error(err)
		}
	}
	return answer, s.Report()
}

// nothingKnown knows of no finding.
func nothingKnown(report.Subject, report.Finding) bool { return false }

// What is told is added at the end, and all else is as the provider sent it. The
// report is the same.
func TestTelling(t *testing.T) {
	for _, protocol := range []int{5, 6} {
		service := fmt.Sprintf("tfplugin%d", protocol)
		_, untold := readThing(t, protocol, Config{})
		if len(untold.Subjects) != 1 || len(untold.Subjects[0].Findings) != 2 {
			t.Fatalf("found %+v", untold)
		}
		for name, test := range map[string]struct {
			config Config
			want   string
		}{
			"nothing": {Config{}, "first, second"},
			"warned":  {Config{Tell: tfcheck.Warn, Known: nothingKnown}, "first, second, Provider broke its contract: state-null-blocks"},
			"refused": {Config{Tell: tfcheck.Reject, Known: nothingKnown}, "first, second, Provider broke its contract: state-unknown"},
			"known": {Config{Tell: tfcheck.Warn, Known: func(s report.Subject, f report.Finding) bool {
				return s.Group == "acme/cloud" && s.KnownBy() == "raw_thing" && f.Rule == objchange.RuleStateNullBlocks && f.Path == ".rule"
			}}, "first, second"},
		} {
			t.Run(fmt.Sprint(name, protocol), func(t *testing.T) {
				answer, r := readThing(t, protocol, test.config)
				if own := readAnswer(service); !bytes.HasPrefix(answer, own) || test.want == "first, second" && len(answer) > len(own) {
					t.Errorf("%q is not what the provider sent, %q", answer, own)
				}
				m := newMessage(service + ".ReadResource.Response").ProtoReflect()
				if err := proto.Unmarshal(answer, m.Interface()); err != nil {
					t.Fatal(err)
				}
				var told []string
				list := m.Get(m.Descriptor().Fields().ByName("diagnostics")).List()
				for i := range list.Len() {
					d := list.Get(i).Message()
					told = append(told, d.Get(d.Descriptor().Fields().ByName("summary")).String())
				}
				if got := strings.Join(told, ", "); got != test.want {
					t.Errorf("told %s", got)
				}
				if diff := cmp.Diff(untold, r); diff != "" {
					t.Errorf("report (-without +with):\n%s", diff)
				}
			})
		}
	}
}

// A judge that goes wrong or takes too long changes no answer, and that is told.
func TestTellingGoesWrong(t *testing.T) {
	begun, forever := make(chan time.Time), make(chan bool)
	defer close(forever)
	for name, test := range map[string]struct {
		config Config
		want   string
	}{
		"panic": {
			Config{Tell: func(tfcheck.Finding) tfprotov6.DiagnosticSeverity { panic("secret") }},
			"a mistake of objchange itself: please report it",
		},
		"slow": {
			Config{
				Tell: func(tfcheck.Finding) tfprotov6.DiagnosticSeverity {
					close(begun)
					<-forever
					return tfprotov6.DiagnosticSeverityInvalid
				},
				limit: func() <-chan time.Time { return begun },
			},
			"judging takes too long",
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, want := readThing(t, 6, Config{})
			want.Notes = []string{"acme/cloud: nothing is added to 1 answer of ReadResource: " + test.want}
			test.config.Known = nothingKnown
			answer, r := readThing(t, 6, test.config)
			if own := readAnswer("tfplugin6"); !bytes.Equal(answer, own) {
				t.Errorf("%q is not what the provider sent, %q", answer, own)
			}
			if diff := cmp.Diff(want, r); diff != "" {
				t.Errorf("report (-want +got):\n%s", diff)
			}
		})
	}
}
