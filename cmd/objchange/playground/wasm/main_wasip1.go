// Command wasm answers requests as package api has them, as a WASI reactor: built with
// -buildmode=c-shared, its functions are called by what it runs in. docs/wasm.md has
// how, and how it is built for JavaScript.
package main

import (
	"unsafe"

	"github.com/objchange/objchange/cmd/objchange/playground/internal/api"
)

// What the host writes and reads: kept here, so that it is not collected meanwhile.
var request, answer []byte

// room makes room for a request and returns its address, or 0 if it is too large.
//
//go:wasmexport objchange_request
func room(size uint32) uint32 {
	if size > api.MaxRequest {
		return 0
	}
	request = make([]byte, max(size, 1))[:size]
	return address(request)
}

// call answers the request that is there. It returns the address of the answer in the
// upper half and its size in the lower one; they hold until the next call.
//
//go:wasmexport objchange_answer
func call() uint64 {
	answer = answered(request)
	request = nil
	return uint64(address(answer))<<32 | uint64(len(answer))
}

func address(b []byte) uint32 { return uint32(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) }

func main() {}
