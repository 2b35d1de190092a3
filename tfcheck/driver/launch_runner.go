package driver

import (
	"context"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/objchange/objchange/internal/process"
)

// A runner starts the process of a provider for go-plugin. It implements go-plugin's runner.Runner.
type runner struct {
	ctx      context.Context // of the process
	cmd      *exec.Cmd
	isolated bool
	stdout   *os.File
	process  *process.Process // nil if it was not started
}

// Start starts the process. Its output is a pipe of the system, because the process must be able to
// exit even if go-plugin does not read all of it.
func (r *runner) Start(context.Context) error {
	stdout, written, err := os.Pipe()
	if err != nil {
		return err
	}
	defer written.Close()
	r.stdout, r.cmd.Stdout = stdout, written
	if r.process, err = process.Start(r.ctx, r.cmd, r.isolated); err != nil {
		stdout.Close()
		return err
	}
	go func() {
		<-r.process.Gone
		_ = stdout.SetReadDeadline(time.Now().Add(time.Second)) // another process may keep it open
	}()
	return nil
}

// Wait returns when the process has exited. go-plugin calls it after it has read the output.
func (r *runner) Wait(context.Context) error {
	<-r.process.Gone
	return r.stdout.Close()
}

// Kill kills the process and its children, if it was started, and does not wait.
func (r *runner) Kill(context.Context) error {
	if r.process != nil {
		r.process.Stop(errNotStarted, 0)
	}
	return nil
}

// Stdout returns the output with the handshake.
func (r *runner) Stdout() io.ReadCloser { return r.stdout }

// Stderr returns no output, because the process writes it to the tail.
func (r *runner) Stderr() io.ReadCloser { return io.NopCloser(strings.NewReader("")) }

func (r *runner) Name() string                    { return r.cmd.Path }
func (r *runner) Diagnose(context.Context) string { return "" }

// ID must not be empty, because go-plugin does not clean up a runner without an ID.
func (r *runner) ID() string { return "provider" }

func (r *runner) PluginToHost(network, address string) (string, string, error) {
	return network, address, nil
}

func (r *runner) HostToPlugin(network, address string) (string, string, error) {
	return network, address, nil
}
