package cli_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/objchange/objchange/cmd/objchange/internal/cli"
)

// An answer is what is looked at of one.
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

// TestStreamAnswers keeps the command running: it answers each document before the
// next is sent, whatever was wrong with the one before.
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
		{goodLine, "good", "judged", "", ""},
		{badLine, "bad", "judged", "plan-not-config", ""},
		{`{"name": "broken", "prior": {`, "document 3", "skipped", "", "stdin:3: the JSON ends too early"},
		{goodLine, "good", "judged", "", ""},
		{`no JSON`, "document 5", "skipped", "", "stdin:5: not JSON: invalid character 'o' in literal null (expecting 'u')"},
		{`{"name": "odd", "schema": 5}`, "odd", "skipped", "", "stdin:6: /schema: "},
		{`[]`, "document 7", "skipped", "", "stdin:7: got array, want object"},
		{goodLine + badLine, "document 8", "skipped", "", "stdin:8: there is more than one document in the line"},
		{`{"name": "empty", ` + streamSchema + `}`, "empty", "skipped", "", ""},
		{badLine, "bad", "judged", "plan-not-config", ""},
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
			t.Errorf("%s is answered with %s", test.line, line)
		}
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(answers); err != nil || len(rest) > 0 {
		t.Errorf("more answers: %s, %v", rest, err)
	}
	if _ = cmd.Wait(); cmd.ProcessState.ExitCode() != 2 {
		t.Error(cmd.ProcessState)
	}
}

// TestStreamStatus: the exit status is that of check.
func TestStreamStatus(t *testing.T) {
	for name, test := range map[string]struct {
		in     string
		flags  []string
		status int
		stderr string
	}{
		"well":            {in: goodLine + "\n\r\n\n" + goodLine, status: 0},
		"findings":        {in: badLine + "\n" + goodLine, status: 1},
		"unusable":        {in: "{\n" + badLine + "\n{\n", status: 2, stderr: "objchange: stdin:1: the JSON ends too early (and 1 more that cannot be used)\n"},
		"nothing":         {in: "\n", status: 2, stderr: "objchange: there is no document\n"},
		"json":            {in: goodLine, flags: []string{"--format", "json"}, status: 0},
		"UTF-16":          {in: "\xff\xfe{\x00}\x00", status: 2, stderr: "objchange: stdin:1: the text is UTF-16, as PowerShell's"},
		"byte order mark": {in: "\xef\xbb\xbf" + goodLine, status: 0},
		"tolerated":       {in: strings.Replace(badLine, "{", `{"legacy_type_system": true, `, 1), status: 0},
		"all":             {in: strings.Replace(badLine, "{", `{"legacy_type_system": true, `, 1), flags: []string{"--fail-on", "all"}, status: 1},
	} {
		t.Run(name, func(t *testing.T) {
			var out, errOut strings.Builder
			args := append([]string{"check", "--stream", "-"}, test.flags...)
			if status := cli.Run(args, strings.NewReader(test.in), &out, &errOut); status != test.status {
				t.Errorf("exit status %d", status)
			}
			if got := errOut.String(); !strings.HasPrefix(got, test.stderr) || (test.stderr == "") != (got == "") {
				t.Errorf("stderr: %s", got)
			}
			for line := range strings.Lines(out.String()) {
				if !json.Valid([]byte(line)) {
					t.Errorf("no JSON: %s", line)
				}
			}
		})
	}
}

// TestStreamFlags: a stream heeds the flags, or refuses them.
func TestStreamFlags(t *testing.T) {
	output := filepath.Join(t.TempDir(), "answers")
	for flags, test := range map[string]struct {
		status int
		stderr string
	}{
		"--ignore plan-not-config":      {0, ""},
		"--ignore plan-not-config:no":   {1, "objchange: nothing to ignore: plan-not-config:no (--ignore)\n"},
		"-o " + output:                  {1, ""},
		"-o " + output + "/no":          {2, "objchange: write " + output + "/no: "},
		"--quiet":                       {2, "objchange: --stream answers every line: there is no --quiet\n"},
		"--write-baseline b --reason x": {2, "objchange: --stream keeps nothing that --write-baseline could write\n"},
	} {
		var out, errOut strings.Builder
		args := append([]string{"check", "--stream", "-"}, strings.Fields(flags)...)
		if status := cli.Run(args, strings.NewReader(badLine+"\n"+goodLine), &out, &errOut); status != test.status {
			t.Errorf("%s: exit status %d", flags, status)
		}
		if got := errOut.String(); !strings.HasPrefix(got, test.stderr) || (test.stderr == "") != (got == "") {
			t.Errorf("%s: stderr: %s", flags, got)
		}
		if strings.HasPrefix(flags, "-o") && out.Len() > 0 {
			t.Errorf("%s: stdout: %s", flags, out.String())
		}
	}
	if text, err := os.ReadFile(output); err != nil || strings.Count(string(text), "\n") != 2 {
		t.Errorf("%s, %v", text, err)
	}
}

// TestStreamIsCheck: a line is answered with what check has of it.
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

// A meter counts answers, and measures the memory in use after a thousand of them
// and after the last.
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

// TestStreamMemory: a hundred thousand documents take no more memory than a thousand,
// and nor do many that cannot be used.
func TestStreamMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("large")
	}
	for name, test := range map[string]struct {
		line  string
		lines int
	}{
		"findings": {`{"name": "bad %d", "schema": {}, "prior": {}, "new": null}`, 100_000},
		"broken":   {`{"name": "broken %d`, 10_000},
	} {
		t.Run(name, func(t *testing.T) {
			in, out := io.Pipe()
			go func() {
				documents := bufio.NewWriter(out)
				for i := range test.lines {
					fmt.Fprintf(documents, test.line+"\n", i)
				}
				documents.Flush()
				out.Close()
			}()
			m := &meter{last: test.lines}
			cli.Run([]string{"check", "--stream", "-"}, in, m, io.Discard)
			if m.lines != test.lines || m.many > m.few+1<<20 {
				t.Errorf("%d answers, %d bytes after some and %d in the end", m.lines, m.few, m.many)
			}
		})
	}
}
