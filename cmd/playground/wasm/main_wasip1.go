// Command wasm answers the requests of package api as a WASI reactor. It is built with
// -buildmode=c-shared, and the host calls its functions. See docs/wasm.md, which also describes the
// build for JavaScript.
package main

import (
	"unsafe"

	"github.com/objchange/objchange/cmd/playground/internal/api"
)

// The host writes request and reads answer. The variables keep them from being collected.
var request, answer []byte

// room allocates memory for a request and returns its address, or 0 if the request is too large.
//
//go:wasmexport objchange_request
func room(size uint32) uint32 {
	if size > api.MaxRequest {
		return 0
	}
	request = make([]byte, max(size, 1))[:size]
	return address(request)
}

// call answers the request in memory. It returns the address of the answer in the upper half and
// its size in the lower half. The answer is valid until the next call.
//
//go:wasmexport objchange_answer
func call() uint64 {
	answer = answered(request)
	request = nil
	return uint64(address(answer))<<32 | uint64(len(answer))
}

func address(b []byte) uint32 { return uint32(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) }

func main() {}
