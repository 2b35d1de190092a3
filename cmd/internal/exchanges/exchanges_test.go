package exchanges

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/objchange/objchange/cmd/internal/testkit"
	"github.com/objchange/objchange/cmd/internal/testkit/schemas"
)

func detailed(t *testing.T) error {
	t.Helper()
	s, err := status.New(codes.Aborted, "not today: é").WithDetails(&errdetails.ErrorInfo{Reason: "why"})
	if err != nil {
		t.Fatal(err)
	}
	return s.Err()
}

// everything returns an RPC of every kind.
func everything(t *testing.T, p Provider) []RPC {
	read := "/tfplugin6.Provider/ReadResource"
	fresh := fields{"type_name": "cloud_thing", "current_state": fields{"msgpack": "wA=="}}
	schemas := p.Schemas[0]
	other := slices.Clone(schemas.Response)
	other = append(other, other...) // a valid message with repeated fields
	at := time.Date(2026, 7, 25, 12, 0, 0, 1, time.UTC)
	return []RPC{
		{Time: at, Method: schemas.Method, Requests: [][]byte{{}}, Responses: [][]byte{reordered(schemas.Response)}},
		{Time: at, Method: schemas.Method, Requests: [][]byte{{}}, Responses: [][]byte{other}},
		{Time: at, Method: read, Requests: [][]byte{message(t, read, false, fresh)}, Responses: [][]byte{message(t, read, true, fields{"new_state": fields{"msgpack": "wA=="}})}},
		{Time: at, Method: read, Requests: [][]byte{message(t, read, false, fresh)}, Status: StatusOf(detailed(t))},
		{Time: at, Method: "/new.Service/Stream", Requests: [][]byte{{}, {0xff}, {}}, Responses: [][]byte{{1, 2, 3}, {}}},
		{Time: at, Method: "/new.Service/Stream", Requests: [][]byte{}, Responses: [][]byte{{1}}, Cut: true},
		{Time: at, Method: "/new.Service/None", Requests: [][]byte{}, Responses: [][]byte{}},
	}
}

// reordered returns a message with its first field last.
func reordered(message []byte) []byte {
	_, _, n := protowire.ConsumeField(message)
	return slices.Concat(message[n:], message[:n])
}

// TestRecordingIsReadAsWritten checks that a recording is read as it was written, and that every line conforms to
// the JSON Schema.
func TestRecordingIsReadAsWritten(t *testing.T) {
	valid, p := schemas.Validator(t, "recording.schema.json"), recordedProvider(t, 6)
	p.Schemas = append(p.Schemas, Answer{Method: "/tfplugin6.Provider/GetFunctions", Status: StatusOf(detailed(t))})
	all := everything(t, p)
	for _, redact := range []bool{false, true} {
		text := recorded(redact, p, all...)
		for line := range bytes.Lines(text) {
			if err := valid(line); err != nil {
				t.Errorf("%v: %s", err, line)
			}
		}
		if redact {
			continue
		}
		provider, rpcs := read(t, text)
		if diff := cmp.Diff(p, provider); diff != "" {
			t.Errorf("the provider (-recorded +read):\n%s", diff)
		}
		for i := range all {
			all[i].Provider, all[i].Connection = p.Address, 1
			all[i].RPC, all[i].Type = rpcs[i].RPC, rpcs[i].Type
		}
		for i := range 2 {
			all[i].SameSchemas, all[i].Responses = true, nil
		}
		if diff := cmp.Diff(all, rpcs); diff != "" {
			t.Errorf("(-recorded +read):\n%s", diff)
		}
		if got := rpcs[3].Status; got.Error() != "Aborted: not today: é" || got.Code != uint32(codes.Aborted) {
			t.Errorf("the status was %+v", got)
		}
		if rpcs[2].Type != "cloud_thing" || rpcs[2].RPC != "ReadResource" || rpcs[4].RPC != "Stream" {
			t.Errorf("the names are %+v", rpcs)
		}
	}
}

// TestLargeMessagesAreNotWritten checks that messages that are too large are not written.
func TestLargeMessagesAreNotWritten(t *testing.T) {
	_, rpcs := read(t, recorded(false, recordedProvider(t, 6), RPC{Method: "/new.Service/Large", Requests: [][]byte{make([]byte, maxBodies+1)}}))
	if !rpcs[0].Cut || rpcs[0].Requests != nil {
		t.Errorf("%d requests, cut %t", len(rpcs[0].Requests), rpcs[0].Cut)
	}
}

// A full is a file that fails after a number of lines.
type full struct {
	memoryFile
	lines int
}

var errFull = errors.New("no space left")

func (f *full) Write(p []byte) (int, error) {
	if f.lines--; f.lines < 0 {
		n, _ := f.memoryFile.Write(p[:len(p)/2])
		return n, errFull
	}
	return f.memoryFile.Write(p)
}

// TestRecordingEndsAtWriteError checks that a recording ends at a write error, and that RPCs continue.
func TestRecordingEndsAtWriteError(t *testing.T) {
	file := &full{lines: 3}
	r := &Recorder{name: "run", schemas: map[schemaRPC]bool{}}
	r.begin(file, false)
	r.Provider(recordedProvider(t, 6))
	followed := 0
	for range 4 {
		r.RPC(RPC{Time: time.Now(), Provider: "p", Connection: 1, Method: "/new.Service/Echo"}, func() { followed++ })
	}
	if followed != 4 {
		t.Errorf("%d of 4 followed", followed)
	}
	err := r.Close()
	if !errors.Is(err, errFull) || !strings.HasPrefix(err.Error(), "run: the recording ends at 2") {
		t.Errorf("got error %v", err)
	}
	if n := bytes.Count(file.Bytes(), []byte("\n")); n != 3 {
		t.Errorf("%d lines:\n%s", n, file.Bytes())
	}
	in, err := NewReader(&file.memoryFile)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := in.Next(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := in.Next(); !errors.As(err, new(*TornError)) || !strings.HasPrefix(err.Error(), "4: the last line is incomplete") {
		t.Errorf("the end is %v", err)
	}
}

const header = `{"kind":"recording","format_version":"1.0"}` + "\n"

// TestBrokenLinesAreSkipped checks that input that is not a recording is an error of NewReader, and that lines
// after an invalid line are read.
func TestBrokenLinesAreSkipped(t *testing.T) {
	testkit.Parts(t, "testdata/broken.golden", "secret", func(input string) string {
		text := strings.NewReplacer("HEADER", strings.TrimSpace(header), " | ", "\n").Replace(input)
		in, err := NewReader(strings.NewReader(text + "\n" + `{"kind":"note"}`))
		if err != nil {
			return err.Error()
		}
		var notes []string
		for {
			e, err := in.Next()
			switch {
			case err == io.EOF:
				return strings.Join(notes, "\n")
			case errors.As(err, new(*LineError)):
				notes = append(notes, err.Error())
			case err != nil || e != (Entry{Line: e.Line}):
				t.Errorf("%s: %+v, %v", input, e, err)
				return ""
			default:
				notes = append(notes, fmt.Sprintf("%d: nothing known", e.Line))
			}
		}
	})
}

// TestLineThatIsTooLongIsNotReadToItsEnd checks that a line that is too long is not read to its end.
func TestLineThatIsTooLongIsNotReadToItsEnd(t *testing.T) {
	line := strings.NewReader(strings.Repeat("x", 8<<20))
	in, err := newReader(io.MultiReader(strings.NewReader(header), line), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := in.Next(); err == nil || err.Error() != "2: the line is larger than 1 MB" {
		t.Errorf("got %v", err)
	}
	if line.Len() == 0 {
		t.Error("the line was read to its end")
	}
}

// BenchmarkReadLongLine measures how the time grows with the length of a line that comes in small
// parts, as from a pipe: about 4 times for 4 times the length.
func BenchmarkReadLongLine(b *testing.B) {
	for _, megabytes := range []int{16, 64} {
		line := strings.Repeat(" ", megabytes<<20)
		b.Run(fmt.Sprintf("%d MB", megabytes), func(b *testing.B) {
			for b.Loop() {
				parts := iotest.HalfReader(strings.NewReader(header + line))
				if in, err := NewReader(parts); err != nil {
					b.Fatal(err)
				} else if _, err := in.Next(); err != io.EOF {
					b.Fatal(err)
				}
			}
		})
	}
}

// FuzzRead checks that the reader returns lines in order for any input, and that they can be
// redacted, written and read again.
func FuzzRead(f *testing.F) {
	f.Add([]byte(header))
	f.Add([]byte(header + `{"kind":"provider","address":"a","protocol":6,"schemas":[{"method":"/tfplugin6.Provider/GetProviderSchema","response":"/w=="}]}` +
		"\n" + `{"kind":"rpc","provider":"a","method":"/tfplugin6.Provider/ReadResource","requests":["CgF4"],"responses":["/w=="]}` +
		"\n" + `{"kind":"rpc","provider":"a","method":"/tfplugin6.Provider/ReadResource","requests":null,"status":{"code":99}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		in, err := NewReader(bytes.NewReader(text))
		if err != nil {
			return
		}
		file := &memoryFile{}
		to := &Recorder{schemas: map[schemaRPC]bool{}}
		to.begin(file, true)
		for last := 1; ; {
			e, err := in.Next()
			if err == io.EOF || errors.As(err, new(*TornError)) {
				break
			}
			if wrong := (*LineError)(nil); errors.As(err, &wrong) {
				e.Line = wrong.Line
			} else if err != nil {
				t.Fatal(err)
			}
			if e.Line <= last {
				t.Fatalf("line %d after %d", e.Line, last)
			}
			last = e.Line
			if e.Provider != nil {
				to.Provider(*e.Provider)
			}
			if e.RPC != nil {
				to.RPC(*e.RPC, nil)
			}
		}
		if err := to.Close(); err != nil {
			if !errors.As(err, new(*json.MarshalerError)) { // of a time that JSON cannot represent
				t.Error(err)
			}
			return
		}
		again, err := NewReader(file)
		for err == nil {
			_, err = again.Next()
		}
		if err != io.EOF {
			t.Error(err)
		}
	})
}
