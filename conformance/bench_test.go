package conformance_test

import (
	"testing"

	"github.com/objchange/objchange/conformance"
)

func BenchmarkCases(b *testing.B) {
	for range b.N {
		for _, err := range conformance.Cases() {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
