package watch

import (
	"context"
	"errors"
	"io"
	"math"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/encoded"
)

// handle forwards one RPC of any service and kind to the provider, and the answer back. The context
// carries deadline and cancellation.
func (p *proxy) handle(_ any, in grpc.ServerStream) error {
	method, _ := grpc.MethodFromServerStream(in)
	c, ok := in.Context().Value(connectionKey{}).(*connection)
	if !ok {
		return status.Error(codes.Internal, "there is no connection")
	}
	asked := time.Now()
	provider, err := c.process()
	if err != nil {
		return err
	}
	r := &rpcMessages{}
	err = pass(in, provider, method, r)
	c.note(err)
	p.tap.seen(r.exchange(method, asked, c.number, err), schemaCaller(provider.Conn()))
	return err
}

// pass copies messages in both directions until the provider has answered.
func pass(in grpc.ServerStream, provider *driver.Plugin, method string, r *rpcMessages) error {
	ctx, cancel := context.WithCancel(in.Context())
	defer cancel()
	if sent, ok := metadata.FromIncomingContext(ctx); ok {
		ctx = metadata.NewOutgoingContext(ctx, sent)
	}
	out, err := provider.Conn().NewStream(ctx, &grpc.StreamDesc{ClientStreams: true, ServerStreams: true}, method,
		grpc.ForceCodec(encoded.Raw{}), grpc.MaxCallRecvMsgSize(math.MaxInt32))
	if err != nil {
		return err
	}
	go func() {
		if requests(in, out, r) != nil {
			cancel() // the client is gone
		}
	}()
	return responses(in, out, r)
}

// requests copies messages from the client to the provider.
func requests(in grpc.ServerStream, out grpc.ClientStream, r *rpcMessages) error {
	for {
		var message []byte
		err := in.RecvMsg(&message)
		if errors.Is(err, io.EOF) {
			return out.CloseSend()
		}
		if err != nil {
			return err
		}
		r.asked(message)
		if err := out.SendMsg(&message); errors.Is(err, io.EOF) {
			return nil // the provider has answered already
		} else if err != nil {
			return err
		}
	}
}

// responses copies messages from the provider to the client, and returns the status as an error.
func responses(in grpc.ServerStream, out grpc.ClientStream, r *rpcMessages) error {
	header, err := out.Header()
	if err == nil && len(header) > 0 {
		err = in.SendHeader(header)
	}
	for err == nil {
		var message []byte
		if err = out.RecvMsg(&message); err != nil {
			break
		}
		r.answered(message)
		if err = in.SendMsg(&message); err != nil {
			return err
		}
	}
	in.SetTrailer(out.Trailer())
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
