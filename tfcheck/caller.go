package tfcheck

import "context"

// A caller calls an RPC of a provider; request and response are pointers to the
// structs of tfprotov5 or tfprotov6.
type caller interface {
	call(ctx context.Context, service, rpc string, request, response any) error
}

// call is every method of client5 and client6.
func call[Response, Request any](ctx context.Context, p caller, service, rpc string, request *Request) (*Response, error) {
	response := new(Response)
	if err := p.call(ctx, service, rpc, request, response); err != nil {
		return nil, &callError{rpc, err}
	}
	return response, nil
}
