package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
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
	out     *io.PipeReader
	replies chan reply
	quit    chan struct{} // closed when replies are no longer received
	done    chan struct{} // closed when the process has ended
	stderr  tail          // the end of its standard error
	dead    bool          // the process was killed

	asked  bytes.Buffer
	writer *conformance.Writer
}

// grace is the time for which children of an ended process may keep its output open.
const grace = time.Second

// start starts an adapter in a process group of its own, which is killed with the adapter.
func start(args []string, codec conformance.Codec) (*process, error) {
	p := &process{
		cmd:     exec.Command(args[0], args[1:]...),
		replies: make(chan reply), quit: make(chan struct{}), done: make(chan struct{}),
	}
	p.writer = conformance.NewWriter(&p.asked, codec, false)
	out, stdout := io.Pipe()
	p.out, p.cmd.Stdout, p.cmd.Stderr = out, stdout, &p.stderr
	p.cmd.WaitDelay = grace
	command.Group(p.cmd)
	var err error
	if p.in, err = p.cmd.StdinPipe(); err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("the adapter cannot be started: %w", err)
	}
	go p.read()
	go func() {
		_ = p.cmd.Wait() // the process state has the exit status
		close(p.done)
		_ = stdout.Close()
	}()
	return p, nil
}

// A reply is a line from the adapter, or the error that ended its output.
type reply struct {
	line []byte
	more bool // more output follows
	err  error
}

var errLong = fmt.Errorf("a line of more than %d MB", conformance.LongestLine>>20)

// read sends the lines of the adapter to replies, up to the first error. The error is io.EOF at
// the end of the output, and io.ErrUnexpectedEOF if the output ends inside a line.
func (p *process) read() {
	limited := &io.LimitedReader{R: p.out}
	r := bufio.NewReaderSize(limited, 64<<10)
	for {
		limited.N = conformance.LongestLine
		line, err := r.ReadBytes('\n')
		switch {
		case err != nil && limited.N <= 0:
			err = errLong
		case err != nil && len(line) > 0:
			err = io.ErrUnexpectedEOF
		}
		select {
		case p.replies <- reply{line, r.Buffered() > 0, err}:
		case <-p.quit:
			return
		}
		if err != nil {
			return
		}
	}
}

// ask sends one case to the adapter. It returns either an answer or a fault. It returns an
// error if the case cannot be written or the context ends.
func (p *process) ask(ctx context.Context, c *conformance.Case, codec conformance.Codec, timeout time.Duration) (o conformance.Outcome, f *fault, err error) {
	select {
	case r := <-p.replies:
		return o, p.broken(r, errors.New("it writes a line before it got a case")), nil
	default:
	}
	p.asked.Reset()
	if err := p.writer.Write(c); err != nil {
		return o, nil, err
	}
	go func(text []byte) { _, _ = p.in.Write(text) }(bytes.Clone(p.asked.Bytes())) // returns at the latest when the process ends
	select {
	case <-ctx.Done():
		return o, nil, ctx.Err()
	case <-time.After(timeout):
		return o, p.fault(conformance.VerdictSilent, fmt.Sprintf("there was no answer within %s", timeout)), nil
	case r := <-p.replies:
		o, f = p.answer(c, r, codec)
		return o, f, nil
	}
}

// answer parses the answer to the case. If the answer is for the case but invalid, the process
// keeps running. After any other fault, the process has ended.
func (p *process) answer(c *conformance.Case, r reply, codec conformance.Codec) (o conformance.Outcome, f *fault) {
	var err error
	if r.err == nil {
		o, err = c.ParseAnswer(r.line, codec)
	}
	id, op, unread := conformance.AnswerTo(r.line)
	switch {
	case r.err != nil || unread != nil || id != c.ID || op != c.Op:
		return o, p.broken(r, err)
	case r.more:
		return o, p.fault(conformance.VerdictMalformed, "the adapter wrote more than one line for it")
	case err != nil:
		return o, &fault{conformance.VerdictMalformed, err.Error()}
	}
	p.stderr.reset()
	return o, nil
}

// broken returns the fault for an invalid reply, with the reason wrong. It shows the line only
// if it is not an answer to any case, because other lines may have values.
func (p *process) broken(r reply, wrong error) *fault {
	_, _, unread := conformance.AnswerTo(r.line)
	switch {
	case errors.Is(r.err, errLong):
		return p.fault(conformance.VerdictMalformed, errLong.Error()+": "+quoted(r.line))
	case r.err != nil:
		<-p.done // its output is closed, so it ends
		how := "it ended with " + p.cmd.ProcessState.String()
		if r.err == io.ErrUnexpectedEOF {
			how += ", in the middle of a line: " + quoted(r.line)
		}
		return p.fault(conformance.VerdictCrashed, how)
	case unread != nil:
		return p.fault(conformance.VerdictMalformed, fmt.Sprintf("%s: %s", unread, quoted(r.line)))
	}
	return p.fault(conformance.VerdictMalformed, wrong.Error())
}

// fault kills the process and returns a fault with the end of its standard error.
func (p *process) fault(v conformance.Verdict, reason string) *fault {
	p.kill()
	if stderr := p.stderr.String(); stderr != "" {
		reason += "\nits standard error ends in:\n" + stderr
	}
	return &fault{v, reason}
}

// kill ends the process and its process group.
func (p *process) kill() {
	if p.dead {
		return
	}
	p.dead = true
	close(p.quit)
	command.SignalGroup(p.cmd, os.Kill)
	_ = p.out.Close()
	<-p.done
}

// end closes the input of the process and waits until it ends. It returns a text that describes
// a problem, or "".
func (p *process) end(timeout time.Duration) (wrong string) {
	defer p.kill()
	_ = p.in.Close()
	select {
	case <-time.After(timeout):
		return fmt.Sprintf("the adapter did not exit within %s after the end of its input", timeout)
	case r := <-p.replies:
		if r.err != io.EOF {
			return "after its last answer, the adapter wrote more: " + quoted(r.line)
		}
	}
	<-p.done
	if !p.cmd.ProcessState.Success() {
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
