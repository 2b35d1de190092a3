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

// An adapter is the adapter with its process, if it runs.
type adapter struct {
	command []string
	codec   conformance.Codec
	timeout time.Duration
	process *child
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

// ask sends a case to the adapter and returns its result. It starts a process if none runs. It
// returns an error if the adapter cannot be started, the case cannot be written, or the context ends.
func (a *adapter) ask(ctx context.Context, c *conformance.Case) (CaseResult, error) {
	if a.process == nil {
		p, err := start(ctx, a.command, a.codec)
		if err != nil {
			return CaseResult{}, err
		}
		a.process = p
	}
	p := a.process
	p.asked.Reset()
	if err := p.writer.Write(c); err != nil {
		return CaseResult{}, err
	}
	timer := time.AfterFunc(a.timeout, p.stop) // ends the following calls
	_, _ = p.in.Write(p.asked.Bytes())         // if it fails, there is no answer
	line, err := p.readLine()
	switch {
	case ctx.Err() != nil:
		return CaseResult{}, ctx.Err()
	case !timer.Stop():
		return a.failed(c, conformance.VerdictSilent, fmt.Sprintf("there was no answer within %s", a.timeout)), nil
	case err == io.EOF:
		return a.failed(c, conformance.VerdictCrashed, p.crash(line)), nil
	case err != nil:
		return a.failed(c, conformance.VerdictMalformed, err.Error()+": "+quoted(line)), nil
	}
	return a.answer(c, line), nil
}

// answer returns the result for the answer to the case. The reason of a malformed line shows the line
// only if it is not an answer to any case, because other lines may have values.
func (a *adapter) answer(c *conformance.Case, line []byte) CaseResult {
	got, err := c.ParseAnswer(line, a.codec)
	id, op, unread := conformance.AnswerTo(line)
	switch {
	case unread != nil:
		return a.failed(c, conformance.VerdictMalformed, fmt.Sprintf("%s: %s", unread, quoted(line)))
	case id != c.ID || op != c.Op:
		return a.failed(c, conformance.VerdictMalformed, err.Error())
	case a.process.out.Buffered() > 0:
		return a.failed(c, conformance.VerdictMalformed, "the adapter wrote more than one line for it")
	case err != nil:
		return wrong(c, conformance.VerdictMalformed, err.Error())
	}
	a.process.stderr.Reset()
	return compared(c, got)
}

// failed stops the adapter and returns the result of a case without an answer, with the end of the
// adapter's standard error.
func (a *adapter) failed(c *conformance.Case, v conformance.Verdict, reason string) CaseResult {
	p := a.process
	a.stop()
	if stderr := words.Printable(strings.TrimSpace(string(p.stderr.Bytes())), "\n"); stderr != "" {
		reason += "\nits standard error ends in:\n" + stderr
	}
	result := wrong(c, v, reason)
	result.fatal = true
	return result
}

// stop kills the process.
func (a *adapter) stop() {
	if a.process != nil {
		a.process.kill()
	}
	a.process = nil
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

// stop kills the process and does not wait.
func (p *child) stop() { p.process.Stop(nil, 0) }

// kill ends the process.
func (p *child) kill() {
	p.stop()
	<-p.process.Gone
	p.stdout.Close()
}

// end closes the input of the process, if it runs, and waits until it ends. It returns a text that
// describes a problem, or "".
func (a *adapter) end() (wrong string) {
	p := a.process
	if p == nil {
		return ""
	}
	defer a.stop()
	_ = p.in.Close()
	timer := time.AfterFunc(a.timeout, p.stop)
	line, err := p.readLine()
	switch {
	case !timer.Stop():
		return fmt.Sprintf("the adapter did not exit within %s after the end of its input", a.timeout)
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
