//go:build !wasm

package driver

import (
	"cmp"
	"context"
	"io"
	"os/exec"
)

// RunIsolated runs a command as Isolated starts a provider, and returns when it has ended. The
// command must not be started yet. Its Env is added to the isolated environment, and it can also
// write in its Dir, if that is set. Stdout and Stderr are used, and Stdin is not.
//
// The barriers are nil if the command was not started. The error is an *exec.ExitError for another
// exit status than 0. It matches ErrLimit if the command was ended because of a limit, and wraps the
// cause of the context if it was ended because of that.
func RunIsolated(ctx context.Context, command *exec.Cmd, limits Limits) (barriers []Barrier, err error) {
	config := launchConfig{env: command.Env, dir: command.Dir, limits: limits.orDefault()}
	c := childOf(command, config)
	defer func() { err = cmp.Or(err, c.clean()) }()
	if config.dir != "" {
		c.writable = []string{config.dir}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	c.abort = cancel
	command.Stdout, command.Stderr = c.metered(command.Stdout), c.metered(command.Stderr)
	command.WaitDelay = drainGrace
	started := make(chan error)
	go c.live(started)
	if err := <-started; err != nil {
		return nil, err
	}
	detach := context.AfterFunc(ctx, c.kill)
	<-c.gone
	if !detach() {
		return c.barriers, context.Cause(ctx)
	}
	if !c.cmd.ProcessState.Success() {
		return c.barriers, &exec.ExitError{ProcessState: c.cmd.ProcessState}
	}
	return c.barriers, nil
}

// metered returns the writer, or one that discards, which counts what is written.
func (c *child) metered(w io.Writer) io.Writer {
	if w == nil {
		w = io.Discard
	}
	return meter{w, c}
}
