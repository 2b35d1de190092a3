package main_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/objchange/objchange/cmd/objchange/internal/api"
)

// TestSize: what a page loads, compressed, is 6 MB at most.
func TestSize(t *testing.T) {
	const most = 6 << 20
	for system := range builds {
		text, err := os.ReadFile(built(t, system))
		if err != nil {
			t.Fatal(err)
		}
		var packed bytes.Buffer
		w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(text); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d bytes, compressed %d", system, len(text), packed.Len())
		if packed.Len() > most {
			t.Errorf("%s: compressed %d bytes, and %d are the most", system, packed.Len(), most)
		}
	}
}

// several is at the end of an error of several documents, of which the command tells
// another one.
var several = regexp.MustCompile(`\(and \d+ more that cannot be used\)\n$`)

// TestAsCommand: an answer is what the command prints, byte for byte, with its exit
// status, and what it says of input that cannot be used.
func TestAsCommand(t *testing.T) {
	asked := map[string]int{}
	for _, r := range requests(t) {
		var got struct {
			Status int
			Result json.RawMessage
			Text   string
			Errors []struct{ Kind, Message, Pointer string }
		}
		if err := json.Unmarshal(api.Answer([]byte(r.json(t))), &got); err != nil {
			t.Fatal(err)
		}
		if len(got.Errors) > 0 && got.Errors[0].Pointer == "/document" { // several, each of which the command answers
			continue
		}
		if len(got.Errors) > 0 && strings.Contains(got.Errors[0].Message, "not among the files") {
			continue // it is not there for the command either, in other words
		}
		if r.Command == "unpack" { // which no command prints as an array
			continue
		}
		asked[r.Command]++
		status, out, errOut := r.run(t)
		if want := strings.TrimSuffix(out, "\n"); got.Status != status || string(got.Result) != want && !r.failed(status) {
			t.Errorf("%v in %s, of\n%.300s\ngot %d %s\nwant %d %s", r.args, r.dir, r.Document, got.Status, got.Result, status, want)
		}
		for _, e := range got.Errors {
			if r.Command != "check" && len(got.Errors) == 1 && !several.MatchString(errOut) && len(e.Message) < 200 && !strings.Contains(errOut, e.Message) {
				t.Errorf("%v: says %q, and the command %q", r.args, e.Message, errOut)
			}
		}
		if r.Command == "diff" && status == 0 {
			r.args = []string{"diff", "-"}
			if _, out, _ := r.run(t); got.Text != out {
				t.Errorf("diff of %s: %s, want %s", r.Document, got.Text, out)
			}
		}
	}
	t.Log("asked", asked)
	for command, least := range map[string]int{"check": 40, "propose": 40, "diff": 40, "rules": 40} {
		if asked[command] < least {
			t.Errorf("only %d of %s", asked[command], command)
		}
	}
}

// failed reports whether there is nothing to compare: of what cannot be used, only
// check prints anything.
func (r request) failed(status int) bool {
	return status == 2 && r.Command != "check"
}

// texts are all requests as text, some that make no sense, and one that is large, for
// which memory must grow.
func texts(t *testing.T) []string {
	t.Helper()
	all := []string{"", "x", "[]", "null", `{"command": "apply"}`, `{"command": "check", "document": "\ud83c\udf89"}`,
		`{"command": "check", "document": {"schema": {"file": "/etc/hostname", "type": "a"}}}`}
	for _, r := range requests(t) {
		all = append(all, r.json(t))
	}
	return append(all, `{"command": "check", "document": {"schema": {"attributes": {"a": {"type": ["list", "number"], "optional": true}}},
		"prior": null, "config": {"a": [1`+strings.Repeat(",1", 200_000)+`]}, "initial_planned": {"a": null}}}`)
}

// TestHosts: each build answers in each host as the package does.
func TestHosts(t *testing.T) {
	asked := texts(t)
	var want []string
	for _, text := range asked {
		want = append(want, string(api.Answer([]byte(text))))
	}
	for name, answers := range map[string]func(*testing.T) []string{
		"wasip1 in wazero": func(t *testing.T) (got []string) {
			i := newInstance(t)
			for _, text := range asked {
				got = append(got, string(i.answer([]byte(text))))
			}
			return got
		},
		"wasip1 in node": func(t *testing.T) []string { return node(t, "wasip1", nodeInput{Requests: asked}).Answers },
		"js in node":     func(t *testing.T) []string { return node(t, "js", nodeInput{Requests: asked}).Answers },
	} {
		t.Run(name, func(t *testing.T) {
			got := answers(t)
			if len(got) != len(want) {
				t.Fatalf("%d answers to %d requests", len(got), len(want))
			}
			for i := range want {
				if got[i] != want[i] {
					t.Errorf("%.300s\ngot  %.1000s\nwant %.1000s", asked[i], got[i], want[i])
				}
			}
		})
	}
}

// some are requests of all kinds, which have answers of all kinds. One in a hundred has a
// recording, which takes as long as fifty others.
func some(t *testing.T) []string {
	t.Helper()
	const run = `{"schema": {"attributes": {"name": {"type": "string", "required": true}, "id": {"type": "string", "computed": true}}},
		"prior": null, "config": {"name": "web"}, "initial_planned": {"name": "web", "id": {"$unknown": true}}, "new": {"name": "web", "id": "1"}}`
	short := []string{
		`{"command": "check", "document": ` + run + `}`,
		`{"command": "check", "document": ` + strings.Replace(run, `"web", "id": "1"`, `"db", "id": "2"`, 1) + `}`,
		`{"command": "propose", "document": ` + run + `}`,
		`{"command": "diff", "document": ` + run + `}`,
		`{"command": "diff", "document": {"schema": 1}}`,
		`{"command": "rules", "rule": "plan-key"}`,
		`{"command":`,
	}
	return append(slices.Repeat(short, 14), request{Command: "unpack", Recording: recordings(t)[3]}.json(t))
}

// first is how many calls are made before memory is measured.
const first = 1_000

// calls returns how many are made in all. The hundred thousand are made by one host: by
// wasip1 in Node where there is Node, since wazero takes three times as long.
func calls(host string) int {
	most := "wasip1 in wazero"
	if _, err := exec.LookPath("node"); err == nil {
		most = "wasip1 in node"
	}
	switch {
	case testing.Short():
		return 4_000
	case host == most:
		return 100_000
	default:
		return 20_000
	}
}

// TestMemory: an instance has after all calls the memory that it had after the first.
func TestMemory(t *testing.T) {
	i, asked, before, all := newInstance(t), some(t), uint32(0), calls("wasip1 in wazero")
	for n := range all {
		if n == first {
			before = i.module.Memory().Size()
		}
		i.answer([]byte(asked[n%len(asked)]))
	}
	if after := i.module.Memory().Size(); after != before {
		t.Errorf("%d bytes after %d calls, and %d after %d", before, first, after, all)
	}
}

// TestMemoryOfScripts: nor do those of Node grow.
func TestMemoryOfScripts(t *testing.T) {
	for system := range builds {
		t.Run(system, func(t *testing.T) {
			all := calls(system + " in node")
			if out := node(t, system, nodeInput{some(t), first, all}); out.After != out.Before {
				t.Errorf("%d bytes after %d calls, and %d after %d", out.Before, first, out.After, all)
			}
		})
	}
}

// TestManual: the hosts that the manual shows are those that run here.
func TestManual(t *testing.T) {
	text, err := os.ReadFile(manual)
	if err != nil {
		t.Fatal(err)
	}
	host, err := os.ReadFile("testdata/wasip1.mjs")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(text, host) {
		t.Errorf("%s does not have testdata/wasip1.mjs as it is", manual)
	}
}

// TestTooLarge: there is no room for a request that is too large, and there is again
// for the next one.
func TestTooLarge(t *testing.T) {
	i := newInstance(t)
	at, err := i.request.Call(t.Context(), api.MaxRequest+1)
	if err != nil || at[0] != 0 {
		t.Errorf("%v %v", at, err)
	}
	if got := i.answer([]byte(`{"command": "rules", "rule": "plan-key"}`)); !bytes.HasPrefix(got, []byte(`{"status":0,`)) {
		t.Errorf("%s", got)
	}
	if packed, err := i.call.Call(t.Context()); err != nil || uint32(packed[0]) == 0 {
		t.Errorf("without a request: %v %v", packed, err)
	}
}
