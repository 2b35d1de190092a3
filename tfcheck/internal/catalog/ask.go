package catalog

import (
	"context"
	"errors"
	"fmt"

	"github.com/objchange/objchange/tfcheck/internal/wire"
)

// Ask sends a request of either protocol. It returns an error if the call returns no response,
// and does not send the request if the context has ended.
func Ask[Q, A any](ctx context.Context, rpc, typeName string, call func(context.Context, *Q) (*A, error), req *Q) (*A, error) {
	if ctx.Err() != nil {
		return nil, fmt.Errorf("%s: not sent: %w", Place(rpc, typeName), context.Cause(ctx))
	}
	resp, err := call(ctx, req)
	if err == nil && resp == nil {
		err = errors.New("the provider did not respond")
	}
	if named := (*wire.CallError)(nil); errors.As(err, &named) {
		err = named.Err // Place adds a better name
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Place(rpc, typeName), err)
	}
	return resp, nil
}
