package cli_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/objchange/objchange/cmd/internal/cli"
)

// An answer has the fields of a result that the tests use.
type answer struct {
	Name, Status, Error string
	Line                int
	Findings            []struct{ Rule string }
}

const (
	streamSchema = `"schema": {"attributes": {"name": {"type": "string", "required": true}}}`
	goodLine     = `{"name": "good", ` + streamSchema + `, "prior": null, "config": {"name": "a"}, "initial_planned": {"name": "a"}}`
	badLine      = `{"name": "bad", ` + streamSchema + `, "prior": null, "config": {"name": "a"}, "initial_planned": {"name": "b"}}`
)

// TestStreamAnswers checks that a running command prints the result for each document before the
// next one is sent, also after invalid documents.
func TestStreamAnswers(t *testing.T) {
	cmd := exec.Command("objchange", "check", "--stream", "-") // see TestMain
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	answers := bufio.NewReader(out)
	for i, test := range []struct{ line, name, status, rule, problem string }{
		{goodLine, "good", "checked", "", ""},
		{badLine, "bad", "checked", "plan-not-config", ""},
		{`{"name": "broken", "prior": {`, "document 3", "skipped", "", "stdin:3: the JSON ends too early"},
		{goodLine, "good", "checked", "", ""},
		{`no JSON`, "document 5", "skipped", "", "stdin:5: not JSON: invalid character 'o' in literal null (expecting 'u')"},
		{`{"name": "odd", "schema": 5}`, "odd", "skipped", "", "stdin:6: /schema: "},
		{`[]`, "document 7", "skipped", "", "stdin:7: got array, want object"},
		{goodLine + badLine, "document 8", "skipped", "", "stdin:8: the line contains more than one document"},
		{`{"name": "empty", ` + streamSchema + `}`, "empty", "skipped", "", ""},
		{badLine, "bad", "checked", "plan-not-config", ""},
	} {
		if _, err := io.WriteString(in, test.line+"\n"); err != nil {
			t.Fatal(err)
		}
		line, err := answers.ReadBytes('\n')
		if err != nil {
			t.Fatal(err)
		}
		var got answer
		if err := json.Unmarshal(line, &got); err != nil {
			t.Fatal(err)
		}
		rule := ""
		for _, f := range got.Findings {
			rule += f.Rule
		}
		if got.Name != test.name || got.Status != test.status || got.Line != i+1 || rule != test.rule || !strings.HasPrefix(got.Error, test.problem) || (test.problem == "") != (got.Error == "") {
			t.Errorf("the result for %s is %s", test.line, line)
		}
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(answers); err != nil || len(rest) > 0 {
		t.Errorf("more results: %s, %v", rest, err)
	}
	if _ = cmd.Wait(); cmd.ProcessState.ExitCode() != 2 {
		t.Error(cmd.ProcessState)
	}
}

// TestStreamIsCheck checks that the result for a line is the same as from check without --stream.
func TestStreamIsCheck(t *testing.T) {
	in := badLine + "\n" + goodLine + "\n"
	var whole, lines strings.Builder
	cli.Run([]string{"check", "--format", "json", "-"}, strings.NewReader(in), &whole, io.Discard)
	cli.Run([]string{"check", "--stream", "-"}, strings.NewReader(in), &lines, io.Discard)
	var want struct{ Subjects []map[string]any }
	if err := json.Unmarshal([]byte(whole.String()), &want); err != nil {
		t.Fatal(err)
	}
	var got []map[string]any
	for line := range strings.Lines(lines.String()) {
		var one map[string]any
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatal(err)
		}
		delete(one, "format_version")
		got = append(got, one)
	}
	if diff := cmp.Diff(want.Subjects, got); diff != "" {
		t.Error(diff)
	}
}

// A meter counts results, and measures the memory in use after the first thousand and at the end.
type meter struct {
	lines, last int
	few, many   uint64 // bytes
}

func (m *meter) Write(line []byte) (int, error) {
	m.lines++
	inUse := func() uint64 {
		var s runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&s)
		return s.HeapAlloc
	}
	switch m.lines {
	case 1_000:
		m.few = inUse()
	case m.last:
		m.many = inUse()
	}
	return len(line), nil
}

// TestStreamMemory checks that thirty thousand documents take no more memory than a thousand, also
// if they cannot be used.
func TestStreamMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("large")
	}
	for line, lines := range map[string]int{`{"name": "bad %d", "schema": {}, "prior": {}, "new": null}`: 30_000, `{"name": "broken %d`: 10_000} {
		in, out := io.Pipe()
		go func() {
			documents := bufio.NewWriter(out)
			for i := range lines {
				fmt.Fprintf(documents, line+"\n", i)
			}
			documents.Flush()
			out.Close()
		}()
		m := &meter{last: lines}
		cli.Run([]string{"check", "--stream", "-"}, in, m, io.Discard)
		if m.lines != lines || m.many > m.few+300<<10 {
			t.Errorf("%s: %d results, %d bytes in use after some and %d at the end", line, m.lines, m.few, m.many)
		}
	}
}
