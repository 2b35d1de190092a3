package driver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	pluginrunner "github.com/hashicorp/go-plugin/runner"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/objchange/objchange/internal/process"
	"github.com/objchange/objchange/tfcheck/internal/codec"
)

const (
	// maxReceived is the maximum size of a response. Servers do not send larger ones.
	maxReceived = 256 << 20
	// stopGrace is the time that a provider has to exit after a request to do so.
	stopGrace = 2 * time.Second
)

// startTimeout limits the time until a provider responds.
var startTimeout = 30 * time.Second

// A Plugin is a running provider. Launch starts it. It is safe for concurrent use.
type Plugin struct {
	protocol int
	client   *plugin.Client
	conn     *grpc.ClientConn
	process  *process.Process
	stderr   process.Tail

	detach  func() bool             // detaches from the context of Launch
	release context.CancelCauseFunc // releases the resources of the context
	closing sync.Once
	failed  error // the result of Close
}

// ErrLimit matches, with errors.Is, the error for a provider that was stopped because it used too
// much memory.
var ErrLimit = process.ErrLimit

// A Barrier is one restriction of an isolated process: its Name, and the Gap if it has no effect.
type Barrier = process.Barrier

type launchConfig struct {
	env      []string
	dir      string
	stderr   io.Writer
	isolated bool
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
// and end before Close returns. A writer that blocks also blocks the provider.
func WithStderr(w io.Writer) LaunchOption {
	return func(c *launchConfig) { c.stderr = w }
}

// Isolated starts the provider with these restrictions:
//
//   - Its environment contains only PATH of this process's variables, and on Windows the
//     variables that every program needs. The proxy variables point to an address that cannot be
//     reached. WithEnv adds variables.
//   - HOME, the directory for temporary files and, without WithDir, the working directory are in
//     a new directory. Close removes it.
//   - On Linux it has no network, not even a loopback interface. It can still connect to Unix
//     sockets in the file system. It must serve on a Unix socket, as all providers that use
//     go-plugin do.
//   - On Linux it cannot send signals to other processes. The processes that it starts end with
//     it.
//   - On Linux it is stopped if it and its descendants use more than 2 GiB of memory. Errors then
//     match ErrLimit.
//
// Files are not isolated: the provider can read and change all files that this process can read
// and change.
//
// If the system does not support a restriction, the provider starts without it, and Isolation
// reports that. The context of a request limits its time. Close stops a provider that hangs.
func Isolated() LaunchOption { return func(c *launchConfig) { c.isolated = true } }

// Launch starts the provider executable and connects to it with protocol 5 or 6, depending on the
// provider. The path has the form that exec.Command accepts. The provider runs until Close is
// called. If the context ends, the provider is killed. On Linux the provider is also killed if this
// process ends without calling Close.
//
// Launch returns an error if the executable cannot be started, is not a provider, has another
// protocol, exits before it responds, or does not respond within 30 seconds. The error contains the
// exit status and the end of stderr. It wraps the cause, such as fs.ErrNotExist or the error of the
// context.
func Launch(ctx context.Context, path string, opts ...LaunchOption) (*Plugin, error) {
	config := launchConfig{}
	set(&config, opts)
	cmd := exec.Command(path)
	cmd.Dir, cmd.Env = config.dir, config.env
	if !config.isolated {
		cmd.Env = append(os.Environ(), config.env...)
	}
	p := &Plugin{stderr: process.Tail{Size: tailSize, Copy: config.stderr}}
	starting, stop := context.WithCancelCause(ctx)
	r := &runner{ctx: starting, cmd: cmd, isolated: config.isolated}
	cmd.Stderr = &p.stderr
	p.client = plugin.NewClient(p.config(r))
	timer := time.AfterFunc(startTimeout, func() { stop(fmt.Errorf("no response within %s", startTimeout)) })
	err := p.connect()
	timer.Stop()
	p.process = r.process
	if err == nil {
		err = context.Cause(starting)
	}
	if err != nil {
		err = fmt.Errorf("provider %s: %w", path, p.startError(err))
		stop(nil)
		return nil, err
	}
	p.release = stop
	p.detach = context.AfterFunc(ctx, func() { p.end(context.Cause(ctx), 0) })
	return p, nil
}

// config returns the configuration of go-plugin. The logger is off, so go-plugin copies stderr
// without parsing it.
func (p *Plugin) config(r *runner) *plugin.ClientConfig {
	return &plugin.ClientConfig{
		HandshakeConfig: plugin.HandshakeConfig{
			MagicCookieKey:   "TF_PLUGIN_MAGIC_COOKIE",
			MagicCookieValue: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
		},
		VersionedPlugins: map[int]plugin.PluginSet{5: nil, 6: nil},
		AllowedProtocols: []plugin.Protocol{plugin.ProtocolGRPC},
		AutoMTLS:         true,
		SkipHostEnv:      true,                     // the runner has it already
		StartTimeout:     startTimeout + stopGrace, // the timeout of Launch comes first
		SyncStdout:       io.Discard,
		SyncStderr:       &p.stderr,
		Logger:           hclog.New(&hclog.LoggerOptions{Level: hclog.Off, Output: io.Discard}),
		GRPCDialOptions: []grpc.DialOption{
			grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxReceived)),
		},
		RunnerFunc: func(_ hclog.Logger, cmd *exec.Cmd, _ string) (pluginrunner.Runner, error) {
			r.cmd.Env = append(r.cmd.Env, cmd.Env...) // the handshake
			return r, nil
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

// startError ends the provider, and returns the reason why it did not start.
func (p *Plugin) startError(err error) error {
	if p.process == nil {
		p.client.Kill() // removes the directory for sockets
		return fmt.Errorf("cannot be started: %w", err)
	}
	p.process.Stop(errNotStarted, 0)
	p.client.Kill()
	<-p.process.Gone
	p.stderr.Detach()
	switch stopped := p.process.Stopped(); {
	case stopped != nil && stopped != errNotStarted:
		err = fmt.Errorf("stopped while it was starting: %w", stopped)
	case p.process.State().Exited():
		err = fmt.Errorf("is not a Terraform provider, or cannot start: it exited before it responded, %s", p.process.State())
	default:
		err = fmt.Errorf("does not respond like a Terraform provider of protocol 5 or 6: %w", err)
	}
	return errors.Join(p.withStderr(err), p.process.Failed())
}

// errNotStarted is the reason to stop a provider that did not start.
var errNotStarted = errors.New("the provider has not started")

// Protocol returns the major version of the provider's protocol, 5 or 6.
func (p *Plugin) Protocol() int { return p.protocol }

// Conn returns the connection to the provider. Use it to forward RPCs unchanged: streams, and
// RPCs that Server does not support. Its errors are gRPC errors.
func (p *Plugin) Conn() grpc.ClientConnInterface { return p.conn }

// Exited returns a channel that is closed after the provider's process has exited and its stderr
// is read. This happens shortly after its connection breaks.
func (p *Plugin) Exited() <-chan struct{} { return p.process.Gone }

// Isolation returns the barriers of this provider, always in the same order. Isolated describes
// them. It returns nil for a provider that is not isolated.
func (p *Plugin) Isolation() []Barrier { return p.process.Barriers }

// Server returns the provider as a server of protocol 6. For a provider of protocol 5, features
// of protocol 6 are missing.
//
// The error of a method wraps the gRPC status that the provider returned, or says which part of the
// request cannot be sent. If the provider has crashed, the error says so and contains the exit
// status and the end of stderr. If the context ends before the response, the error says that there
// was no response and contains the end of stderr. The provider then continues to run, and may still
// process the request.
func (p *Plugin) Server() tfprotov6.ProviderServer {
	return codec.NewClient(codec.Service(p.protocol), p.call)
}

// Driver returns a driver of the provider, like New6.
func (p *Plugin) Driver(ctx context.Context, opts ...Option) (*Driver, error) {
	return New6(ctx, p.Server(), opts...)
}

// Client returns a server of protocol 6 that forwards each call to a running provider. The arguments
// are the connection to the provider and its protocol, 5 or 6. The error of a method wraps the gRPC
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
	return p.failed
}

// end stops the provider for the given reason and returns after it has exited. It kills the
// provider after the grace.
func (p *Plugin) end(reason error, grace time.Duration) {
	p.closing.Do(func() {
		p.process.Stop(reason, grace)
		p.client.Kill()
		<-p.process.Gone
		p.release(nil)
		p.stderr.Detach()
		if p.process.Stopped() == nil { // it had exited before
			p.failed = p.crash()
		}
		p.failed = errors.Join(p.failed, p.process.Failed())
	})
}

// crash returns the error for a provider that exited without a request to do so.
func (p *Plugin) crash() error {
	return p.withStderr(fmt.Errorf("the provider crashed, %s", p.process.State()))
}

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
