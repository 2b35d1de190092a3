package driver_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/internal/testprovider"
)

// The test is its own provider, when it is started by Launch.
func TestMain(m *testing.M) {
	testprovider.Main()
	if mode := os.Getenv(launcherEnv); mode != "" {
		launchAndStay(mode)
		return
	}
	os.Exit(m.Run())
}

func TestLaunch(t *testing.T) {
	for mode, protocol := range protocols {
		t.Run(mode, func(t *testing.T) {
			option, gone := witness(t)
			p := launch(t, mode, option)
			if got := p.Protocol(); got != protocol {
				t.Errorf("protocol %d", got)
			}
			if got, err := read(t.Context(), p, "anything"); err != nil || got != "null" {
				t.Errorf("read %q, %v", got, err)
			}
			if got, err := read(t.Context(), p, testprovider.Large); err != nil || len(got) != 8<<20+2 {
				t.Errorf("read %d bytes, %v", len(got), err)
			}
			_, err := read(t.Context(), p, testprovider.Refuse)
			wantError(t, err, "ReadResource: rpc error: code = Unknown desc = not today")
			for range 2 {
				if err := p.Close(); err != nil {
					t.Error(err)
				}
			}
			gone()
			_, err = read(t.Context(), p, "anything")
			wantError(t, err, "ReadResource: the provider does not run: it was closed")
		})
	}
}

func TestLaunchErrors(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("no program"), 0o644); err != nil {
		t.Fatal(err)
	}
	missing := filepath.Join(dir, "missing")
	for path, tc := range map[string]struct {
		want string
		is   error
	}{
		missing: {"no such file or directory", fs.ErrNotExist},
		file:    {"permission denied", fs.ErrPermission},
		dir:     {"permission denied", fs.ErrPermission},
		"":      {"no command", nil},
	} {
		t.Run(tc.want, func(t *testing.T) {
			_, err := driver.Launch(t.Context(), path)
			wantError(t, err, "provider "+path+": cannot be started: ", tc.want)
			if tc.is != nil && !errors.Is(err, tc.is) {
				t.Errorf("%v is not %v", err, tc.is)
			}
		})
	}
}

func TestLaunchOfNoProgram(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a program is known by its name, and not by what is in it")
	}
	program := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(program, []byte("no program"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := driver.Launch(t.Context(), program)
	wantError(t, err, "provider "+program+": is not a Terraform provider, nor any program that runs here")
	if !errors.Is(err, driver.ErrNotProvider) || !errors.Is(err, syscall.ENOEXEC) {
		t.Errorf("%v is of another kind", err)
	}
}

func TestLaunchOfNoProvider(t *testing.T) {
	for mode, want := range map[string][]string{
		"dies":         {": ended before it answered, exit status 3: ", "\nstderr of the provider:\nno license", "\nIt is not a Terraform provider, or cannot start"},
		"garbage":      {": is not a Terraform provider"},
		"old":          {": does not answer as a provider: ", "Plugin version: 4"},
		"netrpc":       {": does not answer as a provider: ", `unsupported plugin protocol "netrpc"`},
		"silent":       {": was ended while it started: it has not answered for 3s"},
		"deaf":         {": was ended while it started: it has not answered for 3s"},
		"dying parent": {": ended before it answered, exit status 3: ", "no license"},
	} {
		t.Run(mode, func(t *testing.T) {
			option, gone := witness(t)
			limit := patience
			if mode == "silent" || mode == "deaf" {
				limit = started
			}
			_, err := tryLaunch(t.Context(), t, mode, option, driver.WithStartTimeout(limit))
			wantError(t, err, want...)
			if none := mode == "garbage" || mode == "dies" || mode == "dying parent"; errors.Is(err, driver.ErrNotProvider) != none {
				t.Errorf("%v is about no provider: %v", err, !none)
			}
			gone()
		})
	}
}

// An error shows only the end of stderr.
func TestLaunchErrorIsShort(t *testing.T) {
	_, err := tryLaunch(t.Context(), t, "noisy")
	wantError(t, err, "stderr of the provider:\nline ", "\nline 19999\nno license")
	if got := len(err.Error()); got > 10<<10 {
		t.Errorf("an error of %d bytes", got)
	}
}

func TestLaunchContext(t *testing.T) {
	t.Run("before", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := tryLaunch(ctx, t, "6")
		wantError(t, err, "context canceled")
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%v does not wrap the error of the context", err)
		}
	})
	t.Run("while it starts", func(t *testing.T) {
		option, gone := witness(t)
		ctx, cancel := context.WithTimeout(t.Context(), started)
		defer cancel()
		_, err := tryLaunch(ctx, t, "silent", option)
		wantError(t, err, ": was ended while it started: context deadline exceeded")
		gone()
	})
	for _, mode := range []string{"5", "6", "stubborn", "parent"} {
		t.Run(mode, func(t *testing.T) {
			option, gone := witness(t)
			ctx, cancel := context.WithCancelCause(t.Context())
			p, err := tryLaunch(ctx, t, mode, option)
			if err != nil {
				t.Fatal(err)
			}
			cancel(errors.New("the test is over"))
			gone()
			if err := p.Close(); err != nil {
				t.Error(err)
			}
			_, err = read(t.Context(), p, "anything")
			wantError(t, err, "ReadResource: the provider does not run: the test is over")
		})
	}
}

// A provider that does not end when it is asked to is killed, with all it has
// started.
func TestCloseKills(t *testing.T) {
	for _, mode := range []string{"stubborn", "parent"} {
		t.Run(mode, func(t *testing.T) {
			option, gone := witness(t)
			if err := launch(t, mode, option).Close(); err != nil {
				t.Error(err)
			}
			gone()
		})
	}
}

func TestCrash(t *testing.T) {
	for mode := range protocols {
		for typeName, want := range map[string][]string{
			testprovider.Crash: {"the provider crashed, exit status 2\nstderr of the provider:\npanic: nothing in the list", "goroutine "},
			testprovider.Exit:  {"the provider crashed, exit status 4"},
		} {
			t.Run(mode+" "+typeName, func(t *testing.T) {
				option, gone := witness(t)
				p := launch(t, mode, option)
				_, err := read(t.Context(), p, typeName)
				wantError(t, err, append(want, "ReadResource: ")...)
				gone()
				_, err = read(t.Context(), p, "anything")
				wantError(t, err, append(want, "ReadResource: ")...)
				for range 2 {
					wantError(t, p.Close(), want...)
				}
			})
		}
	}
}

func TestHang(t *testing.T) {
	for mode := range protocols {
		t.Run(mode, func(t *testing.T) {
			var stderr buffer
			p := launch(t, mode, driver.WithStderr(&stderr))
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			failed := hang(ctx, p)
			eventually(t, func() bool { return strings.Contains(stderr.String(), "hangs") }, stderr.String)
			cancel()
			err := <-failed
			wantError(t, err, "ReadResource: the provider did not answer: context canceled")
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%v does not wrap the error of the context", err)
			}
			_, err = read(ctx, p, "anything")
			wantError(t, err, "ReadResource: not sent: context canceled")
			if _, err = read(t.Context(), p, "anything"); err != nil {
				t.Errorf("the provider does not answer other calls: %v", err)
			}
		})
	}
}

// What cannot be sent does no harm to the provider.
func TestCallCannotBeSent(t *testing.T) {
	p := launch(t, "6")
	_, err := p.Server().ReadResource(t.Context(), nil)
	wantError(t, err, "ReadResource: the request cannot be sent: ")
	_, err = read(t.Context(), p, "\xff")
	wantError(t, err, "ReadResource: the request cannot be sent: TypeName: is not valid UTF-8")
	if _, err := read(t.Context(), p, "anything"); err != nil {
		t.Error(err)
	}
}

// Close ends calls that wait for an answer.
func TestCloseDuringCall(t *testing.T) {
	var stderr buffer
	p := launch(t, "6", driver.WithStderr(&stderr))
	one, other := hang(t.Context(), p), hang(t.Context(), p)
	eventually(t, func() bool { return strings.Count(stderr.String(), "hangs") == 2 }, stderr.String)
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	wantError(t, <-one, "ReadResource: the provider does not run: it was closed")
	wantError(t, <-other, "ReadResource: the provider does not run: it was closed")
}

// What a provider writes to stderr arrives, also once go-plugin has redirected
// it.
func TestWithStderr(t *testing.T) {
	var stderr buffer
	p := launch(t, "6", driver.WithStderr(&stderr))
	if _, err := read(t.Context(), p, testprovider.Print); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() bool { return strings.Contains(stderr.String(), "printed\n") }, stderr.String)
	if _, err := read(t.Context(), p, testprovider.Crash); err == nil {
		t.Fatal("no error")
	}
	_ = p.Close()
	if got := stderr.String(); !strings.Contains(got, "panic: nothing in the list\n") {
		t.Errorf("stderr is %q", got)
	}
}

func TestWithDir(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	_, err = tryLaunch(t.Context(), t, "folder", driver.WithDir(dir))
	wantError(t, err, dir)
}

// Nothing is left of a provider: no goroutine, no file.
func TestLaunchLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	for _, typeName := range []string{"anything", testprovider.Crash} {
		p := launch(t, "6")
		_, _ = read(t.Context(), p, typeName)
		_ = p.Close()
	}
	for _, mode := range []string{"garbage", "dies"} {
		if _, err := tryLaunch(t.Context(), t, mode); err == nil {
			t.Errorf("%s is no provider", mode)
		}
	}
	for wait := range 10 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(wait)*10*time.Millisecond)
		if p, err := tryLaunch(ctx, t, "6"); err == nil {
			_ = p.Close()
		}
		cancel()
	}
	for _, path := range []string{"", filepath.Join(dir, "missing")} {
		if _, err := driver.Launch(t.Context(), path); err == nil {
			t.Errorf("%q is no provider", path)
		}
	}
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string(nil), left); diff != "" {
		t.Error(diff)
	}
	eventually(t, func() bool { return !strings.Contains(goroutines(), "go-plugin") }, goroutines)
	eventually(t, func() bool { return !strings.Contains(goroutines(), "google.golang.org/grpc") }, goroutines)
}
