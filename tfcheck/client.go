//go:build !wasm

package tfcheck

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/objchange/objchange/tfcheck/internal/wire"
)

// Client5 returns the provider of protocol 5 at the other end of a connection that
// somebody else has made, to one that runs already. The error of a method names the
// RPC, and wraps the gRPC status or says what cannot be sent.
func Client5(conn grpc.ClientConnInterface) tfprotov5.ProviderServer {
	return &client5{connected{conn}}
}

// Client6 returns the provider of protocol 6, like Client5.
func Client6(conn grpc.ClientConnInterface) tfprotov6.ProviderServer {
	return &client6{connected{conn}}
}

type connected struct{ conn grpc.ClientConnInterface }

func (c connected) call(ctx context.Context, service, rpc string, request, response any) error {
	return wire.Call(ctx, c.conn, protoreflect.FullName(service), rpc, request, response)
}
