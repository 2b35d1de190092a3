package search

import (
	"runtime/debug"
	"testing"
)

// TestMain runs the tests with less garbage collection, because they make many small values.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	m.Run()
}
