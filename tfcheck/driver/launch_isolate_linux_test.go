package driver_test

import (
	"bufio"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/objchange/objchange/tfcheck/driver"
)

// needs skips the test if this system does not support the barrier.
func needs(t *testing.T, p *driver.Plugin, name string) {
	t.Helper()
	i := slices.IndexFunc(p.Isolation(), func(b driver.Barrier) bool { return b.Name == name })
	barrier := p.Isolation()[i]
	if barrier.Gap == "" {
		return
	}
	var able bool
	switch name {
	case "network", "processes":
		cmd := exec.Command(self(t), "-test.run=^$")
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET | syscall.CLONE_NEWPID}
		able = cmd.Run() == nil
	case "limits":
		_, err := os.ReadFile("/proc/thread-self/children")
		able = err == nil
	}
	if able {
		t.Fatal(barrier)
	}
	t.Skip(barrier)
}

// TestIsolatedNetwork checks that the provider can reach neither another machine nor this one.
func TestIsolatedNetwork(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	socket, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	p, _ := isolated(t, "6")
	needs(t, p, "network")
	for _, tries := range [][]string{{"tcp", "1.1.1.1:443"}, {"tcp", listener.Addr().String()}, {"udp", "1.1.1.1:53"}, {"udp", socket.LocalAddr().String()}} {
		local, err := do[string](t, p, tries...)
		if err == nil {
			t.Errorf("%s: connected from %s", tries, local)
		}
	}
}

// TestIsolatedMemory checks that a provider that exceeds the memory limit is stopped with all its
// processes.
func TestIsolatedMemory(t *testing.T) {
	p, _ := isolated(t, "6", driver.Isolated(driver.Limits{Memory: 256 << 20}))
	needs(t, p, "limits")
	_, err := do[any](t, p, "allocate 4000000000")
	wantError(t, err, "the provider is not running: it exceeded a limit: ", " MiB of memory, of 256 MiB")
	if !errors.Is(err, driver.ErrLimit) {
		t.Errorf("%v is not ErrLimit", err)
	}
	if err := p.Close(); err != nil {
		t.Errorf("the error is also a crash: %v", err)
	}
}

// TestIsolatedProcesses checks that the provider can neither send signals to other processes nor
// read their environment.
func TestIsolatedProcesses(t *testing.T) {
	p, _ := isolated(t, "6")
	needs(t, p, "processes")
	own := strconv.Itoa(os.Getpid())
	if _, err := do[any](t, p, "signal", own); err == nil {
		t.Error("the provider can signal this process")
	}
	if _, err := do[any](t, p, "show", "/proc/"+own+"/environ"); err == nil {
		t.Error("the provider can read the environment of this process")
	}
}

// TestIsolatedOrphan checks that the processes of a provider end with it, even in another
// session.
func TestIsolatedOrphan(t *testing.T) {
	p, temp := isolated(t, "6")
	needs(t, p, "processes")
	if _, err := do[any](t, p, "orphan", temp); err != nil {
		t.Fatal(err)
	}
	if found := marked("cmdline", temp); len(found) != 1 {
		t.Errorf("got the processes %s, want 1", found)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if found := marked("cmdline", temp); len(found) > 0 {
		t.Errorf("these processes still run: %s", found)
	}
}

// TestIsolatedWithoutRights runs the tests of isolation as a user without rights.
func TestIsolatedWithoutRights(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("the test needs root")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "test")
	from, err := os.Open(self(t))
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
	testAgain(t, path, "^TestIsolated(Network|Memory|Processes|Orphan|Folder|Killed)$",
		&syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}})
}

// testAgain runs tests in another process.
func testAgain(t *testing.T, path, tests string, attr *syscall.SysProcAttr) {
	t.Helper()
	cmd := exec.Command(path, "-test.v", "-test.run="+tests)
	cmd.Env = append(os.Environ(), testedAgain+"=1", "TMPDIR=") // short enough for sockets
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

const testedAgain = "TFCHECK_TEST_AGAIN"

// TestIsolatedWithoutNamespaces checks that the provider starts without namespaces if the system
// does not allow them, and that Isolation reports it.
func TestIsolatedWithoutNamespaces(t *testing.T) {
	if os.Getenv(testedAgain) == "" {
		testAgain(t, self(t), "^TestIsolatedWithoutNamespaces$", &syscall.SysProcAttr{
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
	p, _ := isolated(t, "6")
	const gap = "no namespaces: no space left on device"
	barriers := p.Isolation()
	if got := barriers[1].String(); got != "network: not isolated: "+gap {
		t.Error(got)
	}
	if got := barriers[2].String(); got != "processes: not isolated: "+gap {
		t.Error(got)
	}
}

// TestIsolatedKilled checks that an isolated provider exits with the process that launched it,
// even if that process is killed.
func TestIsolatedKilled(t *testing.T) {
	mark := t.TempDir()
	launcher := exec.Command(self(t))
	launcher.Env = append(os.Environ(), launcherEnv+"=6", isolatedEnv+"="+mark, "TMPDIR="+mark)
	out, err := launcher.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := launcher.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != launched {
		t.Errorf("%q, %v", line, err)
	}
	if found := marked("environ", isolatedEnv+"="+mark); len(found) != 2 {
		t.Errorf("got the processes %s, want 2", found)
	}
	if err := launcher.Process.Kill(); err != nil {
		t.Error(err)
	}
	_ = launcher.Wait() // it was killed
	eventually(t, func() bool { return marked("environ", isolatedEnv+"="+mark) == nil }, func() string { return "a process is left" })
}

// marked returns the processes whose arguments or environment contain the text.
func marked(file, text string) (found []string) {
	paths, _ := filepath.Glob("/proc/[0-9]*/" + file)
	for _, path := range paths {
		if all, _ := os.ReadFile(path); slices.Contains(strings.Split(string(all), "\x00"), text) {
			found = append(found, path)
		}
	}
	return found
}
