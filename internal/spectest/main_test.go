package spectest

import (
	"runtime/debug"
	"testing"
)

// TestMain runs the tests with less garbage collection, which takes a fifth of the time: they decode
// many cases, and keep few.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	m.Run()
}
