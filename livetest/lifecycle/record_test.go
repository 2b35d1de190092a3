package lifecycle_test

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/objchange/objchange/livetest/internal/live"
	"github.com/objchange/objchange/tfconv"
)

// A request is a request to a provider in readable form: values, private data, and the content of
// the state file. It contains neither identities, which Terraform 1.11 does not know, nor client
// capabilities.
type request struct {
	RPC   string
	Holds map[string]string
}

// A recorder is a server that records the requests that lead to a change of a resource. It does
// not record validation requests, because Core sends one more of them before it walks the graph.
type recorder struct {
	tfprotov6.ProviderServer
	schemas *tfprotov6.GetProviderSchemaResponse

	mu       sync.Mutex
	requests []request
}

// record makes the provider record its requests.
func record(t *testing.T, p *live.Provider) *recorder {
	t.Helper()
	if err := p.Upgrade(t.Context()); err != nil {
		t.Fatal(err)
	}
	schemas, err := p.Server6.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	r := &recorder{ProviderServer: p.Server6, schemas: schemas}
	p.Server6 = r
	return r
}

// taken returns the requests since its last call.
func (r *recorder) taken() (requests []request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	requests, r.requests = r.requests, nil
	return requests
}

func (r *recorder) keep(rpc, typeName string, values map[string]*tfprotov6.DynamicValue, rest map[string]string) {
	q := request{rpc, rest}
	for name, v := range values {
		q.Holds[name] = r.read(typeName, v)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.requests = append(r.requests, q)
}

func (r *recorder) read(typeName string, v *tfprotov6.DynamicValue) string {
	schema, err := tfconv.Schema6(r.schemas.ResourceSchemas[typeName])
	if err != nil {
		return err.Error()
	}
	object, err := tfconv.Decode6(v, schema.Block.ImpliedType())
	if err != nil {
		return err.Error()
	}
	return written(object)
}

func (r *recorder) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	r.keep(live.Upgrade, req.TypeName, nil, map[string]string{
		"version": fmt.Sprint(req.Version), "state": sorted(req.RawState.JSON),
	})
	return r.ProviderServer.UpgradeResourceState(ctx, req)
}

func (r *recorder) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	r.keep(live.Read, req.TypeName, map[string]*tfprotov6.DynamicValue{"current": req.CurrentState}, private(req.Private))
	return r.ProviderServer.ReadResource(ctx, req)
}

func (r *recorder) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	r.keep(live.Plan, req.TypeName, map[string]*tfprotov6.DynamicValue{
		"prior": req.PriorState, "config": req.Config, "proposed": req.ProposedNewState,
	}, private(req.PriorPrivate))
	return r.ProviderServer.PlanResourceChange(ctx, req)
}

func (r *recorder) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	r.keep(live.Apply, req.TypeName, map[string]*tfprotov6.DynamicValue{
		"prior": req.PriorState, "config": req.Config, "planned": req.PlannedState,
	}, private(req.PlannedPrivate))
	return r.ProviderServer.ApplyResourceChange(ctx, req)
}

func (r *recorder) ImportResourceState(ctx context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	r.keep(live.ImportState, req.TypeName, nil, map[string]string{"id": req.ID})
	return r.ProviderServer.ImportResourceState(ctx, req)
}

func private(data []byte) map[string]string { return map[string]string{"private": sorted(data)} }

// sorted returns JSON with sorted keys.
func sorted(text []byte) string {
	var data any
	if json.Unmarshal(text, &data) != nil {
		return string(text)
	}
	again, err := json.Marshal(data)
	if err != nil {
		return err.Error()
	}
	return string(again)
}
