//go:build !wasm

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

// drainGrace is how long the output of a child that has ended is still read.
// Without a limit, a process it left behind could keep it open for ever.
const drainGrace = time.Second

// child is the process of a provider, or of RunIsolated. It is go-plugin's runner.Runner.
type child struct {
	cmd            *exec.Cmd
	stdout, stderr *os.File
	tail           *tail

	// Of a process that is isolated.
	limits   *Limits
	scratch  string   // its own folder
	writable []string // other folders in which it may write
	barriers []Barrier
	output   atomic.Int64
	abort    func(reason error)

	gone    chan struct{} // closed when the process has ended
	drained chan struct{} // closed when its output is read, too

	bars  atomic.Int32 // in the first line of stdout
	begun atomic.Bool  // that line has ended

	mu   sync.Mutex
	shot bool // kill came before the end
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

// Start starts the process. The pipes are of its own making, not those of
// exec.Cmd, to be read after the process has ended.
func (c *child) Start(context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.shot {
		return errors.New("ended before it started")
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
	go c.live(started)
	if err := <-started; err != nil {
		stdout.Close()
		stderr.Close()
		return err
	}
	return nil
}

// live starts the process and returns when it has ended. Until then it keeps its
// thread, which the system takes for the parent. A thread that was restricted ends with it.
func (c *child) live(started chan<- error) {
	runtime.LockOSThread()
	var err error
	if c.limits != nil {
		err = c.startIsolated()
	} else {
		defer runtime.UnlockOSThread()
		err = c.cmd.Start()
	}
	started <- err
	if err != nil {
		return
	}
	_ = c.cmd.Wait() // its error is in ProcessState
	killGroup(c.cmd) // what the provider itself has started
	limit := time.Now().Add(drainGrace)
	_ = c.stdout.SetReadDeadline(limit)
	_ = c.stderr.SetReadDeadline(limit)
	close(c.gone)
}

// Wait returns when the process has ended. go-plugin calls it once, when it has read
// all output.
func (c *child) Wait(context.Context) error {
	<-c.gone
	c.stdout.Close()
	c.stderr.Close()
	close(c.drained)
	return nil
}

// Kill kills the process, its children too, and does not wait.
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
	c.shot = true
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

// started reports whether there is or was a process.
func (c *child) started() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cmd.Process != nil
}

// killed reports whether the process, which is gone, was killed. One that was
// already about to end by itself was not.
func (c *child) killed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.shot && !c.cmd.ProcessState.Exited()
}

// answered reports whether the child began with a line such as a provider writes
// to say where it listens: with three bars at least.
func (c *child) answered() bool { return c.bars.Load() >= 3 }

// Stdout is what go-plugin reads.
func (c *child) Stdout() io.ReadCloser { return &greeting{c.stdout, c} }

// A greeting is stdout, of which the first line is looked at.
type greeting struct {
	*os.File
	child *child
}

func (g *greeting) Read(p []byte) (int, error) {
	n, err := g.File.Read(p)
	g.child.wrote(n)
	if !g.child.begun.Load() {
		line, _, ended := bytes.Cut(p[:n], []byte("\n"))
		g.child.bars.Add(int32(bytes.Count(line, []byte("|"))))
		g.child.begun.Store(ended)
	}
	return n, err
}

// The rest of runner.Runner.

func (c *child) Stderr() io.ReadCloser           { return c.stderr }
func (c *child) Name() string                    { return c.cmd.Path }
func (c *child) Diagnose(context.Context) string { return "" }

// ID must not be empty: go-plugin does not clean up after such a child.
func (c *child) ID() string { return "provider" }

func (c *child) PluginToHost(network, address string) (string, string, error) {
	return network, address, nil
}

func (c *child) HostToPlugin(network, address string) (string, string, error) {
	return network, address, nil
}
