package process

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// leave makes the process start in a new session.
func leave(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// needs skips the test because the barrier is missing. It fails if this system supports the barrier.
func needs(t *testing.T, missing Barrier) {
	t.Helper()
	cmd := exec.Command(self, "-test.run=^$")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: namespaces[0]}
	able := cmd.Run() == nil
	if missing.Name == "limits" {
		_, err := os.ReadFile("/proc/thread-self/children")
		able = err == nil
	}
	if able {
		t.Fatal(missing)
	}
	t.Skip(missing)
}

// TestDescendantsEndWithProcess checks that descendants of an isolated process end with it, in any session.
func TestDescendantsEndWithProcess(t *testing.T) {
	mark := t.TempDir()
	if out, err := run(t, command("orphan", mark), "processes"); err != nil {
		t.Errorf("%v, %s", err, out)
	}
	if found := marked(mark); len(found) > 0 {
		t.Errorf("these processes still run: %s", found)
	}
}

// TestProcessExitsWithItsParent checks that a process exits with the process that started it, even
// if that process is killed. The process is isolated if it has a mark.
func TestProcessExitsWithItsParent(t *testing.T) {
	for _, mark := range []string{"", t.TempDir()} {
		launcher := exec.Command(self, "launch", mark)
		launcher.Env = append(os.Environ(), acts+"=1", "TMPDIR="+t.TempDir())
		out, err := launcher.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := launcher.Start(); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "launched\n" {
			t.Errorf("%q, %v", line, err)
		}
		running := func() []string {
			return slices.DeleteFunc(marked("hang"), func(args string) bool { return !strings.HasSuffix(args, "\x00"+mark+"\x00") })
		}
		if found := running(); len(found) != 1 {
			t.Errorf("got the processes %q, want 1", found)
		}
		if err := launcher.Process.Kill(); err != nil {
			t.Error(err)
		}
		_ = launcher.Wait() // it was killed
		for limit := time.Now().Add(patience); len(running()) > 0; time.Sleep(time.Millisecond) {
			if time.Now().After(limit) {
				t.Fatal("a process is left")
			}
		}
	}
}

// marked returns the arguments of the processes of this test binary with that argument.
func marked(argument string) (found []string) {
	paths, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range paths {
		all, _ := os.ReadFile(path)
		if args := strings.Split(string(all), "\x00"); args[0] == self && slices.Contains(args, argument) {
			found = append(found, string(all))
		}
	}
	return found
}

// TestIsolationNeedsNoRights runs the tests of isolation as a user without rights.
func TestIsolationNeedsNoRights(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("the test needs root")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "test")
	from, err := os.Open(self)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	to, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.Copy(to, from)
	if err := errors.Join(err, to.Close(), os.Chmod(filepath.Dir(dir), 0o755), os.Chmod(dir, 0o755)); err != nil {
		t.Fatal(err)
	}
	testAgain(t, path, "^Test(ProcessReachesNoNetwork|ProcessWithTooMuchMemoryIsStopped|DescendantsEndWithProcess|ProcessRunsInItsFolder|ProcessExitsWithItsParent)$",
		&syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}})
}

// testAgain runs tests in another process.
func testAgain(t *testing.T, path, tests string, attr *syscall.SysProcAttr) {
	t.Helper()
	cmd := exec.Command(path, "-test.v", "-test.run="+tests)
	cmd.Env = append(os.Environ(), testedAgain+"=1", "TMPDIR=")
	cmd.Dir, cmd.SysProcAttr = filepath.Dir(path), attr
	out, err := cmd.CombinedOutput()
	t.Logf("%s", out)
	if errors.Is(err, syscall.EPERM) {
		t.Skip(err)
	}
	if err != nil {
		t.Error(err)
	}
}

const testedAgain = "PROCESS_TEST_AGAIN"

// TestProcessStartsWithoutNamespaces checks that a process starts without namespaces if the system does not allow
// them, and that its barriers report it.
func TestProcessStartsWithoutNamespaces(t *testing.T) {
	if os.Getenv(testedAgain) == "" {
		testAgain(t, self, "^TestProcessStartsWithoutNamespaces$", &syscall.SysProcAttr{
			Cloneflags:  syscall.CLONE_NEWUSER,
			UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
		})
		return
	}
	// The limit applies to the user namespace of this process.
	if err := os.WriteFile("/proc/sys/user/max_net_namespaces", []byte("0"), 0); err != nil {
		t.Skip(err)
	}
	barriers, err := Run(t.Context(), command("folder", ""))
	const gap = "no namespaces: no space left on device"
	if err != nil || barriers[1] != (Barrier{"network", gap}) || barriers[2] != (Barrier{"processes", gap}) {
		t.Errorf("%v, %v", barriers, err)
	}
}
