package drive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/objchange/objchange/cmd/internal/command"
)

var errInterrupted = errors.New("interrupted")

// Interrupts are the interrupts of a run. The first ends the run in an orderly way, and the second
// at once.
type Interrupts struct {
	first  chan struct{}   // closed by the first interrupt; nil if interrupts are not caught
	second context.Context // cancelled by the second
}

// Catch catches interrupts until stop is called. During this time, a write to a broken pipe returns
// an error instead of ending the program. SIGPIPE is not an interrupt, because the connection to a
// crashed provider is a broken pipe too.
func Catch(parent context.Context, errOut io.Writer) (i Interrupts, stop func()) {
	ctx, cancel := context.WithCancelCause(parent)
	i = Interrupts{first: make(chan struct{}), second: ctx}
	signals, pipes := make(chan os.Signal, 8), make(chan os.Signal, 1)
	signal.Notify(signals, command.Ends()...)
	signal.Notify(pipes, syscall.SIGPIPE)
	go func() {
		for seen := false; ; seen = true {
			select {
			case s := <-signals:
				if !seen {
					close(i.first) // before the message: from now on nothing is created
					fmt.Fprintln(errOut, "Interrupted: the created object is being destroyed. Interrupt again to keep it.")
				} else if s != syscall.SIGHUP { // a terminal that closes may send several
					cancel(errInterrupted)
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return i, func() { signal.Stop(signals); signal.Stop(pipes); cancel(nil) }
}

// pending reports whether there was an interrupt.
func (i Interrupts) pending() bool {
	select {
	case <-i.first:
		return true
	default:
		return i.second.Err() != nil
	}
}

// within returns a context for calls of the provider. It ends when the grace period after the first
// interrupt is over. If the interrupt was earlier, the grace period begins now.
func (i Interrupts) within(grace time.Duration) (ctx context.Context, done func()) {
	ctx, cancel := context.WithCancelCause(i.second)
	go func() {
		select {
		case <-i.first:
		case <-ctx.Done():
			return
		}
		timer := time.AfterFunc(grace, func() {
			cancel(fmt.Errorf("%w, and there was no response %s later", errInterrupted, grace))
		})
		<-ctx.Done()
		timer.Stop()
	}()
	return ctx, func() { cancel(nil) }
}
