package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/objchange/objchange/cmd/internal/command"
	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/conformance"
)

// A fault is the reason why a case has no valid answer.
type fault struct {
	verdict conformance.Verdict
	reason  string
}

// A process is a running adapter.
type process struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	limited *io.LimitedReader // limits the lines of out
	stderr  tail              // the end of its standard error
	ended   bool

	asked  bytes.Buffer
	writer *conformance.Writer
}

// grace is the time for which children of an ended process may keep its standard error open.
const grace = time.Second

// start starts an adapter in a process group of its own, which is killed with the adapter.
func start(args []string, codec conformance.Codec) (*process, error) {
	p := &process{cmd: exec.Command(args[0], args[1:]...)}
	p.writer = conformance.NewWriter(&p.asked, codec, false)
	p.cmd.Stderr, p.cmd.WaitDelay = &p.stderr, grace
	command.Group(p.cmd)
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.in, p.limited = in, &io.LimitedReader{R: out}
	p.out = bufio.NewReaderSize(p.limited, 64<<10)
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("the adapter cannot be started: %w", err)
	}
	return p, nil
}

// ask sends one case to the adapter. It returns either an answer or a fault. After a fault, the
// process has ended, unless the answer is for the case but invalid. It returns an error if the case
// cannot be written or the context ends.
func (p *process) ask(
	ctx context.Context, c *conformance.Case, codec conformance.Codec, timeout time.Duration,
) (o conformance.Outcome, f *fault, err error) {
	p.asked.Reset()
	if err := p.writer.Write(c); err != nil {
		return o, nil, err
	}
	defer context.AfterFunc(ctx, p.signal)()
	timer := time.AfterFunc(timeout, p.signal) // ends the following calls
	_, _ = p.in.Write(p.asked.Bytes())         // if it fails, there is no answer
	line, err := p.readLine()
	switch {
	case ctx.Err() != nil:
		return o, nil, ctx.Err()
	case !timer.Stop():
		return o, p.fault(conformance.VerdictSilent, fmt.Sprintf("there was no answer within %s", timeout)), nil
	case err == io.EOF:
		return o, p.fault(conformance.VerdictCrashed, p.crash(line)), nil
	case err != nil:
		return o, p.fault(conformance.VerdictMalformed, err.Error()+": "+quoted(line)), nil
	}
	o, f = p.answer(c, line, codec)
	return o, f, nil
}

// readLine returns the next line. It returns io.EOF after the process has ended, possibly with a
// part of a line.
func (p *process) readLine() ([]byte, error) {
	p.limited.N = conformance.LongestLine
	line, err := p.out.ReadBytes('\n')
	if err == nil {
		return line, nil
	}
	if p.limited.N <= 0 {
		return line, fmt.Errorf("a line of more than %d MB", conformance.LongestLine>>20)
	}
	p.wait()
	return line, io.EOF
}

// crash describes how the process ended, with the part of a line that it wrote.
func (p *process) crash(line []byte) string {
	how := "it ended with " + p.cmd.ProcessState.String()
	if len(line) > 0 {
		how += ", in the middle of a line: " + quoted(line)
	}
	return how
}

// answer parses the answer to the case. The reason of a fault shows the line only if it is not an
// answer to any case, because other lines may have values.
func (p *process) answer(c *conformance.Case, line []byte, codec conformance.Codec) (o conformance.Outcome, f *fault) {
	o, err := c.ParseAnswer(line, codec)
	id, op, unread := conformance.AnswerTo(line)
	switch {
	case unread != nil:
		return o, p.fault(conformance.VerdictMalformed, fmt.Sprintf("%s: %s", unread, quoted(line)))
	case id != c.ID || op != c.Op:
		return o, p.fault(conformance.VerdictMalformed, err.Error())
	case p.out.Buffered() > 0:
		return o, p.fault(conformance.VerdictMalformed, "the adapter wrote more than one line for it")
	case err != nil:
		return o, &fault{conformance.VerdictMalformed, err.Error()}
	}
	p.stderr.reset()
	return o, nil
}

// fault ends the process and returns a fault with the end of its standard error.
func (p *process) fault(v conformance.Verdict, reason string) *fault {
	p.kill()
	if stderr := p.stderr.String(); stderr != "" {
		reason += "\nits standard error ends in:\n" + stderr
	}
	return &fault{v, reason}
}

// signal kills the process group.
func (p *process) signal() { command.SignalGroup(p.cmd, os.Kill) }

// wait waits until the process ends, and kills its children.
func (p *process) wait() {
	if !p.ended {
		_ = p.cmd.Wait() // the process state has the exit status
		p.signal()
	}
	p.ended = true
}

// kill ends the process.
func (p *process) kill() {
	if !p.ended {
		p.signal()
	}
	p.wait()
}

// end closes the input of the process and waits until it ends. It returns a text that describes
// a problem, or "".
func (p *process) end(timeout time.Duration) (wrong string) {
	defer p.kill()
	_ = p.in.Close()
	timer := time.AfterFunc(timeout, p.signal)
	line, err := p.readLine()
	switch {
	case !timer.Stop():
		return fmt.Sprintf("the adapter did not exit within %s after the end of its input", timeout)
	case err != io.EOF || len(line) > 0:
		return "after its last answer, the adapter wrote more: " + quoted(line)
	case !p.cmd.ProcessState.Success():
		return "at the end of its input, the adapter ended with " + p.cmd.ProcessState.String()
	}
	return ""
}

// quoted returns the start of a line.
func quoted(line []byte) string {
	return short(string(bytes.TrimSuffix(line[:min(len(line), 4*longest)], []byte("\n"))))
}

// A tail keeps the end of the data that is written to it.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

// tailSize is the number of bytes of standard error that are shown.
const tailSize = 1000

// Write adds data and drops all but the end.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p...)
	t.kept = bytes.Clone(t.kept[max(len(t.kept)-tailSize, 0):])
	return len(p), nil
}

func (t *tail) reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = nil
}

// String returns the kept data in a form that is safe for terminals.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return words.Printable(strings.TrimSpace(string(t.kept)), "\n")
}
