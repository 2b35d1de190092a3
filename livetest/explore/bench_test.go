package explore_test

import (
	"path/filepath"
	"testing"

	"github.com/objchange/objchange/livetest/internal/live"
	"github.com/objchange/objchange/tfcheck/explore"
)

// BenchmarkExplore measures the exploration of one type of an isolated executable: starting the
// provider twice, 500 requests, and reproducing findings.
func BenchmarkExplore(b *testing.B) {
	for _, bench := range []struct{ provider, typeName string }{{"sdk", "sdk_bucket"}, {"sdk", "sdk_honest"}, {"fw", "fw_server"}} {
		b.Run(bench.typeName, func(b *testing.B) {
			provider := filepath.Join(b.TempDir(), "terraform-provider-"+bench.provider)
			live.BuildAs(b, live.TestProvider, provider)
			requests := 0
			for b.Loop() {
				r, err := explore.Explore(b.Context(), explore.Launched(provider), explore.Types(bench.typeName))
				if err != nil {
					b.Fatal(err)
				}
				requests += r.Requests
			}
			b.ReportMetric(float64(requests)/b.Elapsed().Seconds(), "requests/s")
		})
	}
}
