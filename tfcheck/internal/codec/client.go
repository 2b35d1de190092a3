package codec

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/objchange/objchange/tfcheck/internal/wire"
)

// A Caller sends an encoded request and returns the encoded response. The error is an error of
// the connection or of the provider.
type Caller func(ctx context.Context, path string, request []byte) (response []byte, err error)

// NewClient returns a server that calls a provider through the Caller. If the service is the
// service of protocol 5, features of protocol 6 are missing. The errors of the Caller are unchanged.
func NewClient(service string, to Caller) tfprotov6.ProviderServer {
	return wire.NewServer(nil, func(ctx context.Context, name string, request, response any) error {
		rpc, err := Find(service, name)
		if err != nil {
			return err
		}
		sent, err := rpc.Request.Marshal(request)
		if err != nil {
			return fmt.Errorf("the request cannot be sent: %w", err)
		}
		got, err := to(ctx, rpc.Path, addCapabilities(ctx, service, rpc, sent))
		if err != nil {
			return err
		}
		if err := rpc.Response.Unmarshal(got, response, wire.NewerOf(ctx)); err != nil {
			return fmt.Errorf("the response is malformed: %w", err)
		}
		return nil
	})
}

// addCapabilities appends the new client capabilities to a request that has a field for them, if
// the context has them. Protobuf merges the appended field with the field that is already there.
func addCapabilities(ctx context.Context, service string, rpc RPC, request []byte) []byte {
	f := rpc.Request.kind.Descriptor().Fields().ByName("client_capabilities")
	if f == nil || !wire.HasNewCapabilities(ctx) {
		return request
	}
	numbers := []protowire.Number{3} // store_planned_private
	if service == Service6 {
		numbers = append(numbers, 4) // computed_blocks_allowed
	}
	var capabilities []byte
	for _, number := range numbers {
		capabilities = protowire.AppendVarint(protowire.AppendTag(capabilities, number, protowire.VarintType), 1)
	}
	return protowire.AppendBytes(protowire.AppendTag(request, f.Number(), protowire.BytesType), capabilities)
}
