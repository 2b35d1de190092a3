package catalog

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// RPCOf returns the name of the RPC whose requests have the type Q, in either protocol.
func RPCOf[Q any]() string { return strings.TrimSuffix(reflect.TypeFor[Q]().Name(), "Request") }

// Ask sends a request of either protocol. It returns an error if the call returns no response,
// and does not send the request if the context has ended.
func Ask[Q, A any](
	ctx context.Context, typeName string, call func(context.Context, *Q) (*A, error), req *Q,
) (*A, error) {
	place := Place(RPCOf[Q](), typeName)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("%s: not sent: %w", place, context.Cause(ctx))
	}
	resp, err := call(ctx, req)
	if err == nil && resp == nil {
		err = errors.New("the provider did not respond")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", place, err)
	}
	return resp, nil
}
