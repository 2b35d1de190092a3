package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/objchange/objchange/cmd/objchange/internal/command"
)

// insists reports whether a signal can be a second interrupt. The end of a terminal
// may be told several times.
func insists(s os.Signal) bool { return s != syscall.SIGHUP }

// An interruption tells of the first interrupt. The second ends the context.
type interruption struct{ asked chan struct{} }

type interruptionKey struct{}

// interrupted reports whether to go on to the end.
func interrupted(ctx context.Context) bool {
	i, _ := ctx.Value(interruptionKey{}).(interruption)
	select {
	case <-i.asked:
		return true
	default:
		return ctx.Err() != nil
	}
}

var errInterrupted = errors.New("interrupted")

// interruptible returns a context that the second interrupt ends. A broken pipe is
// no end from now on: writing to it fails, which ends the drive in good order. It is
// no interrupt either, since the connection to a provider that crashed is one, too.
func (a *app) interruptible(parent context.Context) (ctx context.Context, stop func()) {
	i := interruption{make(chan struct{})}
	ctx, cancel := context.WithCancelCause(context.WithValue(parent, interruptionKey{}, i))
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, command.Ends()...)
	pipes := make(chan os.Signal, 1)
	signal.Notify(pipes, syscall.SIGPIPE)
	go func() {
		select {
		case <-signals:
		case <-ctx.Done():
			return
		}
		close(i.asked) // before it is said: nothing more is created from then on
		fmt.Fprintln(a.errOut, "Interrupted: what was created is destroyed. Interrupt again to leave it.")
		for {
			select {
			case s := <-signals:
				if insists(s) {
					cancel(errInterrupted)
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return ctx, func() { signal.Stop(signals); signal.Stop(pipes); cancel(nil) }
}

// patient returns a context for what asks the provider: it ends when the grace
// after an interrupt is over, which begins now if that has been before.
func (d *drive) patient(parent context.Context) (ctx context.Context, done func()) {
	i, _ := parent.Value(interruptionKey{}).(interruption)
	ctx, cancel := context.WithCancelCause(parent)
	go func() {
		select {
		case <-i.asked:
		case <-ctx.Done():
			return
		}
		timer := time.AfterFunc(d.input.grace, func() {
			cancel(fmt.Errorf("%w, and %s later there is no answer", errInterrupted, d.input.grace))
		})
		<-ctx.Done()
		timer.Stop()
	}()
	return ctx, func() { cancel(nil) }
}
