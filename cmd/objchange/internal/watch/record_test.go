package watch

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/msgpack"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/objchange/objchange/cmd/objchange/internal/exchanges"
)

// entries returns what a recording has, in order.
func entries(t testing.TB, dir string) (provider exchanges.Provider, rpcs []exchanges.RPC) {
	t.Helper()
	file, err := os.Open(filepath.Join(dir, exchanges.Name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	in, err := exchanges.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	for {
		e, err := in.Next()
		if err == io.EOF {
			return provider, rpcs
		}
		if err != nil {
			t.Fatal(err)
		}
		if e.Provider != nil {
			provider = *e.Provider
		} else {
			rpcs = append(rpcs, *e.RPC)
		}
	}
}

// started starts a session with the raw provider, recorded.
func started(t testing.TB, protocol int, redact bool) (connect func() *grpc.ClientConn, end func(), dir string) {
	t.Helper()
	name, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(rawProvider, fmt.Sprint(protocol))
	dir = filepath.Join(t.TempDir(), "run")
	record, err := exchanges.Create(dir, redact)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Start(t.Context(), ".", []Provider{{"acme/cloud", name}}, "", record)
	if err != nil {
		t.Fatal(err)
	}
	var value map[string]reattachment
	if err := json.Unmarshal([]byte(s.Value()), &value); err != nil {
		t.Fatal(err)
	}
	connect = func() *grpc.ClientConn {
		conn, err := grpc.NewClient("unix:"+value["acme/cloud"].Addr.String, grpc.WithTransportCredentials(insecure.NewCredentials()),
			grpc.WithDefaultCallOptions(grpc.ForceCodec(raw{})))
		if err != nil {
			t.Fatal(err)
		}
		return conn
	}
	return connect, func() {
		if notes := s.Report().Notes; len(notes) > 0 {
			t.Errorf("told %q", notes)
		}
	}, dir
}

// All that passes is recorded as it is, whoever knows of it, with what it ended with.
func TestRecordsAll(t *testing.T) {
	for _, protocol := range []int{5, 6} {
		t.Run(fmt.Sprint(protocol), func(t *testing.T) {
			connect, end, dir := started(t, protocol, false)
			conn := connect()
			began := time.Now()
			_, _ = ask(t.Context(), conn, "Echo", "\xff\x00")
			_, _ = ask(t.Context(), conn, "Fail", "why")
			_, _ = ask(t.Context(), conn, "Newer", "")
			passesStreams(t, conn)
			passesCancellation(t, conn)
			end()
			provider, rpcs := entries(t, dir)
			if len(provider.Schemas) != 2 || provider.Schemas[0].Status.Code != uint32(codes.Unimplemented) || provider.Protocol != protocol {
				t.Errorf("the provider is %+v", provider)
			}
			var got []string
			for _, r := range rpcs {
				if r.Time.Before(began.Add(-time.Second)) || r.Time.After(time.Now()) || r.Provider != "acme/cloud" || r.Connection != 1 {
					t.Errorf("%+v", r)
				}
				if r.RPC == "Cancelled" { // as often as it was not yet so
					continue
				}
				if r.RPC == "Newer" { // which is answered without a look at the request
					r.Requests = nil
				}
				line := fmt.Sprintf("%s %q %q", r.Method, r.Requests, r.Responses)
				if r.Status != nil {
					line += fmt.Sprintf(" %s %d", r.Status.Name, len(r.Status.Details))
				}
				got = append(got, line)
			}
			want := []string{
				`/new.Service/Echo ["\xff\x00"] ["\xff\x00"]`,
				`/new.Service/Fail ["why"] [] ResourceExhausted 1`,
				`/new.Service/Newer [] [] Unimplemented 0`,
				`/new.Service/Stream ["\x00" "\x01" "\x02"] ["\x00" "\x00" "\x01" "\x01" "\x02" "\x02"]`,
				`/new.Service/Hang [""] ["hangs"] Canceled 0`,
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +recorded):\n%s", diff)
			}
		})
	}
}

// Lines do not mix, whoever writes them.
func TestRecordsConcurrently(t *testing.T) {
	connect, end, dir := started(t, 6, true)
	const connections, calls = 5, 20
	var all sync.WaitGroup
	for range connections {
		conn := connect()
		for range calls {
			all.Go(func() { _, _ = ask(t.Context(), conn, "Count", strings.Repeat("x", 1<<16)) })
		}
	}
	all.Wait()
	end()
	seen := map[int]int{}
	_, rpcs := entries(t, dir)
	for _, r := range rpcs {
		seen[r.Connection]++
	}
	if diff := cmp.Diff(map[int]int{1: calls, 2: calls, 3: calls, 4: calls, 5: calls}, seen); diff != "" {
		t.Errorf("(-want +recorded):\n%s", diff)
	}
}

// A stream is kept up to a limit.
func TestRecordsLongStreams(t *testing.T) {
	r := &recorded{}
	for range 3 {
		r.asked(make([]byte, exchanges.MaxStream/2))
		r.answered(make([]byte, 1))
	}
	x := r.exchange(time.Now(), 1, "/new.Service/Stream", nil)
	if !x.Cut || len(x.Requests) != 2 || len(x.Responses) != 2 || rpcOf(x, nil) != nil {
		t.Errorf("%d requests, %d responses, cut %t", len(x.Requests), len(x.Responses), x.Cut)
	}
	r = &recorded{}
	r.asked(make([]byte, 2*exchanges.MaxStream))
	if x := r.exchange(time.Now(), 1, "/new.Service/Large", nil); x.Cut || rpcOf(x, nil) == nil {
		t.Error("a single message is no stream")
	}
}

// replayedText returns what Replay tells of lines.
func replayedText(t *testing.T, lines ...any) (told []string, err error) {
	t.Helper()
	text := &bytes.Buffer{}
	for _, line := range append([]any{map[string]any{"kind": "recording", "format_version": "1.0"}}, lines...) {
		if raw, is := line.(string); is {
			text.WriteString(raw + "\n")
			continue
		}
		if err := json.NewEncoder(text).Encode(line); err != nil {
			t.Fatal(err)
		}
	}
	r, err := Replay([]exchanges.Recording{{Name: "run", File: "f"}}, func(string) (io.ReadCloser, error) { return io.NopCloser(text), nil })
	for _, s := range r.Subjects {
		told = append(told, strings.TrimSpace(fmt.Sprintf("%d %s %s %s", s.Place.Line, strings.Join(s.Columns, " "), s.Status, s.Reason)))
	}
	return append(told, r.Notes...), err
}

type object = map[string]any

// thingProvider has a resource type with an id.
func thingProvider(t testing.TB) object {
	schema := encodedMessage(t, "GetProviderSchema.Response", object{"resource_schemas": object{"cloud_thing": object{"block": object{
		"attributes": []object{{"name": "id", "type": []byte(`"string"`), "computed": true}},
	}}}})
	return object{"kind": "provider", "address": "p", "protocol": 6, "schemas": []object{{"method": "/tfplugin6.Provider/GetProviderSchema", "response": schema}}}
}

func encodedMessage(t testing.TB, name string, fields object) []byte {
	t.Helper()
	kind, err := protoregistry.GlobalTypes.FindMessageByName(protoreflect.FullName("tfplugin6." + name))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	message := kind.New().Interface()
	if err := protojson.Unmarshal(text, message); err != nil {
		t.Fatal(err)
	}
	encoded, err := proto.Marshal(message)
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

func thingValue(t testing.TB, id string) object {
	v := cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal(id)})
	packed, err := msgpack.Marshal(v, v.Type())
	if err != nil {
		t.Fatal(err)
	}
	return object{"msgpack": base64.StdEncoding.EncodeToString(packed)}
}

// reading is the line of an RPC that reads a thing, with other fields.
func reading(t testing.TB, more object) object {
	line := object{
		"kind": "rpc", "provider": "p", "connection": 1, "method": "/tfplugin6.Provider/ReadResource", "type": "cloud_thing",
		"requests":  [][]byte{encodedMessage(t, "ReadResource.Request", object{"type_name": "cloud_thing", "current_state": thingValue(t, "a")})},
		"responses": [][]byte{encodedMessage(t, "ReadResource.Response", object{"new_state": thingValue(t, "a")})},
	}
	for key, value := range more {
		if value == nil {
			delete(line, key)
		} else {
			line[key] = value
		}
	}
	return line
}

// What cannot be judged of a recording is told, with its line, and the rest is judged.
func TestReplay(t *testing.T) {
	p, fine, failed := thingProvider(t), `3 ReadResource cloud_thing "a" - judged`, object{"code": 14, "name": "Unavailable"}
	for name, test := range map[string]struct {
		lines []any
		told  []string
		err   string
	}{
		"fine":            {[]any{p, reading(t, nil)}, []string{fine}, ""},
		"nothing":         {nil, nil, ""},
		"streams":         {[]any{p, reading(t, object{"requests": []string{"", ""}})}, nil, ""},
		"not judged":      {[]any{p, reading(t, object{"method": "/new.Service/ReadResource"})}, nil, ""},
		"not the service": {[]any{p, reading(t, object{"method": "/tfplugin5.Provider/ReadResource"})}, nil, ""},
		"lost":            {[]any{p, reading(t, object{"status": failed, "responses": nil})}, []string{"p: 1 request ReadResource not answered"}, ""},
		"lost, redacted": {
			[]any{p, reading(t, object{"status": failed, "requests": nil, "responses": nil, "dropped": "not understood"})},
			[]string{"p: 1 request ReadResource not answered"}, "",
		},
		"cut": {
			[]any{p, reading(t, nil), reading(t, object{"cut": true, "requests": nil, "responses": nil})},
			[]string{fine, `4 ReadResource cloud_thing #2 - skipped it is too large to have been recorded whole`}, "",
		},
		"dropped": {
			[]any{p, reading(t, object{"dropped": "not understood", "requests": nil}), reading(t, nil)},
			[]string{`3 ReadResource cloud_thing #1 - skipped its messages were dropped to redact it: not understood`, strings.Replace(fine, "3", "4", 1)}, "",
		},
		"no messages": {
			[]any{p, reading(t, object{"requests": nil, "type": nil})},
			[]string{"3 ReadResource - #1 - skipped its messages are not in the recording"},
			"f: no request could be judged, of 1: the first, in line 3: its messages are not in the recording",
		},
		"no protobuf": {
			[]any{p, reading(t, object{"requests": []string{"/w=="}}), reading(t, nil)},
			[]string{"3 ReadResource - #1 - skipped ReadResource: the request makes no sense: proto: cannot parse invalid wire-format data", strings.Replace(fine, "3", "4", 1)}, "",
		},
		"no provider": {
			[]any{reading(t, nil)},
			[]string{"2 ReadResource cloud_thing #1 - skipped no line before tells of the provider"},
			"f: no request could be judged, of 1: the first, in line 2: no line before tells of the provider",
		},
		"no schemas": {
			[]any{object{"kind": "provider", "address": "p", "protocol": 6}, reading(t, nil)},
			[]string{"3 ReadResource - #1 - skipped /tfplugin6.Provider/GetProviderSchema: rpc error: code = Unavailable desc = the recording does not have the answer"},
			"f: no request could be judged, of 1",
		},
		"protocol": {[]any{object{"kind": "provider", "address": "p", "protocol": 7}}, nil, "f:2: protocol 7 is neither 5 nor 6"},
		"twice":    {[]any{p, reading(t, nil), p, "{"}, []string{fine}, `f:4: the provider "p" once more (and 1 line after it)`},
		"torn":     {[]any{p, reading(t, nil), `{"kind":"rpc"` + strings.Repeat(" ", 9)}, []string{fine}, "f:4: not the JSON of a line"},
		"newer":    {[]any{p, reading(t, nil), `{"kind":"note"}`}, []string{fine, "f: 1 line of a newer objchange, passed over"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			told, err := replayedText(t, test.lines...)
			for i := range told { // protobuf writes one of two spaces, for nobody to rely on
				told[i] = strings.ReplaceAll(told[i], "\u00a0", " ")
			}
			if diff := cmp.Diff(test.told, told); diff != "" {
				t.Errorf("(-want +told):\n%s", diff)
			}
			if test.err == "" && err != nil || test.err != "" && (err == nil || !strings.HasPrefix(err.Error(), test.err)) {
				t.Errorf("the error is %v", err)
			}
		})
	}
}

// Schemas that a provider did not tell when it was asked are taken as they pass.
func TestReplaySchemasThatPass(t *testing.T) {
	p := thingProvider(t)
	schemas := p["schemas"].([]object)[0]
	passed := object{"kind": "rpc", "provider": "p", "method": schemas["method"], "requests": []string{""}, "responses": []any{schemas["response"]}}
	p["schemas"] = []object{{"method": schemas["method"], "status": object{"code": 14, "name": "Unavailable"}}}
	told, err := replayedText(t, p, passed, reading(t, nil))
	if diff := cmp.Diff([]string{`4 ReadResource cloud_thing "a" - judged`}, told); diff != "" || err != nil {
		t.Errorf("%v (-want +told):\n%s", err, diff)
	}
}

// What cannot be opened or read on is an error, of each recording.
func TestReplayErrors(t *testing.T) {
	recordings := []exchanges.Recording{{Name: "a", File: "a"}, {Name: "b", File: "b"}}
	_, err := Replay(recordings, func(name string) (io.ReadCloser, error) {
		if name == "a" {
			return nil, errors.New("a is gone")
		}
		return io.NopCloser(io.MultiReader(strings.NewReader(`{"kind":"recording","format_version":"1.0"}`+"\n"), broken{})), nil
	})
	if err == nil || err.Error() != "a is gone\nb:the disk is gone" {
		t.Errorf("got %v", err)
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New("the disk is gone") }

// BenchmarkRecord records a call of 10 kB each way, beside what such a call of a provider
// takes.
func BenchmarkRecord(b *testing.B) {
	text := strings.Repeat("0123456789", 1000)
	schema := encodedMessage(b, "GetProviderSchema.Response", object{"resource_schemas": object{"cloud_thing": object{"block": object{
		"attributes": []object{{"name": "id", "type": []byte(`["list","string"]`), "computed": true}},
	}}}})
	p := exchanges.Provider{Address: "p", Protocol: 6, Schemas: []exchanges.Answer{{Method: "/tfplugin6.Provider/GetProviderSchema", Response: schema}}}
	var elements []cty.Value
	for i := range 100 { // of 100 bytes
		elements = append(elements, cty.StringVal(text[i:i+97]))
	}
	v := cty.ObjectVal(map[string]cty.Value{"id": cty.ListVal(elements)})
	packed, err := msgpack.Marshal(v, v.Type())
	if err != nil {
		b.Fatal(err)
	}
	state := object{"msgpack": base64.StdEncoding.EncodeToString(packed)}
	rpc := exchanges.RPC{
		Time: time.Now(), Provider: "p", Connection: 1, Method: "/tfplugin6.Provider/ReadResource",
		Requests:  [][]byte{encodedMessage(b, "ReadResource.Request", object{"type_name": "cloud_thing", "current_state": state})},
		Responses: [][]byte{encodedMessage(b, "ReadResource.Response", object{"new_state": state})},
	}
	for _, redact := range []bool{false, true} {
		b.Run(map[bool]string{false: "clear", true: "redacted"}[redact], func(b *testing.B) {
			record, err := exchanges.Create(filepath.Join(b.TempDir(), "run"), redact)
			if err != nil {
				b.Fatal(err)
			}
			record.Provider(p)
			for b.Loop() {
				record.RPC(rpc, nil)
			}
			if err := record.Close(); err != nil {
				b.Fatal(err)
			}
		})
	}
	b.Run("call alone", func(b *testing.B) {
		provider, err := launchRaw(6)(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		defer provider.Close()
		for b.Loop() {
			request, response := []byte(text), []byte(nil)
			if err := provider.Conn().Invoke(b.Context(), "/new.Service/Echo", &request, &response, grpc.ForceCodec(raw{})); err != nil {
				b.Fatal(err)
			}
		}
	})
}
