package process

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// namespaces lists the sets of namespaces to start a process in, best first. A user namespace
// lets every user create the other namespaces, and removes the rights of root.
var namespaces = []uintptr{
	syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET | syscall.CLONE_NEWPID,
	syscall.CLONE_NEWNET | syscall.CLONE_NEWPID,
	0,
}

// start starts the process with all isolation that the system allows. The system kills the process
// when the thread that starts it ends. The thread also ends when this process ends, for any reason.
func (p *Process) start(isolated bool) (err error) {
	p.cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
	if !isolated {
		return p.cmd.Start()
	}
	command, gap := p.cmd, ""
	for _, flags := range namespaces {
		p.cmd = copyCommand(command)
		p.cmd.SysProcAttr.Cloneflags = flags
		if err = p.cmd.Start(); err == nil {
			break
		}
		gap = cmp.Or(gap, "no namespaces: "+reason(err))
	}
	if err != nil {
		return err
	}
	if p.cmd.SysProcAttr.Cloneflags != 0 {
		gap = ""
	}
	limits := ""
	if _, err := memoryOf(p.cmd.Process.Pid); err != nil {
		limits = err.Error()
	}
	p.Barriers = []Barrier{{"environment", ""}, {"network", gap}, {"processes", gap}, {"limits", limits}}
	go p.watch(memoryLimit)
	return nil
}

// copyCommand returns a copy of the command, because a command can be started only once.
func copyCommand(cmd *exec.Cmd) *exec.Cmd {
	return &exec.Cmd{
		Path: cmd.Path, Args: cmd.Args, Env: cmd.Env, Dir: cmd.Dir,
		Stdout: cmd.Stdout, Stderr: cmd.Stderr, SysProcAttr: cmd.SysProcAttr, WaitDelay: cmd.WaitDelay,
	}
}

// reason returns the error without its operation and path.
func reason(err error) string {
	if path := new(fs.PathError); errors.As(err, &path) {
		err = path.Err
	}
	return err.Error()
}

// watch stops the process if it uses more memory than the limit. It returns when the process has
// exited.
func (p *Process) watch(limit int64) {
	ticker := time.NewTicker(50 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-p.Gone:
			return
		case <-ticker.C:
		}
		if memory, _ := memoryOf(p.cmd.Process.Pid); memory > limit {
			p.Stop(fmt.Errorf("%w: %d MiB of memory, of %d MiB", ErrLimit, memory>>20, limit>>20), 0)
			return
		}
	}
}

// memoryOf returns the memory used by a process and its descendants.
func memoryOf(pid int) (memory int64, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	sizes := bytes.Fields(text)
	if err != nil || len(sizes) < 2 || string(sizes[1]) == "0" {
		return 0, err // it has exited
	}
	pages, err := strconv.ParseInt(string(sizes[1]), 10, 64)
	memory = pages * int64(os.Getpagesize())
	children, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, path := range children {
		text, _ := os.ReadFile(path) // no data if the thread has ended
		for _, child := range bytes.Fields(text) {
			pid, _ := strconv.Atoi(string(child))
			more, _ := memoryOf(pid)
			memory += more
		}
	}
	if len(children) == 0 && err == nil {
		err = errors.New("this kernel does not say which processes are children")
	}
	return memory, err
}
