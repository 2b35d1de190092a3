package driver

import (
	"context"
	"fmt"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/objchange/objchange/tfcheck/internal/codec"
)

// call sends a request. If there is no response, the error describes the state of the provider.
func (p *Plugin) call(ctx context.Context, path string, request []byte) ([]byte, error) {
	if ctx.Err() != nil {
		return nil, fmt.Errorf("not sent: %w", context.Cause(ctx))
	}
	// Do not send the deadline to the provider: its own DeadlineExceeded could arrive before ctx
	// ends.
	sent, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, cancel)()
	response, err := codec.Connection(p.conn)(sent, path, request)
	if err == nil {
		return response, nil
	}
	code := status.Code(err)
	lost := code == codes.Unavailable && p.wait(ctx)
	switch unanswered := code == codes.Canceled || code == codes.DeadlineExceeded; {
	case p.process.Stopped() != nil:
		return nil, fmt.Errorf("the provider is not running: %w", p.process.Stopped())
	case lost:
		return nil, p.crash()
	case unanswered && ctx.Err() != nil:
		return nil, p.withStderr(fmt.Errorf("the provider did not respond: %w", context.Cause(ctx)))
	}
	return nil, err
}

// wait reports whether the provider has exited. It waits, because the provider exits shortly
// after its connection breaks.
func (p *Plugin) wait(ctx context.Context) bool {
	select {
	case <-p.process.Gone:
		return true
	case <-ctx.Done():
	case <-time.After(stopGrace):
	}
	return false
}
