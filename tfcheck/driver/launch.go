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

	"github.com/objchange/objchange/tfcheck/internal/codec"
)

const (
	// maxReceived is the maximum size of a response. Servers do not send larger ones.
	maxReceived = 256 << 20
	// stopGrace is the time that a provider has to exit after a request to do so.
	stopGrace = 2 * time.Second
)

// A Plugin is a running provider. Launch starts it. It is safe for concurrent use.
type Plugin struct {
	protocol int
	client   *plugin.Client
	child    *child
	conn     *grpc.ClientConn

	connected chan struct{} // closed after connect has returned and set the fields above

	running context.Context // canceled when the child is stopped, with the reason as its cause
	ended   context.CancelCauseFunc
	detach  func() bool // detaches from the context of Launch

	closing sync.Once
	crashed error // the error if it exited before it was stopped
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

// WithEnv adds variables, each as NAME=value, to the environment of the provider. By default it
// has the environment of this process, or the environment that Isolated describes.
func WithEnv(variables ...string) LaunchOption {
	return func(c *launchConfig) { c.env = append(c.env, variables...) }
}

// WithDir starts the provider in the directory. By default it starts in the working directory of
// this process. A relative path of the executable is then relative to dir.
func WithDir(dir string) LaunchOption {
	return func(c *launchConfig) { c.dir = dir }
}

// WithStderr copies the provider's stderr to the writer immediately. The writes are sequential
// and end before Close returns. A writer that blocks also blocks the provider. A nil writer
// discards the output.
func WithStderr(w io.Writer) LaunchOption {
	return func(c *launchConfig) {
		c.stderr = io.Discard
		if w != nil {
			c.stderr = w
		}
	}
}

// WithStartTimeout limits the time until the provider responds. The default is 30 seconds,
// also for values of zero and less.
func WithStartTimeout(limit time.Duration) LaunchOption {
	return func(c *launchConfig) { c.startTimeout = limit }
}

// Launch starts the provider executable and connects to it with protocol 5 or 6, depending on the
// provider. The path has the form that exec.Command accepts. The provider runs until Close is
// called. If the context ends, the provider is killed. On Linux and FreeBSD the provider is also
// killed if this process ends without calling Close.
//
// Launch returns an error if the executable cannot be started, is not a provider
// (ErrNotProvider), has another protocol, or exits before it responds. The error contains the
// exit status and the end of stderr. It wraps the cause, such as fs.ErrNotExist or the error of
// the context.
func Launch(ctx context.Context, path string, opts ...LaunchOption) (*Plugin, error) {
	config := launchConfig{stderr: io.Discard}
	for _, opt := range opts {
		if opt != nil {
			opt(&config)
		}
	}
	if config.startTimeout <= 0 {
		config.startTimeout = 30 * time.Second
	}
	p := &Plugin{child: newChild(path, config), connected: make(chan struct{})}
	p.running, p.ended = context.WithCancelCause(context.Background())
	p.child.abort = p.abort
	p.client = plugin.NewClient(p.config(config))
	p.detach = context.AfterFunc(ctx, func() { p.abort(context.Cause(ctx)) })
	timer := time.AfterFunc(config.startTimeout, func() {
		p.abort(fmt.Errorf("no response within %s", config.startTimeout))
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

var errNotStarted = errors.New("the provider has not started")

// config returns the configuration of go-plugin. The logger is off, so go-plugin copies stderr
// without parsing it.
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
		StartTimeout:     config.startTimeout + stopGrace, // the timeout of Launch comes first
		Stderr:           meter{p.child.tail, p.child},
		SyncStdout:       meter{io.Discard, p.child},
		SyncStderr:       meter{p.child.tail, p.child},
		Logger:           hclog.New(&hclog.LoggerOptions{Level: hclog.Off, Output: io.Discard}),
		GRPCDialOptions: []grpc.DialOption{
			grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxReceived)),
		},
		RunnerFunc: func(_ hclog.Logger, cmd *exec.Cmd, _ string) (pluginrunner.Runner, error) {
			p.child.cmd.Env = append(p.child.cmd.Env, cmd.Env...) // the handshake
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

// startError returns the reason why the provider did not start. The provider has already exited.
func (p *Plugin) startError(err error) error {
	cause := context.Cause(p.running)
	switch {
	case cause != errNotStarted:
		err = fmt.Errorf("stopped while it was starting: %w", cause)
	case errors.Is(err, syscall.ENOEXEC):
		return &notProviderError{ErrNotProvider.Error() + ": this system cannot execute the file", err}
	case !p.child.started():
		return fmt.Errorf("cannot be started: %w", err)
	case p.child.killed():
		err = fmt.Errorf("does not respond like a provider: %w", err)
	default:
		err = fmt.Errorf("exited before it responded, %s: %w", p.child.cmd.ProcessState, err)
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

// Protocol returns the major version of the provider's protocol, 5 or 6.
func (p *Plugin) Protocol() int { return p.protocol }

// Conn returns the connection to the provider. Use it to forward RPCs unchanged: streams, and
// RPCs that Server does not support. Its errors are gRPC errors.
func (p *Plugin) Conn() grpc.ClientConnInterface { return p.conn }

// Exited returns a channel that is closed after the provider's process has exited and its stderr
// is read. This happens shortly after its connection breaks.
func (p *Plugin) Exited() <-chan struct{} { return p.child.drained }

// Server returns the provider as a server of protocol 6. For a provider of protocol 5, features
// of protocol 6 are missing.
//
// The error of a method contains the name of the RPC. It wraps the gRPC status that the provider
// returned, or says which part of the request cannot be sent. If the provider has crashed, the
// error says so and contains the exit status and the end of stderr. If the context ends before
// the response, the error says that there was no response and contains the end of stderr. The
// provider then continues to run, and may still process the request.
func (p *Plugin) Server() tfprotov6.ProviderServer {
	return codec.NewClient(codec.Service(p.protocol), session{p})
}

// Driver returns a driver of the provider, like New6.
func (p *Plugin) Driver(ctx context.Context, opts ...Option) (*Driver, error) {
	return New6(ctx, p.Server(), opts...)
}

// Client returns a server of protocol 6 that forwards each call to a running provider. The arguments
// are the connection to the provider and its protocol, 5 or 6. The error of a method contains the name of the RPC. It wraps the gRPC
// status, or says which part of the request cannot be sent.
func Client(conn grpc.ClientConnInterface, protocol int) tfprotov6.ProviderServer {
	return codec.NewClient(codec.Service(protocol), codec.Connection(conn))
}

// Close requests the provider to exit, and kills it after two seconds. It returns after the
// provider has exited. The error says that the provider had crashed before, or that its directory
// cannot be removed. Each call returns the same error.
func (p *Plugin) Close() error {
	p.detach()
	p.end(errors.New("it was closed"), stopGrace)
	return p.crashed
}

// abort stops the provider for the given reason. It can be called at any time. go-plugin can only
// clean up after connect has returned, so abort kills the child, which makes connect return, and
// then cleans up.
func (p *Plugin) abort(reason error) {
	p.ended(reason)
	p.child.kill()
	<-p.connected
	p.end(reason, 0)
}

// end stops the provider for the given reason and returns after it has exited. It kills the
// provider after the grace. It must not be called before connect has returned.
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

// crash returns the error for a provider that exited without a request to do so.
func (p *Plugin) crash() error {
	return p.child.tail.attach(fmt.Errorf("the provider crashed, %s", p.child.cmd.ProcessState))
}
