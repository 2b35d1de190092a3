package process

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// patience limits the time that a test waits for an expected event.
const patience = 20 * time.Second

// acts is the environment variable that makes the test binary do an action: the arguments are the
// name and the argument of the action.
const acts = "PROCESS_TEST_ACTS"

// actions lists what a process can do. It writes the result to stdout.
var actions = map[string]func(with string) (any, error){
	"environ": func(string) (any, error) { return strings.Join(os.Environ(), "\n"), nil },
	"folder":  func(string) (any, error) { return os.Getwd() },
	"show": func(path string) (any, error) {
		text, err := os.ReadFile(path)
		return string(text), err
	},
	"write": func(path string) (any, error) { return nil, os.WriteFile(path, []byte("harm"), 0o600) },
	// lock leaves a read-only directory.
	"lock": func(string) (any, error) {
		return nil, errors.Join(os.Mkdir("locked", 0o700), os.WriteFile("locked/kept", nil, 0o400), os.Chmod("locked", 0o500))
	},
	"tcp": func(address string) (any, error) { return net.DialTimeout("tcp", address, 5*time.Second) },
	"udp": func(address string) (any, error) { return net.Dial("udp", address) },
	"signal": func(pid string) (any, error) {
		number, err := strconv.Atoi(pid)
		if err != nil {
			return nil, err
		}
		process, err := os.FindProcess(number)
		if err != nil {
			return nil, err
		}
		return nil, process.Signal(syscall.Signal(0))
	},
	"allocate": func(string) (any, error) {
		memory := make([]byte, 1<<30)
		for i := 0; i < len(memory); i += 4096 {
			memory[i] = 1
		}
		time.Sleep(time.Second)
		return memory[len(memory)-1], nil
	},
	"flood": func(string) (any, error) {
		for line := bytes.Repeat([]byte("x"), 1<<20); ; {
			if _, err := os.Stderr.Write(line); err != nil {
				return nil, err
			}
		}
	},
	"hang":   func(string) (any, error) { return forever() },
	"parent": func(mark string) (any, error) { return nil, spawn(mark, func(*exec.Cmd) {}) },
	"orphan": func(mark string) (any, error) { return nil, spawn(mark, leave) },
	"launch": func(mark string) (any, error) {
		if _, err := Start(context.Background(), command("hang", mark), mark != ""); err != nil {
			return nil, err
		}
		fmt.Println("launched")
		return forever()
	},
}

func forever() (any, error) {
	time.Sleep(patience)
	return nil, nil
}

// spawn starts another process with the mark, which keeps the output open.
func spawn(mark string, change func(*exec.Cmd)) error {
	cmd := command("hang", mark)
	cmd.Env, cmd.Stdout = append(os.Environ(), cmd.Env...), os.Stdout
	change(cmd)
	return cmd.Start()
}

func TestMain(m *testing.M) {
	if os.Getenv(acts) == "" {
		os.Exit(m.Run())
	}
	done, err := actions[os.Args[1]](os.Args[2])
	fmt.Println(done)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
}

// self is the path of this test binary.
var self = func() string {
	path, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return path
}()

// command returns a command that does an action.
func command(action, with string) *exec.Cmd {
	cmd := exec.Command(self, action, with)
	cmd.Env = []string{acts + "=1", "MARK=" + with}
	return cmd
}

// run runs the action isolated, and returns its output. It skips the test if the barrier is missing.
func run(t *testing.T, cmd *exec.Cmd, barrier string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	barriers, err := Run(t.Context(), cmd)
	for _, b := range barriers {
		if b.Name == barrier && b.Gap != "" {
			needs(t, b)
		}
	}
	return out.String(), err
}

// scratch sets the directory for the directories of processes.
func scratch(t *testing.T) string {
	t.Helper()
	temp, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", temp)
	t.Setenv("TMP", temp)
	return temp
}

func wantEmpty(t *testing.T, dir string) {
	t.Helper()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
}

// TestEnvironmentHasNoCredentials checks that the environment contains no variables of this process that could
// contain credentials.
func TestEnvironmentHasNoCredentials(t *testing.T) {
	for _, name := range []string{"AWS_SECRET_ACCESS_KEY", "GOOGLE_CREDENTIALS", "GITHUB_TOKEN", "KUBECONFIG", "SSH_AUTH_SOCK", "HTTPS_PROXY", "TF_LOG", "XDG_CONFIG_HOME", "HOME", "NO_PROXY"} {
		t.Setenv(name, "secret")
	}
	temp := scratch(t)
	out, err := run(t, command("environ", "eu"), "environment")
	if err != nil {
		t.Fatal(err, out)
	}
	values := map[string]string{}
	for _, variable := range strings.Split(strings.TrimSpace(out), "\n") {
		name, value, _ := strings.Cut(variable, "=")
		if strings.HasPrefix(value, filepath.Join(temp, "objchange-")) {
			value = "scratch"
		}
		if runtime.GOOS == "windows" { // names of variables are not case-sensitive
			name = strings.ToUpper(name)
		}
		values[name] = value
	}
	want := map[string]string{acts: "1", "MARK": "eu", "GOMEMLIMIT": "1610612736"}
	for value, names := range map[string][]string{
		"scratch":            {"HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "TMPDIR", "TMP", "TEMP"},
		"http://127.0.0.1:0": {"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"},
		"nobody":             {"USER", "LOGNAME", "USERNAME"},
	} {
		for _, name := range names {
			want[name] = value
		}
	}
	for _, name := range []string{"PATH", "SystemRoot", "SystemDrive", "windir", "ComSpec", "PATHEXT"} {
		if value, ok := os.LookupEnv(name); ok {
			want[name] = value
		}
	}
	if runtime.GOOS != "windows" {
		if diff := cmp.Diff(want, values); diff != "" {
			t.Error(diff)
		}
	}
	if strings.Contains(out, "secret") {
		t.Error("the process gets the environment of this process")
	}
	if conn, err := net.Dial("tcp", "127.0.0.1:0"); err == nil {
		conn.Close()
		t.Error("the proxy leads somewhere")
	}
	wantEmpty(t, temp)
}

// TestProcessRunsInItsFolder checks that a process runs in the directory of its command, or in a new one that is
// removed, even if it is read-only.
func TestProcessRunsInItsFolder(t *testing.T) {
	temp, dir := scratch(t), t.TempDir()
	for _, test := range []struct{ dir, action, with, out string }{
		{dir, "folder", "", filepath.Base(dir)},
		{dir, "write", "kept", ""},
		{dir, "show", "kept", "harm"},
		{"", "folder", "", filepath.Join(temp, "objchange-")},
		{"", "write", "lost", ""},
		{"", "show", "example.txt", "example"},
		{"", "lock", "", ""},
	} {
		cmd := command(test.action, test.with)
		cmd.Dir = test.dir
		if out, err := run(t, cmd, ""); err != nil || !strings.Contains(out, test.out) {
			t.Errorf("%s: %v, %s", test.action, err, out)
		}
	}
	wantEmpty(t, temp)
	t.Chdir(filepath.Dir(self)) // a relative path is relative to this process
	relative := command("folder", "")
	relative.Path = "./" + filepath.Base(self)
	if out, err := run(t, relative, ""); err != nil {
		t.Errorf("%v, %s", err, out)
	}
}

// TestProcessReachesNoNetwork checks that a process reaches neither the network nor other processes.
func TestProcessReachesNoNetwork(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	own := strconv.Itoa(os.Getpid())
	for _, test := range []struct{ barrier, action, with string }{
		{"network", "tcp", "1.1.1.1:443"},
		{"network", "tcp", listener.Addr().String()},
		{"network", "udp", "1.1.1.1:53"},
		{"processes", "signal", own},
		{"processes", "show", "/proc/" + own + "/environ"},
	} {
		t.Run(test.action+" "+test.with, func(t *testing.T) {
			out, err := run(t, command(test.action, test.with), test.barrier)
			if !errors.As(err, new(*exec.ExitError)) {
				t.Errorf("%v, %s", err, out)
			}
		})
	}
}

// TestBarriersHaveOneOrder checks that the barriers have the same order on all systems.
func TestBarriersHaveOneOrder(t *testing.T) {
	barriers, err := Run(t.Context(), command("folder", ""))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, b := range barriers {
		names = append(names, b.Name)
	}
	if want := []string{"environment", "network", "processes", "limits"}; !slices.Equal(names, want) {
		t.Error(names)
	}
	texts := []string{Barrier{"network", ""}.String(), Barrier{"network", "none"}.String()}
	if want := []string{"network: isolated", "network: not isolated: none"}; !slices.Equal(texts, want) {
		t.Error(texts)
	}
}

// TestProcessWithTooMuchMemoryIsStopped checks that a process that uses too much memory is stopped.
func TestProcessWithTooMuchMemoryIsStopped(t *testing.T) {
	before := memoryLimit
	t.Cleanup(func() { memoryLimit = before })
	memoryLimit = 256 << 20
	_, err := run(t, command("allocate", ""), "limits")
	if !errors.Is(err, ErrLimit) || !strings.Contains(err.Error(), "it exceeded a limit: ") || !strings.Contains(err.Error(), " MiB of memory, of 256 MiB") {
		t.Error(err)
	}
}

// TestProcessWithTooMuchOutputIsStopped checks that a process that writes too much is stopped.
func TestProcessWithTooMuchOutputIsStopped(t *testing.T) {
	for _, stdout := range []io.Writer{io.Discard, nil} { // stderr and stdout are the same writer, or not
		cmd := command("flood", "")
		cmd.Stdout, cmd.Stderr = stdout, io.Discard
		_, err := Run(t.Context(), cmd)
		if !errors.Is(err, ErrLimit) || !strings.Contains(err.Error(), "more than 256 MiB of output") {
			t.Error(err)
		}
	}
}

// TestChildrenStopWithTheirProcess checks that a process and its children are stopped when the
// context ends, or exit with the process, although a child keeps the output open.
func TestChildrenStopWithTheirProcess(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	p, err := Start(ctx, command("hang", ""), false)
	if err != nil {
		t.Fatal(err)
	}
	over := errors.New("over")
	cancel(over)
	<-p.Gone
	if p.Stop(errors.New("late"), 0); p.Stopped() != over || p.Barriers != nil {
		t.Errorf("%v, %v", p.Stopped(), p.Barriers)
	}
	if _, err := Start(ctx, command("hang", ""), false); err != over {
		t.Error(err)
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	for _, output := range []io.Writer{write, new(bytes.Buffer)} {
		cmd := command("parent", "")
		cmd.Stdout = output
		if p, err = Start(t.Context(), cmd, false); err != nil {
			t.Fatal(err)
		}
		<-p.Gone
		if p.Stopped() != nil || !p.State().Success() {
			t.Errorf("%v, %v", p.Stopped(), p.State())
		}
	}
	write.Close()
	_ = read.SetReadDeadline(time.Now().Add(patience))
	if _, err := io.ReadAll(read); err != nil {
		t.Errorf("a process still runs: %v", err)
	}
}

// TestUnstartedCommandIsAnError checks the error for a command that cannot be started.
func TestUnstartedCommandIsAnError(t *testing.T) {
	temp := scratch(t)
	for _, path := range []string{filepath.Join(temp, "nothing"), "objchange-no-such-program"} {
		barriers, err := Run(t.Context(), exec.Command(path))
		if barriers != nil || !errors.Is(err, os.ErrNotExist) && !errors.Is(err, exec.ErrNotFound) {
			t.Errorf("%v, %v", barriers, err)
		}
	}
	wantEmpty(t, temp)
}
