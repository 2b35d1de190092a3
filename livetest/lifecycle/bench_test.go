package lifecycle_test

import (
	"testing"

	"github.com/objchange/objchange/livetest/internal/live"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
)

// BenchmarkLife measures a small resource from creation to destruction, in process: the cost of
// the driver and of the SDK.
func BenchmarkLife(b *testing.B) {
	for _, bench := range []struct {
		made, typeName string
		config         map[string]any
	}{
		{live.Framework, "fw_link", map[string]any{"target": "x"}},
		{live.Framework, "fw_honest", live.Full("fw_honest")},
		{live.SDK, "sdk_honest", live.Full("sdk_honest")},
	} {
		b.Run(bench.typeName, func(b *testing.B) {
			d := live.DriverOf(b, bench.made)
			for b.Loop() {
				i := live.Resource(b, d, bench.typeName)
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
		{live.Framework, "fw_link", [2]map[string]any{{"target": "x"}, {"target": "y"}}},
		{live.Framework, "fw_server", [2]map[string]any{serverConfig("north", 1, 80, 443), serverConfig("north", 3, 80, 8080)}},
		{live.SDK, "sdk_bucket", [2]map[string]any{bucketConfig("b", "warm", "x", env), bucketConfig("b", "warm", "y", env)}},
	} {
		b.Run(bench.typeName, func(b *testing.B) {
			quiet := driver.ReportTo(new(tfcheck.Collector).Report)
			i := live.DriverOf(b, bench.made, quiet).Lifecycle(b, bench.typeName).Create(bench.configs[1])
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
		d := live.DriverOf(b, live.Framework)
		live.Resource(b, d, "fw_honest")
	}
}
