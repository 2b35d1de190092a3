package explore

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-mux/tf5to6server"

	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/explore/internal/session"
)

// A Provider starts a provider. Explore calls it several times: for parallel work, after a crash,
// and to check whether a finding happens again.
type Provider = session.Provider

// A Process is a running provider: its Server, Protocol, channel Exited, and function Close.
type Process = session.Process

// A Leftover is an object that was created and could not be destroyed, or that may have been
// created. It has the Type, ID and State of the object, and the reason Why it is left.
type Leftover = session.Leftover

// Launched returns a Provider that launches an executable. It adds the option driver.Isolated.
func Launched(path string, options ...driver.LaunchOption) Provider {
	options = append([]driver.LaunchOption{driver.Isolated()}, options...)
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
	same := func(_ context.Context, server tfprotov6.ProviderServer) (tfprotov6.ProviderServer, error) {
		return server, nil
	}
	return session.InProcess(6, factory, same)
}

// InProcess5 is like InProcess for an element of ProtoV5ProviderFactories.
func InProcess5(factory func() (tfprotov5.ProviderServer, error)) Provider {
	upgrade := func(ctx context.Context, server tfprotov5.ProviderServer) (tfprotov6.ProviderServer, error) {
		return tf5to6server.UpgradeServer(ctx, func() tfprotov5.ProviderServer { return server })
	}
	return session.InProcess(5, factory, upgrade)
}
