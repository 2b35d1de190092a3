//go:build !wasm

package driver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	pluginrunner "github.com/hashicorp/go-plugin/runner"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/objchange/objchange/tfcheck/internal/wire"
)

const (
	// maxReceived is the size of the largest response: what servers send at most.
	maxReceived = 256 << 20
	// stopGrace is how long a provider may take to end when asked to.
	stopGrace = 2 * time.Second
)

// A Plugin is a running provider. It is made by Launch and safe for concurrent
// use.
type Plugin struct {
	protocol int
	client   *plugin.Client
	child    *child
	conn     *grpc.ClientConn

	connected chan struct{} // closed when connect has returned, and the above is set

	running context.Context // its cause is why the child was ended
	ended   context.CancelCauseFunc
	detach  func() bool // from the context of Launch

	closing sync.Once
	crashed error // before it was ended
}

type launchConfig struct {
	env          []string
	dir          string
	stderr       io.Writer
	startTimeout time.Duration
	limits       *Limits // nil: not isolated
}

// A LaunchOption changes how Launch starts a provider.
type LaunchOption func(*launchConfig)

// WithEnv adds variables, each as NAME=value, to the environment of the
// provider, which is that of this process otherwise, or that of Isolated.
func WithEnv(variables ...string) LaunchOption {
	return func(c *launchConfig) { c.env = append(c.env, variables...) }
}

// WithDir starts the provider in the folder; otherwise it starts where this process
// is. A relative path of the executable is then from that folder.
func WithDir(dir string) LaunchOption {
	return func(c *launchConfig) { c.dir = dir }
}

// WithStderr copies to the writer what the provider writes to its stderr, as it
// comes. The writes follow one another and end before Close returns; a writer
// that blocks blocks the provider. A nil writer is none.
func WithStderr(w io.Writer) LaunchOption {
	return func(c *launchConfig) {
		c.stderr = io.Discard
		if w != nil {
			c.stderr = w
		}
	}
}

// WithStartTimeout limits how long the provider may take until it answers; one
// minute otherwise, and for zero and less.
func WithStartTimeout(limit time.Duration) LaunchOption {
	return func(c *launchConfig) { c.startTimeout = limit }
}

// Launch starts the provider executable at the path, as exec.Command takes it,
// and connects to it with protocol 5 or 6, whichever it has. The provider runs
// until Close is called or the context ends, which kills it. On Linux and FreeBSD
// it is killed, too, when this process ends without that.
//
// The error says what is wrong with an executable that cannot be started, is no
// provider (ErrNotProvider), has another protocol or ends before it answers, with
// its exit status and the end of its stderr. It wraps what caused it, such as fs.ErrNotExist or
// the error of the context.
func Launch(ctx context.Context, path string, opts ...LaunchOption) (*Plugin, error) {
	config := launchConfig{stderr: io.Discard}
	for _, opt := range opts {
		if opt != nil {
			opt(&config)
		}
	}
	if config.startTimeout <= 0 {
		config.startTimeout = time.Minute
	}
	p := &Plugin{child: newChild(path, config), connected: make(chan struct{})}
	p.running, p.ended = context.WithCancelCause(context.Background())
	p.child.abort = p.abort
	p.client = plugin.NewClient(p.config(config))
	p.detach = context.AfterFunc(ctx, func() { p.abort(context.Cause(ctx)) })
	timer := time.AfterFunc(config.startTimeout, func() {
		p.abort(fmt.Errorf("it has not answered for %s", config.startTimeout))
	})
	err := p.connect()
	timer.Stop()
	close(p.connected)
	if err == nil {
		err = context.Cause(p.running)
	}
	if err == nil {
		return p, nil
	}
	p.detach()
	p.end(errNotStarted, 0)
	return nil, fmt.Errorf("provider %s: %w", path, p.startError(err))
}

var errNotStarted = errors.New("it has not started")

// config is what go-plugin needs to know. Its logger is off, so that it copies
// stderr without a look at it.
func (p *Plugin) config(config launchConfig) *plugin.ClientConfig {
	return &plugin.ClientConfig{
		HandshakeConfig: plugin.HandshakeConfig{
			MagicCookieKey:   "TF_PLUGIN_MAGIC_COOKIE",
			MagicCookieValue: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
		},
		VersionedPlugins: map[int]plugin.PluginSet{5: nil, 6: nil},
		AllowedProtocols: []plugin.Protocol{plugin.ProtocolGRPC},
		AutoMTLS:         true,
		SkipHostEnv:      true,                            // the child has it already
		StartTimeout:     config.startTimeout + stopGrace, // that of Launch comes first
		Stderr:           meter{p.child.tail, p.child},
		SyncStdout:       meter{io.Discard, p.child},
		SyncStderr:       meter{p.child.tail, p.child},
		Logger:           hclog.New(&hclog.LoggerOptions{Level: hclog.Off, Output: io.Discard}),
		GRPCDialOptions: []grpc.DialOption{
			grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxReceived)),
		},
		RunnerFunc: func(_ hclog.Logger, cmd *exec.Cmd, sockets string) (pluginrunner.Runner, error) {
			p.child.cmd.Env = append(p.child.cmd.Env, cmd.Env...) // the handshake
			p.child.writable = []string{sockets}
			return p.child, nil
		},
	}
}

func (p *Plugin) connect() error {
	client, err := p.client.Client()
	if err != nil {
		return err
	}
	p.conn, p.protocol = client.(*plugin.GRPCClient).Conn, p.client.NegotiatedVersion()
	// A provider that was not written with go-plugin may have no health service.
	if err := client.Ping(); err != nil && status.Code(err) != codes.Unimplemented {
		return err
	}
	return nil
}

// startError says why the provider, which has ended by now, did not start.
func (p *Plugin) startError(err error) error {
	cause := context.Cause(p.running)
	switch {
	case cause != errNotStarted:
		err = fmt.Errorf("was ended while it started: %w", cause)
	case errors.Is(err, syscall.ENOEXEC):
		return &notProviderError{ErrNotProvider.Error() + ", nor any program that runs here", err}
	case !p.child.started():
		return fmt.Errorf("cannot be started: %w", err)
	case p.child.killed():
		err = fmt.Errorf("does not answer as a provider: %w", err)
	default:
		err = fmt.Errorf("ended before it answered, %s: %w", p.child.cmd.ProcessState, err)
	}
	full := p.child.tail.attach(err)
	switch {
	case cause != errNotStarted || p.child.answered():
		return full
	case full == err: // nothing on stderr
		return &notProviderError{ErrNotProvider.Error(), err}
	}
	return &notProviderError{full.Error() + "\nIt " + ErrNotProvider.Error() + ", or cannot start", err}
}

// Protocol returns the major version of the protocol the provider speaks, 5 or 6.
func (p *Plugin) Protocol() int { return p.protocol }

// Conn returns the connection to the provider, for what passes RPCs on as they
// are: streams, and RPCs that Server does not know. Its errors are
// those of gRPC.
func (p *Plugin) Conn() grpc.ClientConnInterface { return p.conn }

// Exited returns a channel that is closed when the process of the provider has ended
// and its stderr is read, which takes a moment after its connection has broken.
func (p *Plugin) Exited() <-chan struct{} { return p.child.drained }

// Server returns the provider as a server of protocol 6. If it speaks protocol 5, what
// only protocol 6 has is left out.
//
// The error of a method names the RPC. It wraps the gRPC status that the provider
// answered, or says what in the request cannot be sent. When the provider has
// crashed, it says so, with the exit status and the end of stderr. When the
// context ends before the answer, it says that there was none, with the end of
// stderr; the provider runs on, with whatever it hangs in.
func (p *Plugin) Server() tfprotov6.ProviderServer {
	return wire.NewClient(wire.Service(p.protocol), session{p})
}

// Driver returns a driver of the provider, like New6.
func (p *Plugin) Driver(ctx context.Context, opts ...Option) (*Driver, error) {
	return New6(ctx, p.Server(), opts...)
}

// Client returns the provider at the other end of a connection to one that runs already:
// of protocol 5 or 6, as a server of protocol 6. The error of a method names the RPC, and
// wraps the gRPC status or says what cannot be sent.
func Client(conn grpc.ClientConnInterface, protocol int) tfprotov6.ProviderServer {
	return wire.NewClient(wire.Service(protocol), wire.Connection(conn))
}

// Close asks the provider to end, kills it when it has not within two seconds,
// and returns when it is gone. The error says that the provider had crashed
// before, or that its folder cannot be removed; every call returns the same.
func (p *Plugin) Close() error {
	p.detach()
	p.end(errors.New("it was closed"), stopGrace)
	return p.crashed
}

// abort ends the provider for the reason, at any time. go-plugin can only clean
// up after a child that it knows, so that comes when connect has returned, which
// the kill makes it do.
func (p *Plugin) abort(reason error) {
	p.ended(reason)
	p.child.kill()
	<-p.connected
	p.end(reason, 0)
}

// end ends the provider for the reason and returns when it is gone. What it has
// not done after the grace it does not do. It must not come before connect has
// returned.
func (p *Plugin) end(reason error, grace time.Duration) {
	p.closing.Do(func() {
		crashed := p.child.ended() && !p.child.killed()
		p.ended(reason)
		timer := time.AfterFunc(grace, p.child.kill)
		p.client.Kill()
		timer.Stop()
		p.child.tail.detach()
		if crashed {
			p.crashed = p.crash()
		}
		if err := p.child.clean(); err != nil {
			p.crashed = errors.Join(p.crashed, err)
		}
	})
}

// crash says that the provider, which is gone, ended without being asked.
func (p *Plugin) crash() error {
	return p.child.tail.attach(fmt.Errorf("the provider crashed, %s", p.child.cmd.ProcessState))
}
