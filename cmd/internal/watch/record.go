package watch

import (
	"context"
	"slices"
	"sync"
	"time"

	"google.golang.org/grpc"

	"github.com/objchange/objchange/cmd/internal/exchanges"
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/encoded"
)

// An rpcMessages keeps the messages of one RPC.
type rpcMessages struct {
	mu                  sync.Mutex
	requests, responses [][]byte
	more                int // size of the messages after the first, in both directions
	cut                 bool
}

func (r *rpcMessages) asked(message []byte)    { r.keep(&r.requests, message) }
func (r *rpcMessages) answered(message []byte) { r.keep(&r.responses, message) }

// keep appends a message, unless the stream has exceeded exchanges.MaxStream.
func (r *rpcMessages) keep(messages *[][]byte, message []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if message == nil {
		message = []byte{} // for JSON, which must not become null
	}
	if len(*messages) > 0 {
		const slot = 24 // the size of an empty message
		r.more += len(message) + slot
		r.cut = r.cut || r.more > exchanges.MaxStream
	}
	if !r.cut || len(*messages) == 0 {
		*messages = append(*messages, message)
	}
}

// exchange returns the RPC of a method.
func (r *rpcMessages) exchange(method string, asked time.Time, connection int, err error) exchanges.RPC {
	r.mu.Lock()
	defer r.mu.Unlock()
	return exchanges.RPC{
		Time: asked.UTC(), Connection: connection, Method: method, Cut: r.cut,
		Requests: slices.Clone(r.requests), Responses: slices.Clone(r.responses), Status: exchanges.StatusOf(err),
	}
}

// recordProvider records the provider with its schemas, which it requests from the provider. Then
// the recording can be read even if the run requests no schemas or is killed.
func (w *watchedProvider) recordProvider(ctx context.Context, to *exchanges.Recorder, provider *driver.Plugin) {
	ctx, cancel := context.WithTimeout(ctx, schemaTimeout)
	defer cancel()
	p := exchanges.Provider{Address: w.provider.Address, Protocol: w.encoded.Protocol()}
	for _, method := range w.encoded.SchemaRPCs() {
		response, err := schemaCaller(provider.Conn())(ctx, method)
		answer := exchanges.Answer{Method: method, Response: response, Status: exchanges.StatusOf(err)}
		p.Schemas = append(p.Schemas, answer)
	}
	to.Provider(p)
}

// schemaCaller returns a function that requests schemas from a process of a provider.
func schemaCaller(conn grpc.ClientConnInterface) encoded.Caller {
	return func(ctx context.Context, method string) ([]byte, error) {
		request, response := []byte{}, []byte{}
		err := conn.Invoke(ctx, method, &request, &response,
			grpc.ForceCodec(encoded.Raw{}), grpc.MaxCallRecvMsgSize(maxSchemas))
		if err != nil {
			return nil, err
		}
		return response, nil
	}
}

// maxSchemas is the maximum size of schemas in bytes.
const maxSchemas = 256 << 20
