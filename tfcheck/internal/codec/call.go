package codec

import (
	"context"
	"fmt"

	"google.golang.org/grpc"
)

// Connection returns a Caller that uses the gRPC connection. Its errors are gRPC errors.
func Connection(conn grpc.ClientConnInterface) Caller {
	return func(ctx context.Context, path string, request []byte) (response []byte, err error) {
		err = conn.Invoke(ctx, path, &request, &response, grpc.ForceCodec(Raw{}))
		return response, err
	}
}

// Raw is a gRPC codec that forwards messages that are already encoded. Each message is a *[]byte.
type Raw struct{}

// Name returns the name of the codec that providers use.
func (Raw) Name() string { return "proto" }

// Marshal returns the bytes of the message.
func (Raw) Marshal(message any) ([]byte, error) {
	encoded, ok := message.(*[]byte)
	if !ok {
		return nil, fmt.Errorf("%T is not an encoded message", message)
	}
	return *encoded, nil
}

// Unmarshal stores the bytes in the message.
func (Raw) Unmarshal(encoded []byte, message any) error {
	to, ok := message.(*[]byte)
	if !ok {
		return fmt.Errorf("%T is not an encoded message", message)
	}
	*to = encoded
	return nil
}
