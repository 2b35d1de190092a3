package driver

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// ErrLimit matches, with errors.Is, the error for a provider or a command that was stopped
// because it exceeded one of its Limits.
var ErrLimit = errors.New("it exceeded a limit")

// Limits restricts the resources of a process and its descendants. Zero selects the default,
// given below.
type Limits struct {
	Memory int64 // resident bytes in total; 2 GiB
	Output int64 // bytes on stdout and stderr in total; 256 MiB
}

// Isolated starts the provider with these restrictions:
//
//   - Its environment contains only PATH of this process's variables, and on Windows the
//     variables that every program needs. The proxy variables point to an address that cannot be
//     reached. WithEnv adds variables.
//   - HOME, the directory for temporary files and, without WithDir, the working directory are in
//     a new directory. Close removes it.
//   - On Linux it has no network, not even a loopback interface. It can still connect to Unix
//     sockets in the file system. It must serve on a Unix socket, as all providers that use
//     go-plugin do.
//   - On Linux it cannot send signals to other processes. The processes that it starts end with
//     it.
//   - A provider that exceeds a limit is stopped, and errors then match ErrLimit. Output is
//     limited on all systems, memory only on Linux.
//
// Files are not isolated: the provider can read and change all files that this process can read
// and change.
//
// If the system does not support a restriction, the provider starts without it, and Isolation
// reports that. The context of a request limits its time. Close stops a provider that hangs.
func Isolated(limits Limits) LaunchOption {
	return func(c *launchConfig) { c.limits = limits.orDefault() }
}

func (l Limits) orDefault() *Limits {
	l.Memory = cmp.Or(l.Memory, 2<<30)
	l.Output = cmp.Or(l.Output, 256<<20)
	return &l
}

// A Barrier is one restriction of an isolated process.
type Barrier struct {
	Name string `json:"name"`          // environment, network, processes or limits
	Gap  string `json:"gap,omitempty"` // why it is not in effect; empty if it is
}

// String returns whether the barrier is in effect, such as "network: isolated".
func (b Barrier) String() string {
	if b.Gap != "" {
		return b.Name + ": not isolated: " + b.Gap
	}
	return b.Name + ": isolated"
}

// Isolation returns the barriers of this provider, always in the same order. Isolated describes
// them. It returns nil for a provider that is not isolated.
func (p *Plugin) Isolation() []Barrier { return p.child.barriers }

// isolate prepares an environment and directories for the process, which is not started yet.
func (c *child) isolate(config launchConfig) {
	c.limits = config.limits
	if c.cmd.Err != nil {
		return
	}
	scratch, err := os.MkdirTemp("", "objchange-")
	if err != nil {
		c.cmd.Err = err
		return
	}
	c.scratch = scratch
	home, temp, work := filepath.Join(scratch, "home"), filepath.Join(scratch, "tmp"), filepath.Join(scratch, "work")
	c.cmd.Err = errors.Join(os.Mkdir(home, 0o700), os.Mkdir(temp, 0o700), os.Mkdir(work, 0o700))
	c.cmd.Env = append(isolatedEnv(home, temp, config.limits.Memory), config.env...)
	if config.dir != "" {
		return
	}
	c.cmd.Dir = work
	path, err := filepath.Abs(c.cmd.Path) // relative to this process, as without isolation
	c.cmd.Path, c.cmd.Err = path, errors.Join(c.cmd.Err, err)
}

// isolatedEnv returns an environment without credentials.
func isolatedEnv(home, temp string, memory int64) (env []string) {
	for _, name := range []string{"PATH", "SystemRoot", "SystemDrive", "windir", "ComSpec", "PATHEXT"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	const nowhere = "http://127.0.0.1:0" // nothing can listen on that port
	return append(env,
		"HOME="+home, "USERPROFILE="+home, "APPDATA="+home, "LOCALAPPDATA="+home,
		"TMPDIR="+temp, "TMP="+temp, "TEMP="+temp,
		"HTTP_PROXY="+nowhere, "HTTPS_PROXY="+nowhere, "ALL_PROXY="+nowhere,
		"http_proxy="+nowhere, "https_proxy="+nowhere, "all_proxy="+nowhere,
		"USER=nobody", "LOGNAME=nobody", "USERNAME=nobody",
		"GOMEMLIMIT="+strconv.FormatInt(memory/4*3, 10), // makes Go collect more garbage before the limit is reached
	)
}

// exceeded stops the process because of a limit.
func (c *child) exceeded(format string, args ...any) {
	c.abort(fmt.Errorf("%w: %s", ErrLimit, fmt.Sprintf(format, args...)))
}

// wrote counts output, and stops the process if it exceeds the limit.
func (c *child) wrote(n int) {
	if c.limits == nil {
		return
	}
	if before := c.output.Add(int64(n)) - int64(n); before <= c.limits.Output && before+int64(n) > c.limits.Output {
		go c.exceeded("more than %d bytes of output", c.limits.Output)
	}
}

// A meter counts the written bytes as output of the child.
type meter struct {
	io.Writer
	child *child
}

func (m meter) Write(p []byte) (int, error) {
	m.child.wrote(len(p))
	return m.Writer.Write(p)
}

// clean removes the directory of a process that has exited.
func (c *child) clean() error {
	if c.scratch == "" || os.RemoveAll(c.scratch) == nil {
		return nil
	}
	_ = filepath.WalkDir(c.scratch, func(path string, entry fs.DirEntry, _ error) error {
		if entry != nil && entry.IsDir() {
			_ = os.Chmod(path, 0o700) // RemoveAll reports the error
		}
		return nil
	})
	return os.RemoveAll(c.scratch)
}
