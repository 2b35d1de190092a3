package driver_test

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/internal/testprovider"
)

// isolated launches the provider with limits that tests can reach, unless an option sets others.
// It returns the parent of the provider's own directory.
func isolated(t *testing.T, mode string, opts ...driver.LaunchOption) (p *driver.Plugin, temp string) {
	t.Helper()
	temp = t.TempDir()
	t.Setenv("TMPDIR", temp)
	t.Setenv("TMP", temp)
	limits := driver.Limits{Memory: 256 << 20, Output: 1 << 20}
	return launch(t, mode, append([]driver.LaunchOption{driver.Isolated(limits)}, opts...)...), temp
}

// do makes the provider do an action and decodes the result.
func do[Done any](t *testing.T, p *driver.Plugin, what ...string) (done Done, err error) {
	t.Helper()
	text, err := read(t.Context(), p, strings.Join(what, " "))
	if err != nil {
		return done, err
	}
	if err := json.Unmarshal([]byte(text), &done); err != nil {
		t.Error(err)
	}
	return done, nil
}

// TestIsolatedEnvironment checks that the environment contains no variables of this process that
// could contain credentials.
func TestIsolatedEnvironment(t *testing.T) {
	for _, name := range []string{"AWS_SECRET_ACCESS_KEY", "GOOGLE_CREDENTIALS", "GITHUB_TOKEN", "KUBECONFIG", "SSH_AUTH_SOCK", "HTTPS_PROXY", "TF_LOG", "XDG_CONFIG_HOME", "HOME", "NO_PROXY"} {
		t.Setenv(name, "secret")
	}
	p, temp := isolated(t, "6", driver.WithEnv("FOO_REGION=eu"))
	environ, err := do[[]string](t, p, "environ")
	if err != nil {
		t.Fatal(err)
	}
	values, scratch := map[string]string{}, 0
	for _, variable := range environ {
		name, value, _ := strings.Cut(variable, "=")
		if strings.Contains(value, "secret") {
			t.Errorf("the provider gets the environment variable %s", name)
		}
		if strings.HasPrefix(value, filepath.Join(temp, "objchange-")) {
			value, scratch = "scratch", scratch+1
		}
		if !strings.HasPrefix(name, "PLUGIN_") && name != "TF_PLUGIN_MAGIC_COOKIE" && name != testprovider.Mode {
			values[name] = value
		}
	}
	want := map[string]string{"PATH": os.Getenv("PATH"), "FOO_REGION": "eu", "GOMEMLIMIT": "201326592"}
	for value, names := range map[string][]string{
		"scratch":            {"HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "TMPDIR", "TMP", "TEMP"},
		"http://127.0.0.1:0": {"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"},
		"nobody":             {"USER", "LOGNAME", "USERNAME"},
	} {
		for _, name := range names {
			want[name] = value
		}
	}
	for _, name := range []string{"SystemRoot", "SystemDrive", "windir", "ComSpec", "PATHEXT"} {
		if value, ok := os.LookupEnv(name); ok {
			want[name] = value
		}
	}
	if runtime.GOOS == "windows" { // names of variables are not case-sensitive
		want, values = upper(want), upper(values)
	}
	if diff := cmp.Diff(want, values); diff != "" {
		t.Error(diff)
	}
	if conn, err := net.Dial("tcp", "127.0.0.1:0"); err == nil {
		conn.Close()
		t.Error("the proxy leads somewhere")
	}
}

func upper(values map[string]string) map[string]string {
	uppered := map[string]string{}
	for name, value := range values {
		uppered[strings.ToUpper(name)] = value
	}
	return uppered
}

// TestIsolatedFolder checks that the provider runs in a new directory, and that the directory is
// removed at the end, even if it is read-only.
func TestIsolatedFolder(t *testing.T) {
	for _, typeName := range []string{"anything", testprovider.Crash, "lock", "write kept"} {
		p, temp := isolated(t, "5")
		dir, err := do[string](t, p, "folder")
		if err != nil {
			t.Fatal(err)
		}
		if within, err := filepath.EvalSymlinks(temp); err != nil || !strings.HasPrefix(dir, within) {
			t.Errorf("the working directory is %s, %v", dir, err)
		}
		if _, err := read(t.Context(), p, typeName); typeName == testprovider.Crash {
			wantError(t, err, "the provider crashed, exit status 2\nstderr of the provider:\npanic: nothing in the list")
		} else if err != nil {
			t.Error(err)
		}
		_ = p.Close()
		if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
			t.Errorf("%s: %v, %v", typeName, left, err)
		}
	}
}

// TestIsolatedWithDir checks that a relative path is relative to the directory of the caller, as
// without isolation.
func TestIsolatedWithDir(t *testing.T) {
	path := self(t)
	p, err := driver.Launch(t.Context(), "./"+filepath.Base(path), driver.WithDir(filepath.Dir(path)),
		driver.WithEnv(testprovider.Mode+"=6"), driver.Isolated(driver.Limits{}))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if dir, err := do[string](t, p, "folder"); err != nil || dir != filepath.Dir(path) {
		t.Errorf("the working directory is %s, %v", dir, err)
	}
}

// TestIsolatedRelative checks that the path of an executable is relative to the working directory
// of this process.
func TestIsolatedRelative(t *testing.T) {
	path := self(t)
	t.Chdir(filepath.Dir(path))
	p, err := driver.Launch(t.Context(), "./"+filepath.Base(path), driver.WithEnv(testprovider.Mode+"=6"), driver.Isolated(driver.Limits{}))
	if err != nil {
		t.Fatal(err)
	}
	_ = p.Close()
}

// TestIsolatedOutput checks that a provider with too much output is stopped, for each output
// stream.
func TestIsolatedOutput(t *testing.T) {
	for _, where := range []string{"stderr", "stdout", "raw"} {
		p, _ := isolated(t, "6")
		_, err := do[int](t, p, where, "1000000")
		if err != nil {
			t.Errorf("%s: %v", where, err)
		}
		_, err = do[int](t, p, where, "1000000000")
		wantError(t, err, "the provider is not running: it exceeded a limit: more than 1048576 bytes of output")
		if !errors.Is(err, driver.ErrLimit) {
			t.Errorf("%v is not ErrLimit", err)
		}
		if err := p.Close(); err != nil {
			t.Errorf("the error is also a crash: %v", err)
		}
	}
}

// TestIsolatedHang checks that a provider that hangs in a request is stopped and leaves nothing
// behind.
func TestIsolatedHang(t *testing.T) {
	p, temp := isolated(t, "6")
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if err := <-hang(ctx, p); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	select {
	case <-p.Exited():
	default:
		t.Error("the provider still runs")
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
}

// TestIsolation checks that Isolation has the same order on all systems.
func TestIsolation(t *testing.T) {
	p, _ := isolated(t, "6")
	var names []string
	for _, barrier := range p.Isolation() {
		names = append(names, barrier.Name)
		want := barrier.Name + ": isolated"
		if barrier.Gap != "" {
			want = barrier.Name + ": not isolated: " + barrier.Gap
		}
		if got := barrier.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		t.Log(barrier)
	}
	if want := []string{"environment", "network", "processes", "limits"}; !slices.Equal(names, want) {
		t.Error(names)
	}
	if barriers := launch(t, "6").Isolation(); barriers != nil {
		t.Error(barriers)
	}
}
