package show_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/objchange/objchange/cmd/internal/document"
	"github.com/objchange/objchange/cmd/internal/terminal"
	"github.com/objchange/objchange/cmd/internal/testkit"
)

// shown returns the output for the changes in testdata/changes.jsonl, with the schema in
// testdata/schema.json.
func shown(t *testing.T, term *terminal.Terminal) []byte {
	t.Helper()
	var out bytes.Buffer
	for change := range strings.Lines(string(testkit.ReadFile(t, "testdata/changes.jsonl"))) {
		var r document.Reader
		for d, err := range r.Read("run.json", strings.NewReader(fmt.Sprintf(`{"schema": %s, %s`, testkit.ReadFile(t, "testdata/schema.json"), change[1:]))) {
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

// TestChange compares the output with golden files: plain, with colours and on a narrow terminal.
// It checks that no sensitive value is shown and that no line is too long.
func TestChange(t *testing.T) {
	_, tty := testkit.Terminal(t, 60)
	t.Setenv("NO_COLOR", "1")
	plain, narrow := shown(t, terminal.New(nil, &bytes.Buffer{}, nil)), shown(t, terminal.New(nil, tty, nil))
	t.Setenv("NO_COLOR", "")
	t.Setenv("CLICOLOR_FORCE", "1")
	for name, got := range map[string][]byte{"changes": plain, "narrow": narrow, "colour": shown(t, terminal.New(nil, &bytes.Buffer{}, nil))} {
		testkit.Golden(t, "testdata/"+name+".golden", got)
		if bytes.Contains(got, []byte("canary")) {
			t.Errorf("%s shows a sensitive value", name)
		}
	}
	for line := range strings.Lines(string(narrow)) {
		if width := ansi.StringWidth(line); width > 60 && !strings.Contains(line, "# forces") {
			t.Errorf("%d columns: %s", width, line)
		}
	}
}
