package driver

import (
	"context"
	"io"
	"os/exec"
	"strings"

	"github.com/objchange/objchange/tfcheck/internal/process"
)

// A runner starts the process of a provider for go-plugin. It implements go-plugin's runner.Runner.
type runner struct {
	ctx      context.Context // of the process
	cmd      *exec.Cmd
	isolated bool
	stdout   *io.PipeReader
	process  *process.Process // nil if it was not started
}

// Start starts the process.
func (r *runner) Start(context.Context) error {
	stdout, written := io.Pipe()
	r.stdout, r.cmd.Stdout = stdout, written
	started, err := process.Start(r.ctx, r.cmd, r.isolated)
	if err != nil {
		return err
	}
	r.process = started
	go func() {
		<-started.Gone
		written.Close()
	}()
	return nil
}

// Wait returns when the process has exited.
func (r *runner) Wait(context.Context) error {
	<-r.process.Gone
	return nil
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
