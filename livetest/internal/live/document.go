package live

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// BlockOf returns the text in the file that the pattern captures.
func BlockOf(t *testing.T, file, pattern string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(pattern).FindSubmatch(text)
	if found == nil {
		t.Fatalf("%s has no %s", file, pattern)
	}
	return string(found[1])
}

// RunCommands runs the commands below "Try it" in a document, and returns their output.
func RunCommands(t *testing.T, document string, env ...string) (out, errOut string, err error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-ec", BlockOf(t, document, "(?s)\n## Try it\n.*?```sh\n(.*?)```"))
	cmd.Dir = "../.."
	cmd.Env = append(os.Environ(), env...)
	cmd.Env = append(cmd.Env, "HOME="+os.Getenv("HOME"), "TMPDIR="+t.TempDir(), // Go's caches are in HOME
		"GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -ldflags=-w")) // without debugging information, which takes long
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	return stdout.String(), stderr.String(), err
}
