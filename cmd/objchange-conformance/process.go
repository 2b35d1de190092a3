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
	"time"

	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/conformance"
	"github.com/objchange/objchange/internal/process"
)

// A fault is the reason why a case has no valid answer.
type fault struct {
	verdict conformance.Verdict
	reason  string
	fatal   bool // the process has ended
}

// A child is the process of an adapter.
type child struct {
	process *process.Process
	in      io.WriteCloser
	stdout  *os.File
	out     *bufio.Reader     // of stdout
	limited *io.LimitedReader // limits the lines of out
	stderr  process.Tail

	asked  bytes.Buffer
	writer *conformance.Writer
}

// tailSize is the number of bytes of standard error that are shown.
const tailSize = 1000

// start starts an adapter, which is killed if the context ends.
func start(ctx context.Context, args []string, codec conformance.Codec) (*child, error) {
	c := &child{stderr: process.Tail{Size: tailSize}}
	c.writer = conformance.NewWriter(&c.asked, codec, false)
	cmd := exec.Command(args[0], args[1:]...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, written, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer written.Close()
	cmd.Stdout, cmd.Stderr = written, &c.stderr
	c.in, c.stdout, c.limited = in, out, &io.LimitedReader{R: out}
	c.out = bufio.NewReaderSize(c.limited, 64<<10)
	if c.process, err = process.Start(ctx, cmd, false); err != nil {
		out.Close()
		return nil, fmt.Errorf("the adapter cannot be started: %w", err)
	}
	return c, nil
}

// ask sends one case to the adapter. It returns either an answer or a fault. After a fault, the
// process has ended, unless the answer is for the case but invalid. It returns an error if the case
// cannot be written or the context ends.
func (p *child) ask(
	ctx context.Context, c *conformance.Case, codec conformance.Codec, timeout time.Duration,
) (o conformance.Outcome, f *fault, err error) {
	p.asked.Reset()
	if err := p.writer.Write(c); err != nil {
		return o, nil, err
	}
	timer := time.AfterFunc(timeout, p.stop) // ends the following calls
	_, _ = p.in.Write(p.asked.Bytes())       // if it fails, there is no answer
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
func (p *child) readLine() ([]byte, error) {
	p.limited.N = conformance.LongestLine
	line, err := p.out.ReadBytes('\n')
	if err == nil {
		return line, nil
	}
	if p.limited.N <= 0 {
		return line, fmt.Errorf("a line of more than %d MB", conformance.LongestLine>>20)
	}
	<-p.process.Gone
	return line, io.EOF
}

// crash describes how the process ended, with the part of a line that it wrote.
func (p *child) crash(line []byte) string {
	how := "it ended with " + p.process.State().String()
	if len(line) > 0 {
		how += ", in the middle of a line: " + quoted(line)
	}
	return how
}

// answer parses the answer to the case. The reason of a fault shows the line only if it is not an
// answer to any case, because other lines may have values.
func (p *child) answer(c *conformance.Case, line []byte, codec conformance.Codec) (o conformance.Outcome, f *fault) {
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
		return o, &fault{conformance.VerdictMalformed, err.Error(), false}
	}
	p.stderr.Reset()
	return o, nil
}

// fault ends the process and returns a fault with the end of its standard error.
func (p *child) fault(v conformance.Verdict, reason string) *fault {
	p.kill()
	if stderr := words.Printable(strings.TrimSpace(string(p.stderr.Bytes())), "\n"); stderr != "" {
		reason += "\nits standard error ends in:\n" + stderr
	}
	return &fault{v, reason, true}
}

// stop kills the process and does not wait.
func (p *child) stop() { p.process.Stop(nil, 0) }

// kill ends the process.
func (p *child) kill() {
	p.stop()
	<-p.process.Gone
	p.stdout.Close()
}

// end closes the input of the process and waits until it ends. It returns a text that describes
// a problem, or "".
func (p *child) end(timeout time.Duration) (wrong string) {
	defer p.kill()
	_ = p.in.Close()
	timer := time.AfterFunc(timeout, p.stop)
	line, err := p.readLine()
	switch {
	case !timer.Stop():
		return fmt.Sprintf("the adapter did not exit within %s after the end of its input", timeout)
	case err != io.EOF || len(line) > 0:
		return "after its last answer, the adapter wrote more: " + quoted(line)
	case !p.process.State().Success():
		return "at the end of its input, the adapter ended with " + p.process.State().String()
	}
	return ""
}

// quoted returns the start of a line.
func quoted(line []byte) string {
	return short(string(bytes.TrimSuffix(line[:min(len(line), 4*longest)], []byte("\n"))))
}
