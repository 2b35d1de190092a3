//go:build !wasm

package wire

import (
	"context"
	"fmt"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Call sends the request, a pointer to a struct of tfprotov5 or tfprotov6, as
// the named method of the service and fills the response, a pointer too. An
// error of the connection or the provider is the gRPC status, unchanged; the
// others say what cannot be sent or was not understood, and where.
func Call(ctx context.Context, conn grpc.ClientConnInterface, service protoreflect.FullName, name string, request, response any) error {
	method, err := Method(service, name)
	if err != nil {
		return err
	}
	in, err := newMessage(method.Input())
	if err != nil {
		return err
	}
	out, err := newMessage(method.Output())
	if err != nil {
		return err
	}
	if err := ToProto(request, in); err != nil {
		return fmt.Errorf("the request cannot be sent: %w", err)
	}
	if err := conn.Invoke(ctx, fmt.Sprintf("/%s/%s", service, method.Name()), in, out); err != nil {
		return err
	}
	if err := FromProto(out, response); err != nil {
		return fmt.Errorf("the response makes no sense: %w", err)
	}
	return nil
}
