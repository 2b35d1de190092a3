package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/objchange/objchange/cmd/internal/command"
	"github.com/objchange/objchange/cmd/internal/files"
	"github.com/objchange/objchange/cmd/internal/words"
)

// An ending handles the signal that ends a command early. It makes all reads fail, and then the
// command reports the results so far.
type ending struct {
	ctx      context.Context // ends at the signal
	end      context.CancelCauseFunc
	mu       sync.Mutex // held by what ends the whole program, so nothing is reported
	reported bool       // the report contains the signal if there is one
}

func newEnding() *ending {
	ctx, end := context.WithCancelCause(context.Background())
	return &ending{ctx: ctx, end: end}
}

// A reaction is what a command does at signals in addition.
type reaction struct {
	first, second string // printed at the first and at the second signal
	stop          func() // ends running processes at the second signal
}

// stopGrace is the time limit for reaction.stop, and openGrace for opening the file of the report
// after the signal.
const (
	stopGrace = 2 * time.Second
	openGrace = time.Second / 2
)

// endable runs a command that a signal ends early. A second signal kills it, or stops it as the
// reaction says, unless that is nil.
func (a *app) endable(run func() error, to *reaction) error {
	signals, over := command.Endings(), make(chan struct{})
	defer signal.Stop(signals)
	defer close(over)
	go a.handleSignals(signals, over, to)
	err := run()
	if ended := a.ending.ended(); ended != nil && !a.ending.reported {
		return ended // other errors are a consequence
	}
	return err
}

// handleSignals waits for signals. The first lets the command end in order. The second ends it at once.
func (a *app) handleSignals(signals chan os.Signal, over <-chan struct{}, to *reaction) {
	select {
	case by := <-signals:
		a.ending.end(fmt.Errorf("stopped by a signal (%v) before everything was checked", by))
	case <-over:
		return
	}
	if to == nil {
		signal.Stop(signals)
		return
	}
	a.say(to.first)
	for {
		select {
		case by := <-signals:
			if by != syscall.SIGHUP { // a terminal that closes may send several
				a.exit(by, to)
			}
		case <-over:
			return
		}
	}
}

// exit ends the whole program, at the second signal.
func (a *app) exit(by os.Signal, to *reaction) {
	a.ending.mu.Lock() // not unlocked
	a.say(cmp.Or(to.second, fmt.Sprintf("stopped by a second signal (%v)", by)))
	time.AfterFunc(stopGrace, func() { os.Exit(exitUnusable) })
	to.stop()
	os.Exit(exitUnusable)
}

// say prints a line in place of the progress, while the command runs.
func (a *app) say(text string) {
	if text != "" {
		a.term.Progress("")
		fmt.Fprintf(a.errOut, "objchange: %s\n", words.Printable(text, ""))
	}
}

// ended returns an error if a signal ended the command.
func (e *ending) ended() error { return context.Cause(e.ctx) }

// unless returns the error of the signal if one ended the command, and otherwise err. It keeps the
// errors of inputs that failed before the signal.
func (e *ending) unless(err error) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.reported = true
	ended := e.ended()
	if ended == nil || errors.Is(err, ended) {
		return err
	}
	if left := (*leftError)(nil); errors.As(err, &left) {
		return errors.Join(ended, left)
	}
	if failed := (inReport{}); errors.As(err, &failed) { // the inputs failed before the signal
		return inReport{ended, failed.all}
	}
	return ended // other errors are a consequence
}

// open opens a file whose reads fail after the signal.
func (e *ending) open(name string) (io.ReadCloser, error) {
	if err := e.ended(); err != nil {
		return nil, err
	}
	file, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(e.ctx, func() { _ = file.Close() })
	return file, nil
}

// reader returns a reader of standard input. Its reads fail after the signal, although closing
// standard input does not end them.
func (e *ending) reader(in io.Reader) io.ReadCloser {
	out, to := io.Pipe()
	go func() {
		_, err := io.Copy(to, in)
		to.CloseWithError(err)
	}()
	context.AfterFunc(e.ctx, func() { to.CloseWithError(e.ended()) })
	return out
}

// create opens a file that is not regular for writing. A named pipe waits for its reader, after the
// signal only for openGrace.
func (e *ending) create(name string) (*os.File, error) {
	type result struct {
		file *os.File
		err  error
	}
	opened := make(chan result, 1)
	go func() {
		file, err := os.OpenFile(name, os.O_WRONLY, 0)
		opened <- result{file, err}
	}()
	late := make(chan struct{})
	defer context.AfterFunc(e.ctx, func() { time.AfterFunc(openGrace, func() { close(late) }) })()
	select {
	case to := <-opened:
		return to.file, to.err
	case <-late:
		return nil, e.ended()
	}
}
