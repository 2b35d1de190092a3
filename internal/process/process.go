// Package process runs programs that end together with this process, and isolates them.
package process

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// drainGrace is the time for which the output of a process is still read after it has exited.
// Without a limit, a process that it has started could keep the output open indefinitely.
const drainGrace = time.Second

// A Process is a started program. It is safe for concurrent use.
type Process struct {
	Barriers []Barrier     // nil if the process is not isolated
	Gone     chan struct{} // closed when the process has exited and its output is read

	cmd     *exec.Cmd
	scratch string       // the directory of an isolated process
	failed  error        // scratch cannot be removed; valid after Gone
	written atomic.Int64 // bytes of output

	mu     sync.Mutex
	reason error // of the first Stop
}

// Start starts a command in a process group of its own. The process is killed if the context ends,
// and on Linux if this process ends. Its descendants end with it: the processes of the group, and
// all of them if it is isolated.
func Start(ctx context.Context, cmd *exec.Cmd, isolated bool) (*Process, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	Group(cmd)
	cmd.WaitDelay = drainGrace
	p := &Process{cmd: cmd, Gone: make(chan struct{})}
	if isolated {
		p.measure()
		if err := p.isolate(); err != nil {
			return nil, errors.Join(err, p.clean())
		}
	}
	started := make(chan error)
	go p.run(isolated, started)
	if err := <-started; err != nil {
		return nil, errors.Join(err, p.clean())
	}
	detach := context.AfterFunc(ctx, func() { p.Stop(context.Cause(ctx), 0) })
	go func() {
		<-p.Gone
		detach()
	}()
	return p, nil
}

// run starts the process and returns when it has exited. Until then it keeps its thread, because the
// system treats the thread as the parent.
func (p *Process) run(isolated bool, started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.start(isolated)
	started <- err
	if err != nil {
		return
	}
	_ = p.cmd.Wait()            // the result is in ProcessState
	SignalGroup(p.cmd, os.Kill) // the processes that the process has started
	p.failed = p.clean()
	close(p.Gone)
}

// Stop kills the process after the grace, unless it has exited by then. It does not wait.
func (p *Process) Stop(reason error, grace time.Duration) {
	p.mu.Lock()
	if p.reason == nil && !p.gone() {
		p.reason = reason
	}
	p.mu.Unlock()
	kill := func() {
		if !p.gone() {
			SignalGroup(p.cmd, os.Kill)
		}
	}
	if grace <= 0 {
		kill()
	} else {
		time.AfterFunc(grace, kill)
	}
}

func (p *Process) gone() bool {
	select {
	case <-p.Gone:
		return true
	default:
		return false
	}
}

// Stopped returns the reason of the first Stop before the process had exited, or nil.
func (p *Process) Stopped() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.reason
}

// State returns the state of a process that is gone.
func (p *Process) State() *os.ProcessState { return p.cmd.ProcessState }

// Run runs an isolated command, and returns when it has exited. The barriers are nil if the command
// was not started. The error is an *exec.ExitError for an exit status other than 0, and the reason
// if the process was stopped.
func Run(ctx context.Context, cmd *exec.Cmd) ([]Barrier, error) {
	p, err := Start(ctx, cmd, true)
	if err != nil {
		return nil, err
	}
	<-p.Gone
	switch {
	case p.Stopped() != nil:
		err = p.Stopped()
	case !p.State().Success():
		err = &exec.ExitError{ProcessState: p.State()}
	}
	return p.Barriers, errors.Join(err, p.failed)
}

// Failed returns an error if the directory of an isolated process that is gone cannot be removed.
func (p *Process) Failed() error { return p.failed }

// clean removes the directory of a process that has exited.
func (p *Process) clean() error {
	if p.scratch == "" {
		return nil
	}
	if err := os.RemoveAll(p.scratch); err == nil {
		return nil
	}
	_ = filepath.WalkDir(p.scratch, func(path string, entry fs.DirEntry, _ error) error {
		if entry != nil && entry.IsDir() {
			_ = os.Chmod(path, 0o700) // RemoveAll reports the error
		}
		return nil
	})
	return os.RemoveAll(p.scratch)
}
