// Loads the js build of objchange, in browsers and in Node. The file wasm_exec.js must be
// in the same folder, from the release of Go that built the module.
import "./wasm_exec.js";

// load takes the module as bytes or as the result of fetch. It resolves to a function from
// a request to its answer, both plain data. The property text of the function takes and
// returns their JSON. After an error that Go cannot recover from, such as lack of memory,
// the function always throws. Then load the module again.
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
