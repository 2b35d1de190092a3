package driver

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// drainGrace is the time for which the output of a child is still read after it has exited.
// Without a limit, a process that the child has started could keep the output open indefinitely.
const drainGrace = time.Second

// child is the process of a provider, or of RunIsolated. It implements go-plugin's runner.Runner.
type child struct {
	cmd            *exec.Cmd
	stdout, stderr *os.File
	tail           *tail

	// For an isolated process.
	limits   *Limits
	scratch  string // its own directory
	barriers []Barrier
	output   atomic.Int64
	abort    func(reason error)

	gone    chan struct{} // closed when the process has exited
	drained chan struct{} // closed when its output is read, too

	barCount      atomic.Int32 // number of "|" in the first line of stdout
	firstLineRead atomic.Bool  // the first line is complete

	mu         sync.Mutex
	killCalled bool // kill was called before the process exited
}

func newChild(path string, config launchConfig) *child {
	cmd := exec.Command(path)
	cmd.Env = append(os.Environ(), config.env...)
	cmd.Dir = config.dir
	return childOf(cmd, config)
}

func childOf(cmd *exec.Cmd, config launchConfig) *child {
	group(cmd)
	bind(cmd)
	c := &child{cmd: cmd, tail: &tail{copy: config.stderr}, gone: make(chan struct{}), drained: make(chan struct{})}
	if config.limits != nil {
		c.isolate(config)
	}
	return c
}

// Start starts the process. It creates the pipes itself, because the pipes of exec.Cmd cannot be
// read after the process has exited.
func (c *child) Start(context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.killCalled {
		return errors.New("stopped before it started")
	}
	stdout, outEnd, err := os.Pipe()
	if err != nil {
		return err
	}
	defer outEnd.Close()
	stderr, errEnd, err := os.Pipe()
	if err != nil {
		stdout.Close()
		return err
	}
	defer errEnd.Close()
	c.cmd.Stdout, c.cmd.Stderr = outEnd, errEnd
	c.stdout, c.stderr = stdout, stderr
	started := make(chan error)
	go c.startAndWait(started)
	if err := <-started; err != nil {
		stdout.Close()
		stderr.Close()
		return err
	}
	return nil
}

// startAndWait starts the process and returns when it has exited. Until then it keeps its thread,
// because the system treats the thread as the parent.
func (c *child) startAndWait(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var err error
	if c.limits != nil {
		err = c.startIsolated()
	} else {
		err = c.cmd.Start()
	}
	started <- err
	if err != nil {
		return
	}
	_ = c.cmd.Wait() // the result is in ProcessState
	killGroup(c.cmd) // the processes that the provider has started
	limit := time.Now().Add(drainGrace)
	_ = c.stdout.SetReadDeadline(limit)
	_ = c.stderr.SetReadDeadline(limit)
	close(c.gone)
}

// Wait returns when the process has exited. go-plugin calls it once, after it has read all
// output.
func (c *child) Wait(context.Context) error {
	<-c.gone
	c.stdout.Close()
	c.stderr.Close()
	close(c.drained)
	return nil
}

// Kill kills the process and its children, and does not wait.
func (c *child) Kill(context.Context) error {
	c.kill()
	return nil
}

func (c *child) kill() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended() {
		return
	}
	c.killCalled = true
	if c.cmd.Process != nil {
		killGroup(c.cmd)
	}
}

func (c *child) ended() bool {
	select {
	case <-c.gone:
		return true
	default:
		return false
	}
}

// started reports whether a process was started.
func (c *child) started() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cmd.Process != nil
}

// killed reports whether the process, which has exited, was killed. It returns false if the
// process exited by itself before the kill.
func (c *child) killed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.killCalled && !c.cmd.ProcessState.Exited()
}

// answered reports whether the first line of the output looks like the handshake of a provider,
// with at least three "|".
func (c *child) answered() bool { return c.barCount.Load() >= 3 }

// Stdout returns the output that go-plugin reads.
func (c *child) Stdout() io.ReadCloser { return &handshakeReader{c.stdout, c} }

// A handshakeReader is stdout. It inspects the first line.
type handshakeReader struct {
	*os.File
	child *child
}

func (g *handshakeReader) Read(p []byte) (int, error) {
	n, err := g.File.Read(p)
	g.child.wrote(n)
	if !g.child.firstLineRead.Load() {
		line, _, ended := bytes.Cut(p[:n], []byte("\n"))
		g.child.barCount.Add(int32(bytes.Count(line, []byte("|"))))
		g.child.firstLineRead.Store(ended)
	}
	return n, err
}

// The remaining methods of runner.Runner.

func (c *child) Stderr() io.ReadCloser           { return c.stderr }
func (c *child) Name() string                    { return c.cmd.Path }
func (c *child) Diagnose(context.Context) string { return "" }

// ID must not be empty, because go-plugin does not clean up a child without an ID.
func (c *child) ID() string { return "provider" }

func (c *child) PluginToHost(network, address string) (string, string, error) {
	return network, address, nil
}

func (c *child) HostToPlugin(network, address string) (string, string, error) {
	return network, address, nil
}
