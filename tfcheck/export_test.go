package tfcheck

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/objchange/objchange/tfcheck/internal/wire"
)

// Unmet is what Expect tells of a value.
var Unmet = unmet

// Called5 returns the server at the other end of a connection.
func Called5(conn grpc.ClientConnInterface) tfprotov5.ProviderServer { return &client5{called{conn}} }

// Called6 returns the server at the other end of a connection.
func Called6(conn grpc.ClientConnInterface) tfprotov6.ProviderServer { return &client6{called{conn}} }

type called struct{ conn grpc.ClientConnInterface }

func (c called) call(ctx context.Context, service protoreflect.FullName, rpc string, request, response any) error {
	return wire.Call(ctx, c.conn, service, rpc, request, response)
}
