package cli_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/objchange/objchange/cmd/internal/cli"
	"github.com/objchange/objchange/cmd/internal/report"
)

// attack is a text with lines that are workflow commands, for readers that split lines and trim
// white space in the same way as GitHub or more eagerly.
const attack = "web" + escapes + "\n::error pwned=1::a\r::error pwned=2::b\r\n \t::set-env pwned=3::c\u2028::error pwned=4::d" +
	"\n\u00a0\u3000\ufeff::error pwned=5::e\v::error pwned=6::f\x85::error pwned=7::g\n##[error]pwned h\nin ##[warning]pwned i\n:::error pwned j"

// escapes are characters that control a terminal: escape sequences, also in one byte of C1, a bell,
// and characters that change the direction of text.
const escapes = "\x1b[31m\x1b]0;title\a\x7f\u009b2J\u202eb\u2066c\u200e"

func acted(r rune) bool { return !strconv.IsPrint(r) && r != '\n' && r != '\t' }

var lineEnd = regexp.MustCompile("[\n\r\v\f\u0085\u2028\u2029]")

// obeyed returns the lines that are workflow commands.
func obeyed(printed string) (lines []string) {
	for _, line := range lineEnd.Split(printed, -1) {
		begin := strings.TrimLeftFunc(line, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) })
		if strings.HasPrefix(begin, "::") || strings.Contains(line, "##[") {
			lines = append(lines, line)
		}
	}
	return lines
}

// attacked returns a JSON file with the attack before the strings in the given fields.
func attacked(t *testing.T, name string, fields ...string) []byte {
	t.Helper()
	text := readText(t, name)
	for _, field := range fields {
		begin := `"` + field + `":"`
		text = strings.ReplaceAll(text, begin, begin+strings.Trim(string(must(json.Marshal(attack))), `"`))
	}
	return []byte(text)
}

// attackFiles writes the input files of TestCommandsPrintNoWorkflowCommands.
func attackFiles(t *testing.T, dir string) {
	t.Helper()
	recorded := filepath.Join(repository, "testdata", "recordings", "time")
	document := func(name string) any {
		return map[string]any{
			"name": name,
			"schema": map[string]any{"attributes": map[string]any{
				"name": map[string]any{"type": "string", "optional": true},
				"tags": map[string]any{"type": []any{"map", "string"}, "optional": true},
			}},
			"prior":           map[string]any{"name": "x\n" + attack, "tags": map[string]any{}},
			"config":          map[string]any{"name": attack, "tags": map[string]any{attack: attack, "a" + attack: attack}},
			"initial_planned": map[string]any{"name": attack + "!", "tags": map[string]any{attack: "x" + attack}},
		}
	}
	encoded := func(v any) []byte {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return append(text, '\n')
	}
	rule := []byte(`{"ignore": [{"rule": "*", "address": "other", "reason": "x"}, {"rule": "plan-not-config", "path": ".name", "reason": ` + string(encoded(attack)) + `}]}`)
	for name, text := range map[string][]byte{
		"document.json":           encoded(document(attack)),
		"named.json":              encoded(document("web")),
		"broken.json":             []byte(`{"name": ` + string(encoded(attack)) + `, "schema": 5}`),
		"known.yaml":              rule,
		"schemas.json":            []byte(readText(t, filepath.Join(recorded, "schemas.json"))),
		"plan.json":               attacked(t, filepath.Join(recorded, "3-update", "plan.json"), "address", "id", "rfc3339", "name"),
		"state.json":              attacked(t, filepath.Join(recorded, "3-update", "state.json"), "address", "id", "rfc3339"),
		"watched/exchanges.jsonl": attacked(t, "../../objchange/testdata/example/recording/exchanges.jsonl", "address"),
	} {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, text, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCommandsPrintNoWorkflowCommands checks the output and the reports of commands for any input. They contain no
// workflow commands and no characters that control a terminal. Programs read the original values.
func TestCommandsPrintNoWorkflowCommands(t *testing.T) {
	dir := t.TempDir()
	attackFiles(t, dir)
	t.Chdir(dir)
	commands := [][]string{
		{"replay", "--documents", "watched"},
		{"replay", "--documents", attack}, {"replay", "--redact", "redacted", attack},
		{"explain", attack}, {attack}, {"help", attack}, {"check", "--" + attack}, {"check", "--format", attack, "document.json"},
		{"watch", "--", attack}, {"watch", "--provider", attack, "--", "x"},
		{"completion", attack}, {"__complete", "explain", attack},
	}
	for _, f := range report.Formats() {
		format := string(f)
		reported := [][]string{
			{"check", "document.json"}, {"check", "named.json", "broken.json"}, {"check", attack}, {"check", "document.json", "--baseline", "known.yaml"},
			{"audit", "plan.json", "state.json", "--schemas", "schemas.json"}, {"audit", "plan.json", "--schemas", "document.json"}, {"audit", attack, "--schemas", "schemas.json"},
			{"replay", "watched"}, {"replay", attack},
		}
		for _, command := range reported {
			commands = append(commands, append(command, "--format", format), append(command, "--format", format, "-o", "report"))
		}
	}
	seen := 0
	for _, command := range commands {
		var out, errOut strings.Builder
		cli.Run(command, strings.NewReader(""), &out, &errOut)
		written, _ := os.ReadFile("report")
		_ = os.Remove("report")
		if out.Len()+errOut.Len()+len(written) == 0 {
			t.Errorf("%q prints nothing", command)
		}
		for name, printed := range map[string]string{"stdout": out.String(), "report": string(written)} {
			seen += strings.Count(printed, "pwned")
			if i := strings.IndexFunc(printed, acted); i >= 0 {
				t.Errorf("%q: a terminal acts on %q of %s", command, printed[i:], name)
			}
			if lines := obeyed(printed); len(lines) > 0 {
				t.Errorf("%q: %s has %q", command, name, lines)
			}
		}
		if lines := obeyed(errOut.String()); len(lines) > 0 || strings.ContainsFunc(errOut.String(), acted) {
			t.Errorf("%q: stderr has %q", command, errOut.String())
		}
	}
	if seen < 1000 {
		t.Errorf("only %d of the texts are printed", seen)
	}
}

// TestRunsPrintNoWorkflowCommands checks the same for watch. The output of the watched command
// is unchanged.
func TestRunsPrintNoWorkflowCommands(t *testing.T) {
	provider, err := exec.LookPath("terraform-provider-cloud")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	attackFiles(t, dir)
	name := strings.ToValidUTF8(attack, "?")
	run := func(args ...string) (out, errOut bytes.Buffer) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "objchange", args...)
		cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &errOut
		cmd.Env = append(os.Environ(), "HOME="+dir, "CLOUD=shouts", "NAME="+name)
		if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
			t.Fatal(err)
		}
		return out, errOut
	}
	for _, format := range []string{"text", "json"} {
		out, errOut := run("watch", "--all", "--format", format, "--provider", "acme/cloud="+provider, "--", "like-core", "0")
		if want := "created " + strings.ToUpper(name) + "\n"; out.String() != want {
			t.Errorf("the command prints %q, want %q", &out, want)
		}
		if lines := obeyed(errOut.String()); len(lines) > 0 || !strings.Contains(errOut.String(), "inconsistent-value") {
			t.Errorf("watch --format %s: %q in\n%s", format, lines, &errOut)
		}
	}
}

// TestErrorLinesAreShortAndUnique checks that long lines of an error are shortened, and that no problem is printed
// twice.
func TestErrorLinesAreShortAndUnique(t *testing.T) {
	name := strings.Repeat("ab/", 2000)
	var out, errOut strings.Builder
	if status := cli.Run([]string{"check", name}, strings.NewReader(""), &out, &errOut); status != 2 {
		t.Errorf("exit status %d", status)
	}
	for line := range strings.Lines(errOut.String()) {
		if len(line) > 520 || !strings.Contains(line, "file name too long") {
			t.Errorf("%d characters: %s", len(line), line)
		}
	}
}
