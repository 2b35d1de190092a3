// Command wasm answers requests as package api has them, as a function of JavaScript:
// globalThis.objchange takes one as a string and returns the answer as a string.
// objchange.mjs loads it, and docs/wasm.md says how.
package main

import "syscall/js"

func main() {
	js.Global().Set("objchange", js.FuncOf(func(_ js.Value, args []js.Value) any {
		request := "null"
		if len(args) > 0 && args[0].Type() == js.TypeString {
			request = args[0].String()
		}
		return string(answered([]byte(request)))
	}))
	select {} // the function is called for as long as the page is there
}
