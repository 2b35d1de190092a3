package watch

import (
	"context"
	"slices"
	"sync"
	"time"

	"google.golang.org/grpc"

	"github.com/objchange/objchange/cmd/objchange/internal/exchanges"
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/witness"
)

// A recorded RPC keeps the messages that pass, and has the answer added to. A nil one
// does nothing.
type recorded struct {
	method   string
	provider grpc.ClientConnInterface
	answer   func(*rpc) []byte // or nil

	mu                  sync.Mutex
	requests, responses [][]byte
	more                int // how much there is beyond the first message each way
	cut                 bool
	judged              func() ([]witness.Witnessed, error) // when it was answered, or nil
}

func (r *recorded) asked(message []byte) {
	if r != nil {
		r.keep(&r.requests, message)
	}
}

// answered keeps the message and returns the one that is to be sent.
func (r *recorded) answered(message []byte) []byte {
	if r == nil {
		return message
	}
	r.keep(&r.responses, message)
	if r.answer == nil {
		return message
	}
	seen := r.rpc(r.exchange(time.Time{}, 0, nil))
	if seen == nil || seen.response == nil {
		return message
	}
	message = r.answer(seen)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.judged = seen.judged
	return message
}

// keep keeps a message, unless it is of a stream that has had enough.
func (r *recorded) keep(messages *[][]byte, message []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if message == nil {
		message = []byte{} // as it is in JSON
	}
	if len(*messages) > 0 {
		const slot = 24 // what even an empty message takes
		r.more += len(message) + slot
		r.cut = r.cut || r.more > exchanges.MaxStream
	}
	if !r.cut || len(*messages) == 0 {
		*messages = append(*messages, message)
	}
}

// exchange returns what has passed.
func (r *recorded) exchange(asked time.Time, connection int, err error) (x exchanges.RPC) {
	if r == nil {
		return x
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return exchanges.RPC{
		Time: asked.UTC(), Connection: connection, Method: r.method, Cut: r.cut,
		Requests: slices.Clone(r.requests), Responses: slices.Clone(r.responses), Status: exchanges.StatusOf(err),
	}
}

// tell records what has passed, and has it seen if it is wanted, in the same order.
func (t tap) tell(r *recorded, x exchanges.RPC, wanted bool) {
	see := func() {
		if seen := r.rpc(x); wanted && seen != nil {
			t.seen(seen)
		}
	}
	if t.record == nil {
		see()
		return
	}
	t.record(x, see)
}

// rpc returns what can be judged of what has passed: one request and at most one response,
// or that it failed.
func (r *recorded) rpc(x exchanges.RPC) *rpc {
	if r == nil || x.Status == nil && (len(x.Requests) != 1 || len(x.Responses) > 1 || x.Cut) {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	seen := &rpc{method: x.Method, ask: asker(r.provider), judged: r.judged}
	if len(x.Requests) > 0 {
		seen.request = x.Requests[0]
	}
	switch {
	case x.Status != nil:
		seen.err = x.Status
	case len(x.Responses) == 1:
		seen.response = x.Responses[0]
	}
	return seen
}

// recordProvider records a provider with its schemas, which it is asked for: no other
// RPC need tell them, and what ends the run leaves a recording that can be read.
func recordProvider(ctx context.Context, to *exchanges.Recorder, address string, provider *driver.Plugin, witness *witness.Witness) {
	ctx, cancel := context.WithTimeout(ctx, schemaPatience)
	defer cancel()
	p := exchanges.Provider{Address: address, Protocol: witness.Protocol()}
	for _, method := range witness.SchemaRPCs() {
		response, err := asker(provider.Conn())(ctx, method)
		p.Schemas = append(p.Schemas, exchanges.Answer{Method: method, Response: response, Status: exchanges.StatusOf(err)})
	}
	to.Provider(p)
}

// asker asks a process of a provider for its schemas.
func asker(conn grpc.ClientConnInterface) witness.Asker {
	return func(ctx context.Context, method string) ([]byte, error) {
		request, response := []byte{}, []byte{}
		if err := conn.Invoke(ctx, method, &request, &response, grpc.ForceCodec(raw{}), grpc.MaxCallRecvMsgSize(maxSchemas)); err != nil {
			return nil, err
		}
		return response, nil
	}
}

// maxSchemas is how large schemas may be.
const maxSchemas = 256 << 20
