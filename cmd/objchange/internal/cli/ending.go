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

	"github.com/objchange/objchange/cmd/objchange/internal/command"
	"github.com/objchange/objchange/cmd/objchange/internal/files"
	"github.com/objchange/objchange/cmd/objchange/internal/words"
)

// An ending is a signal that ends a command which reads files. It ends the reading, so that
// the command reports what it has checked so far.
type ending struct {
	mu   sync.Mutex
	err  error // that it was ended, or nil
	open map[*os.File]bool
	done chan struct{} // is closed when it is ended; see over

	farewell *farewell
	reported bool // the report says whether it was ended
}

// A farewell is what a command does at signals, beside ending.
type farewell struct {
	first, second string // is printed at the first signal, and at the second
	stop          func() // ends what runs, at the second
}

// stopGrace is how long that may take.
const stopGrace = 2 * time.Second

// endable runs a command that a signal ends early. A second signal kills it.
func (a *app) endable(run func() error) error {
	signals, over := command.Endings(), make(chan struct{})
	defer signal.Stop(signals)
	defer close(over)
	go a.heed(signals, over)
	err := run()
	if ended := a.ending.ended(); ended != nil && !a.ending.reported {
		return ended // whatever else failed, failed for it
	}
	return err
}

// heed waits for signals. The first lets the command end in order. The second ends it at once.
func (a *app) heed(signals chan os.Signal, over <-chan struct{}) {
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
			if by != syscall.SIGHUP { // which may come several times when a terminal ends
				a.exit(by)
			}
		case <-over:
			return
		}
	}
}

// exit stops the whole program, at the second signal.
func (a *app) exit(by os.Signal) {
	a.ending.mu.Lock() // for good: nothing reports how it ended
	f := cmp.Or(a.ending.farewell, &farewell{stop: func() {}})
	a.say(cmp.Or(f.second, fmt.Sprintf("ended by a second signal (%v)", by)))
	time.AfterFunc(stopGrace, func() { os.Exit(exitUnusable) })
	f.stop()
	os.Exit(exitUnusable)
}

// say prints a line, where the progress was, while the command runs.
func (a *app) say(text string) {
	if text != "" {
		a.term.Progress("")
		fmt.Fprintf(a.errOut, "objchange: %s\n", words.Printable(text, ""))
	}
}

// announce sets what the command does at signals from now on: nil for nothing but to end.
func (e *ending) announce(f *farewell) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.farewell = f
}

// end ends the command, and returns what else it does.
func (e *ending) end(by os.Signal) *farewell {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.err = fmt.Errorf("ended by a signal (%v) before everything was checked", by)
	close(e.over())
	for file := range e.open { // reads from now on fail
		_ = file.Close()
	}
	return e.farewell
}

// over returns the channel that is closed when the command is ended. The lock is held.
func (e *ending) over() chan struct{} {
	if e.done == nil {
		e.done = make(chan struct{})
	}
	return e.done
}

// ended returns that a signal ended the command, or nil.
func (e *ending) ended() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.err
}

// unless returns the error of the ending if a signal ended the command, and else err. What an
// input failed for before the signal stays with the error.
func (e *ending) unless(err error) error {
	e.reported = true
	ended := e.ended()
	if ended == nil || errors.Is(err, ended) {
		return err
	}
	if left := (*leftError)(nil); errors.As(err, &left) {
		return errors.Join(ended, left)
	}
	if failed := (inReport{}); errors.As(err, &failed) { // before it: the report has these
		return inReport{ended, failed.all}
	}
	return ended // whatever else failed, failed for it
}

// openFile opens a file whose reads fail once the command is ended.
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

// An endableReader is standard input, whose reads cannot be ended by closing it.
type endableReader struct {
	in     io.Reader
	ending *ending
	buffer []byte // the reading goroutine's
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

// context returns a context that ends when a signal ends the command.
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
