package livetest_test

import (
	"testing"
)

// TestRequests has the real command and a driver do the same with providers
// that record what they are asked: they get the same requests in the same order.
// Providers of protocol 5 are upgraded for that.
func TestRequests(t *testing.T) {
	for _, l := range others {
		t.Run(l.name(), func(t *testing.T) {
			t.Parallel()
			l.compare(t, true)
		})
	}
}

// sameRun leaves out what a driver asks because it imports an object in a run of
// its own: the state is loaded and read once more.
func sameRun(s step, requests []request) []request {
	if s.doing == adopting && len(requests) > 4 {
		return append(requests[:2:2], requests[4:]...)
	}
	return requests
}
