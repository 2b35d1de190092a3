package watch

import (
	"context"
	"math"
	"net"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/stats"
	"google.golang.org/grpc/status"

	"github.com/objchange/objchange/cmd/internal/exchanges"
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/encoded"
)

// A proxy is a gRPC server that forwards RPCs to a provider. Each connection gets its own process
// of the provider, which ends with the connection.
type proxy struct {
	launch func(context.Context) (*driver.Plugin, error)
	tap    tap
	crash  func(error) // called if a process ended by itself

	server  *grpc.Server
	running context.Context
	stop    context.CancelFunc

	mu          sync.Mutex
	connections map[*connection]bool
	connected   int // number of connections so far
}

// A tap has the callbacks of a proxy.
type tap struct {
	// seen receives each RPC, and a function that requests schemas from the process that answered. It
	// must return at once, because the RPC waits for it.
	seen func(exchanges.RPC, encoded.Caller)
	// settle is called when a connection has ended. It returns when the process of the connection is
	// no longer needed for schemas.
	settle func()
}

func newProxy(launch func(context.Context) (*driver.Plugin, error), tap tap, crash func(error)) *proxy {
	p := &proxy{launch: launch, tap: tap, crash: crash, connections: map[*connection]bool{}}
	p.running, p.stop = context.WithCancel(context.Background())
	p.server = grpc.NewServer(
		grpc.UnknownServiceHandler(p.handle),
		grpc.ForceServerCodec(encoded.Raw{}),
		grpc.MaxRecvMsgSize(math.MaxInt32),
		grpc.StatsHandler(p),
		grpc.WaitForHandlers(true), // so no RPC is seen after Stop returns
	)
	return p
}

// serve accepts connections until close is called.
func (p *proxy) serve(listener net.Listener) error { return p.server.Serve(listener) }

// close ends all connections, and returns when their processes are gone.
func (p *proxy) close() {
	p.stop() // cancel launches that handlers wait for
	p.server.Stop()
	p.mu.Lock()
	var ends sync.WaitGroup
	for c := range p.connections {
		ends.Go(c.end)
	}
	p.mu.Unlock()
	ends.Wait()
}

// A connection gets its process with the first RPC, because some clients connect only to check that
// the server listens.
type connection struct {
	proxy  *proxy
	number int // counted from 1

	mu       sync.Mutex
	asked    bool // process or end was called
	broken   bool // the process may have crashed
	provider *driver.Plugin
	err      error
}

// process returns the process of the connection. The first call launches it.
func (c *connection) process() (*driver.Plugin, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.asked {
		c.asked = true
		if c.provider, c.err = detached(c.proxy.running, c.proxy.launch); c.err != nil {
			c.err = status.Error(codes.Unavailable, c.err.Error())
		}
	}
	return c.provider, c.err
}

// detached launches a process. The end of the context ends the launch, but not the process.
func detached(
	ctx context.Context, launch func(context.Context) (*driver.Plugin, error),
) (*driver.Plugin, error) {
	launching, cancel := context.WithCancel(context.Background())
	defer context.AfterFunc(ctx, cancel)()
	provider, err := launch(launching)
	if err != nil {
		cancel()
	}
	return provider, err
}

// end ends the process, and returns when it is gone.
func (c *connection) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.provider != nil {
		if c.broken {
			select {
			case <-c.provider.Exited():
			case <-time.After(crashGrace):
			}
		}
		if err := c.provider.Close(); err != nil {
			c.proxy.crash(err)
		}
	}
	c.asked, c.provider, c.err = true, nil, status.Error(codes.Unavailable, "the connection has ended")
}

// crashGrace is the time that a process gets to exit by itself after its connection broke.
const crashGrace = time.Second

// note records whether the status of an RPC indicates a crash.
func (c *connection) note(err error) {
	if status.Code(err) == codes.Unavailable {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.broken = true
	}
}

type connectionKey struct{}

// TagConn adds a new connection to the context of its RPCs.
func (p *proxy) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.connected++
	c := &connection{proxy: p, number: p.connected}
	p.connections[c] = true
	return context.WithValue(ctx, connectionKey{}, c)
}

// HandleConn ends the process of a connection that has ended.
func (p *proxy) HandleConn(ctx context.Context, event stats.ConnStats) {
	c, ok := ctx.Value(connectionKey{}).(*connection)
	if _, ends := event.(*stats.ConnEnd); !ok || !ends {
		return
	}
	go func() {
		p.tap.settle()
		c.end()
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.connections, c)
	}()
}

// TagRPC does nothing.
func (p *proxy) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context { return ctx }

// HandleRPC does nothing.
func (p *proxy) HandleRPC(context.Context, stats.RPCStats) {}
