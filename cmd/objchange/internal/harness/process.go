package harness

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

	"github.com/objchange/objchange/cmd/objchange/internal/command"
	"github.com/objchange/objchange/cmd/objchange/internal/words"
	"github.com/objchange/objchange/conformance"
)

// A fault is why there is no answer.
type fault struct {
	verdict conformance.Verdict
	reason  string
	before  bool // it is of the case before: it was answered twice
	inStep  bool // it is an answer, but to be of no use: the process can go on
}

// A process is a running adapter.
type process struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *os.File
	replies chan reply
	quit    chan struct{} // closed when nobody reads replies any more
	done    chan struct{} // closed when the process has ended, as exit says
	exit    error
	said    tail // the end of its standard error

	asked  bytes.Buffer
	writer *conformance.Writer
	last   string // the name of the case that it answered last
}

// grace is how long a process that has ended may leave its output open, to children that
// are still there.
const grace = time.Second

// start starts an adapter, in a group of processes that ends with it.
func start(args []string, codec conformance.Codec) (*process, error) {
	p := &process{
		cmd:     exec.Command(args[0], args[1:]...),
		replies: make(chan reply), quit: make(chan struct{}), done: make(chan struct{}),
	}
	p.writer = conformance.NewWriter(&p.asked, codec, false)
	command.Group(p.cmd)
	p.cmd.Stderr, p.cmd.WaitDelay = &p.said, grace
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, its, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p.in, p.out, p.cmd.Stdout = in, out, its
	err = p.cmd.Start()
	_ = its.Close() // it has its own
	if err != nil {
		_ = out.Close()
		return nil, fmt.Errorf("the adapter cannot be started: %w", err)
	}
	go p.read()
	go func() {
		p.exit = p.cmd.Wait()
		close(p.done)
		time.AfterFunc(grace, func() { _ = out.Close() })
	}()
	return p, nil
}

// A reply is a line that the adapter wrote, or why there is none.
type reply struct {
	line []byte
	more bool // something follows already
	err  error
}

// errLong says that a line is longer than any may be.
var errLong = fmt.Errorf("a line of more than %d MB", conformance.LongestLine>>20)

// errMore is what is wrong with a case that is answered twice, at once or later.
const errMore = "more than one line came for it"

// read passes on what the adapter writes, up to the first error, which is io.EOF at the
// end and io.ErrUnexpectedEOF in a line.
func (p *process) read() {
	r := bufio.NewReaderSize(p.out, 64<<10)
	for {
		var line bytes.Buffer // which doubles, as append does not
		err := bufio.ErrBufferFull
		for err == bufio.ErrBufferFull {
			var part []byte
			part, err = r.ReadSlice('\n')
			if line.Write(part); line.Len() > conformance.LongestLine {
				err = errLong
			}
		}
		switch {
		case err == errLong:
		case err != nil && line.Len() > 0:
			err = io.ErrUnexpectedEOF
		case err != nil:
			err = io.EOF
		}
		select {
		case p.replies <- reply{line.Bytes(), r.Buffered() > 0, err}:
		case <-p.quit:
			return
		}
		if err != nil {
			return
		}
	}
}

// ask asks one case. There is an answer, a fault after which the process is of no use any
// more, or an error of another kind: the case cannot be written, or the context ended.
func (p *process) ask(ctx context.Context, c *conformance.Case, codec conformance.Codec, timeout time.Duration) (conformance.Outcome, *fault, error) {
	var none conformance.Outcome
	select {
	case r := <-p.replies:
		return none, p.unasked(r), nil
	default:
	}
	p.asked.Reset()
	if err := p.writer.Write(c); err != nil {
		return none, nil, err
	}
	go func(text []byte) { _, _ = p.in.Write(text) }(bytes.Clone(p.asked.Bytes())) // it ends with the process
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return none, nil, ctx.Err()
	case <-timer.C:
		return none, p.fault(conformance.VerdictSilent, fmt.Sprintf("there is no answer after %s", timeout)), nil
	case r := <-p.replies:
		o, f := p.answer(c, r, codec)
		if f == nil || f.inStep {
			p.said.reset()
			p.last = c.Name()
		}
		return o, f, nil
	}
}

// answer reads the answer to the case.
func (p *process) answer(c *conformance.Case, r reply, codec conformance.Codec) (conformance.Outcome, *fault) {
	if f := p.broken(r); f != nil {
		return conformance.Outcome{}, f
	}
	if f := p.again(r); f != nil {
		return conformance.Outcome{}, f
	}
	o, err := c.ParseAnswer(r.line, codec)
	id, op, unread := conformance.AnswerTo(r.line)
	switch {
	case err != nil && unread == nil && id == c.ID && op == c.Op && !r.more:
		return o, &fault{verdict: conformance.VerdictMalformed, reason: unlike(err, r.line), inStep: true}
	case err != nil:
		return o, p.fault(conformance.VerdictMalformed, unlike(err, r.line))
	case r.more:
		return o, p.fault(conformance.VerdictMalformed, errMore)
	}
	return o, nil
}

// unasked returns the fault of what comes before the next case is asked.
func (p *process) unasked(r reply) *fault {
	if f := p.broken(r); f != nil {
		return f
	}
	if f := p.again(r); f != nil {
		return f
	}
	err := errors.New("it writes what it is not asked for")
	if _, _, unread := conformance.AnswerTo(r.line); unread != nil {
		err = unread // as it would be if it came after the question
	}
	f := p.fault(conformance.VerdictMalformed, unlike(err, r.line))
	f.before = p.last != ""
	return f
}

// again returns the fault of a second answer to the case before.
func (p *process) again(r reply) *fault {
	id, op, err := conformance.AnswerTo(r.line)
	if err != nil || id+" "+string(op) != p.last {
		return nil
	}
	f := p.fault(conformance.VerdictMalformed, errMore)
	f.before = true
	return f
}

// broken returns the fault of a reply that is no line.
func (p *process) broken(r reply) *fault {
	if r.err == nil {
		return nil
	}
	if errors.Is(r.err, errLong) {
		return p.fault(conformance.VerdictMalformed, errLong.Error()+": "+quoted(r.line))
	}
	how := "it closed its output"
	select {
	case <-p.done:
		how = "it ended with " + p.ending()
	case <-time.After(grace):
	}
	if r.err == io.ErrUnexpectedEOF {
		how += ", in the middle of a line: " + quoted(r.line)
	}
	return p.fault(conformance.VerdictCrashed, how)
}

// ending says how the process has ended.
func (p *process) ending() string {
	if p.exit == nil {
		return "exit status 0"
	}
	return p.exit.Error()
}

// fault returns a fault, and ends the process.
func (p *process) fault(v conformance.Verdict, reason string) *fault {
	p.kill()
	if said := p.said.String(); said != "" {
		reason += "\nits standard error ends in:\n" + said
	}
	return &fault{verdict: v, reason: reason}
}

// kill ends the process with all that it has started.
func (p *process) kill() {
	select {
	case <-p.quit:
		return
	default:
		close(p.quit)
	}
	command.Kill(p.cmd)
	<-p.done
	_ = p.in.Close()
	_ = p.out.Close()
}

// end closes the input of the process, which is to end then. It returns the fault of what
// it writes after its last answer, and what else is wrong.
func (p *process) end(timeout time.Duration) (f *fault, wrong string) {
	defer p.kill()
	_ = p.in.Close()
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil, fmt.Sprintf("the adapter did not end when its input did, in %s", timeout)
	case r := <-p.replies:
		if r.err != io.EOF {
			return p.unasked(r), ""
		}
	}
	select {
	case <-timer.C:
		return nil, fmt.Sprintf("the adapter did not end when its input did, in %s", timeout)
	case <-p.done:
	}
	if p.exit != nil {
		return nil, "at the end of its input, the adapter ended with " + p.ending()
	}
	return nil, ""
}

// unlike says why a line is not the answer. One that is no answer at all is shown; the
// values of others are not.
func unlike(err error, line []byte) string {
	if _, _, unread := conformance.AnswerTo(line); unread != nil {
		return fmt.Sprintf("%s: %s", err, quoted(line))
	}
	return err.Error()
}

// longest is how much of a line or of standard error is shown.
const longest = 300

func quoted(line []byte) string {
	return words.Short(words.Printable(words.Valid(string(line[:min(len(line), 4*longest)])), ""), longest)
}

// A tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

// tailSize is how much of standard error is told.
const tailSize = 1000

// Write keeps the end.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p[max(len(p)-tailSize, 0):]...)
	t.kept = bytes.Clone(t.kept[max(len(t.kept)-tailSize, 0):])
	return len(p), nil
}

func (t *tail) reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = nil
}

// String returns what is kept, as a terminal may have it.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return words.Printable(strings.TrimSpace(words.Valid(string(t.kept))), "\n")
}
