// Command wasm answers the requests of package api as a JavaScript function. The global function
// objchange(command, text) returns the answer as a string.
package main

import (
	"runtime"
	"syscall/js"

	"github.com/objchange/objchange/cmd/playground/internal/api"
)

func main() {
	js.Global().Set("objchange", js.FuncOf(func(_ js.Value, args []js.Value) any {
		defer runtime.GC() // Go's own collector works beside the program, and nothing runs here between two calls
		return string(api.Answer(args[0].String(), args[1].String()))
	}))
	select {} // the function can be called as long as the page exists
}
