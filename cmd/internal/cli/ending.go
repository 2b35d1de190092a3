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

// An ending handles the signal that ends a command which reads files. It makes all reads fail, and
// then the command reports the results so far.
type ending struct {
	mu   sync.Mutex
	err  error // the signal as an error, or nil
	open map[*os.File]bool
	done chan struct{} // closed at the signal; see over

	reaction *reaction
	reported bool // the report contains err if there is one
}

// A reaction is what a command does at signals in addition.
type reaction struct {
	first, second string // printed at the first and at the second signal
	stop          func() // ends running processes at the second signal
}

// stopGrace is the time limit for reaction.stop.
const stopGrace = 2 * time.Second

// endable runs a command that a signal ends early. A second signal kills it.
func (a *app) endable(run func() error) error {
	signals, over := command.Endings(), make(chan struct{})
	defer signal.Stop(signals)
	defer close(over)
	go a.handleSignals(signals, over)
	err := run()
	if ended := a.ending.ended(); ended != nil && !a.ending.reported {
		return ended // other errors are a consequence
	}
	return err
}

// handleSignals waits for signals. The first lets the command end in order. The second ends it at once.
func (a *app) handleSignals(signals chan os.Signal, over <-chan struct{}) {
	select {
	case by := <-signals:
		f := a.ending.end(by)
		if f == nil {
			signal.Stop(signals)
			return
		}
		a.say(f.first)
	case <-over:
		return
	}
	for {
		select {
		case by := <-signals:
			if by != syscall.SIGHUP { // a terminal that closes may send several
				a.exit(by)
			}
		case <-over:
			return
		}
	}
}

// exit ends the whole program, at the second signal.
func (a *app) exit(by os.Signal) {
	a.ending.mu.Lock() // not unlocked, so other goroutines cannot report
	f := cmp.Or(a.ending.reaction, &reaction{stop: func() {}})
	a.say(cmp.Or(f.second, fmt.Sprintf("stopped by a second signal (%v)", by)))
	time.AfterFunc(stopGrace, func() { os.Exit(exitUnusable) })
	f.stop()
	os.Exit(exitUnusable)
}

// say prints a line in place of the progress, while the command runs.
func (a *app) say(text string) {
	if text != "" {
		a.term.Progress("")
		fmt.Fprintf(a.errOut, "objchange: %s\n", words.Printable(text, ""))
	}
}

// announce sets the reaction to later signals, or none if it is nil.
func (e *ending) announce(f *reaction) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.reaction = f
}

// end ends the command at the first signal, and returns the reaction.
func (e *ending) end(by os.Signal) *reaction {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.err = fmt.Errorf("stopped by a signal (%v) before everything was checked", by)
	close(e.over())
	for file := range e.open { // later reads fail
		_ = file.Close()
	}
	return e.reaction
}

// over returns the channel that is closed at the signal. The caller holds the lock.
func (e *ending) over() chan struct{} {
	if e.done == nil {
		e.done = make(chan struct{})
	}
	return e.done
}

// ended returns an error if a signal ended the command.
func (e *ending) ended() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.err
}

// unless returns the error of the signal if one ended the command, and otherwise err. It keeps the
// errors of inputs that failed before the signal.
func (e *ending) unless(err error) error {
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

// openFile opens a file whose reads fail after the signal.
func (e *ending) openFile(name string) (io.ReadCloser, error) {
	if err := e.ended(); err != nil {
		return nil, err
	}
	file, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.err != nil {
		_ = file.Close()
		return nil, e.err
	}
	if e.open == nil {
		e.open = map[*os.File]bool{}
	}
	e.open[file] = true
	return file, nil
}

// An endableReader reads standard input. Its reads fail after the signal, although closing standard
// input does not end them.
type endableReader struct {
	in     io.Reader
	ending *ending
	buffer []byte // used by the reading goroutine
}

func (r *endableReader) Read(p []byte) (int, error) {
	type result struct {
		n   int
		err error
	}
	if r.buffer == nil {
		r.buffer = make([]byte, 64<<10)
	}
	r.ending.mu.Lock()
	over := r.ending.over()
	r.ending.mu.Unlock()
	read, buffer := make(chan result, 1), r.buffer[:min(len(p), len(r.buffer))]
	go func() {
		n, err := r.in.Read(buffer)
		read <- result{n, err}
	}()
	select {
	case got := <-read:
		return copy(p, buffer[:got.n]), got.err
	case <-over: // the goroutine keeps the buffer
		r.buffer = nil
		return 0, r.ending.ended()
	}
}

// context returns a context that ends with the command.
func (e *ending) context() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	e.mu.Lock()
	over := e.over()
	e.mu.Unlock()
	go func() {
		select {
		case <-over:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}
