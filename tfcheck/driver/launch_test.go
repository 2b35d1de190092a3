package driver_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/internal/testprovider"
)

// TestMain runs the test binary as a provider if Launch started it.
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
			p := launch(t, mode)
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
		})
	}
}

// TestLaunchErrors checks the errors for executables that cannot be started or are not providers.
func TestLaunchErrors(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	text, program, missing := filepath.Join(dir, "text"), filepath.Join(dir, "program"), filepath.Join(dir, "missing")
	if err := errors.Join(os.WriteFile(text, []byte("no program"), 0o644), os.WriteFile(program, []byte("no program"), 0o755)); err != nil {
		t.Fatal(err)
	}
	const unstarted, late = ": cannot be started: ", ": stopped while it was starting: no response within 3s"
	for name, test := range map[string]struct {
		path string // if "", mode
		mode string
		opts []driver.LaunchOption
		ends time.Duration // of the context, if not zero
		want []string
		is   []error
	}{
		"missing":    {path: missing, want: []string{missing + unstarted, "no such file or directory"}, is: []error{fs.ErrNotExist}},
		"text":       {path: text, want: []string{text + unstarted, "permission denied"}, is: []error{fs.ErrPermission}},
		"folder":     {path: dir, want: []string{dir + unstarted, "permission denied"}, is: []error{fs.ErrPermission}},
		"no path":    {want: []string{unstarted, "no command"}},
		"no program": {path: program, want: []string{program + ": is not a Terraform provider: this system cannot execute the file"}, is: []error{driver.ErrNotProvider, syscall.ENOEXEC}},

		"dies":                  {mode: "dies", want: []string{": exited before it responded, exit status 3: ", "\nstderr of the provider:\nno license", "\nIt is not a Terraform provider, or cannot start"}, is: []error{driver.ErrNotProvider}},
		"parent":                {mode: "dying parent", want: []string{": exited before it responded, exit status 3: ", "no license"}, is: []error{driver.ErrNotProvider}},
		"noisy":                 {mode: "noisy", want: []string{"stderr of the provider:\nline ", "\nline 19999\nno license"}, is: []error{driver.ErrNotProvider}},
		"the working directory": {mode: "folder", opts: []driver.LaunchOption{driver.WithDir(dir)}, want: []string{dir}, is: []error{driver.ErrNotProvider}},
		"garbage":               {mode: "garbage", want: []string{": is not a Terraform provider"}, is: []error{driver.ErrNotProvider}},
		"old":                   {mode: "old", want: []string{": does not respond like a provider: ", "Plugin version: 4"}},
		"netrpc":                {mode: "netrpc", want: []string{": does not respond like a provider: ", `unsupported plugin protocol "netrpc"`}},
		"silent":                {mode: "silent", opts: []driver.LaunchOption{driver.WithStartTimeout(started)}, want: []string{late}},
		"deaf":                  {mode: "deaf", opts: []driver.LaunchOption{driver.WithStartTimeout(started)}, want: []string{late}},
		"at once":               {mode: "6", ends: 1, want: []string{"context deadline exceeded"}, is: []error{context.DeadlineExceeded}},
		"too late":              {mode: "silent", ends: started, want: []string{": stopped while it was starting: context deadline exceeded"}, is: []error{context.DeadlineExceeded}},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, gone := t.Context(), func() {}
			if test.ends > 0 {
				ending, cancel := context.WithTimeout(ctx, test.ends)
				defer cancel()
				ctx = ending
			}
			if test.mode != "" {
				option, end := witness(t)
				test.path, gone, test.opts = self(t), end, append(test.opts, option, driver.WithEnv(testprovider.Mode+"="+test.mode))
			}
			_, err := driver.Launch(ctx, test.path, test.opts...)
			wantError(t, err, test.want...)
			if len(fmt.Sprint(err)) > 10<<10 {
				t.Errorf("the error has %d bytes", len(err.Error()))
			}
			for _, is := range test.is {
				if !errors.Is(err, is) {
					t.Errorf("%v is not %v", err, is)
				}
			}
			if errors.Is(err, driver.ErrNotProvider) != slices.Contains(test.is, driver.ErrNotProvider) {
				t.Errorf("%v: wrong result of errors.Is for ErrNotProvider", err)
			}
			if test.ends != 1 { // otherwise it did not start
				gone()
			}
		})
	}
}

// TestProvidersEnd checks that a provider exits with all processes that it started, for each way
// to stop it, and that later calls and Close return the reason.
func TestProvidersEnd(t *testing.T) {
	reading := func(typeName string) func(*driver.Plugin, context.CancelCauseFunc) error {
		return func(p *driver.Plugin, _ context.CancelCauseFunc) error {
			_, err := read(context.Background(), p, typeName)
			return err
		}
	}
	closing := func(p *driver.Plugin, _ context.CancelCauseFunc) error { return p.Close() }
	cancelling := func(_ *driver.Plugin, cancel context.CancelCauseFunc) error {
		cancel(errors.New("the test is over"))
		return nil
	}
	panics := []string{"the provider crashed, exit status 2\nstderr of the provider:\npanic: nothing in the list", "goroutine "}
	exits := []string{"the provider crashed, exit status 4"}
	for name, test := range map[string]struct {
		modes   []string
		end     func(*driver.Plugin, context.CancelCauseFunc) error
		crashed []string // parts of the errors of the call and of Close
		then    string   // the error of the next call
	}{
		"closed":    {[]string{"5", "6", "stubborn", "parent"}, closing, nil, "the provider is not running: it was closed"},
		"cancelled": {[]string{"5", "6", "stubborn", "parent"}, cancelling, nil, "the provider is not running: the test is over"},
		"panics":    {[]string{"5", "6"}, reading(testprovider.Crash), panics, panics[0]},
		"exits":     {[]string{"5", "6"}, reading(testprovider.Exit), exits, exits[0]},
	} {
		for _, mode := range test.modes {
			t.Run(name+" "+mode, func(t *testing.T) {
				check := func(err error) {
					t.Helper()
					if test.crashed != nil {
						wantError(t, err, test.crashed...)
					} else if err != nil {
						t.Error(err)
					}
				}
				option, gone := witness(t)
				ctx, cancel := context.WithCancelCause(t.Context())
				p, err := tryLaunch(ctx, t, mode, option)
				if err != nil {
					t.Fatal(err)
				}
				check(test.end(p, cancel))
				gone()
				_, err = read(t.Context(), p, "anything")
				wantError(t, err, "ReadResource: "+test.then)
				for range 2 {
					check(p.Close())
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
			wantError(t, err, "ReadResource: the provider did not respond: context canceled")
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

// TestDeadline checks that the deadline of a request is not sent to the provider. The provider's
// error could arrive before the request ends.
func TestDeadline(t *testing.T) {
	p := launch(t, "6")
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	if got, err := read(ctx, p, testprovider.Timed); err != nil || got != "false" {
		t.Errorf("the request must have no deadline: %s, %v", got, err)
	}
	ctx, cancel = context.WithTimeout(t.Context(), started/30)
	defer cancel()
	err := <-hang(ctx, p)
	wantError(t, err, "ReadResource: the provider did not respond: context deadline exceeded")
}

// TestCallCannotBeSent checks that a request that cannot be encoded does not affect the provider.
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

// TestCloseDuringCall checks that Close ends calls that wait for a response.
func TestCloseDuringCall(t *testing.T) {
	var stderr buffer
	p := launch(t, "6", driver.WithStderr(&stderr))
	one, other := hang(t.Context(), p), hang(t.Context(), p)
	eventually(t, func() bool { return strings.Count(stderr.String(), "hangs") == 2 }, stderr.String)
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	wantError(t, <-one, "ReadResource: the provider is not running: it was closed")
	wantError(t, <-other, "ReadResource: the provider is not running: it was closed")
}

// TestWithStderr checks that stderr of the provider is copied, even after go-plugin has
// redirected it.
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

// TestLaunchLeavesNothing checks that a provider leaves neither goroutines nor files behind.
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
			t.Errorf("%s is not a provider", mode)
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
			t.Errorf("%q is not a provider", path)
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
