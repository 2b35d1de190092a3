package documents_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

var (
	goModLines = regexp.MustCompile("(?s)<!-- go.mod -->\n\n```\n(.*?)```\n")
	replaced   = regexp.MustCompile(`(?m)^\t(\S+) =>`)
)

// TestCloneOfTheReadme checks that a program outside of the workspace builds with the lines of go.mod
// in the README, which replace the modules by a clone, if it imports all these modules.
func TestCloneOfTheReadme(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program with all modules")
	}
	readme, err := os.ReadFile(filepath.Join(repository, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	lines := goModLines.FindStringSubmatch(string(readme))
	if lines == nil {
		t.Fatal("the README has no such lines")
	}
	dir := t.TempDir()
	clone, err := filepath.Abs(repository)
	if err != nil {
		t.Fatal(err)
	}
	err = os.Symlink(clone, filepath.Join(dir, "objchange"))
	if err != nil && runtime.GOOS == "windows" { // Windows requires a privilege for it
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	program := "package main\n\nfunc main() {}\n"
	for _, module := range replaced.FindAllStringSubmatch(lines[1], -1) {
		if !strings.Contains(module[1], "/internal/") { // the others import it
			program = strings.Replace(program, "\n\n", "\n\nimport _ \""+module[1]+"\"\n", 1)
		}
	}
	user := filepath.Join(dir, "user")
	files := map[string]string{"go.mod": "module user\n\ngo 1.25\n\n" + lines[1], "main.go": program}
	if err := os.Mkdir(user, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(user, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"mod", "tidy"}, {"build", "-o", "program", "."}} {
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir, cmd.Env = user, append(os.Environ(), "GOWORK=off", "GOFLAGS=")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
}
