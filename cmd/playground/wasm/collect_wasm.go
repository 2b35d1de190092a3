package main

import (
	"runtime"
	"runtime/metrics"

	"github.com/objchange/objchange/cmd/playground/internal/api"
)

// answered answers a request. It collects garbage after every two megabytes of allocations. Go's
// own collector works in small steps beside the program, and nothing runs here between two calls.
// It would not keep up, and the memory would grow.
func answered(request []byte) []byte {
	answer := api.Answer(request)
	metrics.Read(allocated)
	if now := allocated[0].Value.Uint64(); now-collected >= 2<<20 {
		runtime.GC()
		collected = now
	}
	return answer
}

var (
	allocated = []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}} // since the start
	collected uint64                                              // the value at the last collection
)
