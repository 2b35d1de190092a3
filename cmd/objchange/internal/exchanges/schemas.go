package exchanges

import (
	"context"
	"errors"
	"fmt"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

// Schemas answer what a provider has answered that was asked for its schemas, and
// nothing else: a connection for a tfcheck.Witness.
type Schemas map[string]Answer

// SchemasOf returns the schemas of a provider.
func SchemasOf(p Provider) Schemas {
	s := Schemas{}
	for _, a := range p.Schemas {
		s[a.Method] = a
	}
	return s
}

// Invoke answers as was recorded.
func (s Schemas) Invoke(_ context.Context, method string, _, reply any, _ ...grpc.CallOption) error {
	a, ok := s[method]
	if !ok {
		return status.Error(codes.Unavailable, "the recording does not have the answer")
	}
	if err := a.Status.Err(); err != nil {
		return err
	}
	message, ok := reply.(proto.Message)
	if !ok {
		return fmt.Errorf("%T is no message", reply)
	}
	return proto.Unmarshal(a.Response, message)
}

// NewStream fails: schemas do not stream.
func (s Schemas) NewStream(context.Context, *grpc.StreamDesc, string, ...grpc.CallOption) (grpc.ClientStream, error) {
	return nil, errors.ErrUnsupported
}
