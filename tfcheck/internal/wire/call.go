//go:build !wasm

package wire

import (
	"context"
	"fmt"

	"google.golang.org/grpc"
)

// Connection returns the Caller of a gRPC connection. Its errors are those of gRPC.
func Connection(conn grpc.ClientConnInterface) Caller { return connection{conn} }

type connection struct{ conn grpc.ClientConnInterface }

func (c connection) Call(ctx context.Context, path string, request []byte) (response []byte, err error) {
	err = c.conn.Invoke(ctx, path, &request, &response, grpc.ForceCodec(codec{}))
	return response, err
}

// A codec passes messages on that are encoded already.
type codec struct{}

// Name is that of the codec that providers have.
func (codec) Name() string { return "proto" }

func (codec) Marshal(message any) ([]byte, error) {
	encoded, ok := message.(*[]byte)
	if !ok {
		return nil, fmt.Errorf("%T is no encoded message", message)
	}
	return *encoded, nil
}

func (codec) Unmarshal(encoded []byte, message any) error {
	to, ok := message.(*[]byte)
	if !ok {
		return fmt.Errorf("%T is no encoded message", message)
	}
	*to = encoded
	return nil
}
