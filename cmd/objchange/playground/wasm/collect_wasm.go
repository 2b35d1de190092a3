package main

import (
	"runtime"
	"runtime/metrics"

	"github.com/objchange/objchange/cmd/objchange/playground/internal/api"
)

// answered answers a request, and collects garbage as soon as there are two megabytes of
// it. Go's own collector works beside a program in small parts, and between two calls
// nothing runs here: it would not keep up, and the memory would grow.
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
	allocated = []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}} // since the beginning
	collected uint64                                              // how much it was the last time
)
