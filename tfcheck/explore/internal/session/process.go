package session

import (
	"context"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/objchange/objchange/tfcheck/internal/check"
)

// A Provider starts a provider. Explore calls it several times: for parallel work, after a crash,
// and to check whether a finding happens again.
type Provider func(ctx context.Context) (*Process, error)

// A Process is a running provider.
type Process struct {
	Server tfprotov6.ProviderServer

	// Protocol is the version of the protocol that the provider serves, 5 or 6. The Go tests that
	// reproduce findings use it. Zero means 6.
	Protocol int
	// Exited is closed when the process has ended, before a request returns the error for that. It
	// is nil for a provider in this process.
	Exited <-chan struct{}
	// Close ends the process. It may be nil.
	Close func() error

	ignored     check.Filter  // of the factory
	configuring *sync.RWMutex // common to all servers of a factory; nil if they share nothing
}

// InProcess returns a Provider that creates servers of a protocol with a factory. The factory is not
// called concurrently, and not while a server gets a request.
func InProcess[S any](
	protocol int, factory func() (S, error), upgrade func(context.Context, S) (tfprotov6.ProviderServer, error),
) Provider {
	shared := &sync.RWMutex{}
	create := func() (S, error) {
		shared.Lock()
		defer shared.Unlock()
		return check.Create(factory)
	}
	return func(ctx context.Context) (*Process, error) {
		created, err := create()
		if err != nil {
			return nil, err
		}
		inner, _, ignored := check.Unwrap(created)
		server, err := upgrade(ctx, inner)
		if err != nil {
			return nil, err
		}
		return &Process{Server: server, Protocol: protocol, configuring: shared, ignored: ignored}, ignored.Err()
	}
}
