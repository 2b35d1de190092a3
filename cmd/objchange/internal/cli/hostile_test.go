package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/objchange/objchange/cmd/objchange/internal/cli"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
)

// hostile is text with what a terminal acts on: escapes, also in one byte of C1, a
// bell, and what turns the direction of text.
const hostile = "a\x1b[31m\x1b]0;title\a\x7f\u009b2J\u202eb\u2066c\u200e"

// A terminal acts on nothing of a document, or of a file's name, whatever is
// printed; programs read the same value.
func TestTerminalActsOnNothing(t *testing.T) {
	dir := t.TempDir()
	document := map[string]any{
		"name": hostile,
		"schema": map[string]any{"attributes": map[string]any{
			"name": map[string]any{"type": "string", "optional": true},
			"tags": map[string]any{"type": []any{"map", "string"}, "optional": true},
		}},
		"prior":           map[string]any{"name": "before", "tags": map[string]any{}},
		"config":          map[string]any{"name": hostile, "tags": map[string]any{hostile: hostile}},
		"initial_planned": map[string]any{"name": hostile + "!", "tags": map[string]any{hostile: "x" + hostile}},
	}
	text, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, strings.ReplaceAll(hostile, "/", "")+".json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	commands := [][]string{
		{"check", "--print", "proposed", file}, {"check", "--print", "changes", file}, {"check", "--print", "changes", "--format", "json", file},
		{"check", "--print", "proposed", file + "2"}, {"check", file + "2"}, {"audit", file, "--schemas", file}, {"audit", file + "2", "--schemas", file + "3"},
		{"replay", file}, {"replay", file + "2"}, {"explain", hostile}, {hostile}, {"check", "--" + hostile}, {"check", "--format", hostile, file},
		{"drive", file, "--type", hostile, "--config", file + "2"}, {"drive", file, "--type", hostile, "--config", file, "--yes"},
		{"help", hostile}, {"completion", hostile},
	}
	for _, format := range report.Formats() {
		commands = append(commands, []string{"check", "--format", string(format), file})
	}
	for _, command := range commands {
		var out, errOut strings.Builder
		cli.Run(command, strings.NewReader(""), &out, &errOut)
		if out.Len()+errOut.Len() == 0 {
			t.Errorf("%q prints nothing", command)
		}
		for name, printed := range map[string]string{"stdout": out.String(), "stderr": errOut.String()} {
			if i := strings.IndexFunc(printed, acted); i >= 0 {
				t.Errorf("%q: %s has %q", command, name, printed[i:])
			}
		}
	}
	var proposed struct{ Name string }
	var out strings.Builder
	cli.Run([]string{"check", "--print", "proposed", file}, strings.NewReader(""), &out, &out)
	if err := json.Unmarshal([]byte(out.String()), &proposed); err != nil || proposed.Name != hostile {
		t.Errorf("%q, %v", proposed.Name, err)
	}
}

func acted(r rune) bool { return !strconv.IsPrint(r) && r != '\n' && r != '\t' }

// A line of an error is never endless, and no problem is told twice.
func TestErrorLines(t *testing.T) {
	name := strings.Repeat("ab/", 2000)
	var out, errOut strings.Builder
	if status := cli.Run([]string{"check", "--print", "proposed", name}, strings.NewReader(""), &out, &errOut); status != 2 {
		t.Errorf("exit status %d", status)
	}
	for line := range strings.Lines(errOut.String()) {
		if len(line) > 520 || !strings.Contains(line, "file name too long") {
			t.Errorf("%d characters: %s", len(line), line)
		}
	}
}
