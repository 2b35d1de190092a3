// Sends requests to objchange. wasm_exec.js is from the Go release that built the module.

import "./wasm_exec.js";

// load takes the result of fetch. It resolves to a function from a command and a text to the text
// of the answer. After an error that Go cannot recover from, such as lack of memory, the function
// always throws.
async function load(source) {
  const go = new globalThis.Go();
  const { instance } = await WebAssembly.instantiateStreaming(source, go.importObject);
  go.run(instance);
  const answer = globalThis.objchange;
  delete globalThis.objchange;
  return answer;
}

const answer = load(fetch("objchange.wasm"));

// ask resolves to the text of the answer to a command. The Go package api describes both.
export const ask = async (command, text) => (await answer)(command, text);
