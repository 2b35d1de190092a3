package watch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/cmd/internal/exchanges"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/cmd/internal/testkit"
)

// recordingOf returns a recording with the given lines.
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

func replayedReport(text []byte) (*report.Report, error) {
	return Replay([]exchanges.Recording{{Name: "run", File: "f"}}, func(string) (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(text)), nil
	}, nil)
}

type object = map[string]any

// thingProvider returns a line for a provider with one resource type, which has an id.
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
	return encode("tfplugin6."+name, string(text))
}

func thingValue(id string) object {
	return object{"msgpack": packed(cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal(id)}))}
}

// lineOf returns a line of a recording. The text is "provider", "schemas" or "read", followed by
// other fields as JSON, or "raw" followed by the line.
func lineOf(t *testing.T, text string) any {
	t.Helper()
	kind, more, _ := strings.Cut(text, " ")
	provider := thingProvider(t)
	var line object
	switch schemas := provider["schemas"].([]object)[0]; kind {
	case "raw":
		return more
	case "provider":
		line = provider
	case "schemas":
		line = object{"kind": "rpc", "provider": "p", "method": schemas["method"], "requests": []string{""}, "responses": []any{schemas["response"]}}
	case "read":
		line = object{
			"kind": "rpc", "provider": "p", "connection": 1, "method": "/tfplugin6.Provider/ReadResource", "type": "cloud_thing",
			"requests":  [][]byte{encodedMessage(t, "ReadResource.Request", object{"type_name": "cloud_thing", "current_state": thingValue("a")})},
			"responses": [][]byte{encodedMessage(t, "ReadResource.Response", object{"new_state": thingValue("a")})},
		}
	default:
		t.Fatalf("unknown kind of line: %q", text)
	}
	if more != "" {
		if err := json.Unmarshal([]byte(more), &line); err != nil {
			t.Fatalf("%s: %v", more, err)
		}
	}
	maps.DeleteFunc(line, func(_ string, v any) bool { return v == nil })
	return line
}

// TestReplayNamesWhatCannotBeChecked checks that the report names the RPCs and lines that cannot be
// checked, and that the others are checked.
func TestReplayNamesWhatCannotBeChecked(t *testing.T) {
	testkit.Parts(t, "testdata/replay.golden", "hush", func(input string) string {
		var lines []any
		for line := range strings.SplitSeq(input, " | ") {
			if line != "" {
				lines = append(lines, lineOf(t, line))
			}
		}
		text := recordingOf(t, lines...)
		r, err := replayedReport(text)
		var outcome []string
		for _, s := range r.Subjects {
			outcome = append(outcome, strings.TrimSpace(fmt.Sprintf("%d %s %s %s", s.Place.Line, strings.Join(s.Columns(), " "), s.Status, s.Reason)))
		}
		outcome = append(outcome, r.Notes...)
		if err != nil {
			outcome = append(outcome, "error: "+err.Error())
		}
		return strings.Join(outcome, "\n")
	})
}

// TestUnreadableRecordingIsAnError checks that each recording that cannot be opened or read causes an error.
func TestUnreadableRecordingIsAnError(t *testing.T) {
	recordings := []exchanges.Recording{{Name: "a", File: "a"}, {Name: "b", File: "b"}}
	_, err := Replay(recordings, func(name string) (io.ReadCloser, error) {
		if name == "a" {
			return nil, errors.New("a is gone")
		}
		return io.NopCloser(io.MultiReader(strings.NewReader(`{"kind":"recording","format_version":"1.0"}`+"\n"), iotest.ErrReader(errors.New("the disk is gone")))), nil
	}, nil)
	if err == nil || err.Error() != "a is gone\nb:the disk is gone" {
		t.Errorf("got %v", err)
	}
}
