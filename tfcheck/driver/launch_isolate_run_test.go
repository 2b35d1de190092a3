package driver_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/internal/testprovider"
)

// command returns a command that does the same as the provider's ReadResource.
func command(t *testing.T, tries string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(self(t), tries)
	cmd.Env = []string{testprovider.Mode + "=command"}
	return cmd
}

// tried is the result of a command.
type tried struct {
	out, stderr bytes.Buffer
	barriers    map[string]string // gaps by name
}

// try runs the isolated command in the directory.
func try(t *testing.T, ctx context.Context, dir, tries string, limits driver.Limits) (*tried, error) {
	t.Helper()
	cmd, r := command(t, tries), &tried{barriers: map[string]string{}}
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &r.out, &r.stderr
	barriers, err := driver.RunIsolated(ctx, cmd, limits)
	for _, b := range barriers {
		r.barriers[b.Name] = b.Gap
	}
	return r, err
}

// TestRunIsolated checks that a command runs in its directory and can write there, and that its
// other directories are removed.
func TestRunIsolated(t *testing.T) {
	t.Setenv("AWS_SECRET_ACCESS_KEY", "hidden")
	temp, dir := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temp)
	t.Setenv("TMP", temp)
	for _, test := range []struct{ tries, out, failure, barrier string }{
		{tries: "folder", out: dir},
		{tries: "environ", out: "HOME=" + filepath.Join(temp, "objchange-")},
		{tries: "write kept", out: "null"},
		{tries: "show kept", out: "harm"},
		{tries: "udp 127.0.0.1:9", failure: "dial udp", barrier: "network"},
		{tries: "signal " + strconv.Itoa(os.Getpid()), failure: "exit status 3", barrier: "processes"},
		{tries: "refuse", failure: "exit status 3"},
		{tries: "stdout 10", out: "noise"},
	} {
		r, err := try(t, t.Context(), dir, test.tries, driver.Limits{})
		switch gap := r.barriers[test.barrier]; {
		case gap != "":
			t.Logf("%s: %s", test.barrier, gap)
		case test.failure == "" && (err != nil || !strings.Contains(r.out.String(), test.out)):
			t.Errorf("%s: %v, %s%s", test.tries, err, &r.out, &r.stderr)
		case test.failure != "" && (!errors.As(err, new(*exec.ExitError)) || !strings.Contains(err.Error()+r.stderr.String(), test.failure)):
			t.Errorf("%s: %v, %s%s", test.tries, err, &r.out, &r.stderr)
		case strings.Contains(r.out.String(), "hidden"):
			t.Errorf("the provider gets the environment: %s", &r.out)
		}
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
}

// TestRunIsolatedWithoutDir checks that a command without a directory runs in a new one, and that
// its writers may be nil.
func TestRunIsolatedWithoutDir(t *testing.T) {
	var out bytes.Buffer
	cmd := command(t, "folder")
	cmd.Stdout = &out
	if _, err := driver.RunIsolated(t.Context(), cmd, driver.Limits{}); err != nil || !strings.Contains(out.String(), "objchange-") {
		t.Errorf("%v, %s", err, &out)
	}
	if _, err := driver.RunIsolated(t.Context(), command(t, "write new"), driver.Limits{}); err != nil {
		t.Error(err)
	}
}

// TestRunIsolatedLimits checks that a command that exceeds a limit is stopped.
func TestRunIsolatedLimits(t *testing.T) {
	for _, test := range []struct {
		tries, barrier, want string
		limits               driver.Limits
	}{
		{"stdout 1000000000", "", "more than 1000 bytes of output", driver.Limits{Output: 1000}},
		{"stderr 1000000000", "", "more than 1000 bytes of output", driver.Limits{Output: 1000}},
		{"allocate 4000000000", "limits", " MiB of memory, of 256 MiB", driver.Limits{Memory: 256 << 20}},
	} {
		r, err := try(t, t.Context(), "", test.tries, test.limits)
		if gap := r.barriers[test.barrier]; gap != "" {
			t.Log(gap)
			continue
		}
		wantError(t, err, "it exceeded a limit: ", test.want)
		if !errors.Is(err, driver.ErrLimit) {
			t.Errorf("%v is not ErrLimit", err)
		}
	}
}

// TestRunIsolatedErrors checks that a command is stopped when its context ends, and the error for
// a command that cannot be started.
func TestRunIsolatedErrors(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	begun := time.Now()
	if _, err := try(t, ctx, "", "hang", driver.Limits{}); !errors.Is(err, context.DeadlineExceeded) || time.Since(begun) > patience {
		t.Errorf("%v after %s", err, time.Since(begun))
	}
	for _, path := range []string{filepath.Join(t.TempDir(), "nothing"), "objchange-no-such-program"} {
		barriers, err := driver.RunIsolated(t.Context(), exec.Command(path), driver.Limits{})
		if barriers != nil || !errors.Is(err, os.ErrNotExist) && !errors.Is(err, exec.ErrNotFound) {
			t.Errorf("%v, %v", barriers, err)
		}
	}
}
