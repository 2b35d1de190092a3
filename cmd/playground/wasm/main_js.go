// Command wasm answers the requests of package api as a JavaScript function. The function
// globalThis.objchange takes a request as a string and returns the answer as a string.
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
	select {} // the function can be called as long as the page exists
}
