package driver_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/internal/wire"
)

// patience limits the time that a test waits for an expected event.
const patience = 20 * time.Second

// launch starts this test binary as a provider in the mode, and closes it at the end of the test.
func launch(t testing.TB, mode string, opts ...driver.LaunchOption) *driver.Plugin {
	t.Helper()
	p, err := tryLaunch(t.Context(), t, mode, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	return p
}

func tryLaunch(ctx context.Context, t testing.TB, mode string, opts ...driver.LaunchOption) (*driver.Plugin, error) {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return driver.Launch(ctx, path, append(opts, driver.WithEnv(modeEnv+"="+mode))...)
}

// read reads a resource of the type, in the provider's protocol. It returns the state as JSON.
func read(ctx context.Context, p *driver.Plugin, typeName string) (string, error) {
	state := &tfprotov6.DynamicValue{JSON: []byte("null")}
	resp, err := p.Server().ReadResource(ctx, &tfprotov6.ReadResourceRequest{TypeName: typeName, CurrentState: state})
	if err != nil {
		return "", err
	}
	return string(resp.NewState.JSON), nil
}

var protocols = map[string]int{"5": 5, "6": 6}

func TestLaunchedProviderAnswers(t *testing.T) {
	for mode, protocol := range protocols {
		t.Run(mode, func(t *testing.T) {
			p := launch(t, mode)
			if got := p.Protocol(); got != protocol || p.Isolation() != nil {
				t.Errorf("protocol %d, %v", got, p.Isolation())
			}
			if got, err := read(t.Context(), p, "anything"); err != nil || got != "null" {
				t.Errorf("read %q, %v", got, err)
			}
			if got, err := read(t.Context(), p, "large"); err != nil || len(got) != 8<<20+2 {
				t.Errorf("read %d bytes, %v", len(got), err)
			}
			_, err := read(t.Context(), p, "refuse")
			wantError(t, err, "rpc error: code = Unknown desc = not today")
		})
	}
}

// TestUnstartedProvidersAreErrors checks the errors for executables that cannot be started or are not providers.
func TestUnstartedProvidersAreErrors(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	missing := filepath.Join(dir, "missing")
	const unstarted = ": cannot be started: "
	const dies, late = ": is not a Terraform provider, or cannot start: it exited before it responded, exit status 3", ": stopped while it was starting: "
	_, err = driver.Launch(t.Context(), missing)
	if wantError(t, err, missing+unstarted, "no such file or directory"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v does not wrap the cause", err)
	}
	for mode, want := range map[string][]string{
		"noisy":   {dies, "stderr of the provider:\nline ", "\nline 19999\nno license in " + dir},
		"garbage": {": does not respond like a Terraform provider of protocol 5 or 6: "},
		"old":     {": does not respond like a Terraform provider of protocol 5 or 6: ", "Plugin version: 4"},
	} {
		t.Run(mode, func(t *testing.T) {
			_, err := tryLaunch(t.Context(), t, mode, driver.WithDir(dir))
			wantError(t, err, want...)
			if len(fmt.Sprint(err)) > 10<<10 {
				t.Errorf("the error has %d bytes", len(err.Error()))
			}
		})
	}
	for limit, want := range map[time.Duration]string{1: unstarted, 2 * time.Second: late} {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		defer cancel()
		_, err := tryLaunch(ctx, t, "silent")
		wantError(t, err, want+"context deadline exceeded")
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v does not wrap the error of the context", err)
		}
	}
	before := *driver.StartTimeout
	t.Cleanup(func() { *driver.StartTimeout = before })
	*driver.StartTimeout = 2 * time.Second
	_, err = tryLaunch(t.Context(), t, "silent")
	wantError(t, err, late+"no response within 2s")
}

// TestLaterCallsReturnTheEndOfProvider checks that later calls and Close return the reason for the
// end of a provider, for each way to end it.
func TestLaterCallsReturnTheEndOfProvider(t *testing.T) {
	reading := func(typeName string) func(*driver.Plugin, context.CancelCauseFunc) error {
		return func(p *driver.Plugin, _ context.CancelCauseFunc) error {
			_, err := read(context.Background(), p, typeName)
			return err
		}
	}
	closing := func(p *driver.Plugin, _ context.CancelCauseFunc) error { return p.Close() }
	cancelling := func(p *driver.Plugin, cancel context.CancelCauseFunc) error {
		cancel(errors.New("the test is over"))
		<-p.Exited()
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
		"closed": {[]string{"5", "6", "stubborn"}, closing, nil, "the provider is not running: it was closed"},
		"after a long line": {[]string{"6"}, func(p *driver.Plugin, cancel context.CancelCauseFunc) error {
			return errors.Join(reading("line")(p, cancel), p.Close())
		}, nil, "the provider is not running: it was closed"},
		"cancelled": {[]string{"6", "stubborn"}, cancelling, nil, "the provider is not running: the test is over"},
		"panics":    {[]string{"5", "6"}, reading("crash"), panics, panics[0]},
		"exits":     {[]string{"6"}, reading("exit"), exits, exits[0]},
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
				ctx, cancel := context.WithCancelCause(t.Context())
				p, err := tryLaunch(ctx, t, mode)
				if err != nil {
					t.Fatal(err)
				}
				check(test.end(p, cancel))
				select {
				case <-p.Exited():
				default:
					t.Error("the provider still runs")
				}
				_, err = read(t.Context(), p, "anything")
				wantError(t, err, test.then)
				for range 2 {
					check(p.Close())
				}
			})
		}
	}
}

// TestHangingCallsEnd checks that calls that get no response end with their context or with Close, and that
// stderr is copied even after go-plugin has redirected it.
func TestHangingCallsEnd(t *testing.T) {
	for mode := range protocols {
		t.Run(mode, func(t *testing.T) {
			var stderr buffer
			p := launch(t, mode, driver.WithStderr(&stderr))
			hangs := func(ctx context.Context, n int) <-chan error {
				failed := make(chan error, 1)
				go func() {
					_, err := read(ctx, p, "hang")
					failed <- err
				}()
				eventually(t, func() bool { return strings.Count(stderr.String(), "hangs\n") == n }, stderr.String)
				return failed
			}
			ctx, cancel := context.WithCancel(t.Context())
			failed := hangs(ctx, 1)
			cancel()
			err := <-failed
			wantError(t, err, "the provider did not respond: context canceled")
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%v does not wrap the error of the context", err)
			}
			_, err = read(ctx, p, "anything")
			wantError(t, err, "not sent: context canceled")
			if _, err = read(t.Context(), p, "anything"); err != nil {
				t.Errorf("the provider does not answer other calls: %v", err)
			}
			failed = hangs(t.Context(), 2)
			if err := p.Close(); err != nil {
				t.Error(err)
			}
			wantError(t, <-failed, "the provider is not running: it was closed")
		})
	}
}

// TestDeadlineIsNotSent checks that the deadline of a request is not sent to the provider. The provider's
// error could arrive before the request ends.
func TestDeadlineIsNotSent(t *testing.T) {
	p := launch(t, "6")
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	if got, err := read(ctx, p, "timed"); err != nil || got != "false" {
		t.Errorf("the request must have no deadline: %s, %v", got, err)
	}
	ctx, cancel = context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	_, err := read(ctx, p, "hang")
	wantError(t, err, "the provider did not respond: context deadline exceeded")
}

// TestIsolatedProviderWorks checks that a provider works when it is isolated. Package process tests the isolation.
func TestIsolatedProviderWorks(t *testing.T) {
	p := launch(t, "6", driver.Isolated())
	if home, err := read(t.Context(), p, "home"); err != nil || !strings.Contains(home, "objchange-") || len(p.Isolation()) == 0 {
		t.Errorf("%s, %v, %v", home, err, p.Isolation())
	}
}

// TestLaunchLeavesNothing checks that a provider leaves neither goroutines nor files behind.
func TestLaunchLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	for _, typeName := range []string{"anything", "crash"} {
		p := launch(t, "6", driver.Isolated())
		_, _ = read(t.Context(), p, typeName)
		_ = p.Close()
	}
	for _, mode := range []string{"garbage", "noisy"} {
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

// TestMissingSchemasAreNotWaitedFor checks that a provider that never returns its schemas is not waited for.
func TestMissingSchemasAreNotWaitedFor(t *testing.T) {
	synctest.Test(t, testMissingSchemasAreNotWaitedFor)
}

func testMissingSchemasAreNotWaitedFor(t *testing.T) {
	hanging := wire.NewServer(nil, func(ctx context.Context, _ string, _, _ any) error {
		<-ctx.Done()
		return context.Cause(ctx)
	})
	_, err := driver.New6(t.Context(), hanging)
	wantError(t, err, "GetProviderSchema: no schemas within 1m0s")
}

type buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func goroutines() string {
	stacks := make([]byte, 1<<20)
	return string(stacks[:runtime.Stack(stacks, true)])
}

func eventually(t *testing.T, condition func() bool, state func() string) {
	t.Helper()
	for limit := time.Now().Add(patience); !condition(); time.Sleep(time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatal(state())
		}
	}
}

func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want %q", parts)
		return
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not contain %q", err, part)
		}
	}
}
