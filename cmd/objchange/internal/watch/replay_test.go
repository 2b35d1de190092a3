package watch

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/msgpack"

	"github.com/objchange/objchange/cmd/objchange/internal/exchanges"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
)

// recordingOf returns a recording of lines.
func recordingOf(t *testing.T, lines ...any) []byte {
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
	return text.Bytes()
}

// replayedText returns what Replay tells of lines.
func replayedText(t *testing.T, lines ...any) (told []string, err error) {
	t.Helper()
	r, err := replayedReport(recordingOf(t, lines...))
	for _, s := range r.Subjects {
		told = append(told, strings.TrimSpace(fmt.Sprintf("%d %s %s %s", s.Place.Line, strings.Join(s.Columns(), " "), s.Status, s.Reason)))
	}
	return append(told, r.Notes...), err
}

func replayedReport(text []byte) (*report.Report, error) {
	return Replay([]exchanges.Recording{{Name: "run", File: "f"}}, func(string) (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(text)), nil
	})
}

// checkDocuments compares the documents of a recording with its replay: there is a document
// of the same name wherever replay checks something.
func checkDocuments(t *testing.T, text []byte) {
	t.Helper()
	r, _ := replayedReport(text) // what is wrong with lines is told elsewhere
	var want, got []string
	for _, s := range r.Subjects {
		told := s.Reason
		if s.Status == report.Judged {
			told = "document " + s.Object
		}
		want = append(want, fmt.Sprintf("%d %s %s #%d %s", s.Place.Line, s.Columns()[0], s.Columns()[1], s.Number, told))
	}
	in, err := exchanges.NewReader(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for x, err := range exchanges.Documents(in, 1<<20) {
		switch {
		case err != nil || x.Number == 0:
		case x.Document != nil:
			got = append(got, fmt.Sprintf("%d %s document %s", x.Line, x.Name, x.Object))
		default:
			got = append(got, fmt.Sprintf("%d %s %s", x.Line, x.Name, x.Note))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-replayed +documents):\n%s", diff)
	}
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
	text, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	return encoded("tfplugin6."+name, string(text))
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
		"lost":            {[]any{p, reading(t, object{"status": failed, "responses": nil})}, []string{"p: 1 request ReadResource cloud_thing not answered"}, ""},
		"lost, redacted": {
			[]any{p, reading(t, object{"status": failed, "requests": nil, "responses": nil, "dropped": "not understood"})},
			[]string{"p: 1 request ReadResource cloud_thing not answered"}, "",
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
			[]string{"3 ReadResource - #1 - skipped ReadResource: the request makes no sense: it is no protobuf message", strings.Replace(fine, "3", "4", 1)}, "",
		},
		"no provider": {
			[]any{reading(t, nil)},
			[]string{"2 ReadResource cloud_thing #1 - skipped no line before tells of the provider"},
			"f: no request could be judged, of 1: the first, in line 2: no line before tells of the provider",
		},
		"no schemas": {
			[]any{object{"kind": "provider", "address": "p", "protocol": 6}, reading(t, nil)},
			[]string{"3 ReadResource - #1 - skipped GetProviderSchema: the recording does not have the answer"},
			"f: no request could be judged, of 1",
		},
		"protocol": {[]any{object{"kind": "provider", "address": "p", "protocol": 7}}, nil, "f:2: protocol 7 is neither 5 nor 6"},
		"twice":    {[]any{p, reading(t, nil), p, "{"}, []string{fine}, `f:4: the provider "p" once more (and 1 more that cannot be used)`},
		"torn":     {[]any{p, reading(t, nil), `{"kind":"rpc"` + strings.Repeat(" ", 9)}, []string{fine}, "f:4: not the JSON of a line"},
		"newer":    {[]any{p, reading(t, nil), `{"kind":"note"}`}, []string{fine, "f: 1 line of a newer objchange, passed over"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			checkDocuments(t, recordingOf(t, test.lines...))
			told, err := replayedText(t, test.lines...)
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
