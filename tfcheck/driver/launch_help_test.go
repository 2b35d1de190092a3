package driver_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/internal/testprovider"
)

// patience limits the time that a test waits for an expected event.
const patience = 20 * time.Second

// started is the time that a process gets to start, even on a busy machine. Tests in which a
// start fails use it as the timeout, because gone needs a connection from the process.
const started = 3 * time.Second

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
	return driver.Launch(ctx, self(t), append(opts, driver.WithEnv(testprovider.Mode+"="+mode))...)
}

// self returns the path of this test's executable.
func self(t testing.TB) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// A test with launcherEnv in its environment launches a provider in that mode, reports it, and
// does not exit. With isolatedEnv the provider is isolated, and has that variable in its
// environment.
const (
	launcherEnv = "TFCHECK_TEST_LAUNCHER"
	isolatedEnv = "TFCHECK_TEST_ISOLATED"
	launched    = "launched\n"
)

func launchAndStay(mode string) {
	self, err := os.Executable()
	if err == nil {
		opts := []driver.LaunchOption{driver.WithEnv(testprovider.Mode + "=" + mode)}
		if mark := os.Getenv(isolatedEnv); mark != "" {
			opts = append(opts, driver.WithEnv(isolatedEnv+"="+mark), driver.Isolated(driver.Limits{}))
		}
		_, err = driver.Launch(context.Background(), self, opts...)
	}
	if err != nil {
		panic(err)
	}
	_, _ = os.Stdout.WriteString(launched)
	time.Sleep(patience)
}

// witness returns an option that makes a provider connect to the test until the provider and its
// descendants have exited. gone waits until then.
func witness(t *testing.T) (option driver.LaunchOption, gone func()) {
	t.Helper()
	address, gone := witnessAddress(t)
	return driver.WithEnv(testprovider.Witness + "=" + address), gone
}

func witnessAddress(t *testing.T) (address string, gone func()) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	gone = func() {
		t.Helper()
		limit := time.Now().Add(patience)
		_ = listener.(*net.TCPListener).SetDeadline(limit)
		conn, err := listener.Accept()
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_ = conn.SetDeadline(limit)
		if _, err := io.ReadAll(conn); errors.Is(err, os.ErrDeadlineExceeded) {
			t.Error("a process still runs")
		}
	}
	return listener.Addr().String(), gone
}

// read reads a resource of the type, in the provider's protocol. It returns the state as JSON:
// "null" if the provider does nothing else.
func read(ctx context.Context, p *driver.Plugin, typeName string) (string, error) {
	state := &tfprotov6.DynamicValue{JSON: []byte("null")}
	resp, err := p.Server().ReadResource(ctx, &tfprotov6.ReadResourceRequest{TypeName: typeName, CurrentState: state})
	if err != nil {
		return "", err
	}
	return string(resp.NewState.JSON), nil
}

var protocols = map[string]int{"5": 5, "6": 6}

// hang makes a call that gets no response. The channel receives the error of the call.
func hang(ctx context.Context, p *driver.Plugin) <-chan error {
	failed := make(chan error, 1)
	go func() {
		_, err := read(ctx, p, testprovider.Hang)
		failed <- err
	}()
	return failed
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
