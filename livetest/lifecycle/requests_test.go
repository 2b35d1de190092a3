package lifecycle_test

import (
	"testing"

	"github.com/objchange/objchange/livetest/internal/live"
)

// TestRequests runs the same steps with the real command and with a driver, and checks that the
// recording providers receive the same requests in the same order. Providers of protocol 5 are
// upgraded to protocol 6.
func TestRequests(t *testing.T) {
	for _, l := range others {
		t.Run(l.name(), func(t *testing.T) {
			t.Parallel()
			l.compare(t, true)
		})
	}
}

// sameRun removes the requests that a driver sends because it imports an object in a separate
// run: it loads and reads the state once more.
func sameRun(s live.Step, requests []request) []request {
	if s.StepKind == live.Adopting && len(requests) > 4 {
		return append(requests[:2:2], requests[4:]...)
	}
	return requests
}
