package lifecycle_test

import (
	"testing"

	"github.com/objchange/objchange/livetest/internal/live"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
)

// BenchmarkUpdate measures one step of a lifecycle: it changes a resource in place, back and
// forth.
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
