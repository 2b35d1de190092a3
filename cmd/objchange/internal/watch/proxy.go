package watch

import (
	"context"
	"fmt"
	"math"
	"net"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/stats"
	"google.golang.org/grpc/status"

	"github.com/objchange/objchange/cmd/objchange/internal/exchanges"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/witness"
)

// A proxy stands in for a provider: who connects to it has a process of the provider
// for himself, as long as the connection lasts.
type proxy struct {
	launch func(context.Context) (*driver.Plugin, error)
	tap    tap
	crash  func(error) // is told of a process that ended by itself

	server  *grpc.Server
	running context.Context
	stop    context.CancelFunc

	mu          sync.Mutex
	connections map[*connection]bool
	connected   int // how often
}

// A tap is told of what passes.
type tap struct {
	wants func(method string) bool
	// answer returns what is answered in the place of the response, while the RPC
	// waits for it. Without it, the response is.
	answer func(*rpc) []byte
	// seen must return at once: an RPC waits for it.
	seen func(*rpc)
	// settle, if it is there, returns when the process of a connection that has ended
	// is no longer asked for anything.
	settle func()
	// record, if it is there, records each RPC, and then calls what is to follow.
	record func(r exchanges.RPC, then func())
}

// An rpc is one that has passed, with one request and one response.
type rpc struct {
	method            string
	ask               witness.Asker // of the process that answered
	request, response []byte
	err               error // in place of the response

	address string // of the provider
	explore string // the provider for objchange explore, or ""
	witness *witness.Witness
	place   report.Place                        // in a recording
	judged  func() ([]witness.Witnessed, error) // what is found, or nil if the witness must judge
}

func newProxy(launch func(context.Context) (*driver.Plugin, error), tap tap, crash func(error)) *proxy {
	p := &proxy{launch: launch, tap: tap, crash: crash, connections: map[*connection]bool{}}
	p.running, p.stop = context.WithCancel(context.Background())
	p.server = grpc.NewServer(
		grpc.UnknownServiceHandler(p.handle),
		grpc.ForceServerCodec(raw{}),
		grpc.MaxRecvMsgSize(math.MaxInt32),
		grpc.StatsHandler(p),
		grpc.WaitForHandlers(true), // so that nothing is seen after the end
	)
	return p
}

// serve serves until close is called.
func (p *proxy) serve(listener net.Listener) error { return p.server.Serve(listener) }

// close ends all connections, and returns when their processes are gone.
func (p *proxy) close() {
	p.stop() // what is being launched, which handlers wait for
	p.server.Stop()
	p.mu.Lock()
	var ends sync.WaitGroup
	for c := range p.connections {
		ends.Go(c.end)
	}
	p.mu.Unlock()
	ends.Wait()
}

// A connection has a process of its own from its first RPC on: some connect only to
// see whether anybody listens.
type connection struct {
	proxy  *proxy
	number int // from 1

	mu       sync.Mutex
	asked    bool // for the process
	broken   bool // the process may have crashed
	ended    bool
	provider *driver.Plugin
	err      error
}

// process returns the process, and launches it the first time.
func (c *connection) process() (*driver.Plugin, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.asked && !c.ended {
		c.asked = true
		ctx, cancel := context.WithCancel(context.Background())
		launched := context.AfterFunc(c.proxy.running, cancel)
		if c.provider, c.err = c.proxy.launch(ctx); c.err != nil {
			cancel()
			c.err = status.Error(codes.Unavailable, c.err.Error())
		}
		launched() // from now on it is asked to end, not killed
	}
	if c.provider == nil && c.err == nil {
		return nil, status.Error(codes.Unavailable, "the connection has ended")
	}
	return c.provider, c.err
}

// end ends the process, and returns when it is gone.
func (c *connection) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.ended && c.provider != nil {
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
	c.ended = true
}

// crashGrace is how long a process may take to end whose connection has broken.
const crashGrace = time.Second

// note looks at what an RPC ended with.
func (c *connection) note(err error) {
	if status.Code(err) == codes.Unavailable {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.broken = true
	}
}

type connectionKey struct{}

// TagConn makes the connection known to its RPCs.
func (p *proxy) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context {
	c := &connection{proxy: p}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.connections[c] = true
	p.connected++
	c.number = p.connected
	return context.WithValue(ctx, connectionKey{}, c)
}

// HandleConn ends what belongs to a connection that has ended.
func (p *proxy) HandleConn(ctx context.Context, event stats.ConnStats) {
	c, ok := ctx.Value(connectionKey{}).(*connection)
	if _, ends := event.(*stats.ConnEnd); !ok || !ends {
		return
	}
	go func() {
		if p.tap.settle != nil {
			p.tap.settle()
		}
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

// raw is the codec of messages that nobody reads: each is a *[]byte.
type raw struct{}

func (raw) Name() string { return "proto" } // which is what they are, to both sides

func (raw) Marshal(v any) ([]byte, error) {
	message, ok := v.(*[]byte)
	if !ok {
		return nil, fmt.Errorf("%T is no message that passes", v)
	}
	return *message, nil
}

func (raw) Unmarshal(data []byte, v any) error {
	message, ok := v.(*[]byte)
	if !ok {
		return fmt.Errorf("%T is no message that passes", v)
	}
	*message = data
	return nil
}
