package driver

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// namespaces lists the sets of namespaces to start a process in, best first. A user namespace
// lets every user create the other namespaces, and removes the rights of root.
var namespaces = []uintptr{
	unix.CLONE_NEWUSER | unix.CLONE_NEWNET | unix.CLONE_NEWPID,
	unix.CLONE_NEWNET | unix.CLONE_NEWPID,
	0,
}

// startIsolated starts the process with all isolation that the system allows. It restricts the
// calling thread, and the process inherits the restrictions. The thread must not run anything
// else afterwards.
func (c *child) startIsolated() (err error) {
	tcp, files := c.restrict()
	first, missing := c.cmd, ""
	for _, flags := range namespaces {
		c.cmd = copyCommand(first)
		attr := *first.SysProcAttr
		attr.Cloneflags = flags
		c.cmd.SysProcAttr = &attr
		if err = c.cmd.Start(); err == nil {
			break
		}
		if missing == "" {
			missing = "no namespaces: " + reason(err)
		}
	}
	if err != nil {
		return err
	}
	if c.cmd.SysProcAttr.Cloneflags != 0 {
		missing = ""
	}
	network := missing
	if missing != "" && tcp {
		network = "only TCP is blocked: " + missing
	}
	c.barriers = []Barrier{{"environment", ""}, {"files", files}, {"network", network}, {"processes", missing}, {"limits", c.limit()}}
	return nil
}

// copyCommand returns a copy of the command, because a command can be started only once.
func copyCommand(cmd *exec.Cmd) *exec.Cmd {
	return &exec.Cmd{
		Path: cmd.Path, Args: cmd.Args, Env: cmd.Env, Dir: cmd.Dir, Err: cmd.Err,
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

// restrict prevents the calling thread and its processes from writing outside of the directories
// of the process. If tcp is true, they cannot use TCP either. gap says why writing is still
// possible.
func (c *child) restrict() (tcp bool, gap string) {
	version, err := landlock(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if err != nil {
		return false, "no Landlock: " + err.Error()
	}
	// The rights depend on the version of Landlock. Older kernels reject newer rights.
	const reads = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	rights := unix.LandlockRulesetAttr{Access_fs: (unix.LANDLOCK_ACCESS_FS_MAKE_SYM<<1 - 1) &^ reads}
	if version >= 2 {
		rights.Access_fs |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if version >= 3 {
		rights.Access_fs |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	} else {
		gap = fmt.Sprintf("Landlock of version %d, not 3: files can be truncated", version)
	}
	if version >= 4 {
		rights.Access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	}
	if version >= 5 {
		rights.Access_fs |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	rules, err := landlock(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&rights)), unsafe.Sizeof(rights), 0)
	if err == nil {
		defer unix.Close(int(rules))
		err = errors.Join(
			allow(rules, c.scratch, rights.Access_fs),
			allow(rules, os.DevNull, unix.LANDLOCK_ACCESS_FS_WRITE_FILE),
			unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0),
		)
		for _, folder := range c.writable {
			err = errors.Join(err, allow(rules, folder, rights.Access_fs))
		}
	}
	if err == nil {
		_, err = landlock(unix.SYS_LANDLOCK_RESTRICT_SELF, rules, 0, 0)
	}
	if err != nil {
		return false, "no Landlock: " + err.Error()
	}
	return version >= 4, gap
}

func landlock(call, a, b, c uintptr) (uintptr, error) {
	r, _, errno := unix.Syscall(call, a, b, c)
	if errno != 0 {
		return 0, errno
	}
	return r, nil
}

// allow adds a rule that allows the rights in the directory, or for the file.
func allow(rules uintptr, path string, rights uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	rule := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(fd)}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, rules, unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}

// limit limits the running process, or returns the reason why it cannot.
func (c *child) limit() (gap string) {
	size := unix.Rlimit{Cur: uint64(c.limits.FileSize), Max: uint64(c.limits.FileSize)}
	err := unix.Prlimit(c.cmd.Process.Pid, unix.RLIMIT_FSIZE, &size, nil)
	if _, _, failed := usage(c.cmd.Process.Pid); err == nil {
		err = failed
	}
	go c.watch()
	if err != nil {
		return err.Error()
	}
	return ""
}

// watchInterval is the time between two checks of the used resources.
const watchInterval = 50 * time.Millisecond

// watch stops the process if it exceeds a limit. It returns when the process has exited.
func (c *child) watch() {
	ticker := time.NewTicker(watchInterval)
	defer ticker.Stop()
	for {
		select {
		case <-c.gone:
			return
		case <-ticker.C:
		}
		switch memory, processes, _ := usage(c.cmd.Process.Pid); {
		case memory > c.limits.Memory:
			c.exceeded("%d MiB of memory, of %d MiB", memory>>20, c.limits.Memory>>20)
			return
		case processes > c.limits.Processes:
			c.exceeded("%d processes, of %d", processes, c.limits.Processes)
			return
		}
	}
}

// usage returns the memory used by a process and its descendants, and their number.
func usage(pid int) (memory int64, count int, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	sizes := bytes.Fields(text)
	if err != nil || len(sizes) < 2 || string(sizes[1]) == "0" {
		return 0, 0, err // it has exited
	}
	pages, err := strconv.ParseInt(string(sizes[1]), 10, 64)
	memory, count = pages*int64(os.Getpagesize()), 1
	children, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, path := range children {
		text, _ := os.ReadFile(path) // no data if the thread has ended
		for _, child := range bytes.Fields(text) {
			pid, _ := strconv.Atoi(string(child))
			more, others, _ := usage(pid)
			memory, count = memory+more, count+others
		}
	}
	if len(children) == 0 && err == nil {
		err = errors.New("this kernel does not say which processes are children")
	}
	return memory, count, err
}
