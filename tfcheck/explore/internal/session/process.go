package session

import (
	"context"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-mux/tf5to6server"

	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
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

// Launched returns a Provider that launches an executable. It adds the option driver.Isolated with
// the default limits. The options can contain driver.Isolated with other limits.
func Launched(path string, options ...driver.LaunchOption) Provider {
	options = append([]driver.LaunchOption{driver.Isolated(driver.Limits{})}, options...)
	return func(ctx context.Context) (*Process, error) {
		p, err := driver.Launch(ctx, path, options...)
		if err != nil {
			return nil, err
		}
		return ProcessOf(p), nil
	}
}

// ProcessOf returns the process of a launched provider. A Provider that launches the executable in
// another way can use it.
func ProcessOf(p *driver.Plugin) *Process {
	return &Process{Server: p.Server(), Protocol: p.Protocol(), Exited: p.Exited(), Close: p.Close}
}

// InProcess returns a Provider that creates servers with a factory, such as an element of
// ProtoV6ProviderFactories. The factory is not called concurrently. Its servers may share one
// provider: while one server is configured, no other server gets a request. A panic in the
// goroutine of a request counts as a crash. A panic in another goroutine ends this process.
func InProcess(factory func() (tfprotov6.ProviderServer, error)) Provider {
	shared := &sync.RWMutex{}
	return func(context.Context) (*Process, error) {
		server, err := create(shared, factory)
		if err != nil {
			return nil, err
		}
		server, _, _, ignored := check.Unwrap[tfprotov6.ProviderServer, tfcheck.Report, tfcheck.Program](server)
		return &Process{Server: server, configuring: shared, ignored: ignored}, ignored.Err()
	}
}

// InProcess5 is like InProcess for an element of ProtoV5ProviderFactories.
func InProcess5(factory func() (tfprotov5.ProviderServer, error)) Provider {
	shared := &sync.RWMutex{}
	return func(ctx context.Context) (*Process, error) {
		server, err := create(shared, factory)
		if err != nil {
			return nil, err
		}
		server, _, _, ignored := check.Unwrap[tfprotov5.ProviderServer, tfcheck.Report, tfcheck.Program](server)
		upgraded, err := tf5to6server.UpgradeServer(ctx, func() tfprotov5.ProviderServer { return server })
		if err != nil {
			return nil, err
		}
		return &Process{Server: upgraded, Protocol: 5, configuring: shared, ignored: ignored}, ignored.Err()
	}
}

// create calls the factory with the mutex locked.
func create[S any](shared sync.Locker, factory func() (S, error)) (S, error) {
	shared.Lock()
	defer shared.Unlock()
	return factory()
}
