// Package testprovider contains providers for tests.
package testprovider

import (
	"context"
	"fmt"
)

func answer[Response any](ctx context.Context, with func(context.Context, string, any) (any, error), rpc string, request any) (*Response, error) {
	answered, err := with(ctx, rpc, request)
	if err != nil {
		return nil, err
	}
	if answered == nil {
		return new(Response), nil
	}
	response, ok := answered.(*Response)
	if !ok {
		return nil, fmt.Errorf("%s cannot answer a %T", rpc, answered)
	}
	return response, nil
}
