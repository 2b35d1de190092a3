package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/objchange/objchange/cmd/internal/command"
	"github.com/objchange/objchange/cmd/internal/words"
)

// A reaction is what a command does at signals, beyond ending.
type reaction struct {
	first, second string // printed at the first and at the second signal
	stop          func() // ends running processes at the second signal
}

// stopGrace is the time limit for a report that is being printed and for reaction.stop.
const stopGrace = 2 * time.Second

// stoppable runs a command with a context that ends at the first signal, so the command reports its
// results so far. The second signal ends the program at once.
func (a *app) stoppable(run func(context.Context) error, to reaction) error {
	ctx, stop := context.WithCancelCause(context.Background())
	signals, over := command.Endings(), make(chan struct{})
	defer signal.Stop(signals)
	defer close(over)
	go func() {
		for {
			select {
			case by := <-signals:
				if a.stopped.CompareAndSwap(nil, &to) {
					a.stop(by, to, stop)
				} else if by != syscall.SIGHUP { // a terminal that closes may send several
					a.exit(by, to)
				}
			case <-over:
				return
			}
		}
	}()
	return run(ctx)
}

// stop ends the work at the first signal, or makes sure that printing the report ends.
func (a *app) stop(by os.Signal, to reaction, work context.CancelCauseFunc) {
	if !a.exiting.TryLock() { // the report is being printed
		a.endSoon(to)
		return
	}
	a.exiting.Unlock()
	work(fmt.Errorf("stopped by a signal (%v) before everything was checked", by))
	a.say(to.first)
}

// exit ends the whole program, at the second signal.
func (a *app) exit(by os.Signal, to reaction) {
	time.AfterFunc(stopGrace, func() { os.Exit(exitUnusable) })
	a.exiting.Lock() // not unlocked, so nothing is reported
	a.say(cmp.Or(to.second, fmt.Sprintf("stopped by a second signal (%v)", by)))
	to.stop()
	os.Exit(exitUnusable)
}

// endSoon ends the whole program after the grace, unless it has ended by then: --output may be a pipe
// without a reader.
func (a *app) endSoon(to reaction) {
	time.AfterFunc(stopGrace, func() {
		a.say(cmp.Or(to.second, "stopped before the report was written"))
		os.Exit(exitUnusable)
	})
}

// say prints a line in place of the progress, while the command runs.
func (a *app) say(text string) {
	if text != "" {
		a.term.Progress("")
		fmt.Fprintf(a.errOut, "objchange: %s\n", words.Printable(text, "\n\t"))
	}
}
