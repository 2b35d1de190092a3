package testprovider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5/tf5server"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
	"github.com/hashicorp/terraform-plugin-mux/tf6to5server"
)

// serve6 serves protocol 6 until it receives a request to stop.
func serve6(with func(context.Context, string, any) (any, error)) error {
	return tf6server.Serve("example.com/test/test", func() tfprotov6.ProviderServer {
		return &Server6{Answer: with}
	})
}

// serve5 serves the same in protocol 5.
func serve5() error {
	six := func() tfprotov6.ProviderServer { return &Server6{Answer: answer6} }
	five, err := tf6to5server.DowngradeServer(context.Background(), six)
	if err != nil {
		return err
	}
	return tf5server.Serve("example.com/test/test", func() tfprotov5.ProviderServer { return five })
}

// answer6 returns the state of the request. The type name selects what ReadResource does in
// addition.
func answer6(ctx context.Context, _ string, request any) (any, error) {
	switch req := request.(type) {
	case *tfprotov6.ReadResourceRequest:
		state, err := read(ctx, req.TypeName)
		if err != nil || state == nil {
			return &tfprotov6.ReadResourceResponse{NewState: req.CurrentState}, err
		}
		return &tfprotov6.ReadResourceResponse{NewState: &tfprotov6.DynamicValue{JSON: state}}, nil
	case *tfprotov6.PlanResourceChangeRequest:
		return &tfprotov6.PlanResourceChangeResponse{PlannedState: req.ProposedNewState}, nil
	}
	return nil, nil
}
