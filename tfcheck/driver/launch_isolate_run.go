package driver

import (
	"cmp"
	"context"
	"io"
	"os/exec"
)

// RunIsolated runs a command with the isolation that Isolated describes, and returns when it has
// exited. The command must not be started yet. Its Env is added to the isolated environment. Its
// Stdout and Stderr are used, but not its Stdin.
//
// The barriers are nil if the command was not started. The error is an *exec.ExitError for an
// exit status other than 0. It matches ErrLimit if the command was stopped because of a limit. It
// wraps the cause of the context if the command was stopped because the context ended.
func RunIsolated(ctx context.Context, command *exec.Cmd, limits Limits) (barriers []Barrier, err error) {
	config := launchConfig{env: command.Env, dir: command.Dir, limits: limits.orDefault()}
	c := childOf(command, config)
	defer func() { err = cmp.Or(err, c.clean()) }()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	c.abort = cancel
	command.Stdout, command.Stderr = c.metered(command.Stdout), c.metered(command.Stderr)
	command.WaitDelay = drainGrace
	started := make(chan error)
	go c.startAndWait(started)
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

// metered returns a writer that counts the bytes. It discards them if w is nil.
func (c *child) metered(w io.Writer) io.Writer {
	if w == nil {
		w = io.Discard
	}
	return meter{w, c}
}
