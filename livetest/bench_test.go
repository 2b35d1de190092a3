package livetest_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/explore"
)

// BenchmarkLife measures a small resource from creation to destruction, in process: the cost of
// the driver and of the SDK.
func BenchmarkLife(b *testing.B) {
	for _, bench := range []struct {
		made, typeName string
		config         map[string]any
	}{
		{framework, "fw_link", map[string]any{"target": "x"}},
		{framework, "fw_honest", full("fw_honest")},
		{sdk, "sdk_honest", full("sdk_honest")},
	} {
		b.Run(bench.typeName, func(b *testing.B) {
			d := driverOf(b, bench.made)
			for b.Loop() {
				i := resource(b, d, bench.typeName)
				if _, err := i.Create(b.Context(), bench.config); err != nil {
					b.Fatal(err)
				}
				if _, err := i.Destroy(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkUpdate measures one step of a lifecycle: it changes a resource in place, back and
// forth. The README contains the result.
func BenchmarkUpdate(b *testing.B) {
	for _, bench := range []struct {
		made, typeName string
		configs        [2]map[string]any
	}{
		{framework, "fw_link", [2]map[string]any{{"target": "x"}, {"target": "y"}}},
		{framework, "fw_server", [2]map[string]any{serverConfig("north", 1, 80, 443), serverConfig("north", 3, 80, 8080)}},
		{sdk, "sdk_bucket", [2]map[string]any{bucketConfig("b", "warm", "x", env), bucketConfig("b", "warm", "y", env)}},
	} {
		b.Run(bench.typeName, func(b *testing.B) {
			quiet := driver.ReportTo(new(tfcheck.Collector).Report)
			i := driverOf(b, bench.made, quiet).Lifecycle(b, bench.typeName).Create(bench.configs[1])
			for n := 0; b.Loop(); n++ {
				i.Update(bench.configs[n%2]).Expect("update", map[string]any{})
			}
		})
	}
}

// BenchmarkWrap measures the work before the first request: loading the schemas of a provider
// with about thirty resources, and compiling one of them.
func BenchmarkWrap(b *testing.B) {
	for b.Loop() {
		d := driverOf(b, framework)
		resource(b, d, "fw_honest")
	}
}

// BenchmarkExplore measures the exploration of one type of an isolated executable: starting the
// provider twice, 500 requests, and reproducing findings.
func BenchmarkExplore(b *testing.B) {
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	for _, bench := range []struct{ provider, typeName string }{{"sdk", "sdk_bucket"}, {"sdk", "sdk_honest"}, {"fw", "fw_server"}} {
		b.Run(bench.typeName, func(b *testing.B) {
			provider := filepath.Join(b.TempDir(), "terraform-provider-"+bench.provider)
			if err := os.Symlink(self, provider); err != nil {
				b.Fatal(err)
			}
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
