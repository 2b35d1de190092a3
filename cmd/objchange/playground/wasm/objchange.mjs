// Loads the js build of objchange, in browsers and in Node. Beside it there must be
// wasm_exec.js, of the release of Go that built it.
import "./wasm_exec.js";

// load takes the module, as bytes or as what fetch returns, and resolves to a function
// from a request to its answer, both plain data; its property text takes and returns
// their JSON. What Go cannot recover from, such as memory running out, makes it throw
// from then on: load again.
export async function load(source) {
  const go = new globalThis.Go();
  const wasm = await source;
  const { instance } = await (typeof Response === "function" && wasm instanceof Response
    ? WebAssembly.instantiateStreaming(wasm, go.importObject)
    : WebAssembly.instantiate(wasm, go.importObject));
  go.run(instance);
  const text = globalThis.objchange;
  delete globalThis.objchange;
  return Object.assign((request) => JSON.parse(text(JSON.stringify(request))), { text });
}
