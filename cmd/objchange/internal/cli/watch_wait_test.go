package cli_test

import (
	"bufio"
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// watching is watch of a provider that breaks rules, whose stderr is a terminal, and
// what a person sees there.
func watching(t *testing.T, args ...string) (cmd *exec.Cmd, person *os.File) {
	t.Helper()
	provider, err := exec.LookPath("terraform-provider-cloud")
	if err != nil {
		t.Fatal(err)
	}
	person, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = person.Close(); _ = tty.Close() })
	args = append([]string{"watch", "--provider", "acme/cloud=" + provider, "--ignore", "inconsistent-sensitive"}, args...)
	cmd = exec.CommandContext(t.Context(), "objchange", args...)
	cmd.Dir, cmd.Stderr = t.TempDir(), tty
	cmd.Env = append(os.Environ(), "HOME="+cmd.Dir, "TERM=xterm-256color", "NO_COLOR=1", "CLOUD=shouts")
	return cmd, person
}

// seenUntil returns what a person sees until the text is there.
func seenUntil(t *testing.T, person *os.File, text string) string {
	t.Helper()
	var seen []byte
	for buffer := make([]byte, 1<<10); !bytes.Contains(seen, []byte(text)); {
		n, err := person.Read(buffer)
		if seen = append(seen, buffer[:n]...); err != nil {
			t.Fatalf("%v after %q", err, seen)
		}
	}
	return string(seen)
}

// While watch waits, a terminal shows how much is judged, of which nothing is left
// when the report comes.
func TestWatchShows(t *testing.T) {
	cmd, person := watching(t)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	value, ok := strings.CutPrefix(strings.TrimSpace(line), "export TF_REATTACH_PROVIDERS='")
	if err != nil || !ok {
		t.Fatalf("printed %q, %v", line, err)
	}
	seenUntil(t, person, "\r\x1b[Kwatching: 0 requests, 0 findings")
	core := exec.CommandContext(t.Context(), "like-core", "0")
	core.Env = append(os.Environ(), "TF_REATTACH_PROVIDERS="+strings.TrimSuffix(value, "'"))
	if out, err := core.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	seenUntil(t, person, "\r\x1b[Kwatching: 2 requests, 1 finding")
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if seen := seenUntil(t, person, "ignored 1: "); !strings.HasPrefix(seen, "\r\x1b[Kregistry.terraform.io/acme/cloud\r\n") || strings.Contains(seen, "watching") {
		t.Errorf("leaves %q", seen)
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 1 {
		t.Error(err)
	}
}

// The terminal is that of the command, if there is one.
func TestWatchShowsNothing(t *testing.T) {
	cmd, person := watching(t, "--", "like-core", "0")
	if err := cmd.Run(); !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	if seen := seenUntil(t, person, "ignored 1: "); !strings.HasPrefix(seen, "registry.terraform.io/acme/cloud\r\n") || strings.Contains(seen, "\x1b") {
		t.Errorf("shows %q", seen)
	}
}
