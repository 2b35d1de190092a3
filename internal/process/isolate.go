package process

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
)

// ErrLimit matches, with errors.Is, the error for an isolated process that was stopped because it
// used too much memory, or wrote too much output.
var ErrLimit = errors.New("it exceeded a limit")

// memoryLimit is the limit of the resident bytes of an isolated process and its descendants.
var memoryLimit int64 = 2 << 30

// outputLimit is the limit of the bytes that an isolated process writes to its output. Output to a
// file or to a pipe of the system does not count, because it takes no memory of this process.
const outputLimit = 256 << 20

// A meter forwards the output of an isolated process, until the process exceeds the limit.
type meter struct {
	p  *Process
	to io.Writer
}

func (m *meter) Write(text []byte) (int, error) {
	if m.p.written.Add(int64(len(text))) > outputLimit {
		m.p.Stop(fmt.Errorf("%w: more than %d MiB of output", ErrLimit, outputLimit>>20), 0)
		return len(text), nil
	}
	return m.to.Write(text)
}

// measure limits the output of the command.
func (p *Process) measure() {
	same := p.cmd.Stdout == p.cmd.Stderr
	p.cmd.Stdout = p.limited(p.cmd.Stdout)
	if same {
		p.cmd.Stderr = p.cmd.Stdout // exec.Cmd does not write to it concurrently then
	} else {
		p.cmd.Stderr = p.limited(p.cmd.Stderr)
	}
}

// limited returns a meter, or the writer itself if it is nil or a file.
func (p *Process) limited(to io.Writer) io.Writer {
	if _, file := to.(*os.File); file || to == nil {
		return to
	}
	return &meter{p, to}
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

// isolate prepares the environment and directories of the process, which is not started yet.
func (p *Process) isolate() (err error) {
	if p.cmd.Err != nil {
		return p.cmd.Err
	}
	if p.scratch, err = os.MkdirTemp("", "objchange-"); err != nil {
		return err
	}
	home, temp, work := filepath.Join(p.scratch, "home"), filepath.Join(p.scratch, "tmp"), filepath.Join(p.scratch, "work")
	if err := errors.Join(os.Mkdir(home, 0o700), os.Mkdir(temp, 0o700), os.Mkdir(work, 0o700)); err != nil {
		return err
	}
	// Explore uses the file where an argument must name one.
	if err := os.WriteFile(filepath.Join(work, "example.txt"), []byte("example\n"), 0o600); err != nil {
		return err
	}
	p.cmd.Env = append(environment(home, temp), p.cmd.Env...)
	if p.cmd.Dir == "" {
		p.cmd.Dir = work
		p.cmd.Path, err = filepath.Abs(p.cmd.Path) // relative to this process, as without isolation
	}
	return err
}

// environment returns an environment without credentials.
func environment(home, temp string) (env []string) {
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
		"GOMEMLIMIT="+strconv.FormatInt(memoryLimit/4*3, 10), // makes Go collect more garbage before the limit is reached
	)
}
