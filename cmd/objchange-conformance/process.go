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

// An adapter asks the adapter of the command line. Its process runs from the first case until a
// fault, and again from the next case on.
type adapter struct {
	o       *options
	process *process.Process // nil if it does not run
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

// start starts the process, which is killed if the context ends.
func (a *adapter) start(ctx context.Context) error {
	cmd := exec.Command(a.o.command[0], a.o.command[1:]...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, written, err := os.Pipe()
	if err != nil {
		return err
	}
	defer written.Close()
	a.stderr.Size = tailSize
	a.stderr.Reset()
	cmd.Stdout, cmd.Stderr = written, &a.stderr
	if a.process, err = process.Start(ctx, cmd, false); err != nil {
		out.Close()
		return fmt.Errorf("the adapter cannot be started: %w", err)
	}
	a.in, a.stdout, a.limited = in, out, &io.LimitedReader{R: out}
	a.out = bufio.NewReaderSize(a.limited, 64<<10)
	a.writer = conformance.NewWriter(&a.asked, a.o.codec, false)
	return nil
}

// ask sends a case to the adapter and returns its result. It returns an error if the adapter cannot be
// started, the case cannot be written, or the context ends.
func (a *adapter) ask(ctx context.Context, c *conformance.Case) (CaseResult, error) {
	if a.process == nil {
		if err := a.start(ctx); err != nil {
			return CaseResult{}, err
		}
	}
	a.asked.Reset()
	if err := a.writer.Write(c); err != nil {
		return CaseResult{}, err
	}
	timer := a.killLater()             // ends the following calls
	_, _ = a.in.Write(a.asked.Bytes()) // if it fails, there is no answer
	line, err := a.readLine()
	switch {
	case ctx.Err() != nil:
		return CaseResult{}, ctx.Err()
	case !timer.Stop():
		return a.failed(c, conformance.VerdictSilent, fmt.Sprintf("there was no answer within %s", a.o.timeout)), nil
	case err == io.EOF:
		return a.failed(c, conformance.VerdictCrashed, a.crash(line)), nil
	case err != nil:
		return a.failed(c, conformance.VerdictMalformed, err.Error()+": "+quoted(line)), nil
	}
	return a.answer(c, line), nil
}

// answer returns the result for the answer to the case. The reason of a malformed line shows the line
// only if it is not an answer to any case, because other lines may have values.
func (a *adapter) answer(c *conformance.Case, line []byte) CaseResult {
	got, err := c.ParseAnswer(line, a.o.codec)
	id, op, unread := conformance.AnswerTo(line)
	switch {
	case unread != nil:
		return a.failed(c, conformance.VerdictMalformed, fmt.Sprintf("%s: %s", unread, quoted(line)))
	case id != c.ID || op != c.Op:
		return a.failed(c, conformance.VerdictMalformed, err.Error())
	case a.out.Buffered() > 0:
		return a.failed(c, conformance.VerdictMalformed, "the adapter wrote more than one line for it")
	case err != nil:
		return newResult(c, conformance.VerdictMalformed, err.Error())
	}
	a.stderr.Reset()
	return compared(c, got)
}

// failed stops the adapter and returns the result of a case without an answer, with the end of the
// adapter's standard error.
func (a *adapter) failed(c *conformance.Case, v conformance.Verdict, reason string) CaseResult {
	a.stop()
	if stderr := words.Printable(strings.TrimSpace(string(a.stderr.Bytes())), "\n"); stderr != "" {
		reason += "\nits standard error ends in:\n" + stderr
	}
	result := newResult(c, v, reason)
	result.fatal = true
	return result
}

// killLater kills the process after the timeout.
func (a *adapter) killLater() *time.Timer {
	p := a.process
	return time.AfterFunc(a.o.timeout, func() { p.Stop(nil, 0) })
}

// stop ends the process, if it runs.
func (a *adapter) stop() {
	if a.process != nil {
		a.process.Stop(nil, 0)
		<-a.process.Gone
		a.stdout.Close()
	}
	a.process = nil
}

// readLine returns the next line. It returns io.EOF after the process has ended, possibly with a
// part of a line.
func (a *adapter) readLine() ([]byte, error) {
	a.limited.N = conformance.LongestLine
	line, err := a.out.ReadBytes('\n')
	if err == nil {
		return line, nil
	}
	if a.limited.N <= 0 {
		return line, fmt.Errorf("a line of more than %d MB", conformance.LongestLine>>20)
	}
	<-a.process.Gone
	return line, io.EOF
}

// crash describes how the process ended, with the part of a line that it wrote.
func (a *adapter) crash(line []byte) string {
	how := "it ended with " + a.process.State().String()
	if len(line) > 0 {
		how += ", in the middle of a line: " + quoted(line)
	}
	return how
}

// quoted returns the start of a line.
func quoted(line []byte) string {
	return short(string(bytes.TrimSuffix(line[:min(len(line), 4*longest)], []byte("\n"))))
}
