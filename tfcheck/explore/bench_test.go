package explore

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// A large provider has the type of its cloud under 1 000 names. The plans of eight types of
// cloud_network_* break a rule. Terraform tolerates four of them.
type large struct{ *cloud }

func (l large) GetProviderSchema(
	ctx context.Context, req *tfprotov6.GetProviderSchemaRequest,
) (*tfprotov6.GetProviderSchemaResponse, error) {
	resp, err := l.cloud.GetProviderSchema(ctx, req)
	types := map[string]*tfprotov6.Schema{}
	for i := range 960 {
		types[fmt.Sprintf("cloud_server_%d", i)] = resp.ResourceSchemas["cloud_server"]
	}
	for i := range 32 {
		types[fmt.Sprintf("cloud_network_%d", i)] = resp.ResourceSchemas["cloud_server"]
	}
	for i := range 4 {
		types[fmt.Sprintf("cloud_network_rejected_%d", i)] = resp.ResourceSchemas["cloud_server"]
		types[fmt.Sprintf("cloud_network_tolerated_%d", i)] = resp.ResourceSchemas["cloud_server"]
	}
	resp.ResourceSchemas = types
	return resp, err
}

func (l large) PlanResourceChange(
	ctx context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	rejected := strings.Contains(req.TypeName, "rejected")
	if !rejected && !strings.Contains(req.TypeName, "tolerated") {
		return l.Recorder.PlanResourceChange(ctx, req)
	}
	resp, err := l.cloud.PlanResourceChange(ctx, req)
	if rejected {
		resp.UnsafeToUseLegacyTypeSystem = false //lint:ignore SA1019 Terraform tolerates the plan otherwise
	}
	return resp, err
}

// BenchmarkLargeProvider explores 40 of a provider's 1 000 types. Eight of the 40 have a finding. The
// benchmark counts processes: one for the schemas, one for each worker, one for each finding that
// counts, and one for each other type with a finding.
func BenchmarkLargeProvider(b *testing.B) {
	var starts atomic.Int32
	provider := InProcess(func() (tfprotov6.ProviderServer, error) {
		starts.Add(1)
		c := newCloud(b, Resource, nameAndSize)
		c.Other = "other"
		return large{c}, nil
	})
	requests := 0
	for b.Loop() {
		r, err := Explore(b.Context(), provider, Types("cloud_network_*"), Requests(100))
		if err != nil || len(r.Types) != 40 || len(r.Findings) != 2 || len(r.Findings[0].Places) != 4 {
			b.Fatal(r, err)
		}
		requests += r.Requests
	}
	b.ReportMetric(float64(starts.Load())/float64(b.N), "starts/op")
	b.ReportMetric(float64(requests)/b.Elapsed().Seconds(), "requests/s")
}
