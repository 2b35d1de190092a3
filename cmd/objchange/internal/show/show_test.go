package show_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/creack/pty"

	"github.com/objchange/objchange/cmd/objchange/internal/document"
	"github.com/objchange/objchange/cmd/objchange/internal/terminal"
)

var update = flag.Bool("update", false, "write the golden files anew")

// shown returns how the changes of testdata/changes.jsonl look. They are of a resource with
// testdata/schema.json.
func shown(t *testing.T, term *terminal.Terminal) []byte {
	t.Helper()
	schema, err := os.ReadFile("testdata/schema.json")
	changes, changesErr := os.ReadFile("testdata/changes.jsonl")
	if err := errors.Join(err, changesErr); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	for change := range strings.Lines(string(changes)) {
		var r document.Reader
		for d, err := range r.Read("run.json", strings.NewReader(fmt.Sprintf(`{"schema": %s, %s`, schema, change[1:]))) {
			if err != nil {
				t.Fatal(err)
			}
			if err := document.WriteDiff(&out, term, d); err != nil {
				t.Error(err)
			}
			out.WriteByte('\n')
		}
	}
	return out.Bytes()
}

// golden compares with the golden file of that name.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	name = "testdata/" + name
	if *update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("not as in %s; -update writes it anew. Got:\n%s", name, got)
	}
	if bytes.Contains(got, []byte("canary")) {
		t.Error("shows what is sensitive")
	}
}

func TestChange(t *testing.T) {
	t.Setenv("CLICOLOR_FORCE", "")
	golden(t, "changes.golden", shown(t, terminal.New(nil, &bytes.Buffer{}, nil)))
}

func TestColour(t *testing.T) {
	t.Setenv("NO_COLOR", "")
	t.Setenv("CLICOLOR_FORCE", "1")
	golden(t, "colour.golden", shown(t, terminal.New(nil, &bytes.Buffer{}, nil)))
}

func TestWidth(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	master, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	defer tty.Close()
	if err := pty.Setsize(master, &pty.Winsize{Rows: 24, Cols: 60}); err != nil {
		t.Fatal(err)
	}
	got := shown(t, terminal.New(nil, tty, nil))
	golden(t, "narrow.golden", got)
	for line := range strings.Lines(string(got)) {
		if width := ansi.StringWidth(line); width > 60 && !strings.Contains(line, "# forces") {
			t.Errorf("%d columns: %s", width, line)
		}
	}
}
