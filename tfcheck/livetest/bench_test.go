package livetest_test

import (
	"testing"
)

// BenchmarkLife is one small resource from creation to destruction, in process:
// what a driver costs beside what the SDK does.
func BenchmarkLife(b *testing.B) {
	for _, bench := range []struct {
		made, typeName string
		config         map[string]any
	}{
		{framework, "fw_link", map[string]any{"target": "x"}},
		{framework, "fw_honest", full("fw_honest")},
		{sdk, "sdk_script", map[string]any{"body": "echo"}},
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

// BenchmarkWrap is what it takes before the first request: the schemas of a
// provider with some thirty resources, and one of them made ready for use.
func BenchmarkWrap(b *testing.B) {
	for b.Loop() {
		d := driverOf(b, framework)
		resource(b, d, "fw_honest")
	}
}
